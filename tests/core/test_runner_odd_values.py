"""Odd values that a platform tells: each costs a note, never the call."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.runner.work import LocalWorker
from offhook.sessions import AgentTranscript, Cost, Ended, PlatformRecord, SessionError, Usage, UserTranscript
from offhook.storage import clean_text
from tests.core._platforms import LONE, ODD, Talking, odd_run


@pytest.mark.parametrize(
    ("event", "note"),
    [
        (Usage({"x": float("nan")}), "platform broke: ValueError: Usage 'x' is nan, expected a finite"),
        (Usage({"x": float("inf")}), "platform broke: ValueError: Usage 'x' is inf, expected a finite"),
        (Usage({"x": 10**400}), "platform broke: OverflowError"),
        (Usage({"x": "many"}), "platform broke: ValueError: Usage 'x' is 'many', expected a finite"),  # type: ignore[dict-item]
        (Usage(ODD), "platform broke: ValueError: Usage.quantities is NoneType"),
        (AgentTranscript(ODD), "platform broke: ValueError: AgentTranscript.text is NoneType"),
        (UserTranscript(b"abc"), "platform broke: ValueError: UserTranscript.text is bytes"),  # type: ignore[arg-type]
        (SessionError("x", f"hi {LONE}\nthere"), "x: hi \ufffd there"),
        (SessionError("x", ODD), "x: None"),
        (Ended(ODD, LONE), "platform broke: ValueError: Ended.by is None"),
    ],
)
def test_an_odd_value_costs_a_note_and_not_the_call(event: Any, note: str, tmp_path: Path) -> None:
    ran = odd_run(tmp_path, lambda: Talking(event))
    assert ran.record.ending == "completed"
    assert [error for error in ran.errors if error.startswith(note)]


def test_what_can_be_kept_of_odd_values_is_kept(tmp_path: Path) -> None:
    events = (
        Usage({"x": np.float32(3), "y": float("nan")}),  # type: ignore[dict-item]
        Usage({"x": 1}),
        AgentTranscript(f"hi {LONE} there"),
        UserTranscript(f"yes {LONE}"),
        Ended("agent", LONE),
    )
    ran = odd_run(tmp_path, lambda: Talking(*events))
    assert ran.record.usage == {"x": 4.0}
    assert ran.record.agent_transcripts[-1].text == "hi \ufffd there"
    assert [heard.text for heard in ran.record.user_transcripts] == ["yes \ufffd"]
    assert ran.done[0].ending == "completed"


@pytest.mark.parametrize(
    ("cost", "note"),
    [
        (Cost(float("nan"), "reported"), "cost: ValueError: Cost.usd is nan"),
        (Cost("1.5", "reported"), "cost: ValueError: Cost.usd is '1.5'"),  # type: ignore[arg-type]
        ({"usd": 1}, "cost: TypeError: the platform returned dict, expected Cost"),
    ],
)
def test_a_cost_that_is_none_is_noted(cost: Any, note: str, tmp_path: Path) -> None:
    class Dear(Talking):
        async def fetch_cost(self) -> Any:
            return cost

    ran = odd_run(tmp_path, Dear)
    assert (ran.record.ending, ran.record.cost_usd, ran.record.cost_basis) == ("completed", None, "unknown")
    assert [error for error in ran.errors if error.startswith(note)]


@pytest.mark.parametrize(
    ("told", "note"),
    [
        (PlatformRecord(raw={"x": float("nan")}), "record: ValueError"),
        (PlatformRecord(raw={"x": datetime(2026, 1, 1, tzinfo=UTC)}), "record: TypeError"),
        (PlatformRecord(transcript=(LONE,)), "record: UnicodeEncodeError"),
        ({"a": 1}, "record: TypeError: the platform returned dict, expected PlatformRecord"),
    ],
)
def test_a_record_that_no_file_can_hold_is_noted(told: Any, note: str, tmp_path: Path) -> None:
    class Chronicle(Talking):
        async def fetch_record(self) -> Any:
            return told

    ran = odd_run(tmp_path, Chronicle)
    assert ran.record.ending == "completed"
    assert [error for error in ran.errors if error.startswith(note)]
    assert "platform.json" not in {stamp.name for stamp in ran.record.files}


def test_a_record_of_ours_that_no_file_can_hold_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = LocalWorker._held

    def spoiled(self: LocalWorker, planned: Any, scratch: Path) -> Any:
        return attrs.evolve(held(self, planned, scratch), voice=f"x{LONE}")

    monkeypatch.setattr(LocalWorker, "_held", spoiled)
    ran = odd_run(tmp_path)
    assert ran.record.ending == "error"
    assert ran.record.cause.startswith("harness: UnicodeEncodeError")


def test_no_session_and_no_deployment_are_told_in_words(tmp_path: Path) -> None:
    ran = odd_run(tmp_path, lambda: None)
    assert {done.cause for done in ran.done} == {"refused: the platform returned no session"}


def test_a_deployment_that_is_none_is_an_error(tmp_path: Path) -> None:
    ran = odd_run(tmp_path, deployed=False)
    assert ran.record.cause == "the agent could not be deployed: the platform returned no deployment"


def test_clean_text_leaves_everything_but_lone_surrogates() -> None:
    assert clean_text(f"a{LONE}b\U0001f600\n") == "a\ufffdb\U0001f600\n"
