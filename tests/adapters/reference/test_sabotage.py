"""``offhook sabotage``: who has a chance where, and what is said of a key that lets somebody through."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner

from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.packs import ExpectedCall, Pack, Structure
from offhook.runner import UnknownName
from offhook.storage import StorageError
from offhook.testing_pack import bicycle_pack
from offhook_adapters.reference import sabotage_command
from offhook_adapters.reference.sabotage import Attempt, TaskOutcome, applicable, attempt_all, outcomes
from offhook_adapters.reference.sabotage_command import sabotage

pytestmark = pytest.mark.speech

PACK = bicycle_pack()


class Bicycles:
    """A plugin with the bicycle pack, or a weaker one."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack

    @hookimpl
    def offhook_industries(self) -> tuple[Pack, ...]:
        return (self._pack,)


def _host(pack: Pack) -> PluginHost:
    host = PluginHost.discover()
    host.register(Bicycles(pack), name="bicycles")
    return host


def _leaky() -> Pack:
    """A pack one of whose keys asks for less than the work: whoever stops short passes."""
    task = PACK.task("B-H1")
    short = attrs.evolve(
        task,
        id="B-X1",
        expected=(ExpectedCall("find_customer", {"full_name": "Nadia Okafor", "phone": "541-555-0148"}),),
        structure=Structure(1, 2, 0),
    )
    return attrs.evolve(PACK, tasks=(*PACK.tasks, short))


def test_every_saboteur_of_the_bicycle_pack_is_caught(tmp_path: Path) -> None:
    chances = {task.key: applicable(PACK, task, tmp_path / "chances") for task in PACK.tasks}
    told: list[str] = []
    attempts = attempt_all(_host(PACK), chances, tmp_path / "runs", on_done=told.append)
    assert len(told) == len(attempts) == sum(map(len, chances.values()))
    assert [item for item in attempts if not item.caught] == []
    assert all(outcome.sound for outcome in outcomes(chances, attempts))


def test_a_hole_in_a_key_is_told_and_fails_the_command(tmp_path: Path) -> None:
    pack = _leaky()
    done = CliRunner().invoke(
        sabotage,
        ["bicycle-repair/B-E1", "bicycle-repair/B-X1", "--out", str(tmp_path / "kept"), "--json"],
        obj=_host(pack),
    )
    rows = {row["task"]: row for row in json.loads(done.stdout)}
    assert rows["B-E1"]["sound"]
    assert set(rows["B-X1"]["saboteurs"]) >= {"does-nothing", "alters-digit", "alters-name"}
    assert (tmp_path / "kept" / "alters-digit" / "run.json").is_file()


def test_a_saboteur_that_passes_makes_a_task_unsound() -> None:
    caught = Attempt("p", "A", "alters-digit", "failed", "wrong digit")
    passed = Attempt("p", "A", "claims-done", "passed", "")
    void = Attempt("p", "A", "hands-over", "void", "no speech")
    assert TaskOutcome("p", "A", (caught, caught, caught)).sound
    assert not TaskOutcome("p", "A", (caught, caught)).sound
    outcome = TaskOutcome("p", "A", (caught, caught, caught, passed, void))
    assert outcome.missed == (passed, void)
    assert not outcome.sound


def test_attempts_are_sorted_by_task() -> None:
    chances = {("p", "A"): ("x",), ("p", "B"): ("x",), ("q", "A"): ()}
    here = Attempt("p", "B", "x", "failed", "")
    assert [len(outcome.attempts) for outcome in outcomes(chances, (here,))] == [0, 1, 0]
    with pytest.raises(UnknownName, match="unknown task 'C'"):
        outcomes(chances, (Attempt("p", "C", "x", "failed", ""),))


def test_an_unknown_task_is_one_line() -> None:
    done = CliRunner().invoke(sabotage, ["B-Z9"], obj=_host(PACK))
    assert isinstance(done.exception, UnknownName)


def test_the_table_names_what_was_not_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    from offhook_adapters.reference.sabotage_command import _lines

    outcome = TaskOutcome("p", "A", (Attempt("p", "A", "claims-done", "passed", ""),))
    assert list(_lines((outcome,))) == [
        "task  caught/tried",
        "p/A  0/1  fewer than 3 have a chance",
        "  not caught: claims-done (passed)",
        "1 tasks, 1 calls: 0 caught, 1 not; 1 tasks to look at",
    ]


def test_a_key_that_does_not_run_is_one_line() -> None:
    task = attrs.evolve(PACK.task("B-E1"), expected=(ExpectedCall("nothing", {}),))
    done = CliRunner().invoke(sabotage, [PACK.name], obj=_host(attrs.evolve(PACK, tasks=(task,))))
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        "Error: bicycle-repair/tasks/B-E1.expected[0] (nothing): the agent has no such tool "
        "(all that is wrong: offhook packs check bicycle-repair)"
    ]
    done = CliRunner().invoke(sabotage, ["B-E1"], obj=_host(attrs.evolve(PACK, schema="CREATE")))
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: pack bicycle-repair: schema or seed failed: ")


def test_earlier_runs_and_no_packs_are_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "alters-digit").mkdir()
    with pytest.raises(StorageError, match="alters-digit is there already; give --out a new folder"):
        CliRunner().invoke(
            sabotage, ["B-E1", "--out", str(tmp_path)], obj=_host(PACK), catch_exceptions=False
        )
    done = CliRunner().invoke(sabotage, [], obj=PluginHost())
    assert done.exit_code == 2
    assert "no industry pack is installed" in done.stderr


def test_ctrl_c_tells_what_was_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second saboteur's first call is as far as it gets."""
    seen: list[str] = []

    def stop(name: str) -> None:
        seen.append(name)
        if len(set(seen)) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(sabotage_command, "_progress", lambda total: nullcontext(stop))
    done = CliRunner().invoke(
        sabotage, ["B-E1", "--out", str(tmp_path)], obj=_host(PACK), standalone_mode=False
    )
    assert done.return_value == 130
    assert done.stdout == ""
    assert done.stderr.startswith("interrupted: 1 of ")
    assert (tmp_path / seen[0] / "run.json").is_file()
