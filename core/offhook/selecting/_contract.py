"""What a model selector is asked and what it answers: plain data, and the protocol of the plugin kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable

import attrs

from offhook.records import ModelLayer

__all__ = [
    "LAYERS",
    "SELECTION_VERSION",
    "Candidate",
    "Ceiling",
    "ChosenBy",
    "ChosenModel",
    "Exclusion",
    "Flagship",
    "LayerDeclaration",
    "LayerSpec",
    "Metric",
    "ModelSelector",
    "ScoredCandidate",
    "Selection",
    "SelectionQuestion",
    "SelectionRefused",
]

SELECTION_VERSION: Final = 1


class SelectionRefused(Exception):
    """A question that has no answer: an unknown layer, two candidates of one name, a ceiling that is missing
    or leaves no time, a declaration that contradicts itself.
    """


@attrs.frozen
class Metric:
    """A figure that candidates are compared by; ``what`` says it in words, with its unit."""

    name: str
    higher_is_better: bool
    what: str


@attrs.frozen
class LayerSpec:
    """How the models of one layer are compared: by ``metrics`` (a, then b). ``streams`` asks that a candidate
    is served in real time. ``ceiling_on`` names the metric under a ceiling, empty where there is none.
    """

    name: str
    metrics: tuple[Metric, Metric]
    streams: bool
    ceiling_on: str = ""


LAYERS: Final[Mapping[str, LayerSpec]] = MappingProxyType(
    {
        "stt": LayerSpec(
            "stt",
            (
                Metric("wer_percent", False, "word error rate in English, percent"),
                Metric("final_ms", False, "median time to the final transcript, milliseconds"),
            ),
            streams=True,
        ),
        "llm": LayerSpec(
            "llm",
            (
                Metric("intelligence", True, "intelligence index"),
                Metric("first_token_s", False, "time to the first token of the answer, seconds"),
            ),
            streams=False,
            ceiling_on="first_token_s",
        ),
        "tts": LayerSpec(
            "tts",
            (
                Metric("preference_elo", True, "preference, Elo points"),
                Metric("pronunciation_percent", True, "pronunciation right, percent"),
            ),
            streams=True,
        ),
    }
)


@attrs.frozen
class Candidate:
    """A model that could run a layer. One name is one setting: a model with two reasoning levels is two
    candidates that share an ``id``.

    ``runs_on`` are the platforms that offer the model; ``callable_as`` are those where a live call took the
    model by its exact identifier, each with that identifier. A figure that nobody published is left out of
    ``metrics``. ``note`` is added to the reason where the candidate is excluded.
    """

    name: str
    id: str
    layer: str
    metrics: Mapping[str, float]
    generally_available: bool
    runs_on: tuple[str, ...]
    callable_as: Mapping[str, str]
    streams: bool
    note: str = ""


@attrs.frozen
class Ceiling:
    """The slowest first token (``first_token_s``) at which a turn with a tool call reaches the caller before
    ``zero_point_s``, where latency scores nothing. All in seconds; ``round_trip_s`` and ``overhead_s`` are
    measured. Made by ``first_token_ceiling``.
    """

    round_trip_s: float
    overhead_s: float
    zero_point_s: float
    first_token_s: float


@attrs.frozen
class SelectionQuestion:
    """What is to be selected, out of which data: the SHA-256 of the candidates' file and the day
    (``YYYY-MM-DD``) its figures are of. ``ceiling`` is needed for a layer that has one.
    """

    layer: str
    platform: str
    data_sha256: str
    data_date: str
    ceiling: Ceiling | None = None


class ChosenBy(StrEnum):
    """Who chose a layer's model: the platform in the first three, the published rule in the last."""

    BUNDLED = "bundled"
    RECOMMENDED = "recommended"
    FLAGSHIP = "flagship"
    RULE = "rule"


@attrs.frozen
class Flagship:
    """A model that a platform presents as its best, and the day (``YYYY-MM-DD``) it came out."""

    id: str
    released: str


@attrs.frozen
class LayerDeclaration:
    """What a platform says about one of its layers: the model it comes with, the model its documentation
    recommends (and where, ``recommended_at``), its flagships. All empty where the choice is open.
    """

    bundled: str = ""
    recommended: str = ""
    recommended_at: str = ""
    flagships: tuple[Flagship, ...] = ()


@attrs.frozen
class ChosenModel:
    """A model by name and by the exact identifier to call it by on the platform asked about."""

    name: str
    id: str


@attrs.frozen
class ScoredCandidate:
    """A candidate's figures for the layer's two metrics and where they lie among all that were scaled: 0 is
    the best, 1 the worst, ``total`` the sum. ``on_frontier`` is about the candidates that may be selected.
    """

    name: str
    a: float
    b: float
    scaled_a: float
    scaled_b: float
    total: float
    on_frontier: bool
    excluded: bool


@attrs.frozen
class Exclusion:
    """Why a candidate can't be selected; at least one reason."""

    name: str
    reasons: tuple[str, ...]


@attrs.frozen
class Selection:
    """A layer's model, and all that led to it.

    ``scored`` is sorted from the least sum on, excluded candidates among the others; ``frontier`` names those
    that no other selectable candidate beats; ``runner_up`` is selectable too and has the next least sum;
    ``tied`` names candidates with the selected one's sum, which lost by their first figure or their name.
    Where the platform chose, ``rule`` and all that belongs to it are empty. ``selected`` is None where every
    candidate is excluded.
    """

    version: int
    layer: str
    platform: str
    chosen_by: ChosenBy
    selected: ChosenModel | None
    runner_up: ChosenModel | None
    tied: tuple[str, ...]
    frontier: tuple[str, ...]
    scored: tuple[ScoredCandidate, ...]
    exclusions: tuple[Exclusion, ...]
    rule: str
    rule_version: str
    ceiling: Ceiling | None
    declaration: LayerDeclaration
    data_sha256: str
    data_date: str

    def as_layer(self) -> ModelLayer:
        """What an adapter declares of this layer, and attribution reads.

        Raises:
            SelectionRefused: nothing was selected.
        """
        if self.selected is None:
            raise SelectionRefused(f"no model was selected for layer {self.layer} on {self.platform}")
        return ModelLayer(self.layer, self.selected.id, self.chosen_by.value)


@runtime_checkable
class ModelSelector(Protocol):
    """Selects the model of an open layer."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def select(self, candidates: Sequence[Candidate], question: SelectionQuestion) -> Selection:
        """Pure: equal candidates in any order, equal selection.

        Raises:
            SelectionRefused: the question has no answer.
        """
        ...
