"""Which ears are compared, and how all cases are put to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import attrs

from benchmarks.hearing.cases import Case
from benchmarks.hearing.desk import Outcome, answered
from offhook.audio import Clip
from offhook.clock import run_virtual
from offhook.speech import EngineInfo, Heard, Listener, ListenerHint, Voice, VoiceActivityDetector
from offhook.values import ValueKind
from offhook_adapters.reference.speech import Ears, prompt_for

__all__ = ["REFERENCE", "EarSetup", "Engines", "ear_setups", "measure"]

REFERENCE: Final = "reference ladder"


@attrs.frozen
class Engines:
    """What the plugins provide. ``tiny`` is the quick recogniser, ``base`` the careful one."""

    voices: Mapping[str, Voice]
    tiny: Listener
    base: Listener
    vad: VoiceActivityDetector


@attrs.frozen
class EarSetup:
    """One way to hear; ``ears`` makes the platform's ears for the kinds that a question asks for."""

    name: str
    description: str
    ears: Callable[[tuple[ValueKind, ...]], Ears]


@attrs.frozen
class _Fixed:
    """A recogniser that hears everything in one way, however it is told to listen."""

    listener: Listener
    hint: ListenerHint

    @property
    def name(self) -> str:
        return self.listener.name

    @property
    def info(self) -> EngineInfo:
        return self.listener.info

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        return self.listener.hear(clip, self.hint)


def ear_setups(engines: Engines) -> tuple[EarSetup, ...]:
    """Three recognisers on their own, then the reference platform's ladder of two."""

    def fixed(listener: Listener, beam: int, *, prompted: bool) -> Callable[[tuple[ValueKind, ...]], Ears]:
        def ears(kinds: tuple[ValueKind, ...]) -> Ears:
            prompt = prompt_for(kinds) if prompted else ""
            one = _Fixed(listener, ListenerHint(beam=beam, prompt=prompt))
            return Ears(one, one)

        return ears

    return (
        EarSetup(
            "tiny, beam 1", "whisper-tiny, beam 1, every answer", fixed(engines.tiny, 1, prompted=False)
        ),
        EarSetup(
            "tiny, beam 5", "whisper-tiny, beam 5, every answer", fixed(engines.tiny, 5, prompted=False)
        ),
        EarSetup(
            "base, prompted",
            "whisper-base, beam 5, with the dummy prompt of the kinds asked for, every answer",
            fixed(engines.base, 5, prompted=True),
        ),
        EarSetup(
            REFERENCE,
            "what the reference platform does: whisper-tiny, beam 1, first; whisper-base, beam 5, with the "
            "dummy prompt where that leaves a doubt, after a refusal, and for answers to a repeated question "
            "(there with two prompts in turn)",
            lambda kinds: Ears(engines.tiny, engines.base),
        ),
    )


def measure(
    cases: Iterable[Case], setups: tuple[EarSetup, ...], engines: Engines
) -> Iterator[tuple[Outcome, ...]]:
    """The outcomes of each case, one for each set of ears, as they come.

    Raises:
        SpeechUnavailable: an engine or its weights are missing or damaged.
    """
    for case in cases:
        kinds = tuple(parameter.kind for parameter in case.question.parameters)
        yield tuple(
            run_virtual(
                answered(case, engines.voices[case.voice], setup.ears(kinds), setup.name, engines.vad)
            )
            for setup in setups
        )
