"""The pack as a whole: with the published tasks, and each key replayed to its published numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from offhook.packs import Pack, Task, Tier
from offhook.spoken import digit_runs
from offhook.toolserver import ChangeKind, Replay, SeedImages, agent_config, replay
from offhook_industries.customer_support.pack import build_pack

PUBLISHED = {
    "R-E1": ("Demands a person immediately", Tier.EASY, 1, 1, 1),
    "R-H3": ("Return label on a swollen power bank", Tier.HARD, 9, 9, 3),
    "R-H4": ("Scam report, then the Bellwether return window", Tier.HARD, 7, 12, 1),
    "R-M3": ("Caller reads out a full card number", Tier.MEDIUM, 4, 5, 0),
    "R-M4": ("Fake 399 charge, no money sent", Tier.MEDIUM, 3, 7, 1),
    "T1-E1": ("Haul-away with a delivery", Tier.EASY, 1, 1, 0),
    "T1-H2": ("Late range delivery change", Tier.HARD, 5, 6, 3),
    "T1-H4": ("Cancel a shipped laptop, then the return window", Tier.HARD, 4, 5, 0),
    "T1-M2": ("Cancel an unshipped speaker", Tier.MEDIUM, 4, 5, 2),
    "T1-M4": ("Quote a late range delivery change", Tier.MEDIUM, 4, 6, 1),
    "T2-E1": ("General return window", Tier.EASY, 1, 1, 0),
    "T2-H1": ("Return a phone with the restocking fee", Tier.HARD, 7, 9, 3),
    "T2-H4": ("Return the phone, label, then refund status", Tier.HARD, 8, 10, 3),
    "T2-M1": ("Activatable window as a Total member", Tier.MEDIUM, 4, 5, 0),
    "T2-M2": ("Laptop past the 15-day window", Tier.MEDIUM, 4, 5, 0),
    "T3-E1": ("Third-party repair and the warranty", Tier.EASY, 0, 0, 0),
    "T3-H1": ("Book a Total-covered bench repair", Tier.HARD, 5, 9, 1),
    "T3-H3": ("Book a bench visit then cancel it", Tier.HARD, 6, 9, 1),
    "T3-M1": ("Total coverage on a laptop that will not charge", Tier.MEDIUM, 4, 6, 0),
    "T3-M2": ("Dropped-phone protection-plan deductible", Tier.MEDIUM, 4, 6, 0),
    "T4-E1": ("Plus and Total membership pricing", Tier.EASY, 2, 2, 0),
    "T4-H1": ("Cancel Plus after one save offer", Tier.HARD, 5, 5, 3),
    "T4-H3": ("Cancel Total after the proration readback", Tier.HARD, 5, 5, 3),
    "T4-M2": ("Already on Total", Tier.MEDIUM, 3, 4, 0),
    "T4-M3": ("No membership on the account", Tier.MEDIUM, 3, 4, 0),
    "T5-E1": ("Price Match Guarantee policy", Tier.EASY, 1, 1, 0),
    "T5-H1": ("Halo soundbar price match at Rivertide", Tier.HARD, 5, 7, 2),
    "T5-H2": ("Marketplace headphone price match", Tier.HARD, 5, 5, 1),
    "T5-M1": ("Price match on an open-box TV", Tier.MEDIUM, 4, 5, 0),
    "T5-M4": ("Price not lower on the Halo", Tier.MEDIUM, 4, 7, 0),
}
MEMBERSHIP = ("T4-E1", "T4-M2", "T4-M3", "T4-H1", "T4-H3", "T5-E1", "R-E1")


@pytest.fixture(scope="module")
def pack() -> Pack:
    return build_pack()


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> SeedImages:
    return SeedImages(tmp_path_factory.mktemp("images"))


def _replayed(pack: Pack, task_id: str, folder: Path, images: SeedImages) -> Replay:
    return replay(pack, pack.task(task_id), folder, images=images)


def test_the_tasks_are_the_published_ones(pack: Pack) -> None:
    assert {task.id for task in pack.tasks} == set(PUBLISHED)
    for task in pack.tasks:
        numbers = task.structure
        found = (task.title, task.tier, numbers.tool_calls, numbers.constrained_args, numbers.rows_written)
        assert found == PUBLISHED[task.id]


@pytest.mark.parametrize("task_id", PUBLISHED)
def test_key_replays_to_its_structure_numbers(
    task_id: str, pack: Pack, images: SeedImages, tmp_path: Path
) -> None:
    task = pack.task(task_id)
    run = _replayed(pack, task_id, tmp_path, images)
    assert [call.status for call in run.calls] == [200] * len(task.expected)
    arguments = sum(len(call.arguments) for call in task.expected)
    assert (len(run.calls), arguments, run.rows_written) == PUBLISHED[task_id][2:]


def test_cancelling_plus_changes_exactly_what_the_published_figure_shows(
    pack: Pack, images: SeedImages, tmp_path: Path
) -> None:
    run = _replayed(pack, "T4-H1", tmp_path, images)
    changes = {change.table: change for change in run.changes}
    assert sorted(changes) == ["customers", "membership_changes", "membership_quotes"]
    assert len(run.changes) == 3
    assert changes["customers"].kind is ChangeKind.CHANGED
    assert dict(changes["customers"].columns) == {
        "tier": ("plus", "standard"),
        "auto_renew": (1, 0),
        "membership_paid_cents": (2999, 0),
    }
    new = {name: after for name, (_, after) in changes["membership_changes"].columns.items()}
    assert changes["membership_changes"].kind is ChangeKind.NEW
    assert (new["kind"], new["from_tier"], new["to_tier"], new["amount_cents"], new["months"]) == (
        "cancel",
        "plus",
        "standard",
        1499,
        6,
    )
    assert new["effective_on"] == "2026-08-12"


def test_cancelling_total_refunds_seven_months(pack: Pack, images: SeedImages, tmp_path: Path) -> None:
    run = _replayed(pack, "T4-H3", tmp_path, images)
    assert run.calls[3].response["refund"] == "$104.99"
    assert run.calls[3].response["unused"] == "7 unused months"
    new = next(change for change in run.changes if change.table == "membership_changes")
    assert new.columns["amount_cents"] == (None, 10499)


def test_prices_of_both_memberships(pack: Pack, images: SeedImages, tmp_path: Path) -> None:
    run = _replayed(pack, "T4-E1", tmp_path, images)
    assert [call.response["price"] for call in run.calls] == ["$29.99", "$179.99"]


@pytest.mark.parametrize(("task_id", "tier"), [("T4-M2", "total"), ("T4-M3", "standard"), ("T4-H1", "plus")])
def test_summary_tells_the_membership(
    task_id: str, tier: str, pack: Pack, images: SeedImages, tmp_path: Path
) -> None:
    run = _replayed(pack, task_id, tmp_path, images)
    assert run.calls[2].response["tier"] == tier
    assert run.calls[2].response["full_name"] == pack.task(task_id).trait("full_name").value


@pytest.mark.parametrize("task_id", MEMBERSHIP)
def test_lines_state_no_number_but_the_callers_own_and_the_refund(task_id: str, pack: Pack) -> None:
    task: Task = pack.task(task_id)
    own = {re.sub(r"\D", "", trait.value) for trait in task.traits}
    refunds = {"1499", "10499"} if task_id in ("T4-H1", "T4-H3") else set()
    lines = (task.intent.opening, task.intent.closing, *(rule.line for rule in task.rules))
    stated = {run.digits for line in lines for run in digit_runs(line)}
    assert {digits for digits in stated if len(digits) > 1} <= own | refunds


def test_agent_has_the_tools_of_its_calls_and_a_prompt_that_names_them(pack: Pack) -> None:
    config = agent_config(pack)
    assert len(config.tools) == 33
    for schema in config.tools:
        assert schema.name in pack.agent.prompt
        assert schema.description.startswith("When to call: ")
    # A price in the prompt would let an agent answer without asking its tools.
    assert re.findall(r"\$\d", pack.agent.prompt) == []


def test_building_again_gives_an_equal_pack(pack: Pack) -> None:
    assert build_pack() == pack
