"""What an independent recogniser makes of both sides of a call: the measurers ``caller-recognition`` and
``agent-recognition``.

Their values are plain JSON::

    {"engine": "whisper-base", "version": "faster-whisper 1.2.1", "weights": "d01c30...",
     "turns": [{"index": 0, "start": 1.2, "end": 4.9, "text": "..."}, ...]}

Times are line seconds. The caller is heard on its own tape, before any audio profile, one turn of the record
at a time: ``index`` is the turn's. The agent is heard on the right channel of the recording, one utterance at
a time. A turn in which the recogniser hears nothing has the text ``""``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np

from offhook.audio import Clip, Samples
from offhook.grading import CallEvidence, GradingEngines, NotMeasured
from offhook.line import AudioFileError, read_flac
from offhook.speech import Listener, ListenerHint

__all__ = [
    "AGENT_RECOGNITION",
    "CALLER_RECOGNITION",
    "AgentRecognition",
    "CallerRecognition",
    "utterances_of",
]

CALLER_RECOGNITION: Final = "caller-recognition"
AGENT_RECOGNITION: Final = "agent-recognition"

_BRIDGE_S: Final = 0.5  # agent audio that goes on so soon is the same utterance
_LEAST_S: Final = 0.05  # no shorter stretch holds a word
_TRUNCATED_S: Final = 0.1  # as much may be missing at the end of a tape: less than a frame buffer
_CAREFUL: Final = ListenerHint(beam=5)


@attrs.frozen
class CallerRecognition:
    """Hears each caller turn on the caller's own tape."""

    name: str = CALLER_RECOGNITION
    version: str = "1"

    def measure(self, call: CallEvidence, engines: GradingEngines) -> Mapping[str, Any]:
        """Raises:
        NotMeasured: a text line, a caller who said nothing, or a tape that can't be heard.
        SpeechUnavailable: there is no recogniser.
        """
        if call.caller_tape is None:
            raise NotMeasured("a text line has no recording")
        spans = [(turn.start, turn.end) for turn in call.record.caller_turns]
        if not spans:
            raise NotMeasured("the caller said nothing")
        samples, rate = _channel(call.caller_tape, None)
        return _recognised("caller", call.caller_tape, samples, rate, spans, engines)


@attrs.frozen
class AgentRecognition:
    """Hears each of the agent's utterances on the recording."""

    name: str = AGENT_RECOGNITION
    version: str = "1"

    def measure(self, call: CallEvidence, engines: GradingEngines) -> Mapping[str, Any]:
        """Raises:
        NotMeasured: a text line, an agent that played nothing, or a recording that can't be heard.
        SpeechUnavailable: there is no recogniser.
        """
        if call.recording is None:
            raise NotMeasured("a text line has no recording")
        spans = utterances_of((span.start, span.end) for span in call.record.played)
        if not spans:
            raise NotMeasured("the agent played nothing")
        samples, rate = _channel(call.recording, 1)
        return _recognised("agent", call.recording, samples, rate, spans, engines)


def utterances_of(spans: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Spans ``(start, end)`` in seconds, in order, those with at most 0.5 s between them as one."""
    joined: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if joined and start - joined[-1][1] <= _BRIDGE_S:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def _channel(path: Path, channel: int | None) -> tuple[Samples, int]:
    """One channel of a stereo file, or a mono file where ``channel`` is None."""
    try:
        samples, rate = read_flac(path)
    except AudioFileError as error:
        raise NotMeasured(str(error)) from error
    wanted = 1 if channel is None else 2
    found = 1 if samples.ndim == 1 else samples.shape[1]
    if found != wanted:
        raise NotMeasured(f"{path.name}: expected {wanted} audio channel(s), found {found}")
    return np.ascontiguousarray(samples if channel is None else samples[:, channel]), rate


def _recognised(
    who: str,
    path: Path,
    samples: Samples,
    rate: int,
    spans: Sequence[tuple[float, float]],
    engines: GradingEngines,
) -> Mapping[str, Any]:
    if not all(math.isfinite(edge) for span in spans for edge in span):
        raise NotMeasured(f"a turn of the {who} has no times")
    needed = max(end for _, end in spans)
    if len(samples) / rate < needed - _TRUNCATED_S:
        raise NotMeasured(
            f"{path.name} holds {len(samples) / rate:.2f} s, but the last turn of the {who} ends at "
            f"{needed:.2f} s"
        )
    if not np.any(samples):
        raise NotMeasured(f"the {who}'s channel is silent")
    listener = engines.listener()
    info = listener.info
    return {
        "engine": listener.name,
        "version": f"{info.engine} {info.version}",
        "weights": info.weights_sha256,
        "turns": [
            {
                "index": index,
                "start": start,
                "end": end,
                "text": _heard(listener, _cut(samples, rate, start, end), rate),
            }
            for index, (start, end) in enumerate(spans)
        ],
    }


def _cut(samples: Samples, rate: int, start: float, end: float) -> Samples:
    return samples[max(0, round(start * rate)) : max(0, round(end * rate))]


def _heard(listener: Listener, samples: Samples, rate: int) -> str:
    """Nothing is asked of the recogniser where nothing was said: on silence it may make words up."""
    if len(samples) < _LEAST_S * rate or not np.any(samples):
        return ""
    return " ".join(listener.hear(Clip(samples, rate), _CAREFUL).text.split())
