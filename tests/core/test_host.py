"""The plugin host with plugins registered by hand; tests/plugins installs real ones."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.hooks import CommandSpec, HookSpecs, hookimpl
from offhook.host import PluginHost


@attrs.frozen
class _Grader:
    name: str
    version: str = "1"
    kind: GradeKind = GradeKind.MEASURE

    def grade(self, call: CallEvidence) -> Grade:
        return Grade(self.name, self.version, self.kind, call.record.call_id, Outcome.MEASURED, "")


def _plugin(**hooks: Any) -> ModuleType:
    module = ModuleType("a_plugin")
    for name, function in hooks.items():
        setattr(module, name, hookimpl(function))
    return module


def test_components_keep_their_origin() -> None:
    host = PluginHost()
    assert host.register(
        _plugin(offhook_graders=lambda: [_Grader("b"), _Grader("a")]),
        name="p",
        distribution="d",
        version="2.1",
    )
    assert list(host.graders()) == ["a", "b"]
    info = host.provenance("grader", "a", sha256="ff")
    assert (info.component, info.distribution, info.version, info.sha256) == ("grader:a", "d", "2.1", "ff")
    assert host.problems == ()


def test_the_first_provider_of_a_name_wins_and_the_second_is_named() -> None:
    host = PluginHost()
    first, second = _Grader("same", "1"), _Grader("same", "2")
    host.register(_plugin(offhook_graders=lambda: [first]), name="one", distribution="d1")
    host.register(_plugin(offhook_graders=lambda: (second, _Grader("own"))), name="two", distribution="d2")
    assert host.graders()["same"] is first
    assert "own" in host.graders()
    assert [str(problem) for problem in host.problems] == [
        "two (d2): grader 'same' is already provided by one (d1)"
    ]


def test_a_raising_lifecycle_hook_stops_nothing(tmp_path: Path) -> None:
    seen: list[Path] = []

    def broken(record: object, folder: Path) -> None:
        raise OSError("disk on fire")

    def good(folder: Path) -> None:
        seen.append(folder)

    host = PluginHost()
    host.register(_plugin(offhook_call_finished=broken), name="broken")
    host.register(_plugin(offhook_call_finished=good), name="good")
    host.notify("offhook_call_finished", record=None, folder=tmp_path)
    assert seen == [tmp_path]
    (problem,) = host.problems
    assert problem.what.startswith("offhook_call_finished raised OSError: disk on fire (")
    assert f"{__file__}:" in problem.what


def test_a_plugin_that_exits_stops_nothing(tmp_path: Path) -> None:
    def leave(*_: object) -> Any:
        sys.exit("I am off")

    seen: list[Path] = []
    host = PluginHost()
    host.register(
        _plugin(offhook_graders=lambda: leave(), offhook_call_finished=lambda record: leave()), name="x"
    )
    host.register(
        _plugin(
            offhook_graders=lambda: [_Grader("g")], offhook_call_finished=lambda folder: seen.append(folder)
        ),
        name="good",
    )
    assert list(host.graders()) == ["g"]
    host.notify("offhook_call_finished", record=None, folder=tmp_path)
    assert seen == [tmp_path]
    assert [problem.what.split(":")[0] for problem in host.problems] == [
        "offhook_graders raised SystemExit",
        "offhook_call_finished raised SystemExit",
    ]


def test_hooks_are_called_once() -> None:
    calls = []
    host = PluginHost()
    host.register(_plugin(offhook_graders=lambda: calls.append(1) or [_Grader("g")]), name="p")
    assert host.graders()["g"] is host.graders()["g"]
    assert len(calls) == 1


def test_a_refused_plugin_leaves_no_trace() -> None:
    host = PluginHost()
    plugin = _plugin(offhook_graders=lambda: [_Grader("g")], offhook_call_finished=lambda nonsense: None)
    assert not host.register(plugin, name="half")
    assert host.plugins == ()
    assert dict(host.graders()) == {}
    assert len(host.problems) == 1


def test_a_coroutine_result_is_refused() -> None:
    async def graders() -> list[_Grader]:
        return []

    host = PluginHost()
    host.register(_plugin(offhook_graders=lambda: graders()), name="p")
    assert dict(host.graders()) == {}
    assert "returned a coroutine" in host.problems[0].what


def test_blocking_leaves_a_distribution_out() -> None:
    left = {plugin.distribution for plugin in PluginHost.discover(block=["offhook"]).plugins}
    assert "offhook" not in left
    assert "offhook" in {plugin.distribution for plugin in PluginHost.discover().plugins}


def test_first_party_plugins_have_no_problems() -> None:
    host = PluginHost.discover()
    components = host.all_components()
    assert [str(problem) for problem in host.problems if problem.distribution == "offhook"] == []
    assert {component.kind for component in components} >= {
        "adapter",
        "industry",
        "caller",
        "voice",
        "grader",
    }


@pytest.mark.parametrize("name", [name for name in vars(HookSpecs) if name.startswith("offhook_")])
def test_every_hook_is_documented_in_one_line(name: str) -> None:
    text = getattr(HookSpecs, name).__doc__
    assert text
    assert "\n" not in text.strip()


def test_commands_carry_a_target() -> None:
    host = PluginHost()
    host.register(_plugin(offhook_commands=lambda: [CommandSpec("x", "Does x.", "m:f")]), name="p")
    assert host.commands()["x"].target == "m:f"
