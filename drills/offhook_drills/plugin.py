"""The meeting drills and their recruits as a plugin. Their parts are imported when a hook is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.drills import Drill
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters", "offhook_drills"]


@hookimpl
def offhook_drills() -> Sequence[Drill]:
    """Meeting drills."""
    from offhook_drills.cease_fire import CeaseFire
    from offhook_drills.count_off import CountOff
    from offhook_drills.hold_your_tongue import HoldYourTongue
    from offhook_drills.read_it_back import ReadItBack

    return (CountOff(), ReadItBack(), HoldYourTongue(), CeaseFire())


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """A recruit that does each drill as ordered, and one for each way of failing at it."""
    from offhook_drills.recruits.faults import recruits

    return recruits()
