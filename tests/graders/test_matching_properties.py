"""What holds of every set of requests: their order decides nothing, and no request stands for two calls."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from offhook.packs import ExpectedCall, Table, TableRole
from offhook.records import ToolLogEntry
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ChangeKind, RowChange
from offhook_graders.adherence.changes import compare_changes
from offhook_graders.adherence.tools import CallMatch, match_calls

PACK = bicycle_pack()
SERVICES = ("tune_up", "brakes", "wheel")
SPELLINGS = {"tune_up": ("tune-up", "Tune Up"), "brakes": ("brake", "BRAKES"), "wheel": ("wheel truing",)}

calls = st.builds(
    lambda service, other: ExpectedCall(
        "quote_repair", {"service": service}, alternatives={"service": (other,)} if other else {}
    ),
    st.sampled_from(SERVICES),
    st.sampled_from(("", *SERVICES)),
)
requests = st.tuples(
    st.sampled_from([name for service in SERVICES for name in (service, *SPELLINGS[service])]), st.booleans()
)


def log_of(made: Sequence[tuple[str, bool]]) -> list[ToolLogEntry]:
    return [
        ToolLogEntry(
            index, "quote_repair", {"service": service}, "", 200, {}, "accepted" if ok else "refused", "", 0.0
        )
        for index, (service, ok) in enumerate(made)
    ]


def matched(expected: Sequence[ExpectedCall], made: Sequence[tuple[str, bool]]) -> tuple[CallMatch, ...]:
    return match_calls(expected, ["accepted"] * len(expected), log_of(made), PACK)


def count(found: Sequence[CallMatch]) -> int:
    return sum(match.observed is not None for match in found)


@given(st.lists(calls, max_size=5), st.lists(requests, max_size=6), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_permuting_requests_or_the_key_changes_no_verdict(expected: list, made: list, chance) -> None:  # type: ignore[no-untyped-def,type-arg]
    before = count(matched(expected, made))
    chance.shuffle(made)
    assert count(matched(expected, made)) == before
    chance.shuffle(expected)
    assert count(matched(expected, made)) == before


@given(st.lists(calls, max_size=5), st.lists(requests, max_size=6), requests)
@settings(max_examples=60, deadline=None)
def test_each_request_stands_for_one_call_and_more_requests_never_hurt(
    expected: list[ExpectedCall], made: list[tuple[str, bool]], extra: tuple[str, bool]
) -> None:
    found = matched(expected, made)
    used = [match.observed for match in found if match.observed is not None]
    assert len(used) == len(set(used))
    assert count(matched(expected, [*made, extra])) >= count(found)


@given(calls, st.integers(1, 4), st.integers(0, 5))
@settings(max_examples=40, deadline=None)
def test_a_call_expected_n_times_needs_n_requests(call: ExpectedCall, times: int, given_times: int) -> None:
    made = [(call.arguments["service"], True)] * given_times

    assert count(matched([call] * times, made)) == min(times, given_times)


@given(st.lists(st.sampled_from(SERVICES), max_size=5), st.lists(requests, max_size=6))
@settings(max_examples=60, deadline=None)
def test_without_alternatives_calls_and_accepted_requests_are_two_multisets(
    services: list[str], made: list[tuple[str, bool]]
) -> None:
    names = {alias: service for service, aliases in SPELLINGS.items() for alias in (service, *aliases)}
    accepted = [names[name] for name, ok in made if ok]
    expected = [ExpectedCall("quote_repair", {"service": service}) for service in services]

    found = count(matched(expected, made))

    assert found == sum(min(services.count(name), accepted.count(name)) for name in SERVICES)


TABLES = (
    Table("log", TableRole.LOG, ("id",), volatile=("id",)),
    Table("rows", TableRole.WRITE, ("id",), ("id",)),
)


def added(table: str, contents: Sequence[str]) -> list[RowChange]:
    """New rows as the state's view keys them: by content and a counter."""
    seen: dict[str, int] = {}
    rows = []
    for content in contents:
        seen[content] = seen.get(content, 0) + 1
        rows.append(
            RowChange(table, ("new", content, seen[content]), ChangeKind.NEW, {"what": (None, content)})
        )
    return rows


letters = st.lists(st.sampled_from("abc"), max_size=6)


@given(letters, letters)
@settings(max_examples=100, deadline=None)
def test_a_log_is_compared_as_a_sub_multiset_and_a_table_as_a_multiset(
    expected: list[str], observed: list[str]
) -> None:
    def equal(table: str) -> bool:
        return compare_changes(added(table, expected), added(table, observed), TABLES).equal

    assert equal("log") is all(observed.count(letter) >= expected.count(letter) for letter in "abc")
    assert equal("rows") is (sorted(observed) == sorted(expected))
