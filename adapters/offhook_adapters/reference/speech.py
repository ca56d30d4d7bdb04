"""How the reference platform listens and talks: two ways to hear, and one voice."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from offhook.audio import Clip
from offhook.clock import compute
from offhook.platforms import PlatformUnusable
from offhook.sessions import Engines
from offhook.speech import Heard, Listener, ListenerHint, SpeechStyle, Voice
from offhook.values import ValueKind
from offhook.verbalise import verbalise
from offhook_adapters.reference.minds.desk import Attention

__all__ = ["DEFAULT_VOICE", "OTHER_PROMPTS", "PROMPTS", "Ears", "Mouth", "chosen_voice", "prompt_for"]

DEFAULT_VOICE: Final = "us-female-heart"

PROMPTS: Final[Mapping[ValueKind, str]] = MappingProxyType(
    {
        ValueKind.PHONE: "Nine two six, four four four, eight three seven oh.",
        ValueKind.ZIP: "Eight two two seven six.",
        ValueKind.DIGITS: "Nine oh six six, three eight four two.",
        ValueKind.ORDER_NUMBER: "B Q, dash, six two zero, nine nine three eight.",
        ValueKind.NAME: "First name Ingrid, I, N, G, R, I, D. Last name Vasquez, V, A, S, Q, U, E, Z.",
        ValueKind.SPELLED: "V as in velvet, Q, U, I, N.",
        ValueKind.EMAIL: "quill dot marrow at postbox dot test.",
        ValueKind.DATE: "The ninth of February, nineteen thirty-one.",
        ValueKind.TIME: "Twenty past four in the morning.",
        ValueKind.AMOUNT: "Eight hundred and six dollars and twenty-seven cents.",
    }
)
"""What a careful hearing is told to expect, by kind. All of it is invented and none of it belongs to any
call: the prompt shows the *form* of an answer, which is what keeps digits from being dropped."""

OTHER_PROMPTS: Final[Mapping[ValueKind, str]] = MappingProxyType(
    {
        **PROMPTS,
        ValueKind.NAME: "The caller gives a first and a last name: Ingrid Vasquez, Tobias Lindqvist, "
        "Oluwaseun Marchetti.",
    }
)
"""The same put otherwise, for a second opinion on an answer that is hard to hear."""


def prompt_for(expecting: tuple[ValueKind, ...], prompts: Mapping[ValueKind, str] = PROMPTS) -> str:
    """The dummy sentences for the kinds asked for, each once, in their order; empty where no kind has one."""
    return " ".join(prompts[kind] for kind in dict.fromkeys(expecting) if kind in prompts)


@attrs.frozen
class Ears:
    """Quick ears for the first hearing; careful ones, with a wider search and a prompt of dummies, for the
    second.
    """

    quick: Listener
    careful: Listener

    async def hear(self, clip: Clip, attention: Attention, expecting: tuple[ValueKind, ...]) -> Heard:
        """Transcribes one turn. Careful listening is prompted, and only with dummies for ``expecting``.

        Raises:
            SpeechUnavailable: an engine or its weights are missing or damaged.
        """
        match attention:
            case Attention.QUICK:
                return await compute(self.quick.hear, clip, ListenerHint(beam=1))
            case Attention.CAREFUL:
                return await self._carefully(clip, prompt_for(expecting))
            case Attention.OTHERWISE:
                return await self._carefully(clip, prompt_for(expecting, OTHER_PROMPTS))

    async def _carefully(self, clip: Clip, prompt: str) -> Heard:
        return await compute(self.careful.hear, clip, ListenerHint(beam=5, prompt=prompt))


@attrs.frozen
class Mouth:
    """The agent's voice. What it is given to say is written text; figures are made speakable here."""

    voice: Voice

    async def speak(self, text: str) -> Clip:
        """The spoken text at the line's rate.

        Raises:
            SpeechUnavailable: the engine or its weights are missing or damaged.
        """
        return await compute(self.voice.speak, verbalise(text), SpeechStyle())


def chosen_voice(engines: Engines, options: Mapping[str, str]) -> Voice:
    """The voice of option ``voice``; by default the plain female slot, or else the first by name.

    Raises:
        PlatformUnusable: no such voice, or no voices at all; no other call would have them.
    """
    wanted = options.get("voice", "")
    if wanted and wanted not in engines.voices:
        raise PlatformUnusable(
            f"there is no voice {wanted!r}: choose one of {', '.join(sorted(engines.voices)) or 'none'}"
        )
    if not engines.voices:
        raise PlatformUnusable("there are no voices: run pip install 'offhook[speech]'")
    if wanted:
        return engines.voices[wanted]
    return engines.voices.get(DEFAULT_VOICE) or engines.voices[min(engines.voices)]
