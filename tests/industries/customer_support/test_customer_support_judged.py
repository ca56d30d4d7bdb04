"""What judges and verifiers are told of Kestrel is right: the follower keeps every check, and each saboteur
breaks one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from offhook.api import run
from offhook.checks import Assertion, ExactEffects, FigureRelayed, checks_of
from offhook.grading import Grade, Outcome
from offhook.host import PluginHost
from offhook.judged import case_of
from offhook.packs import Pack
from offhook.runner import load_evidence
from offhook.storage import RunFolder
from offhook.toolserver import SeedImages, replay
from offhook.values import canonical
from offhook.verified import assertion_outcomes, checked_of, verify_call
from offhook.verifying import CheckVerdict
from offhook_industries.customer_support.pack import build_pack


@pytest.fixture(scope="module")
def pack() -> Pack:
    return build_pack()


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return PluginHost.discover()


def test_every_task_has_criteria_and_checks_of_all_three_assertions(pack: Pack) -> None:
    for task in pack.tasks:
        assert len(task.criteria) >= 2, task.id
        assert {check.assertion for check in checks_of(task, pack)} == set(Assertion), task.id
        assert len({check.id for check in checks_of(task, pack)}) == len(checks_of(task, pack)), task.id
    assert len(pack.tasks) == 30
    assert len(pack.facts) >= 20
    assert len(pack.must_not) >= 8


def test_facts_are_those_of_the_price_list(pack: Pack) -> None:
    from offhook_industries.customer_support import policy

    told = {fact.id: fact.text for fact in pack.facts}
    assert policy.dollars(policy.PLUS_CENTS) in told["plus-price"]
    assert policy.dollars(policy.TOTAL_CENTS) in told["total-price"]
    for days in (policy.MEMBER_WINDOW_DAYS, policy.STANDARD_WINDOW_DAYS):
        assert f"{days} days" in told["return-window"]
    assert f"{policy.ACTIVATION_WINDOW_DAYS} days" in told["activatable-window"]
    assert policy.dollars(policy.RESTOCKING_CENTS) in told["restocking-phone"]
    assert f"{policy.RESTOCKING_PERCENT} percent" in told["restocking-percent"]
    for kind in policy.RESTOCKING_KINDS:
        assert kind in told["restocking-percent"]
    assert policy.dollars(policy.LATE_CHANGE_CENTS) in told["late-change"]
    assert policy.dollars(policy.BENCH_CENTS) in told["diagnostic"]
    assert policy.dollars(policy.PHONE_DEDUCTIBLE_CENTS) in told["phone-deductible"]
    for key, name in policy.COMPETITORS.items():
        assert key == "kestrel" or name in told["match-who"]


def test_figures_of_the_checks_are_what_the_tools_answer(
    pack: Pack, tools_images: SeedImages, tmp_path: Path
) -> None:
    """An effect's result, and a figure that a tool gives, are those of the replayed key."""
    for task in pack.tasks:
        run = replay(pack, task, tmp_path, images=tools_images)
        answers = {call.tool: call.response for call in run.calls}
        for check in task.checks:
            if isinstance(check, ExactEffects):
                for effect in check.effects:
                    found = {name: answers[effect.tool].get(name) for name in effect.result}
                    assert found == dict(effect.result), (task.id, check.id)
            if isinstance(check, FigureRelayed):
                assert canonical(check.value_kind, answers[check.tool][check.field]), (task.id, check.id)


def test_access_rules_name_every_tool_that_needs_no_account(pack: Pack) -> None:
    assert pack.access is not None
    names = {tool.name for tool in pack.tools}
    account = names - {pack.access.verified_by, *pack.access.free_tools}
    assert account == {
        "get_customer_summary",
        "get_order",
        "quote_delivery_change",
        "confirm_delivery_change",
        "cancel_order",
        "quote_price_match",
        "confirm_price_match",
        "check_return_eligibility",
        "quote_return",
        "confirm_return",
        "create_return_label",
        "get_refund_status",
        "get_protection_plans",
        "check_coverage",
        "book_service_appointment",
        "get_service_appointment",
        "cancel_service_appointment",
        "get_membership",
        "quote_membership_upgrade",
        "confirm_membership_upgrade",
        "quote_membership_cancellation",
        "confirm_membership_cancellation",
    }
    assert set(pack.access.changes) < account


Verified = Callable[..., dict[str, Grade]]


@pytest.fixture(scope="module")
def verified(host: PluginHost, tmp_path_factory: pytest.TempPathFactory) -> Verified:
    """Grades of the code verifier by task, of one run over text."""

    def place(platform: str, *tasks: str) -> dict[str, Grade]:
        out = tmp_path_factory.mktemp("run") / "run"
        asyncio.run(run(platform=platform, tasks=list(tasks), line="text", out=out, host=host))
        folder = RunFolder.open(Path(out))
        verifier = host.verifiers()["code-verifier"]
        calls = [load_evidence(folder, call_id, host.packs()) for call_id in folder.call_ids()]
        return {call.task.id: verify_call(verifier, call) for call in calls}

    return place


# One of each kind of work; the others are placed with the slow tests.
SOME = ("R-H3", "T3-H3", "T5-H2")


@pytest.mark.speech
def test_the_follower_keeps_the_checks_of_some_tasks(verified: Verified) -> None:
    grades = verified("reference", *SOME)
    assert {task: grade.summary for task, grade in grades.items() if grade.outcome is not Outcome.PASS} == {}
    assert set(grades) == set(SOME)


@pytest.mark.slow
@pytest.mark.speech
def test_the_follower_keeps_every_check(verified: Verified, pack: Pack) -> None:
    grades = verified("reference", "customer-support")
    assert {task: grade.summary for task, grade in grades.items() if grade.outcome is not Outcome.PASS} == {}
    assert set(grades) == {task.id for task in pack.tasks}
    assert sum(len(checked_of(grade)) for grade in grades.values()) >= 200


BROKEN = {
    "saboteur-skips-verification": (Assertion.ACCESS, "verified-first"),
    "saboteur-alters-digit": (Assertion.OWN, "called-identify_customer-1"),
    "saboteur-alters-refund": (Assertion.OWN, "says-refund"),
    "saboteur-claims-done": (Assertion.CHANGES, "effects"),
}


@pytest.mark.speech
@pytest.mark.parametrize("platform", BROKEN)
def test_each_saboteur_breaks_what_it_is_made_to_break(verified: Verified, platform: str) -> None:
    assertion, check = BROKEN[platform]
    grade = verified(platform, "T4-H1")["T4-H1"]
    broken = {each.check for each in checked_of(grade) if each.verdict is CheckVerdict.BROKEN}
    assert check in broken
    assert assertion_outcomes(grade)[assertion] is Outcome.FAIL
    if platform == "saboteur-claims-done":  # its words are those of the follower: only the world tells
        assert broken == {"effects"}


@pytest.mark.speech
def test_a_judge_is_shown_no_platform(host: PluginHost, pack: Pack, tmp_path: Path) -> None:
    out = tmp_path / "run"
    asyncio.run(run(platform="reference", tasks=["T5-E1"], line="text", out=out, host=host))
    folder = RunFolder.open(out)
    record = folder.record(folder.call_ids()[0])
    case = case_of(record, pack, pack.task("T5-E1"))
    assert "reference" not in repr(case)
    assert [criterion.id for criterion in case.mission.criteria] == ["matched", "not-matched", "no-identity"]
    assert case.transcript[1].text == pack.task("T5-E1").intent.opening
