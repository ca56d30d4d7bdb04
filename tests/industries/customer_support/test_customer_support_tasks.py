"""The 30 calls: what is published of them, that their keys run, and that the callers' lines hold together."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from offhook.names import match_names
from offhook.packs import Pack, Task, Tier
from offhook.toolserver import SeedImages, replay
from offhook.values import ValueKind, canonical
from offhook_caller.statedvalues import foreign_values
from offhook_industries.customer_support.pack import build_pack
from offhook_industries.customer_support.seed.cases import CASES, STRANGERS
from tests.industries.customer_support._keys import KEYS, TABLE

CATEGORIES = {
    "T1": "orders",
    "T2": "returns",
    "T3": "service",
    "T4": "membership",
    "T5": "price match",
    "R": "reception",
}
ANONYMOUS = {"T1-E1", "T2-E1", "T3-E1", "T4-E1", "T5-E1", "R-E1"}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return build_pack()


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> SeedImages:
    return SeedImages(tmp_path_factory.mktemp("task-images"))


def _row(task: Task) -> str:
    numbers = task.structure
    return (
        f"{task.id}: {task.title} | {task.tier} | {numbers.tool_calls} | {numbers.constrained_args} | "
        f"{numbers.rows_written}"
    )


def test_the_tasks_are_the_published_ones(pack: Pack) -> None:
    assert sorted(_row(task) for task in pack.tasks) == sorted(TABLE.splitlines())


def test_each_category_has_one_easy_two_medium_and_two_hard_tasks(pack: Pack) -> None:
    assert all(task.category == CATEGORIES[task.id.split("-")[0]] for task in pack.tasks)
    tiers = Counter((task.category, task.tier) for task in pack.tasks)
    wanted = {Tier.EASY: 1, Tier.MEDIUM: 2, Tier.HARD: 2}
    assert tiers == {(name, tier): number for name in CATEGORIES.values() for tier, number in wanted.items()}


def test_as_many_tasks_are_gated_and_write_as_the_tiers_say(pack: Pack) -> None:
    gated = Counter(
        task.tier for task in pack.tasks if any(call.tool == "verify_identity" for call in task.expected)
    )
    writing = Counter(task.tier for task in pack.tasks if task.structure.rows_written)
    assert gated == {Tier.MEDIUM: 11, Tier.HARD: 12}
    assert writing == {Tier.EASY: 1, Tier.MEDIUM: 3, Tier.HARD: 11}


def test_the_keys_are_those_the_tools_were_built_for(pack: Pack) -> None:
    for task in pack.tasks:
        calls = [
            (call.tool, dict(call.arguments), dict(call.free_text), dict(call.carry))
            for call in task.expected
        ]
        assert calls == list(KEYS[task.id][0]), task.id


def test_every_key_runs_and_leaves_its_rows(pack: Pack, images: SeedImages, tmp_path: Path) -> None:
    for task in pack.tasks:
        folder = tmp_path / task.id
        folder.mkdir()
        run = replay(pack, task, folder, images=images)
        assert [call.status for call in run.calls] == [200] * len(task.expected), task.id
        assert run.rows_written == task.structure.rows_written, task.id
        assert sum(len(call.arguments) for call in task.expected) == task.structure.constrained_args


def test_nobody_is_forbidden_what_the_key_demands(pack: Pack) -> None:
    for task in pack.tasks:
        called = {call.tool for call in task.expected}
        assert not called & {forbidden.tool for forbidden in task.forbidden}, task.id
    forbidden = {task.id: {call.tool for call in task.forbidden} for task in pack.tasks}
    assert forbidden["T1-M4"] == {"confirm_delivery_change"}
    assert forbidden["T3-E1"] == {"identify_customer", "transfer_to_human", "report_scam_contact"}


def test_the_callers_are_people_of_the_seed(pack: Pack) -> None:
    cases = {case.full_name: case for case in CASES}
    for task in pack.tasks:
        traits = {trait.name: trait.value for trait in task.traits}
        for trait in task.traits:
            canonical(trait.kind, trait.value)
        if task.id in ANONYMOUS:
            assert not traits
        elif task.id == "R-M4":
            assert traits == {"phone": STRANGERS[0]}
        else:
            case = cases[traits["full_name"]]
            order = next(order for order in case.orders if order.order_number == traits["order_number"])
            assert (traits["phone"], traits["email"]) == (case.phone, case.email)
            assert (traits["postal_code"], traits["card_last4"]) == (order.postal_code, order.card_last4)
    assert pack.task("R-M3").trait("card_number").value.endswith("4356")


def test_the_caller_is_nobody_elses_namesake(pack: Pack) -> None:
    """A caller can be told from everybody else by name and phone together, though not by name alone."""
    for task in pack.tasks:
        names = [trait.value for trait in task.traits if trait.kind is ValueKind.NAME]
        phones = [trait.value for trait in task.traits if trait.kind is ValueKind.PHONE]
        same = [
            case
            for case in CASES
            if names and case.phone == phones[0] and match_names(case.full_name, names[0]).same
        ]
        assert len(same) == len(names), task.id


def test_no_line_states_a_value_that_is_not_the_callers(pack: Pack) -> None:
    for task in pack.tasks:
        known = {str(value) for call in task.expected for value in call.arguments.values()}
        for line in (task.intent.opening, task.intent.closing, *(rule.line for rule in task.rules)):
            found = set(foreign_values(line, task.traits, ()))
            assert found <= known, (task.id, line, found)


def test_every_line_is_said_by_one_rule_only(pack: Pack) -> None:
    """Two rules with one line would leave it open which of them spoke; repeats are the rule's own."""
    for task in pack.tasks:
        lines = Counter(rule.line for rule in task.rules)
        assert not [line for line, times in lines.items() if times > 1], task.id


def test_a_call_comes_to_its_end_by_itself(pack: Pack) -> None:
    """Each caller knows when they have what they wanted, and hangs up or is handed over."""
    for task in pack.tasks:
        assert task.intent.satisfied, task.id
        assert any(rule.ends_call for rule in task.rules), task.id
