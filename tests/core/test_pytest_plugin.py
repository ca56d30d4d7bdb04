"""The pytest plugin, in pytest processes of their own: real text calls as tests."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from offhook._pytest_session import Asked
from offhook.storage import RunFolder

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]

INI = """
[pytest]
offhook_block = offhook
"""

CONFTEST = """
import pytest
from tests.core._integrators import OwnAdapter, World

def pytest_offhook_plugins(config):
    return [World(), OwnAdapter("own")]

@pytest.fixture(scope="session")
def my_agent():
    return OwnAdapter("from-fixture")
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    pytester.makefile(".ini", pytest=INI)
    pytester.makeconftest(CONFTEST)
    return pytester


def _cases(junit: Path) -> dict[str | None, ElementTree.Element]:
    return {case.get("name"): case for case in ElementTree.parse(junit).iter("testcase")}


def _properties(case: ElementTree.Element) -> dict[str, str]:
    return {each.get("name", ""): each.get("value", "") for each in case.iter("property")}


def test_calls_pass_and_fail_as_tests_with_their_evidence(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest
        from tests.core._integrators import OwnAdapter

        @pytest.mark.offhook("bicycle-repair", line="text", runs=2)
        def test_agent(offhook_call):
            assert offhook_call.passed, offhook_call.why

        @pytest.mark.offhook(tasks=["B-H1"], platform="saboteur-claims-done", line="text")
        def test_saboteur(offhook_call):
            assert offhook_call.passed, offhook_call.why

        @pytest.mark.offhook("B-E1", platform="my_agent", line="text")
        def test_fixture(offhook_call):
            assert offhook_call.record.key.platform == "from-fixture"
            assert offhook_call.grade("tool-adherence").outcome == "pass"
            assert offhook_call.recording is None
            assert (offhook_call.folder / "state.sqlite").is_file()

        @pytest.mark.offhook("B-E1", platform=OwnAdapter("in-the-marker"), line="text")
        def test_object(offhook_call):
            assert offhook_call.passed

        @pytest.mark.parametrize("platform", ["reference", OwnAdapter("an-object")], ids=str)
        def test_by_hand(offhook_run, platform):
            result = offhook_run(tasks="B-E1", platform=platform, line="text")
            assert result.passed
        """
    )
    out = project.path / "runs"
    done = project.runpytest_subprocess("-v", f"--offhook-out={out}", "--junitxml=junit.xml")
    done.assert_outcomes(passed=8, failed=1)
    done.stdout.fnmatch_lines(
        [
            "*::test_agent?B-E1-run1? PASSED*",
            "*::test_agent?B-H1-run1? PASSED*",
            "*::test_agent?B-E1-run2? PASSED*",
            "*::test_agent?B-H1-run2? PASSED*",
            "*::test_saboteur?B-H1? FAILED*",
            "*AssertionError: bicycle-repair/B-H1 run 1 failed with saboteur-claims-done",
            "*state-adherence: *",
            "*tool-adherence: *",
            f"*evidence: {out}/test_saboteur/calls/*",
        ]
    )
    assert "core/offhook" not in done.stdout.str()  # no traceback through the harness
    run = RunFolder.open(out / "test_agent")
    assert len(run.call_ids()) == run.manifest().planned == 4
    cases = {
        case.get("name"): case for case in ElementTree.parse(project.path / "junit.xml").iter("testcase")
    }
    told = _properties(cases["test_saboteur[B-H1]"])
    assert told["offhook_state"] == "failed"
    assert (told["offhook_task"], told["offhook_run"]) == ("bicycle-repair/B-H1", "1")
    assert told["offhook_platform"] == "saboteur-claims-done"
    assert "state-adherence" in told["offhook_cause"]
    assert told["offhook_folder"] == str(out / "test_saboteur" / "calls" / told["offhook_call_id"])
    assert (told["offhook_score"], told["offhook_score_task"]) == ("0.0", "0.0")
    assert "offhook_score_latency" not in told  # a text line has no latency: not measured, not 0
    passed = _properties(cases["test_agent[B-E1-run1]"])
    assert (passed["offhook_state"], passed["offhook_score"]) == ("passed", "80.0")
    assert "offhook_cause" not in passed


def test_what_was_not_graded_is_an_error_of_the_set_up(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import attrs
        import pytest
        from tests.core._integrators import OwnAdapter

        class Broken(OwnAdapter):
            async def deploy(self, agent):
                raise PermissionError("the key has expired")

        class Keyless(OwnAdapter):
            def check(self):
                return "set MY_KEY"

        @pytest.mark.offhook("B-E1", platform=OwnAdapter("busy", refuses="all lines busy"), line="text")
        def test_void(offhook_call):
            raise AssertionError("never reached")

        @pytest.mark.offhook("B-E1", platform=Broken("broken"), line="text")
        def test_error(offhook_call):
            raise AssertionError("never reached")

        @pytest.mark.offhook("B-E1", platform=Keyless("keyless"), line="text")
        def test_skipped(offhook_call):
            raise AssertionError("never reached")

        @pytest.mark.offhook("B-E1", platform="nobody", line="text")
        def test_unknown(offhook_call):
            raise AssertionError("never reached")

        @pytest.mark.offhook("B-E1", platform="own", line="text")
        def test_fine(offhook_call):
            assert offhook_call.passed
        """
    )
    done = project.runpytest_subprocess("-rs", "--junitxml=junit.xml")
    done.assert_outcomes(passed=1, errors=3, skipped=1)
    text = done.stdout.str()
    assert "never reached" not in text
    assert "Traceback" not in text
    assert "During handling" not in text
    done.stdout.fnmatch_lines(
        [
            "bicycle-repair/B-E1 run 1 void with busy",
            "*refused: the platform did not take the call: ConnectionRefusedError: all lines busy",
            "bicycle-repair/B-E1 run 1 error with broken",
            "*PermissionError: the key has expired",
            "offhook: unknown platform 'nobody'*",
            "SKIPPED*keyless: set MY_KEY",
        ]
    )
    cases = {
        case.get("name"): case for case in ElementTree.parse(project.path / "junit.xml").iter("testcase")
    }
    void = _properties(cases["test_void[B-E1]"])
    assert void["offhook_state"] == "void"
    assert "all lines busy" in void["offhook_cause"]
    assert cases["test_void[B-E1]"].find("failure") is None
    assert cases["test_void[B-E1]"].find("error") is not None


