"""A platform that hears nothing passes nothing: no task may be won by a default or a guess."""

from __future__ import annotations

import threading
from pathlib import Path
from types import ModuleType

import attrs
import pytest

from offhook.audio import Clip
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.runner import EngineChoice, RunOptions, carry_out, new_run
from offhook.speech import EngineInfo, Heard, ListenerHint

pytestmark = pytest.mark.speech


@attrs.frozen
class OneEar:
    """Writes down the same whatever is said."""

    name: str
    text: str

    @property
    def info(self) -> EngineInfo:
        return EngineInfo(self.name, "none", "1", "Apache-2.0", "")

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        return Heard(self.text)


@pytest.mark.parametrize("text", ["", "Hmm."])
def test_a_deaf_call_passes_no_task(tmp_path: Path, text: str) -> None:
    plugin = ModuleType("deaf")
    plugin.__dict__["offhook_listeners"] = hookimpl(lambda: [OneEar("deaf", text)])
    host = PluginHost.discover()
    assert host.register(plugin, name="deaf")
    options = RunOptions(
        platform="reference",
        out=tmp_path / "run",
        tasks=("customer-support/R-E1", "T4-E1", "T5-E1"),
        engines=EngineChoice(ears="deaf", careful_ears="deaf"),
    )
    run = new_run(options, host)
    summary = carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert (summary.graded, summary.passed) == (3, 0)
