"""The benchmark of packs, on the small pack and on one call: that it measures what its lines say."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest

from benchmarks.packs import (
    OpenRound,
    TextRun,
    build_row,
    copy_rows,
    hold_open,
    text_rows,
    text_run,
    tool_rows,
)
from offhook.packs import ExpectedCall, Pack, ToolContext
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import SeedImages


@pytest.fixture
def pack() -> Pack:
    return bicycle_pack()


def _count(database: Path, table: str) -> int:
    with closing(sqlite3.connect(database)) as db:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_a_build_is_a_build_and_not_a_find(pack: Pack, tmp_path: Path) -> None:
    row = build_row(pack, tmp_path, builds=3)
    assert len(list(tmp_path.glob("build-*/bicycle-repair-*.sqlite"))) == 3
    assert (row.name, row.goal) == ("seed_build_bicycle_repair_s", "<= 2")
    assert "median of 3 builds" in row.how
    assert "load" in row.how


def test_each_copy_is_a_database_of_its_own(pack: Pack, tmp_path: Path) -> None:
    images = SeedImages(tmp_path / "images")
    median, p99 = copy_rows(pack, tmp_path / "copies", images, copies=4)
    copies = list((tmp_path / "copies").glob("*.sqlite"))
    assert [copy.read_bytes() for copy in copies] == [images.image(pack).read_bytes()] * 4
    assert (median.name, p99.name) == ("db_copy_bicycle_repair_ms", "db_copy_p99_bicycle_repair_ms")
    assert 0 < median.value <= p99.value


def test_calls_open_at_once_make_the_calls_of_their_keys(pack: Pack, tmp_path: Path) -> None:
    held = hold_open(pack, tmp_path / "open", SeedImages(tmp_path / "images"), calls=6, seconds=0.2)
    keys = [pack.tasks[index % len(pack.tasks)].expected for index in range(6)]
    assert len(held.first) == 6
    assert len(held.later) == sum(len(key) - 1 for key in keys)
    assert min(held.first + held.later) > 0
    assert held.cpu_ms > 0
    for index, key in enumerate(keys):
        folder = tmp_path / "open" / f"open-{index}"
        assert len((folder / "tools.jsonl").read_text().splitlines()) == len(key)
        booked = any(call.tool == "confirm_repair" for call in key)
        assert _count(folder / "state.sqlite", "repairs") == int(booked)


def test_the_first_request_of_a_call_is_told_from_those_after_it(pack: Pack, tmp_path: Path) -> None:
    task = next(task for task in pack.tasks if len(task.expected) > 1)
    opening = pack.tool(task.expected[0].tool)

    def slowly(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        time.sleep(0.05)
        return opening.run(context, arguments)

    tools = tuple(attrs.evolve(tool, run=slowly) if tool is opening else tool for tool in pack.tools)
    slow = attrs.evolve(pack, tools=tools, tasks=(task,))
    held = hold_open(slow, tmp_path / "open", SeedImages(tmp_path / "images"), calls=2, seconds=0.0)
    assert min(held.first) >= 50
    assert len(held.later) == 2 * (len(task.expected) - 1)


def test_an_answer_that_the_key_does_not_expect_stops_the_benchmark(pack: Pack, tmp_path: Path) -> None:
    task = next(task for task in pack.tasks if len(task.expected) > 1)
    wrong = attrs.evolve(task.expected[1], arguments={"postal_code": "00000", "frame_last4": "0000"})
    images = SeedImages(tmp_path / "images")
    broken = attrs.evolve(task, expected=(task.expected[0], wrong))
    with pytest.raises(RuntimeError, match=f"task {task.id}: {wrong.tool} answered 4"):
        hold_open(attrs.evolve(pack, tasks=(broken,)), tmp_path / "a", images, calls=1, seconds=0.0)
    refused = attrs.evolve(task, expected=(task.expected[0], attrs.evolve(wrong, outcome="refused")))
    held = hold_open(attrs.evolve(pack, tasks=(refused,)), tmp_path / "b", images, calls=1, seconds=0.0)
    assert len(held.later) == 1


def test_a_pack_whose_calls_have_nothing_after_the_first_is_not_measured(pack: Pack, tmp_path: Path) -> None:
    short = attrs.evolve(
        pack.tasks[0], expected=(ExpectedCall("get_service_price", arguments={"service": "tune_up"}),)
    )
    with pytest.raises(ValueError, match="no key has a second call"):
        hold_open(attrs.evolve(pack, tasks=(short,)), tmp_path, SeedImages(tmp_path / "images"), calls=1)


def test_the_first_requests_stay_out_of_the_tools_figure(pack: Pack) -> None:
    rounds = [OpenRound((80.0,), (1.0, 2.0, last), 1.5) for last in (3.0, 30.0, 4.0)]
    later, first = tool_rows(pack, rounds)
    assert later.name == "tool_p99_bicycle_repair_ms"
    assert later.goal == "<= 10"
    assert 3.9 < later.value < 4.0  # the middle of three rounds, none of which holds the 80
    assert first.name == "tool_first_p99_bicycle_repair_ms"
    assert first.value == 80.0


def test_the_text_run_counts_from_an_empty_cache_and_takes_the_fewest_passes() -> None:
    seconds, passes = text_rows([TextRun(40.0, 20.0, 90, 90), TextRun(30.0, 19.0, 89, 90)])
    assert (seconds.name, seconds.value, seconds.goal) == ("text_run_90_s", 40.0, "<= 60")
    assert (passes.name, passes.value, passes.goal) == ("text_run_90_passes", 89, ">= 90")


@pytest.mark.speech
def test_a_text_run_is_the_command_itself(tmp_path: Path) -> None:
    held = text_run(tmp_path, ("legal/C3-E1",))
    assert (held.placed, held.passed) == (1, 1)
    assert held.cpu > 0
    assert held.wall > 0
    assert list((tmp_path / "cache" / "images").glob("legal-*.sqlite"))
    with pytest.raises(RuntimeError, match="offhook run ended with"):
        text_run(tmp_path, ("legal/no-such-task",))