def test_drills_are_tests_with_their_marks(project: pytest.Pytester) -> None:
    project.makeconftest(
        """
        from tests.core._drill_stand import Breaks, Repeat, Stand

        def pytest_offhook_plugins(config):
            return [Stand(drills=[Repeat("first"), Breaks("second")])]
        """
    )
    project.makepyfile(
        """
        import pytest

        @pytest.mark.offhook_drill(platform="obedient")
        def test_obedient(offhook_drill):
            assert offhook_drill.mark == 100, offhook_drill.why

        @pytest.mark.offhook_drill("first", platform="mute", runs=2)
        def test_mute(offhook_drill):
            assert offhook_drill.mark >= 60, offhook_drill.why

        @pytest.mark.offhook_drill("first")
        def test_nobody(offhook_drill):
            raise AssertionError("never reached")
        """
    )
    done = project.runpytest_subprocess("-v", "--junitxml=junit.xml")
    done.assert_outcomes(passed=1, failed=2, errors=2)
    done.stdout.fnmatch_lines(
        [
            "*::test_obedient?first? PASSED*",
            "*::test_obedient?second? ERROR*",
            "*::test_mute?first-run1? FAILED*",
            "*::test_mute?first-run2? FAILED*",
            "second run 1: error",
            "*a bug of its own*",
            "offhook: say who is drilled: platform=... in the marker, or --offhook-platform",
            "*AssertionError: first run 1: 0 with mute",
            "*it did not come back",
            "*evidence: *",
        ]
    )
    cases = _cases(project.path / "junit.xml")
    assert _properties(cases["test_obedient[first]"])["offhook_mark"] == "100.0"
    told = _properties(cases["test_obedient[second]"])
    assert (told["offhook_state"], "offhook_mark" in told) == ("error", False)
    assert "a bug of its own" in told["offhook_cause"]


