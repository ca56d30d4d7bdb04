"""``offhook packs check`` as pack authors run it, on packs installed beside it."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from offhook.callers import Caller, CallerBrief, CallerReport
from offhook.cli import main
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.line import CallerEnd
from offhook.packcheck import PackProblem
from offhook.packs import Pack
from offhook.speech import SentenceEmbedder, SpeechUnavailable
from offhook.testing import FakeSpeech
from offhook.testing_pack import bicycle_pack

OFFHOOK = Path(sys.executable).with_name("offhook")

HEAD = """
    import attrs
    from offhook.hooks import hookimpl
    from offhook.testing_pack import bicycle_pack

    """

Village = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def village(tmp_path: Path) -> Village:
    """Runs ``offhook packs check`` with plugins in place, each a distribution of its own."""

    def run(*arguments: str, code: int, **plugins: str) -> subprocess.CompletedProcess[str]:
        place = tmp_path / "site"
        for name, source in plugins.items():
            info = place / f"offhook_{name}-1.0.dist-info"
            info.mkdir(parents=True)
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: offhook-{name}\nVersion: 1.0\n")
            (info / "entry_points.txt").write_text(f"[offhook]\n{name} = offhook_{name}\n")
            (place / f"offhook_{name}.py").write_text(textwrap.dedent(source))
        done = subprocess.run(
            [OFFHOOK, "packs", "check", *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            cwd=place,
            env={"PYTHONPATH": str(place), "HOME": str(tmp_path)},
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr + done.stdout
        return done

    return run


def returning(change: str) -> str:
    body = f"pack = bicycle_pack()\n        return [{change}]\n"
    return f"{HEAD}@hookimpl\n    def offhook_industries():\n        {body}"


def test_a_plugin_that_can_not_be_imported_is_one_line(village: Village) -> None:
    done = village("village", code=1, village="import offhook_nowhere\n")
    line, summary = done.stdout.splitlines()
    assert line.startswith(
        "error: village (offhook-village): expected a plugin whose packs can be used; cannot be imported "
        "from offhook_village: ModuleNotFoundError: No module named 'offhook_nowhere'"
    )
    assert line.endswith("offhook_village.py:1)")
    assert summary == "0 packs checked: 1 error, 0 notes"


def test_a_pack_whose_build_raises_is_one_line_with_its_place(village: Village) -> None:
    done = village("offhook-village", code=1, village=returning("pack.nothing"))
    line, _ = done.stdout.splitlines()
    assert "offhook_industries raised AttributeError: 'Pack' object has no attribute 'nothing'" in line
    assert line.endswith("offhook_village.py:9)")


def test_a_name_that_two_packs_have_is_an_error(village: Village) -> None:
    done = village("bicycle-repair", code=1, village=returning("pack"), town=returning("pack"))
    assert "industry 'bicycle-repair' is already provided by town (offhook-town)" in done.stdout
    assert "1 pack checked: 1 error, 0 notes" in done.stdout


def test_a_key_that_two_packs_have_is_an_error(village: Village) -> None:
    other = "attrs.evolve(pack, name='rental', tasks=(attrs.evolve(pack.tasks[0], id='b'), *pack.tasks[1:]))"
    done = village("rental", code=1, village=returning(f"pack, {other}"))
    assert (
        "rental/tasks/B-H1: expected a key of its own, bicycle-repair/B-H1 is a task of bicycle-repair too"
        in done.stdout
    )


@pytest.mark.speech
def test_every_fault_is_listed_with_its_file_and_counted(village: Village) -> None:
    source = f"""{HEAD}
    from offhook.packs import Cues

    def hums(context, arguments):
        return {{}}

    @hookimpl
    def offhook_industries():
        pack = bicycle_pack()
        task = pack.tasks[1]
        rules = [attrs.evolve(rule, cues=Cues(like=("Anything.",), threshold=2)) for rule in task.rules[:1]]
        rules += [attrs.evolve(task.rules[1], unless=("opened",)), *task.rules[2:]]
        return [attrs.evolve(
            pack,
            title="",
            agent=attrs.evolve(pack.agent, greeting=""),
            tools=tuple(attrs.evolve(t, run=hums) if t.name == "leave_note" else t for t in pack.tools),
            tasks=(attrs.evolve(pack.tasks[0], tier="easy"), attrs.evolve(task, rules=tuple(rules))),
        )]
    """
    done = village("bicycle-repair", code=1, village=source)
    faults = [line for line in done.stdout.splitlines() if line.startswith("error: ")]
    places = [line.split(": ")[1].removeprefix("bicycle-repair/") for line in faults]
    assert places[:7] == [
        "tasks/B-E1.tier",
        "title",
        "agent.greeting",
        "tasks/B-H1.rules[0].cues.threshold",
        "tasks/B-H1.rules[1].unless",
        "tasks/B-H1.structure.rows_written",
        "tasks/B-H1.rules[0].tests[0]",
    ]
    assert all(line.endswith(")") for line in faults)
    assert f"1 pack checked: {len(faults)} errors, " in done.stdout
    assert "bicycle-repair comes from " in done.stdout
    told = json.loads(village("bicycle-repair", "--json", code=1).stdout)
    assert {frozenset(row) for row in told} == {frozenset(("pack", "where", "expected", "severity", "file"))}
    assert sum(row["severity"] == "error" for row in told) == len(faults)


@pytest.mark.speech
def test_a_fault_in_a_tool_is_told_with_the_line_of_its_code(village: Village) -> None:
    source = f"""{HEAD}
    def hums(context, arguments):
        return {{}}

    @hookimpl
    def offhook_industries():
        pack = bicycle_pack()
        hum = attrs.evolve(pack.tool("leave_note"), run=hums, description="")
        tools = tuple(hum if tool.name == hum.name else tool for tool in pack.tools)
        return [attrs.evolve(pack, tools=tools)]
    """
    done = village("bicycle-repair", code=1, village=source)
    assert (
        "error: bicycle-repair/tools/leave_note.description: expected a sentence on when to call the tool "
        "(offhook_village.py:7)" in done.stdout
    )


def test_a_file_that_is_missing_is_told_where_the_pack_reads_it(village: Village) -> None:
    done = village("village", code=1, village=returning("__import__('pathlib').Path('/nowhere').read_text()"))
    line, _ = done.stdout.splitlines()
    assert "FileNotFoundError" in line
    assert line.endswith("offhook_village.py:9)")  # not the library's, which opens it


def test_what_plugins_print_stays_out_of_the_list(village: Village) -> None:
    source = f"""{HEAD}
    print("imported")

    def chatty(context, arguments):
        print("called")
        raise ValueError

    @hookimpl
    def offhook_industries():
        print("asked")
        pack = bicycle_pack()
        tools = tuple(attrs.evolve(t, run=chatty) if t.name == "get_service_price" else t for t in pack.tools)
        return [attrs.evolve(pack, tools=tools)]
    """
    done = village("bicycle-repair", "--json", code=1, village=source)
    assert [row["severity"] for row in json.loads(done.stdout)].count("error") == 1
    assert all(word in done.stderr for word in ("imported", "asked", "called"))


class Mute:
    """A caller that can't check scripts without its engine."""

    name = "mute"
    virtual_time = True

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        raise AssertionError("no call is placed")

    def check_script(self, pack: Pack, embedder: SentenceEmbedder) -> tuple[PackProblem, ...]:
        raise SpeechUnavailable("no weights: run pip install 'offhook[speech]'")


class Shop(FakeSpeech):
    @hookimpl
    def offhook_industries(self) -> list[Pack]:
        return [attrs.evolve(bicycle_pack(), title="")]

    @hookimpl
    def offhook_callers(self) -> list[Caller]:
        return [Mute()]


def test_without_speech_engines_the_rest_is_told_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    host = PluginHost()
    assert host.register(Shop(), name="shop")
    monkeypatch.setattr(PluginHost, "discover", classmethod(lambda cls, **_: host))
    with pytest.raises(SystemExit) as ended:
        main(["packs", "check"])
    shown = capsys.readouterr()
    assert ended.value.code == 3
    assert "error: bicycle-repair/title: expected some text" in shown.out
    assert "1 pack checked: 1 error, 0 notes" in shown.out
    assert shown.err.splitlines() == [
        "[1/2] checking bicycle-repair ...",
        "[2/2] trying the test sentences of bicycle-repair ...",
        "Error: the rules' test sentences are not checked: no weights: run pip install 'offhook[speech]'",
    ]
