"""Broken plugins through the real command: each is named by file and line, and the rest goes on."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core._command import error_of, offhook

pytestmark = pytest.mark.speech  # cues are compared by sentence vectors


@pytest.fixture
def plugin(tmp_path: Path) -> Callable[[str], tuple[Path, dict[str, str]]]:
    """Puts a plugin module and its entry point on the command's path, as an installed package would be."""

    def installed(code: str) -> tuple[Path, dict[str, str]]:
        place = tmp_path / "site"
        info = place / "offhook_village-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offhook-village\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[offhook]\nvillage = offhook_village\n")
        module = place / "offhook_village.py"
        module.write_text(textwrap.dedent(code))
        return module, {"PYTHONPATH": str(place)}

    return installed


PACK = """
    import attrs
    from offhook.hooks import hookimpl
    from offhook.testing_pack import bicycle_pack

    @hookimpl
    def offhook_industries():
        pack = bicycle_pack()
        return [{change}]
    """


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            "attrs.evolve(pack, tasks=(attrs.evolve(pack.tasks[0], rules=None), *pack.tasks[1:]))",
            "bicycle-repair/tasks/B-E1.rules: expected a tuple, got NoneType None",
        ),
        (
            "attrs.evolve(pack, schema=pack.schema + 'CREATE TABLE (;')",
            "pack bicycle-repair: schema or seed failed: OperationalError",
        ),
        (
            "attrs.evolve(pack, seed=lambda db: db.execute('INSERT INTO nowhere VALUES (1)'))",
            "no such table: nowhere",
        ),
    ],
    ids=["a piece of the wrong type", "a schema that fails", "a seed that fails"],
)
def test_a_broken_pack_is_named_by_file_and_path(
    change: str, expected: str, plugin: Callable[[str], tuple[Path, dict[str, str]]], tmp_path: Path
) -> None:
    module, env = plugin(PACK.format(change=change))
    done = offhook("run", "bicycle-repair", "--line", "text", "--out", tmp_path / "run", code=3, env=env)
    line = error_of(done)
    assert f"pack bicycle-repair ({module})" in line
    assert expected in line
    assert len(done.stderr.splitlines()) == 1
    checked = offhook("packs", "check", "bicycle-repair", code=1, env=env)
    assert "error: bicycle-repair/" in checked.stdout
    assert f"bicycle-repair comes from {module} (offhook-village)" in checked.stdout


def test_a_pack_that_raises_is_named_where_its_name_is_missed(
    plugin: Callable[[str], tuple[Path, dict[str, str]]], tmp_path: Path
) -> None:
    module, env = plugin(PACK.format(change="pack.nothing"))
    (problem,) = json.loads(offhook("plugins", "--json", code=0, env=env).stdout)["problems"]
    assert problem["what"].endswith(f"({module}:9)")
    done = offhook("run", "bicycle-repair", "--line", "text", "--out", tmp_path / "run", code=2, env=env)
    assert "(1 plugin problem, see offhook plugins)" in error_of(done)


def test_a_plugin_with_a_syntax_error_is_named_by_file_and_line(
    plugin: Callable[[str], tuple[Path, dict[str, str]]],
) -> None:
    _, env = plugin("def offhook_industries(:\n    return []\n")
    (problem,) = json.loads(offhook("plugins", "--json", code=0, env=env).stdout)["problems"]
    assert problem["plugin"] == "village"
    assert "offhook_village.py, line 1" in problem["what"]


def test_a_broken_plugin_and_a_grader_that_raises_are_told_beside_the_result(
    plugin: Callable[[str], tuple[Path, dict[str, str]]], tmp_path: Path
) -> None:
    _, env = plugin(
        """
        import attrs
        from offhook.grading import GradeKind
        from offhook.hooks import hookimpl

        @attrs.frozen
        class Fussy:
            name: str = "fussy"
            version: str = "1"
            kind: GradeKind = GradeKind.MEASURE

            def grade(self, call):
                raise RuntimeError("not today")

        @hookimpl
        def offhook_graders():
            return [Fussy()]

        @hookimpl
        def offhook_voices():
            return 3
        """
    )
    out = tmp_path / "run"
    done = offhook("run", "T4-E1", "--line", "text", "--out", out, code=1, env=env)
    assert done.stderr.splitlines()[0] == "1 plugin has problems; see: offhook plugins"
    assert "grader fussy failed on 1 of 1 calls\n" in done.stderr
    again = offhook("grade", out, code=1, env=env)
    assert "grader fussy failed on 1 of 1 calls\n" in again.stderr


def test_a_tool_that_fails_inside_is_our_error_not_the_platforms_failure(
    plugin: Callable[[str], tuple[Path, dict[str, str]]], tmp_path: Path
) -> None:
    failing = "attrs.evolve(pack.tool('get_service_price'), run=lambda call, arguments: 1 / 0)"
    change = (
        f"attrs.evolve(pack, tools=({failing}, "
        "*(tool for tool in pack.tools if tool.name != 'get_service_price')))"
    )
    _, env = plugin(PACK.format(change=change))
    out = tmp_path / "run"
    done = offhook("run", "B-E1", "--line", "text", "--out", out, "--json", code=1, env=env)
    result = json.loads(done.stdout)
    assert (result["error"], result["graded"]) == (1, 0)
    assert "tool server: get_service_price failed inside (internal_error)" in done.stderr
    (trace,) = (out / "failures").iterdir()
    assert "ZeroDivisionError" in trace.read_text()