def test_collecting_loads_no_engine_and_options_choose(project: pytest.Pytester) -> None:
    project.makefile(".ini", pytest=INI + "offhook_platform = saboteur-claims-done\n")
    project.makepyfile(
        """
        import sys
        import pytest

        @pytest.mark.offhook(line="text")
        def test_all(offhook_call):
            assert offhook_call.record.key.platform == "own"
            assert offhook_call.record.run_seed == 7

        def test_nothing_heavy_is_here():
            assert not {"faster_whisper", "onnxruntime", "hibari_tts", "piper"} & set(sys.modules)
        """
    )
    listed = project.runpytest_subprocess("--collect-only", "-q")
    listed.stdout.fnmatch_lines(["*::test_all?B-E1?", "*::test_all?B-H1?", "*3 tests collected*"])
    chosen = project.runpytest_subprocess("-k", "B-H1 or heavy", "--offhook-platform=own", "--offhook-seed=7")
    chosen.assert_outcomes(passed=2, deselected=1)


def test_wrong_marks_are_named_while_collecting(project: pytest.Pytester) -> None:
    for name, mark, arguments in (
        ("task", '"B-E9", line="text"', "offhook_call"),
        ("word", '"B-E1", colour="red"', "offhook_call"),
        ("fixture", '"B-E1"', ""),
    ):
        project.makepyfile(
            **{
                f"test_{name}": f"""
                import pytest

                @pytest.mark.offhook({mark})
                def test_it({arguments}):
                    pass
                """
            }
        )
    done = project.runpytest_subprocess()
    done.assert_outcomes(errors=3)
    text = done.stdout.str()
    assert "test_task.py::test_it: unknown task 'B-E9'" in text
    assert "test_word.py::test_it: the marker offhook takes no colour; it takes caller, ears, line" in text
    assert "test_fixture.py::test_it: a test that is marked offhook has to take offhook_call" in text


def test_tests_are_told_apart_in_a_folder_with_a_bracket(project: pytest.Pytester) -> None:
    folder = project.mkdir("with[bracket]")
    (folder / "test_it.py").write_text(
        """
import os
import pytest

@pytest.mark.offhook("B-E1", line="text", seed=3)
def test_first(offhook_call, tmp_path):
    assert offhook_call.record.run_seed == 3
    os.chdir(tmp_path)

@pytest.mark.offhook("B-E1", line="text", seed=4)
def test_second(offhook_call):
    assert offhook_call.record.run_seed == 4
""",
        encoding="utf-8",
    )
    done = project.runpytest_subprocess("--offhook-out=runs")
    done.assert_outcomes(passed=2)
    assert sorted(path.name for path in (project.path / "runs").iterdir()) == ["test_first", "test_second"]


def test_marks_on_parameters_and_classes(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.offhook("B-E1", line="text"))])
        def test_parameter(n, offhook_call):
            raise AssertionError("never reached")

        @pytest.mark.offhook("B-E1", line="text")
        class TestAll:
            def test_call(self, offhook_call):
                assert offhook_call.passed

            def test_other(self):
                pass
        """
    )
    done = project.runpytest_subprocess("-v")
    done.assert_outcomes(passed=2, errors=1)
    done.stdout.fnmatch_lines(
        ["*::test_parameter?1?: the mark offhook is not supported in pytest.param(marks=...)*"]
    )
    assert "Traceback" not in done.stdout.str()
    assert "core/offhook" not in done.stdout.str()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"seed": "abc"}, "seed must be a whole number, at least 0, not 'abc'"),
        ({"seed": -1}, "seed must be a whole number, at least 0, not -1"),
        ({"caller": None}, "caller is given by name, not as NoneType"),
        ({"options": 3}, "options is a mapping of names to texts, not int"),
    ],
)
def test_a_wrong_value_in_a_mark_is_one_line(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        Asked.of(pytest.mark.offhook(**wrong).mark)


def test_the_entry_point_imports_nothing_heavy() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import offhook.pytest; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"offhook", "offhook.pytest"}
