"""Records made by hand, and the rules of the marks written down once more, in another way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from offhook.drills import DrillRecord, HeardSpeech, Moment, SpokenLine
from offhook.records import LateTicks

__all__ = ["count_rule", "heard", "made", "said", "yield_rule"]


def said(text: str, start: float, end: float, purpose: str) -> SpokenLine:
    return SpokenLine("Sergeant", text, start, end, purpose)


def heard(text: str, start: float, end: float) -> HeardSpeech:
    return HeardSpeech(text, start, end, 0.9)


def made(
    drill: str,
    draw: Mapping[str, Any],
    lines: Sequence[SpokenLine],
    speech: Sequence[HeardSpeech],
    *,
    moments: Sequence[Moment] = (),
    seconds: float = 100.0,
) -> DrillRecord:
    return DrillRecord(
        version=1,
        drill_id="0123456789abcdef",
        drill=drill,
        drill_version="1",
        platform="by-hand",
        run=1,
        attempt=1,
        run_seed=1,
        ending="completed",
        cause="",
        seconds=seconds,
        draw=draw,
        said=tuple(lines),
        heard=tuple(speech),
        moments=tuple(moments),
        chat=(),
        media=(),
        pictures=(),
        agent_left=None,
        agent_transcripts=(),
        user_transcripts=(),
        session_errors=(),
        usage={},
        cost_usd=None,
        cost_basis="unknown",
        voices={"Sergeant": "fake"},
        late=LateTicks(0.0, 0.0, 0.0),
        components=(),
        files=(),
    )


def count_rule(latency: float) -> float:
    """A right number so long after his."""
    return 0.0 if latency > 5 else float(np.interp(latency, (0.8, 4.0), (100, 60)))


def yield_rule(seconds: float) -> float:
    """Silence so long after he cut in."""
    return 0.0 if seconds > 10 else float(np.interp(seconds, (1.0, 2.0), (100, 60)))
