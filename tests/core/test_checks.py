"""Where checks come from, what they look like to a reader, and what pack check says of wrong ones."""

from __future__ import annotations

import json
from typing import Any, cast

import attrs
import pytest

from offhook.checks import (
    AccessRules,
    Assertion,
    Check,
    Effect,
    ExactEffects,
    Figure,
    FigureRelayed,
    FigureStated,
    NoSecretBefore,
    NoToolBefore,
    OneFigureStated,
    PhraseUsed,
    QuoteThenCreate,
    ToolCalled,
    ToolNotCalled,
    checks_of,
    described,
)
from offhook.judging import Criterion, Fact, MustNot
from offhook.packcheck import check_pack
from offhook.packs import ForbiddenCall, Pack, Task
from offhook.testing_pack import bicycle_pack
from offhook.values import ValueKind

ACCESS = AccessRules(
    "verify_owner",
    ("get_service_price", "find_customer", "transfer_to_human", "end_call"),
    ("confirm_repair",),
)
PRICE = Figure(ValueKind.AMOUNT, "64.00", "the price")
EVERY_KIND: tuple[Check, ...] = (
    ExactEffects("a", "t", ("confirm_repair",), (Effect("confirm_repair", {"price_accepted": (True,)}),)),
    NoToolBefore("b", "t", ACCESS),
    NoSecretBefore("c", "t", (PRICE,), ACCESS),
    ToolCalled("d", "t", "find_customer", {"phone": ("541-555-0148",)}),
    ToolNotCalled("e", "t", "leave_note"),
    QuoteThenCreate("f", "t", "quote_repair", "confirm_repair"),
    FigureStated("g", "t", ("overhaul",), PRICE),
    PhraseUsed("h", "t", ("is booked",)),
    OneFigureStated("i", "t", ("overhaul",), (PRICE, Figure(ValueKind.AMOUNT, "85"))),
    FigureRelayed("j", "t", "quote_repair", "price", ValueKind.AMOUNT),
)


@pytest.fixture
def pack() -> Pack:
    return attrs.evolve(bicycle_pack(), access=ACCESS)


def problems(pack: Pack) -> list[str]:
    return [f"{problem.where}: {problem.expected}" for problem in check_pack(pack)]


def with_task(pack: Pack, **changes: Any) -> tuple[Pack, Task]:
    task = attrs.evolve(pack.task("B-H1"), **changes)
    others = tuple(each for each in pack.tasks if each.id != task.id)
    return attrs.evolve(pack, tasks=(*others, task)), task


def test_checks_follow_from_access_rules_and_key(pack: Pack) -> None:
    checks = {check.id: check for check in checks_of(pack.task("B-H1"), pack)}
    assert list(checks) == [
        "verified-first",
        "no-secrets-first",
        "effects",
        "called-find_customer-1",
        "called-verify_owner-1",
        "called-quote_repair-1",
        "called-leave_note-1",
        "quote-first-confirm_repair",
    ]
    secrets = checks["no-secrets-first"]
    assert isinstance(secrets, NoSecretBefore)
    assert [figure.name for figure in secrets.secrets] == ["full_name", "phone", "postal_code", "frame_last4"]
    assert checks["effects"] == ExactEffects(
        "effects",
        "Exactly this changes an account: confirm_repair.",
        ("confirm_repair",),
        (Effect("confirm_repair", {"price_accepted": (True,)}),),
    )
    found = checks["called-find_customer-1"]
    assert isinstance(found, ToolCalled)
    assert found.arguments == {"full_name": ("Nadia Okafor",), "phone": ("541-555-0148",)}
    assert [check.assertion for check in checks.values()] == [Assertion.ACCESS] * 2 + [Assertion.CHANGES] + [
        Assertion.OWN
    ] * 5


def test_a_task_that_changes_nothing_allows_no_change(pack: Pack) -> None:
    effects = next(check for check in checks_of(pack.tasks[0], pack) if check.id == "effects")
    assert (effects.text, getattr(effects, "effects", None)) == ("No account is changed.", ())


def test_without_access_rules_only_the_key_is_checked() -> None:
    pack = bicycle_pack()
    checks = checks_of(pack.task("B-H1"), pack)
    assert {check.assertion for check in checks} == {Assertion.OWN}
    assert "called-confirm_repair-1" in [check.id for check in checks]


