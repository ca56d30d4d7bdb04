"""Task T4-H1 graded as the published method prints it: a good call, and one without quote and confirm."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from offhook.grading import CallEvidence, Grade, Outcome
from offhook.host import PluginHost
from offhook.packs import Pack, Task
from offhook.toolserver import FrozenCall, ReplayCache
from offhook_graders.adherence.state import StateGrader
from offhook_graders.adherence.tools import ToolGrader

Request = tuple[str, Mapping[str, Any]]
Graded = tuple[Grade, Grade]


@pytest.fixture(scope="module")
def kestrel() -> Pack:
    return PluginHost.discover().packs()["customer-support"]


@pytest.fixture(scope="module")
def cancelling(kestrel: Pack) -> Task:
    return kestrel.task("T4-H1")


@pytest.fixture
def graded(
    kestrel: Pack,
    cancelling: Task,
    hold: Callable[[Pack, Sequence[Request]], FrozenCall],
    on_call: Callable[[Pack, Task, FrozenCall], CallEvidence],
    replays: ReplayCache,
) -> Callable[[Sequence[Request]], Graded]:
    def run(requests: Sequence[Request]) -> Graded:
        call = on_call(kestrel, cancelling, hold(kestrel, requests))
        return ToolGrader(replays).grade(call), StateGrader(replays).grade(call)

    return run


def by_its_key(task: Task) -> list[Request]:
    """The requests of a call that follows the key, carrying what earlier calls returned."""
    return [
        (
            call.tool,
            {
                **call.arguments,
                **call.free_text,
                **{name: f"={source}" for name, source in call.carry.items()},
            },
        )
        for call in task.expected
    ]


def test_the_good_call(graded: Callable[[Sequence[Request]], Graded], cancelling: Task) -> None:
    tools, state = graded(by_its_key(cancelling))

    assert (tools.outcome, state.outcome) == (Outcome.PASS, Outcome.PASS)
    assert tools.summary == "5 of 5 expected calls matched in the request log"
    assert state.summary == "4 of 4 expected changes present in the frozen database"
    lines = [
        (line["table"], line["column"], line["change_text"]) for line in state.evidence["expected_changes"]
    ]
    assert sorted(lines[:3]) == [
        ("customers", "auto_renew", "1 → 0"),
        ("customers", "membership_paid_cents", "2999 → 0"),
        ("customers", "tier", "plus → standard"),
    ]
    assert lines[3][:2] == ("membership_changes", "new row")
    assert lines[3][2].startswith("none → cancel · plus → standard · ")
    assert "$14.99" in lines[3][2]


def test_the_call_that_skipped_quote_and_confirm(
    graded: Callable[[Sequence[Request]], Graded], cancelling: Task
) -> None:
    tools, state = graded(by_its_key(cancelling)[:3])

    assert (tools.outcome, state.outcome) == (Outcome.FAIL, Outcome.FAIL)
    assert tools.summary == "3 of 5 expected calls matched in the request log"
    assert state.summary == "0 of 4 expected changes present in the frozen database"
    assert [(call["tool"], call["note"]) for call in tools.evidence["expected_calls"]] == [
        ("identify_customer", "matched"),
        ("verify_identity", "matched"),
        ("get_customer_summary", "matched"),
        ("quote_membership_cancellation", "never called"),
        ("confirm_membership_cancellation", "never called"),
    ]
    observed = {line["column"]: line["observed_text"] for line in state.evidence["expected_changes"]}
    assert observed == {"tier": "plus", "auto_renew": "1", "membership_paid_cents": "2999", "new row": "none"}


def test_every_task_passes_when_its_key_is_followed(
    kestrel: Pack,
    hold: Callable[[Pack, Sequence[Request]], FrozenCall],
    on_call: Callable[[Pack, Task, FrozenCall], CallEvidence],
    replays: ReplayCache,
) -> None:
    for task in kestrel.tasks:
        call = on_call(kestrel, task, hold(kestrel, by_its_key(task)))
        grades = [ToolGrader(replays).grade(call), StateGrader(replays).grade(call)]

        assert [grade.outcome for grade in grades] == [Outcome.PASS, Outcome.PASS], task.id


def test_an_idle_call_passes_no_task_that_expects_something(
    kestrel: Pack,
    hold: Callable[[Pack, Sequence[Request]], FrozenCall],
    on_call: Callable[[Pack, Task, FrozenCall], CallEvidence],
    replays: ReplayCache,
) -> None:
    for task in kestrel.tasks:
        call = on_call(kestrel, task, hold(kestrel, []))

        assert ToolGrader(replays).grade(call).outcome is (Outcome.FAIL if task.expected else Outcome.PASS)
