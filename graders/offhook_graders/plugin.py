"""The graders of the platform benchmark, as one plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.grading import Grader

__all__ = ["offhook_graders"]


@hookimpl
def offhook_graders() -> list[Grader]:
    """Tool and state adherence decide; hearing and latency measure."""
    from offhook.caches import cache_root
    from offhook.toolserver import ReplayCache, SeedImages
    from offhook_graders.hearing import WerGrader
    from offhook_graders.latency import LatencyGrader
    from offhook_graders.state import StateGrader
    from offhook_graders.tools import ToolGrader

    replays = ReplayCache(cache_root() / "replays", images=SeedImages(cache_root() / "images"))
    return [ToolGrader(replays), StateGrader(replays), WerGrader(), LatencyGrader()]
