"""Every floor and threshold of the lanes, in one frozen object."""

from __future__ import annotations

import attrs

__all__ = ["LaneRules"]


@attrs.frozen
class LaneRules:
    """What a lane needs and what it is held against. A manifest pins the whole object.

    A lane with less than its floor reads "thin". ``pass_k`` is the k of pass^k in the task lane, ``slow_s``
    the waits whose shares the speed lane gives, ``transfer_tools`` the tools that hand a caller to a person.
    ``reference_*`` is the value of a dimension that the others are compared with; empty: the one with the
    most judged calls. The ``*_bar`` fields are those of the stability block, shares and seconds.

    Raises:
        ValueError: a floor below 1, a level outside 0..1, or waits that do not rise.
    """

    task_calls: int = 5
    speed_turns: int = 20
    conversation_turns: int = 20
    robustness_groups: int = 2
    compliance_claims: int = 5
    pass_k: int = 3
    confidence: float = 0.95
    slow_s: tuple[float, ...] = (1.0, 2.0, 3.0, 5.0, 10.0)
    reference_noise: str = "clean"
    reference_impairment: str = "none"
    reference_difficulty: str = "easy"
    reference_language: str = ""
    reference_voice: str = ""
    agreement_bar: float = 0.90
    pass_sd_bar: float = 0.03
    p50_bar: float = 0.10
    yield_iqr_bar_s: float = 0.25
    false_discovery_rate: float = 0.05
    transfer_tools: tuple[str, ...] = ("transfer_to_human",)

    def __attrs_post_init__(self) -> None:
        floors = ("task_calls", "speed_turns", "conversation_turns", "robustness_groups", "compliance_claims")
        for name in (*floors, "pass_k"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("confidence", "false_discovery_rate"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"{name} must lie between 0 and 1, got {getattr(self, name)}")
        if list(self.slow_s) != sorted(set(self.slow_s)):
            raise ValueError(f"slow_s must rise, got {self.slow_s}")
