"""One question over sound: a desk for the reference platform's own gatherer, with a caller at the far end.

Nothing of the platform is imitated here. The gatherer asks, listens, listens again and asks again as it does
on a call, its endpointer cuts the turns, and the caller answers with its own repairs; only the line between
them, which loses nothing, is left out, and so are the agent's voice and the caller's ears.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs
import numpy as np

from benchmarks.hearing.cases import Case, is_captured, is_literal
from offhook.audio import FRAME_SECONDS, Clip, frames_of, silence
from offhook.callers import CallerTurn
from offhook.packs import FollowerGuide, ToolGuide
from offhook.sessions import ToolResult
from offhook.speech import Voice, VoiceActivityDetector
from offhook.values import CanonicalValue, ValueKind
from offhook_adapters.reference.minds._follower_gather import Gatherer, Gathering, HeardNothing
from offhook_adapters.reference.minds._follower_talk import CallerSilent, Conversation
from offhook_adapters.reference.minds.desk import Attention, MindError, Utterance
from offhook_adapters.reference.speech import Ears
from offhook_adapters.reference.turns import Endpointer, Stopped, TurnSettings
from offhook_caller.conversation import careful_style
from offhook_caller.cues import read_turn
from offhook_caller.journal import CallerSettings
from offhook_caller.minds import CallState
from offhook_caller.repairs import Repairs

__all__ = ["MOST_ASKS", "Attempt", "Hearing", "Outcome", "answered"]

MOST_ASKS: Final = 4
"""How often a value may be asked for; a caller asked more often has hung up."""

_TOOL: Final = "bench"
_SETTINGS: Final = CallerSettings()
_AFTER: Final = 0.3
_MOST_OFFERS: Final = 12


@attrs.frozen
class Hearing:
    """What one set of ears made of one answer. ``ask`` counts from 1."""

    ask: int
    attention: Attention
    said: str
    heard: str


@attrs.frozen
class Attempt:
    """Values that were parsed and offered to the tool server, after so many asks."""

    asks: int
    values: tuple[CanonicalValue, ...]


@attrs.frozen
class Outcome:
    """How one question went. ``captured_after`` is the number of asks the right values took, None if they
    never came; ``literal`` says whether they were spelled as on file."""

    case: Case
    ears: str
    captured_after: int | None
    literal: bool
    hearings: tuple[Hearing, ...]
    attempts: tuple[Attempt, ...]

    def captured(self, asks: int) -> bool:
        """Whether at most ``asks`` asks were enough."""
        return self.captured_after is not None and self.captured_after <= asks


class _Desk:
    """The gatherer's desk: what it says puts a question, and listening has the caller answer it."""

    def __init__(self, case: Case, voice: Voice, ears: Ears, vad: VoiceActivityDetector) -> None:
        self._case = case
        self._voice = voice
        self._ears = ears
        self._vad = vad
        self._repairs = Repairs(case.task)
        self._state = CallState()
        self._question = ""
        self._spoken: list[CallerTurn] = []
        self._clips: list[Clip] = []
        self.hearings: list[Hearing] = []

    @property
    def asks(self) -> int:
        return len(self._clips)

    async def say(self, text: str) -> None:
        self._question = text

    async def listen(
        self, attention: Attention = Attention.QUICK, expecting: tuple[ValueKind, ...] = ()
    ) -> Utterance | None:
        if self.asks == MOST_ASKS:
            return None
        if self._state.said:
            reply = self._repairs.repeat(read_turn(self._question), self._state)
        else:
            reply = self._repairs.scripted(self._case.line, "rule:answer")
        style = careful_style(self._case.style, _SETTINGS, reply, self._spoken)
        self._state = self._state.after_reply(reply)
        self._spoken.append(CallerTurn(reply.written, reply.spoken, 0.0, 0.0, reply.source))
        parts = _turns(self._voice.speak(reply.spoken, style), self._vad)
        heard = [await self._ears.hear(part, attention, expecting) for part in parts]
        self._clips.append(Clip(np.concatenate([part.samples for part in parts])) if parts else silence(0))
        return self._noted(
            self.asks - 1,
            attention,
            " ".join(part.text for part in heard if part.text),
            min((part.confidence for part in heard), default=0.0),
        )

    async def rehear(
        self, heard: Utterance, attention: Attention, expecting: tuple[ValueKind, ...]
    ) -> Utterance:
        again = await self._ears.hear(self._clips[heard.index], attention, expecting)
        return self._noted(heard.index, attention, again.text, again.confidence)

    def overheard(self) -> tuple[Utterance, ...]:
        return ()

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        raise MindError("nobody calls a tool at this desk: the bench judges the values itself")

    def _noted(self, index: int, attention: Attention, text: str, confidence: float) -> Utterance:
        said = self._state.said[index].spoken
        self.hearings.append(Hearing(index + 1, attention, said, text))
        return Utterance(index, text, confidence, attention)


def _turns(clip: Clip, vad: VoiceActivityDetector) -> list[Clip]:
    """What the platform's endpointer cuts the answer into; it stands between silences on the line."""
    settings = TurnSettings()
    before, after = silence(settings.lead), silence(settings.hangover + _AFTER)
    sound = Clip(np.concatenate([before.samples, clip.samples, after.samples]), clip.rate)
    endpointer, activity = Endpointer(settings), vad.open()
    edges = [
        endpointer.push(frame, activity.push(frame), index * FRAME_SECONDS)
        for index, frame in enumerate(frames_of(sound))
    ]
    return [edge.clip for edge in edges if isinstance(edge, Stopped)]


async def answered(
    case: Case, voice: Voice, ears: Ears, ears_name: str, vad: VoiceActivityDetector
) -> Outcome:
    """Puts the case's question until the tool server would be content or the caller has had enough.

    Raises:
        SpeechUnavailable: an engine or its weights are missing or damaged.
    """
    desk = _Desk(case, voice, ears, vad)
    attempts: list[Attempt] = []

    def outcome(captured: bool) -> Outcome:
        return Outcome(
            case,
            ears_name,
            desk.asks if captured else None,
            captured and is_literal(case, attempts[-1].values),
            tuple(desk.hearings),
            tuple(attempts),
        )

    guide = ToolGuide(_TOOL, asks=(case.question.ask,))
    talk = Conversation(desk, FollowerGuide((guide,), "Sorry?", "", "", ""))
    gathering = Gatherer(talk, None).begin(_TOOL, guide, case.question.parameters)
    try:
        values = await _offer(gathering, case, None)
        while True:
            attempts.append(Attempt(desk.asks, values))
            if is_captured(case, values):
                return outcome(True)
            if len(attempts) == _MOST_OFFERS:
                return outcome(False)
            values = await _offer(gathering, case, values)
    except (HeardNothing, CallerSilent):
        return outcome(False)


async def _offer(
    gathering: Gathering, case: Case, refused: tuple[CanonicalValue, ...] | None
) -> tuple[CanonicalValue, ...]:
    """The next values the gatherer would send, after the tool server turned ``refused`` down without saying
    which of them is wrong."""
    names = [parameter.name for parameter in case.question.parameters]
    if refused is None:
        arguments = await gathering.first()
    else:
        arguments = await gathering.next(dict(zip(names, refused, strict=True)), None)
    return tuple(arguments[name] for name in names)
