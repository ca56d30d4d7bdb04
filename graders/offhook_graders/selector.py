"""The published rule for choosing a model, as a model selector."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from offhook.selecting import Candidate, Selection, SelectionQuestion, select_min_max_pareto

__all__ = ["MinMaxPareto"]


@attrs.frozen
class MinMaxPareto:
    """Min-max scaling, filters, and the least equal-weight sum on the Pareto frontier."""

    name: str = "min-max-pareto"
    version: str = "1"

    def select(self, candidates: Sequence[Candidate], question: SelectionQuestion) -> Selection:
        """Raises:
        SelectionRefused: an unknown layer, no candidate, a name twice, or a ceiling missing or out of place.
        """
        return select_min_max_pareto(candidates, question, rule=self.name, rule_version=self.version)
