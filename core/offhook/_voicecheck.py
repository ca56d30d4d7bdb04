"""The synthesis error of a voice: what a faithful recogniser gets wrong of sentences that callers say.

The same measure as the synthesis floor of a run, on a fixed set of sentences in place of a run's calls, so a
voice can be looked at before anybody is called with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs

from offhook.speech import Listener, ListenerHint, SpeechStyle, Voice
from offhook.spoken import normalise_words

__all__ = ["SENTENCES", "HeardSentence", "VoiceError", "hear_sentence", "voice_error"]

# Openings, answers to identity questions, yes and no, numbers as the caller says them, word by word; names
# and answers of a word or two, which carry least that helps to hear them.
SENTENCES: Final = (
    "Hello, I'd like to move my appointment to the week after next, please.",
    "My name is Ingrid Salazar, and my phone number is five four one, five five five, zero one eight six.",
    "The ZIP code is nine seven four zero five.",
    "The last four digits are three, eight, two, six.",
    "Yes, that's right. Please go ahead.",
    "No, thank you, I don't want to change anything else today.",
    "I was born on the fourteenth of March, nineteen eighty-one.",
    "Somebody ran into the back of my car at a red light last Thursday.",
    "Could you tell me how much I would get back if I cancelled now?",
    "My order number is K E, four four nine, two zero seven one.",
    "I'd rather speak with a person about this, if that is possible.",
    "It was two hundred and nineteen dollars and fifty cents, and I paid by card.",
    "Yes.",
    "No thanks.",
    "Theodora Wexcombe.",
    "Anselm Okonjo-Reyes.",
    "My name is Bryony Achterberg.",
    "It's under Quillon, the first name is Maeve.",
    "The other driver is called Desmond Pfaff.",
    "Nine oh nine five five, sorry, nine oh nine five nine.",
    "The blue one.",
    "Tuesday the sixth, at half past two.",
    "It's ingrid dot salazar at example dot com.",
)
_CAREFUL: Final = ListenerHint(beam=5)


@attrs.frozen
class HeardSentence:
    """A sentence and what the recogniser made of it, with the word errors of the minimum edit alignment."""

    said: str
    heard: str
    reference_words: int
    substitutions: int
    deletions: int
    insertions: int


@attrs.frozen
class VoiceError:
    """The word error rate of one voice, pooled over its sentences. ``engine`` and ``version`` name the
    recogniser.
    """

    voice: str
    engine: str
    version: str
    sentences: tuple[HeardSentence, ...]

    @property
    def reference_words(self) -> int:
        return sum(one.reference_words for one in self.sentences)

    @property
    def errors(self) -> int:
        return sum(one.substitutions + one.deletions + one.insertions for one in self.sentences)

    @property
    def wer(self) -> float | None:
        """None where no word was said."""
        return min(1.0, self.errors / self.reference_words) if self.reference_words else None


def hear_sentence(voice: Voice, listener: Listener, sentence: str) -> HeardSentence:
    """Has the voice say a sentence and the recogniser hear it.

    Raises:
        SpeechUnavailable: an engine or its weights are missing or damaged.
    """
    clip = voice.speak(sentence, SpeechStyle())
    # On silence a recogniser may make words up, and nothing was said.
    heard = " ".join(listener.hear(clip, _CAREFUL).text.split()) if clip.samples.any() else ""
    return HeardSentence(sentence, heard, *_counted(normalise_words(sentence), normalise_words(heard)))


def voice_error(voice: Voice, listener: Listener, sentences: Sequence[HeardSentence]) -> VoiceError:
    """Pools what was heard of a voice."""
    info = listener.info
    return VoiceError(voice.name, listener.name, f"{info.engine} {info.version}", tuple(sentences))


def _counted(reference: Sequence[str], heard: Sequence[str]) -> tuple[int, int, int, int]:
    """Reference words, substitutions, deletions and insertions."""
    if not reference:  # jiwer refuses an empty reference
        return 0, 0, 0, len(heard)
    import jiwer

    # As numbers, because jiwer cuts its text at blanks of its own choice.
    numbers: dict[str, str] = {}
    for word in (*reference, *heard):
        numbers.setdefault(word, str(len(numbers)))
    counts: Any = jiwer.process_words(
        " ".join(numbers[word] for word in reference), " ".join(numbers[word] for word in heard)
    )
    return len(reference), int(counts.substitutions), int(counts.deletions), int(counts.insertions)
