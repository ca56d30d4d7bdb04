"""A run as a user starts it: tool calls go over real HTTP to the run's own address."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from offhook_adapters.vapi import plugin as vapi_plugin
from tests.core._integrators import world_host
from tests.core._runs import placed


@pytest.mark.slow
def test_a_task_passes_over_the_webhook(tmp_path: Path) -> None:
    finished = placed(tmp_path, world_host(vapi_plugin), "vapi-twin")
    assert finished.summary.passed == 1
    record = finished.record
    assert record.session_errors == ()
    assert (record.cost_usd, record.cost_basis) == (0.0, "usage")
    log = finished.folder.tools(record.call_id)
    assert [entry.tool for entry in log] == ["get_service_price", "end_call"]
    kept = json.loads((finished.folder.path / "calls" / record.call_id / "platform.json").read_text())
    assert [entry["id"] for entry in kept["tool_log"]] == [entry.source_id for entry in log]
