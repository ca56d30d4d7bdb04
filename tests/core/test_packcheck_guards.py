"""Guards are tried: a gate left out, consent refused, a token of another call. A vain one is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from offhook.packcheck import Severity, check_pack
from offhook.packs import ExpectedCall, Pack, Structure, Table, TableRole, Tool, ToolContext, ToolRefusal
from tests.core._packfaults import PACK, Run, errors_of, told, with_guide, with_run, with_task

GATED = "tasks/B-H1.expected[1]"
CONFIRMED = "tasks/B-H1.expected[3]"


def lets_in(run: Run) -> Run:
    """A look-up that takes the caller for verified."""

    def found(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        answer = run(context, arguments)
        context.db.execute("UPDATE gate SET verified = 1")
        return answer

    return found


def any_quote(run: Run) -> Run:
    """A booking that takes the latest quote, whichever is asked for."""

    def booked(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        quote = context.db.execute("SELECT quote_id FROM quotes").fetchone()
        return run(context, {**arguments, **({"quote_id": quote["quote_id"]} if quote else {})})

    return booked


def without_asking(run: Run) -> Run:
    """A booking that needs no consent."""
    return lambda context, arguments: run(context, {**arguments, "price_accepted": True})


def picky(run: Run) -> Run:
    """A note that is refused for a reason that no key comes near."""

    def noted(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if "crocodile" in arguments["note"]:
            raise ToolRefusal("no_crocodiles", "not that")
        return run(context, arguments)

    return noted


def test_a_gate_that_nothing_waits_for_is_an_error_in_the_key_and_in_the_tool() -> None:
    pack = with_run("find_customer", lets_in)
    assert [problem.where for problem in errors_of(pack)] == [
        "bicycle-repair/tasks/B-H1.expected[1]",
        "bicycle-repair/tools/verify_owner",
    ]
    (line,) = told(pack, GATED)
    assert line == (
        "expected a refusal where verify_owner is left out; the key comes to the same end without"
    )


def test_a_gate_that_makes_a_difference_without_a_refusal_is_one() -> None:
    def marks(run: Run) -> Run:
        def verified(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
            context.db.execute("UPDATE bikes SET model = model || ' (seen)' WHERE bike_id = 'B-101'")
            return run(context, arguments)

        return verified

    marking = with_run("verify_owner", marks).tool("verify_owner")
    pack = with_run("find_customer", lets_in)
    tools = tuple(marking if tool.name == marking.name else tool for tool in pack.tools)
    assert errors_of(attrs.evolve(pack, tools=tools)) == []


def test_a_gate_that_guards_reading_only_in_vain_is_a_note_of_the_key() -> None:
    task = PACK.tasks[1]
    price = ExpectedCall("get_service_price", {"service": "brakes"})
    pack = with_task(expected=(*task.expected[:2], price), structure=Structure(3, 5, 0))
    (line,) = told(pack, GATED, Severity.NOTE)
    assert line == "expected something that waits for verify_owner; get_service_price answers without"
    assert told(pack, GATED) == []


def test_a_gate_with_nothing_behind_it_could_not_be_tried() -> None:
    task = PACK.tasks[1]
    pack = with_task(expected=task.expected[:2], structure=Structure(2, 4, 0))
    assert told(pack, "gates", Severity.NOTE) == [
        "expected a key with work behind verify_owner: it could not be tried"
    ]


def test_consent_that_is_not_asked_for_is_an_error() -> None:
    (line,) = told(with_run("confirm_repair", without_asking), CONFIRMED)
    assert "a refusal of confirm_repair where price_accepted is false" in line


def test_a_token_of_another_call_that_is_taken_is_an_error() -> None:
    (line,) = told(with_run("confirm_repair", any_quote), CONFIRMED)
    assert "a refusal of confirm_repair where quote_id is another call's" in line


def test_consent_that_no_key_gives_is_a_note() -> None:
    task = PACK.tasks[1]
    refused = attrs.evolve(task.expected[3], arguments={"price_accepted": False}, outcome="refused")
    pack = with_task(expected=(*task.expected[:3], refused), structure=Structure(4, 6, 1))
    (line,) = told(pack, "guide/confirm_repair.consent", Severity.NOTE)
    assert "a key that sends price_accepted as true" in line


def test_refusals_that_nothing_comes_near_are_one_note() -> None:
    found = told(with_run("leave_note", picky), "tools", Severity.NOTE)
    assert len(found) == 1
    assert found[0].endswith("meet no_crocodiles")


def test_words_for_a_refusal_that_no_tool_gives_are_a_note() -> None:
    pack = with_guide("find_customer", refused={"no_mach": "Not found."}, retry=("no_match",))
    (line,) = told(pack, "guide/find_customer.refused", Severity.NOTE)
    assert "got 'no_mach'" in line


def test_a_sound_guard_is_met_by_the_wrong_keys_and_nothing_is_told() -> None:
    assert check_pack(PACK) == ()


def test_rows_that_differ_from_replay_to_replay_are_told() -> None:
    drawn = iter(range(1000))

    def lucky(run: Run) -> Run:
        def noted(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
            return run(context, {**arguments, "note": f"{arguments['note']} {next(drawn)}"})

        return noted

    assert told(with_run("leave_note", lucky), "tasks/B-H1.expected") == [
        "expected the same rows each time the key runs, got other ones in notes"
    ]


def test_a_pack_whose_gates_are_passed_in_the_seed_has_nothing_to_try() -> None:
    def mark(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if context.db.execute("SELECT 1 FROM cleared").fetchone() is None:
            raise ToolRefusal("not_verified", "first verify_owner")
        context.db.execute("INSERT OR IGNORE INTO marks VALUES (1)")
        return {}

    def seed(db: Any) -> None:
        PACK.seed(db)
        db.execute("INSERT INTO cleared VALUES (1)")

    pack: Pack = attrs.evolve(
        PACK,
        schema=PACK.schema + "CREATE TABLE cleared (a PRIMARY KEY); CREATE TABLE marks (a PRIMARY KEY);",
        seed=seed,
        tables=(
            *PACK.tables,
            Table("cleared", TableRole.SESSION, ("a",)),
            Table("marks", TableRole.WRITE, ("a",)),
        ),
        tools=(*PACK.tools, Tool("mark", "Marks.", (), mark)),
        agent=attrs.evolve(PACK.agent, tools=(*PACK.agent.tools, "mark")),
    )
    pack = with_guide("end_call", pack)
    guides = (*pack.guide.tools, attrs.evolve(pack.guide.tools[-1], tool="mark"))
    pack = attrs.evolve(pack, guide=attrs.evolve(pack.guide, tools=guides))
    marked = attrs.evolve(
        pack.tasks[0], id="B-E2", expected=(ExpectedCall("mark"),), structure=Structure(1, 0, 1)
    )
    assert errors_of(attrs.evolve(pack, tasks=(*pack.tasks, marked))) == []
