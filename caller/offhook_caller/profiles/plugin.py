"""The audio profiles this package brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.line import AudioProfile

__all__ = ["offhook_audio_profiles"]


@hookimpl
def offhook_audio_profiles() -> Sequence[AudioProfile]:
    """``noise`` is a caller on the street, ``degraded`` one on a weak mobile signal."""
    from offhook_caller.profiles.degraded import DegradedProfile
    from offhook_caller.profiles.noise import NoiseProfile

    return [NoiseProfile(), DegradedProfile()]
