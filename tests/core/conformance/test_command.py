"""``offhook conformance``, and the kit in pytest processes of a third party's own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from offhook.cli import main
from offhook.conformance import CHECKS, LIVE_CHECKS

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[3]
KEY = "sk-0123456789abcdef"


def _ran(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["conformance", *arguments])
    shown = capsys.readouterr()
    assert ended.value.code == code, shown.err
    return shown.out, shown.err


# --- the command ------------------------------------------------------------------------------------------


def test_the_list_names_every_check(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = _ran(capsys, "--list", "--json")
    assert [row["check"] for row in json.loads(out)] == list(CHECKS)
    assert err == ""
    out, _ = _ran(capsys, "--list", "--live")
    assert all(name in out for name in LIVE_CHECKS)


def test_a_table_and_json_of_a_platform_against_its_twin(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = _ran(capsys, "openai-realtime", "--only", "quota", "--only", "missing-key")
    assert "openai-realtime: 2 passed, 0 failed, 0 not applicable" in " ".join(out.split())
    assert "holding openai-realtime to 2 checks against its twin ..." in err
    assert "[2/2] passed" in err
    out, _ = _ran(capsys, "openai-realtime", "--only", "tool-cancelled", "--json")
    told = json.loads(out)
    assert told["holds"] is True
    assert [(row["check"], row["verdict"]) for row in told["checks"]] == [
        ("tool-cancelled", "not-applicable")
    ]
    assert told["checks"][0]["reason"] == "the twin can't show the fault 'cancel'"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "say which adapter (names: offhook plugins)"),
        (["nobody"], 2, "unknown platform 'nobody'"),
        (["openai-realtime", "--only", "tool-cal"], 2, "unknown check 'tool-cal'; nearest: tool-call"),
        (["reference"], 3, "reference brings no twin: implement can, twin() and with_environment()"),
    ],
)
def test_what_cannot_be_run_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    out, err = _ran(capsys, *arguments, code=code)
    assert out == ""
    (line,) = err.splitlines()
    assert message in line


# --- against the platform itself --------------------------------------------------------------------------


def test_without_a_key_nobody_is_dialled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dialled = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.getsockname()[1]}/v1")
        out, err = _ran(capsys, "openai-realtime", "--live", code=3)
        with contextlib.suppress(TimeoutError):
            dialled.append(server.accept())
    assert out == ""
    assert err == "Error: openai-realtime: OPENAI_API_KEY is not set: set it to your OpenAI key\n"
    assert dialled == []


def test_a_host_that_is_not_there_is_told_and_the_rest_does_not_apply(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port}/v1")
    out, err = _ran(capsys, "openai-realtime", "--live", "--json", code=1)
    told = {row["check"]: row for row in json.loads(out)["checks"]}
    assert list(told) == list(LIVE_CHECKS)
    assert f"127.0.0.1:{port} can't be reached" in told["connects"]["arrived"]
    assert told["greeting-heard"]["verdict"] == "not-applicable"
    assert told["greeting-heard"]["reason"] == "there was no call"
    assert told["no-secret"]["verdict"] == "passed"
    assert "placing one call to openai-realtime; " in err
    assert KEY not in out + err


def test_a_key_that_is_refused_names_its_variable_and_is_not_repeated(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(server: socket.socket) -> None:
        client, _ = server.accept()
        with client:
            asked = client.recv(65_536).decode()
            body = json.dumps({"error": {"code": "invalid_api_key", "message": f"no: {asked}"}})
            head = f"HTTP/1.1 401 No\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            client.sendall((head + body).encode())

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=refuse, args=(server,), daemon=True).start()
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.getsockname()[1]}/v1")
        out, err = _ran(capsys, "openai-realtime", "--live", "--only", "connects", code=1)
    assert "refused the key" in " ".join(out.split())
    assert "OPENAI_API_KEY" in out
    assert KEY not in out + err


# --- in pytest --------------------------------------------------------------------------------------------

SMALL = """
import pytest
from tests.core.conformance._subject import Subject


