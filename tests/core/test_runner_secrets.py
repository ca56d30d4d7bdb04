"""What a platform can't learn of the call it takes: its id, which is made of seed and task, and the seed."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import attrs
import pytest

from offhook.runner import RunOptions, carry_out, new_run
from offhook.runner._streams import streams_of
from offhook.sessions import CallSetup, Deployment
from offhook.storage import RunFolder
from offhook.streams import stream
from tests.core._stand import RealTimePlatform, stand_host

SEED = 987_654_321_123


@attrs.frozen
class Curious(RealTimePlatform):
    """A platform that keeps what it is told."""

    told: list[CallSetup] = attrs.field(factory=list)

    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        self.told.append(call)
        return await super().connect(deployment, call)


def run_once(out: Path, *, virtual: bool = True) -> tuple[RunFolder, list[CallSetup]]:
    platform = Curious("curious", virtual_time=virtual)
    options = RunOptions(platform="curious", caller="terse", out=out, images=out.parent / "images", seed=SEED)
    run = new_run(options, stand_host(adapters=(platform,)))
    carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    return run.folder, platform.told


@pytest.mark.parametrize("virtual", [True, False])
def test_the_platform_knows_a_call_by_an_alias_that_the_record_keeps(virtual: bool, tmp_path: Path) -> None:
    folder, told = run_once(tmp_path / "one", virtual=virtual)
    again, told_again = run_once(tmp_path / "two", virtual=virtual)
    aliases = [setup.call_id for setup in (*told, *told_again)]
    assert len(set(aliases)) == 4
    assert set(aliases).isdisjoint(folder.call_ids())
    assert folder.call_ids() == again.call_ids()
    for run, setups in ((folder, told), (again, told_again)):
        kept = {run.record(call_id).wall["alias"] for call_id in run.call_ids()}
        assert kept == {setup.call_id for setup in setups}


def test_equal_seeds_give_equal_records_but_for_the_wall_clock(tmp_path: Path) -> None:
    one, two = run_once(tmp_path / "one")[0], run_once(tmp_path / "two")[0]
    for call_id in one.call_ids():
        first, second = one.record(call_id), two.record(call_id)
        assert first.wall["alias"] != second.wall["alias"]
        assert attrs.evolve(first, wall={}) == attrs.evolve(second, wall={})


def reachable(root: object) -> Iterator[object]:
    """Everything that leads on from an object, modules and their globals aside."""
    seen: set[int] = set()
    left = [root]
    while left:
        found = left.pop()
        if id(found) in seen or isinstance(found, ModuleType | type):
            continue
        seen.add(id(found))
        yield found
        if isinstance(found, FunctionType):
            left += [*(cell.cell_contents for cell in found.__closure__ or ()), *(found.__defaults__ or ())]
        else:
            left += gc.get_referents(found)


def test_neither_seed_nor_id_is_reachable_from_what_it_is_told(tmp_path: Path) -> None:
    folder, told = run_once(tmp_path / "run")
    for setup in told:
        found = list(reachable(attrs.evolve(setup, engines=None)))
        texts = [str(each) for each in found if isinstance(each, str | int | bytes)]
        assert setup.call_id in texts
        for secret in (str(SEED), *folder.call_ids()):
            assert [text for text in texts if secret in text] == []


def test_the_streams_are_those_of_seed_call_and_purpose() -> None:
    rng = streams_of(SEED, "c0ffee", "platform")
    for purpose in ("delays", "tempo"):
        expected = stream(SEED, "c0ffee", f"platform/{purpose}").integers(0, 2**63, 8)
        assert rng(purpose).integers(0, 2**63, 8).tolist() == expected.tolist()
        assert rng(purpose).integers(0, 2**63, 8).tolist() == expected.tolist()
