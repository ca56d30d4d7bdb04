"""The synthesis floor: what a faithful recogniser gets wrong of the caller's own voice.

The reference of every word error rate is the text that the voice was given, not the sound it made. Where a
voice drops or slurs a word, a platform is charged an error that it could not avoid. How much that comes to is
estimated here, voice by voice, with an independent recogniser on the caller's tape before any audio profile.
It is the same for all platforms, so it can't change their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from offhook.grading import CallEvidence, GradingEngines, Measurement, NotMeasured
from offhook.scoring import FLOOR_MEASURER
from offhook.speech import SpeechUnavailable
from offhook.spoken import normalise_words
from offhook_graders.hearing.recognition import CALLER_RECOGNITION
from offhook_graders.hearing.word_alignment import align_words

__all__ = ["SynthesisFloor"]


@attrs.frozen
class SynthesisFloor:
    """Word errors of the reference recogniser over the caller's turns, each turn on its own."""

    name: str = FLOOR_MEASURER
    version: str = "1"

    def measure(self, call: CallEvidence, engines: GradingEngines) -> Mapping[str, Any]:
        """``engine`` and ``version`` of the recogniser, and the counts of the call.

        Raises:
            NotMeasured: the caller said no word.
            SpeechUnavailable: the caller's turns were not recognised; the message says why.
        """
        recognised = call.measured(CALLER_RECOGNITION)
        if recognised.error:
            # Which is stored, or tried again, by the measurer that it comes from.
            raise SpeechUnavailable(recognised.error)
        texts, engine, version = _heard(recognised)
        aligned = [
            align_words(normalise_words(turn.spoken), normalise_words(texts.get(index, "")))
            for index, turn in enumerate(call.record.caller_turns)
        ]
        words = sum(turn.reference_words for turn in aligned)
        if not words:
            raise NotMeasured("the caller said no word")
        return {
            "engine": engine,
            "version": version,
            "reference_words": words,
            "substitutions": sum(turn.substitutions for turn in aligned),
            "deletions": sum(turn.deletions for turn in aligned),
            "insertions": sum(turn.insertions for turn in aligned),
        }


def _heard(recognised: Measurement) -> tuple[dict[int, str], str, str]:
    """Text by turn, and the recogniser's name and version."""
    try:
        texts = {int(turn["index"]): str(turn["text"]) for turn in recognised.values["turns"]}
        return texts, str(recognised.values["engine"]), str(recognised.values["version"])
    except (KeyError, TypeError, ValueError) as error:
        # Of this kind, because it is not kept: once the file is gone, the call is measured.
        raise SpeechUnavailable(
            f"the stored {recognised.measurer} is damaged; delete measurements/{recognised.measurer}/"
            f"{recognised.version}/{recognised.call_id}.json in the run's folder and try again"
        ) from error
