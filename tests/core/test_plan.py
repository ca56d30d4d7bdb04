from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from offhook.packs import Pack
from offhook.runner.plan import UnknownName, assign_voices, pick_tasks, plan_calls


def _pack(name: str, *ids: str) -> Pack:
    tasks = tuple(SimpleNamespace(pack=name, id=task_id, key=(name, task_id)) for task_id in ids)
    return cast(Pack, SimpleNamespace(name=name, tasks=tasks))


PACKS = {"bank": _pack("bank", "R-E1", "T1-E1"), "shop": _pack("shop", "R-E1", "T4-H1", "T4-H3")}
SLOTS = ["s1", "s2", "s3"]


def _names(tasks: Any) -> list[str]:
    return [f"{task.pack}/{task.id}" for task in tasks]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ([], ["bank/R-E1", "bank/T1-E1", "shop/R-E1", "shop/T4-H1", "shop/T4-H3"]),
        (["shop"], ["shop/R-E1", "shop/T4-H1", "shop/T4-H3"]),
        (["t4-h1"], ["shop/T4-H1"]),
        (["bank/R-E1", "bank"], ["bank/R-E1", "bank/T1-E1"]),
    ],
)
def test_tasks_are_picked_by_pack_id_or_both(asked: list[str], found: list[str]) -> None:
    assert _names(pick_tasks(PACKS, asked)) == found


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("T4-H2", "unknown task 'T4-H2'; nearest: T4-H3, T4-H1"),
        ("R-E1", "unknown task (several packs have it) 'R-E1'; nearest: shop/R-E1, bank/R-E1"),
        ("shop/T9", "unknown task 'shop/T9'; nearest:"),
        ("zzzzzz", "unknown task 'zzzzzz'; known: "),
    ],
)
def test_an_unknown_task_lists_the_nearest(asked: str, message: str) -> None:
    with pytest.raises(UnknownName) as caught:
        pick_tasks(PACKS, [asked])
    assert str(caught.value).startswith(message)


def test_a_task_keeps_its_voice_whatever_else_is_installed() -> None:
    alone = assign_voices([PACKS["shop"]], SLOTS)
    both = assign_voices(PACKS.values(), list(reversed(SLOTS)))
    assert alone[("shop", "T4-H1")] == both[("shop", "T4-H1")] == "s2"
    assert len({both[("shop", task.id)] for task in PACKS["shop"].tasks}) == 3


def test_call_ids_are_opaque_distinct_and_repeatable() -> None:
    voices = assign_voices(PACKS.values(), SLOTS)
    tasks = pick_tasks(PACKS, [])
    planned = plan_calls(tasks, platform="p", runs=3, seed=7, voices=voices)
    again = plan_calls(tasks, platform="p", runs=3, seed=7, voices=voices)
    other = plan_calls(tasks, platform="p", runs=3, seed=8, voices=voices)
    ids = [call.call_id for call in planned]
    assert len(set(ids)) == 15
    assert ids == [call.call_id for call in again]
    assert not set(ids) & {call.call_id for call in other}
    assert not any(word in call_id for call_id in ids for word in ("shop", "T4", "E1"))
    assert [call.key.run for call in planned] == [1] * 5 + [2] * 5 + [3] * 5


def test_no_slots_is_an_error() -> None:
    with pytest.raises(ValueError, match="no voice slots"):
        assign_voices(PACKS.values(), [])


def test_a_long_list_of_names_is_cut() -> None:
    told = str(UnknownName("task", "?", [f"T{number:02}" for number in range(25)]))
    assert told.endswith("T18, T19 and 5 more")


def test_a_pack_without_tasks_is_not_its_own_nearest_name() -> None:
    pack = _pack("bicycle-repair")
    with pytest.raises(UnknownName, match=r"unknown task \(pack bicycle-repair has none\)"):
        pick_tasks({pack.name: pack}, [pack.name])
