"""What a platform that fails may try so that its failure is declared void, and what still is our fault."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.grading import Grade
from offhook.packs import ForbiddenCall, Pack
from offhook.records import LateTicks, ToolLogEntry
from offhook.sessions import AgentAudio, SessionEvent
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ReplayCache
from offhook_graders.adherence.tools import ToolGrader
from offhook_graders.attribution.reviewer import AttributionReviewer
from tests.graders._attr_stand import Call, FaultyPlatform, FaultySession, SessionFault, World, place

REVIEWER = AttributionReviewer()
LATE = LateTicks(1.0, 35.0, 90.0)


def forbidding() -> Pack:
    """The booking task, with its quote forbidden: an agent that does all it should breaks this rule."""
    pack = bicycle_pack()
    rule = ForbiddenCall("quote_repair", why="nobody asked for a price")
    tasks = tuple(attrs.evolve(task, forbidden=(rule,)) if task.id == "B-H1" else task for task in pack.tasks)
    return attrs.evolve(pack, tasks=tasks)


@pytest.fixture(scope="module")
def replays(tmp_path_factory: pytest.TempPathFactory) -> ReplayCache:
    return ReplayCache(tmp_path_factory.mktemp("replays"))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Call:
    """A call in which all was done that had to be."""
    return place(World(), _out(tmp_path_factory), platform="reference", line="text")


@pytest.fixture(scope="module")
def claimed(tmp_path_factory: pytest.TempPathFactory) -> Call:
    """A call that failed: the last step was claimed and never taken."""
    return place(World(), _out(tmp_path_factory), platform="saboteur-claims-done", line="text")


@pytest.fixture(scope="module")
def breached(tmp_path_factory: pytest.TempPathFactory) -> Call:
    """A call that failed by a forbidden request alone."""
    return place(World(pack=forbidding()), _out(tmp_path_factory), platform="reference", line="text")


def _out(made: pytest.TempPathFactory) -> Path:
    return made.mktemp("call") / "run"


def again(call: Call, replays: ReplayCache, tools: Sequence[ToolLogEntry], **record: Any) -> Grade:
    """The call graded and reviewed anew with another log, and a record that differs."""
    evidence = attrs.evolve(
        call.evidence, tools=tuple(tools), record=attrs.evolve(call.evidence.record, **record)
    )
    grade = ToolGrader(replays).grade(evidence)
    return REVIEWER.review(evidence, [*(each for each in call.others if each.grader != grade.grader), grade])


def broke(entry: ToolLogEntry, **changes: Any) -> ToolLogEntry:
    """A request inside which the tool server failed."""
    failed = {"status": 500, "code": "internal_error", "outcome": "refused", "response": {}}
    return attrs.evolve(entry, **{**failed, **changes})


def why(grade: Grade, cause: int) -> str:
    (entry,) = [entry for entry in grade.evidence["checked"] if entry["cause"] == cause]
    return str(entry["why"])


# --- a failed request ---


@pytest.mark.parametrize("unread", [False, True], ids=["inside the tool", "before it was read"])
def test_a_needed_request_that_failed_inside_is_our_fault(
    done: Call, replays: ReplayCache, unread: bool
) -> None:
    gone: dict[str, Any] = {"arguments": {}, "canonical": {}} if unread else {}
    tools = [broke(e, **gone) if e.tool == "find_customer" else e for e in done.evidence.tools]

    grade = again(done, replays, tools)

    assert grade.evidence["cause"] == 3
    assert "failed inside find_customer" in grade.summary
    assert not grade.evidence["counts_against"]


def test_a_request_with_wrong_values_that_breaks_a_tool_voids_nothing(
    done: Call, replays: ReplayCache
) -> None:
    values = {"full_name": "Nadia Okafor", "phone": "541-555-0100"}
    tools = [
        broke(e, arguments=values, canonical=values) if e.tool == "find_customer" else e
        for e in done.evidence.tools
    ]

    grade = again(done, replays, tools)

    assert grade.evidence["cause"] == 6
    assert "nothing that the call lacks came of it" in why(grade, 3)


def test_a_failed_request_that_was_repeated_with_success_voids_nothing(
    claimed: Call, replays: ReplayCache
) -> None:
    first, *rest = claimed.evidence.tools

    assert again(claimed, replays, [broke(first), first, *rest]).evidence["cause"] == 6


@pytest.mark.parametrize(
    ("service", "cause"), [("brakes", 3), ("wheels for an elephant", 6)], ids=["its own", "made up"]
)
def test_a_tool_beyond_the_key_that_failed_counts_where_its_values_came_from_the_call(
    claimed: Call, replays: ReplayCache, service: str, cause: int
) -> None:
    log = claimed.evidence.tools
    extra = broke(
        log[-1],
        tool="get_service_price",
        arguments={"service": service},
        canonical={"service": service},
        index=len(log),
    )

    assert again(claimed, replays, [*log, extra]).evidence["cause"] == cause


# --- after a breach ---


def test_a_breach_is_not_undone_by_a_caller_led_astray_after_it(breached: Call, replays: ReplayCache) -> None:
    log = breached.evidence.tools
    at = next(entry.at for entry in log if entry.tool == "quote_repair")
    assert breached.cause == 6
    stray = "rule:price at {:.2f} s states '4711', which is not one of the caller's values"

    after = again(breached, replays, log, off_script=(stray.format(at + 5),))
    before = again(breached, replays, log, off_script=(stray.format(at + 5), stray.format(at - 0.5)))
    untold = again(breached, replays, log, off_script=("it made something up",))

    assert (after.evidence["cause"], before.evidence["cause"], untold.evidence["cause"]) == (6, 2, 2)
    assert after.evidence["counts_against"]
    assert "before the caller was off script" in why(after, 2)


def test_a_breach_is_not_undone_by_a_failed_request_or_by_late_frames(
    breached: Call, replays: ReplayCache
) -> None:
    log = list(breached.evidence.tools)
    last = max(index for index, entry in enumerate(log) if entry.tool == "confirm_repair")
    log[last] = broke(log[last])

    assert again(breached, replays, log).evidence["cause"] == 6
    assert again(breached, replays, breached.evidence.tools, late=LATE, underruns=4).evidence["cause"] == 6


# --- a caller that is never let speak ---


class EndlessSession(FaultySession):
    """Says all that it says two hundred times over."""

    async def events(self) -> AsyncIterator[SessionEvent]:
        async for event in self._inner.events():
            for _ in range(200 if isinstance(event, AgentAudio) else 1):
                yield event


class EndlessPlatform(FaultyPlatform):
    async def connect(self, deployment: Any, call: Any) -> Any:
        return EndlessSession(await super().connect(deployment, call), SessionFault())


def test_an_agent_that_talks_until_the_caller_gives_up_has_failed_and_is_not_called_again(
    tmp_path: Path,
) -> None:
    call = place(World(EndlessPlatform()), tmp_path / "run")
    record = call.evidence.record

    assert (record.key.attempt, record.ending, record.hung_up_because) == (1, "completed", "too_long")
    assert not record.caller_turns
    assert call.cause == 4
    assert call.grades["attribution"].evidence["counts_against"]


def test_an_agent_that_never_lets_the_caller_speak_took_its_turn_badly(
    claimed: Call, replays: ReplayCache
) -> None:
    held: dict[str, Any] = {"hung_up_because": "too_long", "caller_turns": (), "seconds": 600.0}

    log = claimed.evidence.tools

    grade = again(claimed, replays, log, **held)

    assert grade.evidence["cause"] == 4
    assert "did not let the caller say why it called" in grade.summary
    spoke = {**held, "caller_turns": claimed.evidence.record.caller_turns}
    assert "did not let the caller" not in again(claimed, replays, log, **spoke).summary
