"""Calls for tests of hearing: what was said, what the platform's transcript has, and an embedder."""

from __future__ import annotations

from typing import Any, Protocol

import attrs

from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, FreshMeasurements
from offhook.packs import Task
from offhook.speech import Listener, SentenceEmbedder, SpeechUnavailable
from offhook.testing import HashEmbedder
from offhook_graders.hearing.alignment import HearingAlignment

__all__ = ["Embedding", "MakeEvidence", "measured", "said"]


@attrs.frozen
class Embedding:
    """Grading engines with an embedder and nothing else."""

    chosen: SentenceEmbedder = attrs.field(factory=HashEmbedder)

    def embedder(self) -> SentenceEmbedder:
        return self.chosen

    def listener(self) -> Listener:
        raise SpeechUnavailable("no recogniser here")


class MakeEvidence(Protocol):
    def __call__(self, task: Task | None = None, **record: Any) -> CallEvidence: ...


def said(*texts: str) -> list[CallerTurn]:
    return [CallerTurn(text, text, float(at), at + 0.5, "opening") for at, text in enumerate(texts)]


def measured(call: CallEvidence, embedder: SentenceEmbedder | None = None) -> CallEvidence:
    """The same call where an embedder is to be had."""
    engines = Embedding(embedder or HashEmbedder())
    return attrs.evolve(call, measurements=FreshMeasurements((HearingAlignment(),), engines))
