"""``offhook run`` as a process of its own, real speech over the twin's wire: faults, keys and signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from offhook.records import CallRecord
from offhook.storage import RunFolder

pytestmark = [pytest.mark.slow, pytest.mark.speech]

OFFHOOK = (str(Path(sys.executable).with_name("offhook")),)
TWIN = (sys.executable, "-m", "offhook_adapters.openai_realtime.twin")
PRICES, PERSON = "customer-support/T4-E1", "customer-support/R-E1"
KEY = "sk-test-0123456789abcdef"
ODD_KEY = r'sk-"o\d/d+(k.e)*y$[0]%?'
STALLED = "stalled: the platform owes an answer and has sent nothing for 15 s"
CUT = "connection_lost: the connection broke without a closing handshake"
UNKNOWN = "unknown_event: the platform sent 'response.mood.updated', which this adapter does not know"


@attrs.frozen
class Finished:
    status: int
    told: str
    folder: Path

    @property
    def records(self) -> list[CallRecord]:
        stored = RunFolder.open(self.folder)
        return [stored.record(call_id) for call_id in stored.call_ids()]

    def holds(self, secret: str) -> list[Path]:
        """The run's files with ``secret`` in them."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return [path for path in files if secret.encode() in path.read_bytes()]


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*OFFHOOK, "run", *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(process: subprocess.Popen[str], folder: Path) -> Finished:
    told, _ = process.communicate(timeout=240)
    return Finished(process.returncode, told, folder)


def run(folder: Path, *arguments: str, **environment: str) -> Finished:
    return finish(start(*arguments, "--out", str(folder), **environment), folder)


def resume(folder: Path, **environment: str) -> Finished:
    return finish(start("--resume", str(folder), **environment), folder)


def wait_until_in_a_call(process: subprocess.Popen[str], folder: Path) -> None:
    """Until the agent has used a tool, so that both sides have talked."""
    until = time.monotonic() + 120
    while not any(log.stat().st_size for log in (folder / "calls").glob(".*/tools.jsonl")):
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < until
        time.sleep(0.05)


# --- what goes wrong on the wire ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "ended_by", "hung_up_because", "errors", "passed"),
    [
        ("cut", "platform", "agent_ended", (CUT,), False),
        ("stall", "caller", "gave_up", (STALLED,), False),
        ("burst", "caller", "satisfied", (), True),
        ("unknown", "caller", "satisfied", (UNKNOWN,), True),
    ],
)
def test_each_fault_ends_with_its_cause_in_the_record(
    fault: str, ended_by: str, hung_up_because: str, errors: tuple[str, ...], passed: bool, tmp_path: Path
) -> None:
    finished = run(tmp_path / "run", PRICES, "--platform", "openai-twin", "-o", f"fault={fault}")
    assert finished.status == 0, finished.told
    (record,) = finished.records
    assert record.ending == "completed"
    assert (record.ended_by, record.hung_up_because) == (ended_by, hung_up_because)
    assert record.session_errors == errors
    assert f"{'pass' if passed else 'fail'}   {PRICES}" in finished.told


def test_a_refusal_that_may_pass_is_tried_again_and_then_void(tmp_path: Path) -> None:
    finished = run(tmp_path / "run", PRICES, "--platform", "openai-twin", "-o", "fault=refuse")
    assert finished.status == 1, finished.told  # no graded run: the result is not complete
    assert [record.ending for record in finished.records] == ["void"] * 3
    for record in finished.records:
        assert "answered HTTP 503 (the twin was told to refuse): try again later" in record.cause


# --- keys and models ----------------------------------------------------------------------------------------


