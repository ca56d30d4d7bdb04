"""The policy follower can carry out every published task with its guide: each argument can be had, what it
says of a result is in the result, and none of a caller's values is known beforehand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from offhook.packs import ExpectedCall, FollowerGuide, Intent, Options, Pack, Structure, Task, Tier, ToolGuide
from offhook.toolserver import SeedImages, replay, resolve_carry
from offhook_adapters.reference.minds._follower_options import entries_of
from offhook_adapters.reference.minds._follower_words import flattened, render
from offhook_industries.customer_support.guide import follower_guide
from offhook_industries.customer_support.seed.cases import CASES
from offhook_industries.customer_support.tools import all_tools
from tests.industries.customer_support._keys import KEYS

FIELD = re.compile(r"\{([a-z0-9_]+\.[a-z0-9_.]+)\}")
Results = dict[str, Mapping[str, Any]]


@pytest.fixture(scope="module")
def guide() -> FollowerGuide:
    return follower_guide()


@pytest.fixture(scope="module")
def guides(guide: FollowerGuide) -> dict[str, ToolGuide]:
    return {each.tool: each for each in guide.tools}


@pytest.fixture(scope="module")
def results(
    tools_pack: Pack, tools_images: SeedImages, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[Results]]:
    """For each task what its calls returned: before each call, everything that came earlier, and last all."""
    found: dict[str, list[Results]] = {}
    for task_id, (key, _) in KEYS.items():
        expected = tuple(
            ExpectedCall(tool, arguments=arguments, free_text=free, carry=carry)
            for tool, arguments, free, carry in key
        )
        intent, numbers = Intent("Hello.", (), "Bye."), Structure(0, 0, 0)
        task = Task("customer-support", task_id, "", "", Tier.EASY, numbers, intent, (), (), expected)
        run = replay(tools_pack, task, tmp_path_factory.mktemp("replay"), images=tools_images)
        steps: list[Results] = [{}]
        for call in run.calls:
            steps.append({**steps[-1], call.tool: call.response})
        found[task_id] = steps
    return found


def _texts(guide: FollowerGuide) -> Iterator[str]:
    yield from (guide.unclear, guide.closing, guide.goodbye, guide.sorry)
    for each in guide.tools:
        yield from (each.hold, each.offer, each.propose, each.say, *each.refused.values())
        for ask in each.asks:
            yield from (ask.question, ask.again, ask.confirm)
        for option in each.options:
            yield from (option.question, option.label)
    yield from (aside.say for aside in guide.asides)


def test_every_tool_has_its_words_once(guide: FollowerGuide) -> None:
    assert sorted(each.tool for each in guide.tools) == sorted(tool.name for tool in all_tools())


def test_no_value_of_a_case_is_known_beforehand(guide: FollowerGuide) -> None:
    told = "\n".join(_texts(guide))
    for case in CASES:
        values = [case.full_name, case.phone, case.postal_code, case.email]
        values += [value for order in case.orders for value in (order.order_number, order.card_last4)]
        assert [value for value in values if value in told] == []
    assert re.findall(r"\d", re.sub(r"\{[^}]*\}", "", told)) == []


@pytest.mark.parametrize("task_id", KEYS)
def test_every_argument_can_be_had(
    task_id: str, guides: dict[str, ToolGuide], results: dict[str, list[Results]]
) -> None:
    for (tool, arguments, free, carry), before in zip(KEYS[task_id][0], results[task_id], strict=False):
        each = guides[tool]
        asked = {name for ask in each.asks for name in ask.parameters}
        listed = {option.parameter for option in each.options if option.source.partition(".")[0] in before}
        carried = {name for name, source in each.carry.items() if source.partition(".")[0] in before}
        assert carried == set(each.carry), tool
        wanted = {*arguments, *free, *carry}
        assert wanted - asked - listed - carried - {each.consent} == set(), tool
        if each.consent is not None:
            assert each.propose.endswith("?"), tool


@pytest.mark.parametrize("task_id", KEYS)
def test_what_is_carried_or_picked_is_what_the_key_has(
    task_id: str, guides: dict[str, ToolGuide], results: dict[str, list[Results]]
) -> None:
    for (tool, arguments, _, carry), before in zip(KEYS[task_id][0], results[task_id], strict=False):
        for name, source in guides[tool].carry.items():
            assert resolve_carry(source, before) == resolve_carry(carry[name], before), tool
        for option in guides[tool].options:
            right = arguments.get("order_number") or resolve_carry(carry["order_number"], before)
            entries = entries_of(option, before)
            assert right in {entry.value for entry in entries}, tool
            labels = [entry.label for entry in entries]
            assert len(set(labels)) == len(labels), tool
            assert all("{" not in label and label for label in labels), tool


@pytest.mark.parametrize("task_id", KEYS)
def test_every_result_is_told_in_full(
    task_id: str, guides: dict[str, ToolGuide], results: dict[str, list[Results]]
) -> None:
    for number, (tool, *_) in enumerate(KEYS[task_id][0]):
        before, after = results[task_id][number], results[task_id][number + 1]
        for template, known in ((guides[tool].offer, before), (guides[tool].propose, before)):
            _assert_filled(template, known, tool)
        _assert_filled(guides[tool].say, after, tool)


def _assert_filled(template: str, known: Results, tool: str) -> None:
    fields: dict[str, str] = {}
    for name, body in known.items():
        fields |= flattened(name, body)
    assert [name for name in FIELD.findall(template) if name not in fields] == [], tool
    said = render(template, {**fields, "order_number": "x", "day": "x", "postal_code": "x"})
    assert "{" not in said, tool
    assert bool(said) == bool(template), tool


TOUCHED = {
    "Please stop using it at once.": (
        ("My power bank is swollen.", "The battery gets really hot.", "It started bulging last night."),
        ("It's a hot day.", "I'd like to return a power bank.", "My phone won't charge."),
    ),
    "Please stop there.": (
        ("It's 4482 1905 7736 4356.", "four four eight two, one nine oh five, seven seven three six"),
        ("It's 541-555-0171.", "Order KE-4498870, the speaker.", "ZIP 97035, card ending 1156."),
    ),
    "A repair at another shop": (
        (
            "If another shop repairs my laptop, do I lose the warranty?",
            "Does a third-party repair void my warranty?",
            "What if I have it fixed somewhere else?",
        ),
        ("I saw it cheaper at another shop.", "Can you repair my laptop?", "I'd like another day."),
    ),
    "An order can be cancelled": (
        ("I ordered a speaker and want to cancel it.", "Please cancel my order."),
        (
            "Cancel my Kestrel Plus, I never order anything.",
            "Please cancel that appointment.",
            "I ordered it.",
        ),
    ),
}


@pytest.mark.parametrize("begins", TOUCHED)
def test_asides_are_told_when_touched_on(begins: str, guide: FollowerGuide) -> None:
    (aside,) = (each for each in guide.asides if each.say.startswith(begins))
    due, not_due = TOUCHED[begins]

    def heard(text: str) -> bool:
        return any(re.search(pattern, text, re.IGNORECASE) for pattern in aside.heard)

    assert [text for text in due if not heard(text)] == []
    assert [text for text in not_due if heard(text)] == []


def test_dates_are_asked_with_their_year_and_long_numbers_are_read_back(guide: FollowerGuide) -> None:
    asks = [ask for each in guide.tools for ask in each.asks]
    dates = [ask for ask in asks if set(ask.parameters) & {"new_date", "day"}]
    assert len(dates) == 2
    assert all("year" in text for ask in dates for text in (ask.question, ask.again))
    orders = [ask for ask in asks if "order_number" in ask.parameters]
    assert all("{order_number}" in ask.confirm for ask in orders)
    assert all("?" in ask.question for ask in asks)


def test_options_come_from_the_orders_of_the_verified_caller(guide: FollowerGuide) -> None:
    options: list[Options] = [option for each in guide.tools for option in each.options]
    assert {(option.parameter, option.source, option.value) for option in options} == {
        ("order_number", "get_customer_summary.recent_orders", "order_number")
    }
