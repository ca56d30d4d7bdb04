"""What judges and verifiers are told of Kestrel is right: the follower keeps every check, and each saboteur
breaks one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from offhook.api import run
from offhook.checks import Assertion, checks_of
from offhook.grading import Grade, Outcome
from offhook.host import PluginHost
from offhook.judged import case_of
from offhook.packs import Pack
from offhook.runner import load_evidence
from offhook.storage import RunFolder
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
    assert len(pack.facts) >= 5
    assert len(pack.must_not) >= 5


def test_facts_are_those_of_the_price_list(pack: Pack) -> None:
    from offhook_industries.customer_support import policy

    told = {fact.id: fact.text for fact in pack.facts}
    assert policy.dollars(policy.PLUS_CENTS) in told["plus-price"]
    assert policy.dollars(policy.TOTAL_CENTS) in told["total-price"]
    for days in (policy.MEMBER_WINDOW_DAYS, policy.STANDARD_WINDOW_DAYS):
        assert f"{days} days" in told["return-window"]


def test_access_rules_name_every_tool_that_needs_no_account(pack: Pack) -> None:
    assert pack.access is not None
    names = {tool.name for tool in pack.tools}
    account = names - {pack.access.verified_by, *pack.access.free_tools}
    assert account == {
        "get_customer_summary",
        "get_membership",
        "quote_membership_upgrade",
        "confirm_membership_upgrade",
        "quote_membership_cancellation",
        "confirm_membership_cancellation",
    }


Verified = Callable[[str, str], dict[str, Grade]]


@pytest.fixture(scope="module")
def verified(host: PluginHost, tmp_path_factory: pytest.TempPathFactory) -> Verified:
    """Grades of the code verifier by task, of one run over text."""

    def place(platform: str, tasks: str) -> dict[str, Grade]:
        out = tmp_path_factory.mktemp("run") / "run"
        asyncio.run(run(platform=platform, tasks=[tasks], line="text", out=out, host=host))
        folder = RunFolder.open(Path(out))
        verifier = host.verifiers()["code-verifier"]
        calls = [load_evidence(folder, call_id, host.packs()) for call_id in folder.call_ids()]
        return {call.task.id: verify_call(verifier, call) for call in calls}

    return place


@pytest.mark.speech
def test_the_follower_keeps_every_check(verified: Verified, pack: Pack) -> None:
    grades = verified("reference", "customer-support")
    assert {task: grade.summary for task, grade in grades.items() if grade.outcome is not Outcome.PASS} == {}
    assert set(grades) == {task.id for task in pack.tasks}
    assert sum(len(checked_of(grade)) for grade in grades.values()) >= 50


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
