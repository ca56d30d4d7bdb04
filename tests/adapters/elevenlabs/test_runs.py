"""A run as a user starts it: a task over audio through the runner, on a twin of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from offhook_adapters.elevenlabs import plugin
from tests.core._integrators import world_host
from tests.core._runs import placed


@pytest.mark.slow
def test_a_booking_passes_through_a_twin(tmp_path: Path) -> None:
    finished = placed(tmp_path, world_host(plugin), "elevenlabs-twin", tasks=("B-H1",))
    assert finished.summary.passed == 1
    assert finished.errors == ()
    assert (finished.record.cost_usd, finished.record.cost_basis) == (0.0, "usage")
