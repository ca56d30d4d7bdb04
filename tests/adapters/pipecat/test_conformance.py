"""The contract, held against Pipecat's own pipeline."""

from __future__ import annotations

import pytest

from offhook.conformance import conform
from offhook_adapters.pipecat.adapter import PipecatAdapter


def _failing(*checks: str) -> list[str]:
    results = conform(PipecatAdapter(), only=checks).results
    assert len(results) >= max(len(checks), 1)
    return [f"{one.check}: expected {one.expected}, met {one.arrived}" for one in results if not one.holds]


def test_what_is_hard_for_a_framework_holds() -> None:
    assert (
        _failing("tools-arrive", "tool-unknown", "tool-bad-arguments", "tool-batch", "cancel-teardown") == []
    )


@pytest.mark.slow
def test_all_of_it_holds() -> None:
    assert _failing() == []
