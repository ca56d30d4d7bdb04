"""A third party's wheels next to offhook's own wheel, in an environment of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.fixture(scope="module")
def offhook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``offhook`` in a clean environment that holds three wheels: ours, Acme's, and the broken ones."""
    folder = tmp_path_factory.mktemp("clean")
    wheels = folder / "wheels"
    for project in (ROOT, HERE / "offhook-acme", HERE / "offhook-broken"):
        _run(
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"),
            *("--wheel-dir", str(wheels), str(project)),
        )
    environment = folder / "venv"
    venv.create(environment, with_pip=True)
    _run(
        *(
            str(environment / "bin" / "python"),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ),
        *("--constraint", str(ROOT / "constraints.txt"), *(str(wheel) for wheel in sorted(wheels.iterdir()))),
    )
    return environment / "bin" / "offhook"


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, capture_output=True, text=True, env=clean, timeout=400, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def listing(offhook: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_run(str(offhook), "plugins", "--json").stdout)
    return found


def test_the_wheel_brings_every_first_party_plugin(listing: dict[str, Any]) -> None:
    own = [plugin for plugin in listing["plugins"] if plugin["distribution"] == "offhook"]
    kinds = {item["kind"] for plugin in own for item in plugin["provides"]}
    assert kinds == {
        "adapter",
        "industry",
        "caller",
        "voice",
        "listener",
        "vad",
        "embedder",
        "audio_profile",
        "grader",
        "measurer",
        "reviewer",
        "judge",
        "verifier",
        "model_selector",
        "drill",
        "command",
    }
    assert [problem for problem in listing["problems"] if problem["distribution"] == "offhook"] == []


@pytest.mark.parametrize("kind", ["adapter", "pack", "drill", "grader"])
def test_the_wheel_brings_the_templates_of_new_plugins(offhook: Path, kind: str, tmp_path: Path) -> None:
    _run(str(offhook), "new", kind, "shipped", "--out", str(tmp_path))
    made = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {f"offhook-shipped/{name}" for name in ("pyproject.toml", "offhook_shipped/plugin.py")} < made


def test_a_third_party_plugin_is_discovered(listing: dict[str, Any]) -> None:
    (acme,) = [plugin for plugin in listing["plugins"] if plugin["name"] == "acme"]
    assert acme["distribution"] == "offhook-acme"
    assert acme["version"] == "1.2.0"
    assert acme["provides"] == [
        {"kind": "grader", "name": "acme-courtesy"},
        {"kind": "command", "name": "acme-calls"},
    ]


@pytest.mark.parametrize(
    ("plugin", "expected"),
    [
        ("asynchronous", "offhook_graders is async, hooks are ordinary functions"),
        ("clashing", "grader 'acme-courtesy' is already provided by acme (offhook-acme)"),
        ("empty", "implements no hook"),
        ("exiting", "cannot be imported from offhook_broken.exiting: SystemExit: this plugin leaves"),
        ("import-error", "No module named 'a_package_nobody_has'"),
        ("misspelt", "there is no hook offhook_grader, did you mean offhook_graders?"),
        ("missing", "No module named 'offhook_broken.there_is_no_such_module'"),
        ("returns-none", "offhook_graders returned None, expected a list or tuple of Grader"),
        ("returns-text", "offhook_graders returned a str, expected a list or tuple of Grader"),
        ("returns-wrong-item", "offhook_graders returned a int at [0], expected Grader"),
        ("raising", "offhook_graders raised ZeroDivisionError: graders cannot be counted"),
        ("unmarked", "offhook_graders lacks the @hookimpl decorator"),
        ("wrong-argument", "hookimpl definition"),
    ],
)
def test_a_broken_plugin_is_one_clear_line(listing: dict[str, Any], plugin: str, expected: str) -> None:
    (problem,) = [problem for problem in listing["problems"] if problem["plugin"] == plugin]
    assert expected in problem["what"]
    assert "\n" not in problem["what"]


def test_plugin_commands_are_listed_and_imported_only_when_used(offhook: Path, tmp_path: Path) -> None:
    help_text = _run(str(offhook), "--help").stdout
    assert "acme-calls" in help_text
    assert "broken" in help_text
    broken = subprocess.run([offhook, "broken"], capture_output=True, text=True, check=False)
    assert broken.returncode == 1
    assert "command 'broken' cannot be loaded" in broken.stderr
    assert len(broken.stderr.strip().splitlines()) == 1


def test_a_plugin_command_runs(offhook: Path, tmp_path: Path) -> None:
    (tmp_path / "calls" / "0123456789abcdef").mkdir(parents=True)
    (tmp_path / "run.json").write_text("{}")
    assert _run(str(offhook), "acme-calls", str(tmp_path)).stdout == "1 calls\n"
