"""A run as a user starts it: the adapter through the runner, and what is on disk afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from offhook_adapters.deepgram import plugin as deepgram_plugin
from tests.core._integrators import world_host
from tests.core._runs import placed


@pytest.mark.slow
def test_a_task_passes_through_a_twin_of_its_own(tmp_path: Path) -> None:
    finished = placed(tmp_path, world_host(deepgram_plugin), "deepgram-twin")
    assert finished.summary.passed == 1
    record = finished.record
    assert record.session_errors == ()
    assert (record.cost_usd, record.cost_basis) == (0.0, "usage")
    log = finished.folder.tools(record.call_id)
    assert [entry.tool for entry in log] == ["get_service_price", "end_call"]
    assert len(record.user_transcripts) == 2