def test_tools_that_are_always_forbidden_may_not_be_called(pack: Pack) -> None:
    rules = (
        ForbiddenCall("leave_note", "nobody asked"),
        ForbiddenCall("end_call", "too early", unless=("opened",)),
    )
    _, task = with_task(pack, forbidden_tools=("quote_repair",), forbidden=rules)
    ids = [check.id for check in checks_of(task, pack) if isinstance(check, ToolNotCalled)]
    assert ids == ["not-called-quote_repair", "not-called-leave_note"]


def test_a_tasks_own_check_takes_the_place_of_a_derived_one(pack: Pack) -> None:
    own = ExactEffects("effects", "Nothing at all.", ("confirm_repair",))
    _, task = with_task(pack, checks=(own, EVERY_KIND[7]))
    checks = checks_of(task, pack)
    assert [check for check in checks if check.id == "effects"] == [own]
    assert checks[-2:] == (own, EVERY_KIND[7])


@pytest.mark.parametrize("check", EVERY_KIND, ids=lambda check: check.kind)
def test_every_kind_describes_itself_as_json(check: Check) -> None:
    shown = json.loads(json.dumps(described(check)))
    assert (shown["kind"], shown["id"], shown["assertion"]) == (check.kind, check.id, str(check.assertion))
    assert len({each.kind for each in EVERY_KIND}) == 10


def test_a_pack_with_every_kind_is_sound(pack: Pack) -> None:
    whole, _ = with_task(pack, checks=EVERY_KIND, criteria=(Criterion("c", "It went well."),))
    whole = attrs.evolve(whole, facts=(Fact("f", "A fact."),), must_not=(MustNot("m", "A rule."),))
    assert check_pack(whole) == ()


WRONG: tuple[tuple[Check, str], ...] = (
    (ToolCalled("x", "t", "find_custmer"), "checks/x: expected one of confirm_repair, end_call"),
    (ToolNotCalled("x", "t", "nothing"), "got 'nothing'"),
    (QuoteThenCreate("x", "t", "quote", "confirm_repair"), "got 'quote'"),
    (ExactEffects("x", "t", ("leave_note",), (Effect("confirm_repair"),)), "one of leave_note"),
    (FigureStated("x", "t", ("price",), Figure(ValueKind.AMOUNT, "cheap")), "amount 'cheap'"),
    (FigureStated("x", "t", (), PRICE), "at least one phrase"),
    (OneFigureStated("x", "t", ("price",), ()), "at least one figure"),
    (PhraseUsed("x", "t", ("...",)), "phrases of at least one word"),
    (NoToolBefore("x", "t", AccessRules("verify")), "got 'verify'"),
    (FigureRelayed("x", "t", "quote", "price", ValueKind.AMOUNT), "got 'quote'"),
    (ToolNotCalled("x", " ", "leave_note"), "some text"),
    (cast("Check", ToolCalled("x", "t", 7)), "checks[0].tool: expected str, got int 7"),  # type: ignore[arg-type]
)


@pytest.mark.parametrize(("check", "told"), WRONG, ids=lambda each: getattr(each, "kind", ""))
def test_a_check_that_can_not_be_decided_is_told(pack: Pack, check: Check, told: str) -> None:
    broken, _ = with_task(pack, checks=(check,))
    assert any(told in line for line in problems(broken))


def test_a_plugins_check_with_types_that_are_not_there_is_taken_as_it_is(pack: Pack) -> None:
    @attrs.frozen
    class Foreign(Check):
        when: NotImported  # type: ignore[name-defined]  # noqa: F821

    whole, _ = with_task(pack, checks=(Foreign("x", "t", 7),))
    assert problems(whole) == []


def test_two_checks_facts_or_criteria_of_one_id_are_told(pack: Pack) -> None:
    twice, _ = with_task(pack, checks=(EVERY_KIND[4], EVERY_KIND[4]), criteria=(Criterion("c", "t"),) * 2)
    twice = attrs.evolve(twice, facts=(Fact("f", "t"),) * 2, must_not=(MustNot("m ", "t"),))
    told = problems(twice)
    for part in ("checks", "criteria", "facts", "must_not"):
        assert any(f"/{part}" in line or f".{part}" in line for line in told), (part, told)
