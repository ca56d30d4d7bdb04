"""Adapters whose properties raise, or hold what there is not: one line each, and the others work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from offhook.cli import main
from offhook.conformance import NoTwin, conform
from offhook.sessions import Capabilities, Greeting, ToolMode
from tests.core._odd_adapters import MisspeltCan, RaisingCan
from tests.core._stand import installed


@pytest.fixture(autouse=True)
def odd_adapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path / "site", monkeypatch, "tests.core._odd_adapters:PLUGIN")


def typed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--block", "offhook"])
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, shown.err


CAUSES = {
    "no-capabilities": "RuntimeError: the catalogue is not there (",
    "dict-capabilities": "its capabilities are a dict, expected Capabilities",
    "no-options": "its options cannot be read: KeyError: 'models' (",
    "no-check": "its check cannot be read: ZeroDivisionError: by nothing (",
    "no-webhook": "its webhook dialect cannot be read: OSError: no dialect (",
}


@pytest.mark.parametrize(("name", "cause"), CAUSES.items())
def test_run_says_in_one_line_who_and_why(
    name: str, cause: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = typed(
        capsys, "run", "--platform", name, "--caller", "terse", "--out", str(tmp_path / "r")
    )
    *before, line = err.splitlines()
    assert before == ["1 plugin has problems; see: offhook plugins"]
    assert (code, out, line.startswith("Error: ")) == (3, "", True)
    assert name in line
    assert cause in line


@pytest.mark.parametrize(("name", "cause"), CAUSES.items())
def test_check_says_who_and_why(name: str, cause: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = typed(capsys, "check", name, "--json")
    missing = "; ".join(json.loads(out)["missing"]) if out else ""
    told = err + missing
    assert code == 3
    assert len(err.splitlines()) == (0 if out else 1)
    assert "Traceback" not in told
    assert cause.split(": ", 1)[-1].split(" (")[0] in told


def test_the_list_names_what_cannot_be_used_and_keeps_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = typed(capsys, "plugins", "--json")
    told = json.loads(out)
    (plugin,) = told["plugins"]
    names = [each["name"] for each in plugin["provides"] if each["kind"] == "adapter"]
    assert (code, err) == (0, "")
    assert {"misspelt-can", "no-can", "no-check", "no-options", "no-webhook", "sound"} <= set(names)
    assert {"no-capabilities", "dict-capabilities"}.isdisjoint(names)
    whats = [problem["what"] for problem in told["problems"]]
    assert len(whats) == 3
    assert whats[0].startswith(
        "adapter 'no-capabilities' at [4] of offhook_adapters cannot be read: RuntimeError: the catalogue is "
    )
    assert whats[1].startswith("adapter 'dict-capabilities' at [5] of offhook_adapters cannot be used: ")
    assert whats[2].startswith("a _Nameless at [6] of offhook_adapters cannot be read: RuntimeError: nobody")


def test_an_adapter_beside_them_is_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = typed(
        capsys, "run", "--platform", "sound", "--caller", "terse", "--out", str(tmp_path / "r"), "--json"
    )
    assert (code, json.loads(out)["graded"]) == (0, 2)


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("no-can", "no-can: a property cannot be read: RuntimeError: cannot say ("),
        (
            "misspelt-can",
            "misspelt-can: can holds 'Stall', 'cutt', which is no fault: choose from none, refuse,",
        ),
    ],
)
def test_conformance_says_what_cannot_be_held_to_anything(
    name: str, cause: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = typed(capsys, "conformance", name)
    line = err.splitlines()[-1]
    assert (code, out, line.startswith(f"Error: {cause}")) == (3, "", True), line
    with pytest.raises(NoTwin, match=cause.split(":")[0]):
        conform({"no-can": RaisingCan, "misspelt-can": MisspeltCan}[name](name=name))


def test_live_says_that_a_check_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = typed(capsys, "conformance", "no-check", "--live")
    assert (code, len(err.splitlines())) == (3, 1)
    assert "no-check: its check cannot be read: ZeroDivisionError" in err


def test_a_mode_may_be_given_by_its_word() -> None:
    told = Capabilities(tool_mode="mcp", greeting="prompted")
    assert told.tool_mode is ToolMode.MCP
    assert told.greeting is Greeting.PROMPTED
    with pytest.raises(
        ValueError,
        match=r"^Capabilities.tool_mode is 'clientt', expected one of client, webhook, in_process, mcp$",
    ):
        Capabilities(tool_mode="clientt")
