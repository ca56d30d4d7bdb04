from __future__ import annotations

import pluggy

from offhook.callers import Caller
from offhook.hooks import HookSpecs
from offhook_caller import plugin


def test_the_callers_are_found_through_the_hook() -> None:
    manager = pluggy.PluginManager("offhook")
    manager.add_hookspecs(HookSpecs)
    manager.register(plugin)
    (callers,) = manager.hook.offhook_callers()
    assert [caller.name for caller in callers] == ["scripted", "openai"]
    assert [caller.virtual_time for caller in callers] == [True, False]
    assert all(isinstance(caller, Caller) for caller in callers)