@pytest.fixture
def base_url() -> Iterator[str]:
    """A twin in a process of its own."""
    twin = subprocess.Popen(
        [*TWIN, "--task", PRICES, "--port", "0"],
        env={**os.environ, "OPENAI_API_KEY": KEY},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert twin.stdout is not None
    yield twin.stdout.readline().strip().removeprefix("listening: base_url=")
    twin.terminate()
    twin.wait(10)


def test_a_wrong_key_is_one_line_and_resuming_with_the_right_one_goes_on(
    base_url: str, tmp_path: Path
) -> None:
    folder, where = tmp_path / "run", base_url.split("/")[2]
    environment = {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": ODD_KEY}
    refused = run(folder, PRICES, "--platform", "openai-realtime", **environment)
    assert refused.status == 3
    (line,) = [line for line in refused.told.splitlines() if line.startswith("Error:")]
    assert line == (
        f"Error: openai-realtime: {where} refused the key (HTTP 401): check OPENAI_API_KEY; "
        f"once that is mended, go on with: offhook run --resume {folder}"
    )
    assert "Traceback" not in refused.told
    assert ODD_KEY not in refused.told
    assert refused.records == []
    assert refused.holds(ODD_KEY) == []
    finished = resume(folder, **{**environment, "OPENAI_API_KEY": KEY})
    assert finished.status == 0, finished.told
    assert f"pass   {PRICES}" in finished.told
    (record,) = finished.records
    assert record.cost_basis == "usage"
    assert finished.holds(KEY) == []


def test_a_model_there_is_not_is_one_line(base_url: str, tmp_path: Path) -> None:
    environment = {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": KEY}
    refused = run(
        tmp_path / "run", PRICES, "--platform", "openai-realtime", "-o", "model=gpt-9", **environment
    )
    assert refused.status == 3
    assert "answered HTTP 404 (there is no model 'gpt-9'): check base_url and model" in refused.told
    assert "Traceback" not in refused.told
    assert refused.records == []


@pytest.mark.parametrize(
    ("arguments", "environment", "status", "message"),
    [
        (("openai-realtime",), {"OPENAI_API_KEY": ""}, 3, "OPENAI_API_KEY is not set: set it to your OpenAI"),
        (("openai-realtime", "-o", "modle=x"), {"OPENAI_API_KEY": KEY}, 2, "'modle'; nearest: model"),
        (("openai-twin", "-o", "base_url=x"), {}, 2, "unknown option of openai-twin 'base_url'"),
    ],
)
def test_what_is_missing_or_misspelt_is_told_before_the_run_begins(
    arguments: tuple[str, ...], environment: dict[str, str], status: int, message: str, tmp_path: Path
) -> None:
    refused = run(tmp_path / "run", PRICES, "--platform", *arguments, **environment)
    assert refused.status == status
    (line,) = refused.told.strip().splitlines()
    assert message in line
    assert not (tmp_path / "run").exists()


# --- signals ------------------------------------------------------------------------------------------------

TWO_CALLS = (PRICES, PERSON, "--platform", "openai-twin", "--at-once", "1")


def test_one_interrupt_lets_the_call_end_and_resuming_places_the_rest(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start(*TWO_CALLS, "--out", str(folder))
    wait_until_in_a_call(process, folder)
    process.send_signal(signal.SIGINT)
    stopped = finish(process, folder)
    assert stopped.status == 130, stopped.told
    assert [(record.key.task, record.ending) for record in stopped.records] == [("T4-E1", "completed")]
    assert f"offhook run --resume {folder}" in stopped.told
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("calls/*/*")}
    finished = resume(folder)
    assert finished.status == 0, finished.told
    assert sorted(record.key.task for record in finished.records) == ["R-E1", "T4-E1"]
    assert "2 calls planned, 2 ran, 2 graded, 0 void, 0 in error" in finished.told
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


@pytest.mark.parametrize("signals", [(signal.SIGINT, signal.SIGINT), (signal.SIGKILL,)])
def test_a_run_that_was_stopped_in_a_call_is_finished_by_resuming(
    signals: tuple[signal.Signals, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    process = start(PRICES, "--platform", "openai-twin", "--out", str(folder))
    wait_until_in_a_call(process, folder)
    for number in signals:
        process.send_signal(number)
        time.sleep(0.5)  # two interrupts at the same instant are one to the kernel
    stopped = finish(process, folder)
    assert stopped.status == (130 if signal.SIGINT in signals else -signal.SIGKILL)
    assert stopped.records == []
    finished = resume(folder)
    assert finished.status == 0, finished.told
    (record,) = finished.records
    assert record.ending == "completed"
    assert f"pass   {PRICES}" in finished.told
    assert list(folder.glob("calls/.*")) == []
