"""The pack that ships for tests is as sound as a real one."""

from __future__ import annotations

from typing import Any

import pytest

from offhook.host import PluginHost
from offhook.packcheck import check_pack
from offhook.packs import TableRole
from offhook.testing_pack import bicycle_pack


def test_it_has_no_problems_and_every_kind_of_table() -> None:
    pack = bicycle_pack()
    assert check_pack(pack) == ()
    assert {table.role for table in pack.tables} == set(TableRole)


def test_it_is_made_anew_each_time_and_always_the_same() -> None:
    assert bicycle_pack() == bicycle_pack()
    assert bicycle_pack() is not bicycle_pack()


@pytest.mark.speech
def test_its_cue_tests_hold() -> None:
    host = PluginHost.discover()
    caller: Any = host.callers()["scripted"]
    assert caller.check_pack(bicycle_pack(), host.embedders()["minilm"]) == ()
