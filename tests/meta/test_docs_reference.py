"""The reference pages say what the code has: every hook, command, option, field and file."""

from __future__ import annotations

import asyncio
import importlib
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest

import offhook
from offhook.drills import DrillMark, DrillRecord
from offhook.hooks import HookSpecs
from offhook.host import PluginHost
from offhook.records import CallKey, RunManifest, empty_record
from offhook.scaffold import plan
from offhook.testing import hold_drill
from tests.meta.cli_page import cli_page

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "sdk_docs" / "reference"
FAMILIES = ("core", "caller", "adapters", "graders", "industries", "drills", "benchmarks")
HOOKS = tuple(name for name in vars(HookSpecs) if name.startswith("offhook_"))
KINDS = {
    "offhook_adapters": "adapter",
    "offhook_industries": "industry",
    "offhook_callers": "caller",
    "offhook_voices": "voice",
    "offhook_listeners": "listener",
    "offhook_vads": "vad",
    "offhook_embedders": "embedder",
    "offhook_audio_profiles": "audio_profile",
    "offhook_graders": "grader",
    "offhook_measurers": "measurer",
    "offhook_reviewers": "reviewer",
    "offhook_judges": "judge",
    "offhook_verifiers": "verifier",
    "offhook_model_selectors": "model_selector",
    "offhook_drills": "drill",
    "offhook_commands": "command",
}


def _sections(page: str) -> dict[str, str]:
    text = (REFERENCE / page).read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_hook_has_a_section_in_the_order_of_the_specification() -> None:
    assert tuple(_sections("hooks.md")) == HOOKS


@pytest.mark.parametrize("hook", HOOKS)
def test_the_example_of_a_hook_is_taken_by_the_host(
    hook: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", _sections("hooks.md")[hook], re.M | re.S)
    module = ModuleType("example")
    exec(compile(code, hook, "exec"), vars(module))
    host = PluginHost()
    assert host.register(module, name="example"), host.problems
    if hook in KINDS:
        found = host.components(KINDS[hook])
        assert len(found) == 1
    else:
        host.notify(hook, **_told(hook, tmp_path))
        assert capsys.readouterr().out or (tmp_path / "runs.txt").read_text() == "r1 some-platform 1\n"
    assert host.problems == ()


def _told(hook: str, folder: Path) -> dict[str, object]:
    if hook == "offhook_drill_finished":
        held, mark = _held_drill()
        return {"record": held, "mark": mark, "folder": folder}
    key = CallKey("bicycle-repair", "B-E1", "some-platform", 1)
    record = empty_record("call-1", key, seed=1, ending="completed")
    manifest = RunManifest(
        *(1, "r1", 1, "some-platform", "scripted", "audio", 1, ("clean",), ("bicycle-repair/B-E1",)),
        planned=1,
        harness_reference=False,
        components=(),
    )
    return {
        "offhook_call_started": {"key": key},
        "offhook_call_finished": {"record": record, "folder": folder},
        "offhook_run_finished": {"manifest": manifest, "folder": folder / "r1"},
    }[hook]


def _held_drill() -> tuple[DrillRecord, DrillMark]:
    module = ModuleType("parrot")
    exec(plan("drill", "parrot").files["offhook_parrot/plugin.py"], vars(module))
    drill, recruit = vars(module)["ParrotDrill"](), vars(module)["RECRUIT"]
    return hold_drill(drill, recruit)


def test_the_page_of_the_command_line_is_up_to_date() -> None:
    assert (REFERENCE / "cli.md").read_text(encoding="utf-8") == cli_page(), (
        "write it again with: python -m tests.meta.cli_page"
    )


@pytest.mark.parametrize(
    "name", re.findall(r"`(offhook\.[a-z_.]+:\w+)`", (REFERENCE / "records.md").read_text())
)
def test_every_field_of_a_record_is_described(name: str) -> None:
    module, _, attribute = name.partition(":")
    kind: Any = getattr(importlib.import_module(module), attribute)
    (section,) = [text for text in _sections("records.md").values() if f"`{name}`" in text]
    described = re.findall(r"^\| `(\w+)` \|", section, re.M)
    assert described == [field.name for field in attrs.fields(kind)]


def test_the_page_of_records_has_every_file_format() -> None:
    text = (REFERENCE / "records.md").read_text(encoding="utf-8")
    for name in (
        "offhook.records:CallRecord",
        "offhook.records:RunManifest",
        "offhook.records:ToolLogEntry",
        "offhook.grading:Grade",
        "offhook.drills:DrillRecord",
        "offhook.drills:DrillMark",
    ):
        assert f"is `{name}`." in text


@pytest.mark.speech
def test_the_files_of_a_run_are_on_the_page(tmp_path: Path) -> None:
    (listed,) = [re.findall(r"^\| `([^`]+)` \|", text, re.M) for text in [_before_sections("records.md")]]
    result = asyncio.run(offhook.run(tasks="T4-E1", out=tmp_path / "run"))
    result.report()
    found = [path.relative_to(result.folder) for path in result.folder.rglob("*") if path.is_file()]
    for path in found:
        kind = {
            "grades": "grades/GRADER/VERSION/ID.json",
            "measurements": "measurements/MEASURER/VERSION/ID.json",
            "derived": "derived/",
        }.get(path.parts[0])
        assert path.name == ".lock" or (kind or re.sub(r"[0-9a-f]{16}", "ID", str(path))) in listed
    assert len(found) > 10


def test_every_environment_variable_is_on_the_page() -> None:
    page = (REFERENCE.parent / "environment.md").read_text(encoding="utf-8")
    sources = [path for family in FAMILIES for path in (ROOT / family).rglob("*.py")]
    named = {name for path in sources for name in re.findall(r"\bOFFHOOK_[A-Z_]+\b", path.read_text())}
    assert "OFFHOOK_CACHE" in named
    assert {name for name in named if f"`{name}`" not in page} == set()


def _before_sections(page: str) -> str:
    return (REFERENCE / page).read_text(encoding="utf-8").split("\n## ")[0]
