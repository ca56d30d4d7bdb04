"""The ``conversation`` grader: how agent and caller talk with each other, on our own recording.

The caller's turns are those of the record, its sound the caller's tape before any audio profile; the agent's
turns are found in the recording (`offhook_graders.timing.turns`). What each measure counts is defined in
`offhook_graders.timing.talk`; repeats are counted on the words (`repeats`). All times and levels come from
the ``audio`` measurement of the call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, Grade, GradeKind, measured_grade, not_measured_grade
from offhook.records import CallRecord, lateness_fault
from offhook_graders.timing.measurement import AudioMeasurement, audio_of
from offhook_graders.timing.talk import Talk, measure_talk
from offhook_graders.timing.turns import Turn, join_turns, split_backchannels

__all__ = ["ConversationGrader", "Repeat", "agent_utterances", "call_talk", "repeats"]

_LIKE: Final = 0.85
_FEWEST_WORDS: Final = 3
_LOOK_BACK: Final = 3  # utterances: further back, the same question is asked about something else


@attrs.frozen
class Repeat:
    """Utterance ``index`` says what ``before`` said; ``likeness`` is 1 for the same words."""

    index: int
    before: int
    likeness: float
    text: str


@attrs.frozen
class ConversationGrader:
    """Measures, never decides."""

    name: str = "conversation"
    version: str = "1"
    kind: GradeKind = GradeKind.MEASURE

    def grade(self, call: CallEvidence) -> Grade:
        """Talk-over, barge-ins both ways, yields, unanswered turns, repeats and dead air.

        Raises:
            offhook_graders.timing.measurement.TapeError: the call's sound can't be measured, and why.
        """
        if call.recording is None:
            return not_measured_grade(self, call, "a text line has no recording")
        audio = audio_of(call)
        record = call.record
        if not record.caller_turns:
            return not_measured_grade(self, call, "the caller never spoke")
        if audio.agent_sounds.problem:
            return not_measured_grade(self, call, f"agent: {audio.agent_sounds.problem}")
        talk = call_talk(record.caller_turns, audio)
        agent_said, source = agent_utterances(record)
        again = {
            "agent": repeats(agent_said),
            "caller": repeats([turn.spoken for turn in record.caller_turns]),
        }
        evidence = talk.as_json() | {
            "agent_repeats": [attrs.asdict(found) for found in again["agent"]],
            "caller_repeats": [attrs.asdict(found) for found in again["caller"]],
            "agent_words_from": source,
        }
        if fault := lateness_fault(record):
            return not_measured_grade(self, call, fault, evidence)
        numbers = talk.numbers() | {
            "caller_utterances": float(len(record.caller_turns)),
            "caller_repeats": float(len(again["caller"])),
        }
        if source:
            numbers |= {
                "agent_utterances": float(len(agent_said)),
                "agent_repeats": float(len(again["agent"])),
            }
        return measured_grade(self, call, _summary(talk, len(again["agent"])), numbers, evidence)


def call_talk(caller_turns: Sequence[CallerTurn], audio: AudioMeasurement) -> Talk:
    """The dialogue of a call. Without the caller's tape each sent span counts as sound throughout; a turn
    whose tape is silent is no turn. A closing line asks for no answer.
    """
    caller: list[Turn] = []
    closing: list[int] = []
    for index, turn in enumerate(caller_turns):
        sounds = ((turn.start, turn.end),) if audio.turns is None else audio.turns[index].bursts
        if sounds:
            closing += [len(caller)] if turn.source == "closing" else []
            caller.append(Turn(sounds))
    spoken = sorted(sound for turn in caller for sound in turn.sounds)
    heard = [(sound.start, sound.end) for sound in audio.agent_sounds.sounds]
    said, backchannels = split_backchannels(heard, spoken)
    agent = join_turns(said, spoken)
    return measure_talk(audio.seconds, caller, agent, backchannels=backchannels, closing=closing)


def agent_utterances(record: CallRecord) -> tuple[list[str], str]:
    """What the agent said, and whose word it is: ``caller_heard``, else ``agent_transcripts``, else "" where
    nobody wrote it down.
    """
    if record.caller_heard:
        return [heard.text for heard in record.caller_heard], "caller_heard"
    if record.agent_transcripts:
        return [told.text for told in record.agent_transcripts], "agent_transcripts"
    return [], ""


def repeats(said: Sequence[str]) -> list[Repeat]:
    """Utterances that say again what one of the three before them said.

    Both have at least three words after `offhook.spoken.normalise_words`, and a likeness of at least 0.85: 1
    less the words that must be deleted or inserted to make one the other, over the words of both. Their
    digits are the same: reading another value back is no repeat. A re-ask in other words is not found.
    """
    from rapidfuzz.distance import Indel

    from offhook.spoken import normalise_words

    words = [normalise_words(text) for text in said]
    found: list[Repeat] = []
    for index, own in enumerate(words):
        before = range(max(0, index - _LOOK_BACK), index)
        if len(own) < _FEWEST_WORDS:
            continue
        like = [
            (Indel.normalized_similarity(own, words[other]), other)
            for other in before
            if len(words[other]) >= _FEWEST_WORDS and _digits(own) == _digits(words[other])
        ]
        if like and max(like)[0] >= _LIKE:
            likeness, other = max(like)
            found.append(Repeat(index, other, round(likeness, 4), said[index]))
    return found


def _digits(words: Sequence[str]) -> list[str]:
    return [word for word in words if word.isdigit()]


def _summary(talk: Talk, agent_repeats: int) -> str:
    numbers = talk.numbers()
    parts = [
        f"talked over {len(talk.talked_over)} of {len(talk.caller)} turns ({numbers['overlap_s']:.1f} s)",
        f"agent cut in {len(talk.agent_barge_ins)} x",
        f"caller cut in {len(talk.caller_barge_ins)} x",
    ]
    if "yield_median_s" in numbers:
        parts.append(f"yielded {numbers['yielded']:.0f} x, median {numbers['yield_median_s']:.2f} s")
    parts += [
        f"{len(talk.unanswered)} of {talk.answerable} unanswered",
        f"{agent_repeats} repeated",
        f"dead air {numbers['dead_air_s']:.1f} s",
    ]
    return "; ".join(parts)