@pytest.mark.offhook_conformance(platform=Subject({flaw!r}))
def test_conformance(offhook_conformance):
    assert offhook_conformance.holds, offhook_conformance.told
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    pytester.makefile(".ini", pytest="[pytest]\noffhook_block = offhook\n")
    return pytester


def test_each_check_is_a_test_and_a_failing_one_says_why(project: pytest.Pytester) -> None:
    project.makepyfile(SMALL.format(flaw="sorts tools"))
    done = project.runpytest_subprocess("-rf", "-k", "tool or prompt")
    done.assert_outcomes(
        passed=sum("tool" in name or "prompt" in name for name in CHECKS) - 1, failed=1, deselected=27
    )
    done.stdout.fnmatch_lines(["*tools-arrive: expected the tools as they are, in their order; arrived: *"])


def test_what_does_not_apply_is_skipped_and_what_is_not_chosen_not_run(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import attrs, pytest
        from tests.core.conformance._subject import CAPABILITIES, Subject

        @pytest.fixture
        def agent():
            return Subject(capabilities=attrs.evolve(CAPABILITIES, cost=False))

        @pytest.mark.offhook_conformance("quota", "cost", "tool-call", platform="agent")
        def test_conformance(offhook_conformance):
            assert offhook_conformance.holds, offhook_conformance.told
        """
    )
    done = project.runpytest_subprocess("-rs", "-k", "cost or quota")
    done.assert_outcomes(passed=1, skipped=1, deselected=1)
    done.stdout.fnmatch_lines(["*the platform's cost can't be told (capabilities.cost is false)*"])


def test_a_platform_that_lacks_something_here_is_skipped(project: pytest.Pytester) -> None:
    project.makepyfile(SMALL.format(flaw="lacks its SDK"))
    done = project.runpytest_subprocess("-rs", "-k", "quota")
    done.assert_outcomes(skipped=1, deselected=len(CHECKS) - 1)
    done.stdout.fnmatch_lines(["*the SDK is missing: run pip install offhook-kit*"])


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ('("tool-cal", platform="x")', "*unknown check 'tool-cal'; nearest: tool-call*"),
        ("(adapter=1)", "*takes no adapter; it takes checks, platform*"),
        ('("quota")', "*say who is checked: platform=... in the marker, or --offhook-platform*"),
        ('("quota", platform="nobody")', "*unknown platform 'nobody'*"),
        ('("quota", platform=object())', "*object brings no twin: implement can, twin() and*"),
    ],
)
def test_a_marker_that_is_wrong_is_one_line(project: pytest.Pytester, mark: str, message: str) -> None:
    project.makepyfile(
        f"""
        import pytest

        @pytest.mark.offhook_conformance{mark}
        def test_conformance(offhook_conformance):
            assert offhook_conformance.holds
        """
    )
    done = project.runpytest_inprocess()
    assert sum(done.parseoutcomes().get(kind, 0) for kind in ("failed", "errors", "error")) == 1
    done.stdout.fnmatch_lines([message])
    done.stdout.no_fnmatch_line("*INTERNALERROR*")


def test_an_interrupt_gives_up_what_is_under_way_and_shows_what_is_done() -> None:
    command = [str(Path(sys.executable).with_name("offhook")), "conformance", "openai-realtime"]
    with subprocess.Popen(
        [*command, "--only", "silence", "--only", "deploy-idempotent"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stderr is not None
        while "[1/2] passed" not in (line := program.stderr.readline()):
            assert line, "it ended without a check done"
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=30)
    assert program.returncode == 130
    assert "openai-realtime: 1 passed, 0 failed" in " ".join(out.split())
    assert "silence" not in out
    assert err.splitlines()[-1] == "stopped; done so far: 1 check"
