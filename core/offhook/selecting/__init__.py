"""Selecting the model of a layer (``stt``, ``llm``, ``tts``): the contract of model selectors, the published
rule, the order in which a platform's own choice goes before it, and the file that freezes a result.
"""

from offhook.selecting._contract import (
    LAYERS,
    SELECTION_VERSION,
    Candidate,
    Ceiling,
    ChosenBy,
    ChosenModel,
    Exclusion,
    Flagship,
    LayerDeclaration,
    LayerSpec,
    Metric,
    ModelSelector,
    ScoredCandidate,
    Selection,
    SelectionQuestion,
    SelectionRefused,
)
from offhook.selecting._frozen import read_selection, selection_faults, write_selection
from offhook.selecting._maths import pareto_frontier, scale_to_best
from offhook.selecting._precedence import choose_model, decided_by, parse_day
from offhook.selecting._rule import ZERO_POINT_S, first_token_ceiling, layer_spec, select_min_max_pareto
from offhook.selecting._table import (
    CANDIDATE_COLUMNS,
    CandidateTable,
    CandidateTableError,
    read_candidates,
)

__all__ = [
    "CANDIDATE_COLUMNS",
    "LAYERS",
    "SELECTION_VERSION",
    "ZERO_POINT_S",
    "Candidate",
    "CandidateTable",
    "CandidateTableError",
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
    "choose_model",
    "decided_by",
    "first_token_ceiling",
    "layer_spec",
    "pareto_frontier",
    "parse_day",
    "read_candidates",
    "read_selection",
    "scale_to_best",
    "select_min_max_pareto",
    "selection_faults",
    "write_selection",
]
