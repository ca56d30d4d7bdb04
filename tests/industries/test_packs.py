"""Each pack as ``offhook packs check`` sees it. Both checks look at a whole pack and are run once, here."""

from __future__ import annotations

import pytest

from offhook.host import PluginHost
from offhook.packcheck import PackProblem, Severity, check_keys, check_pack
from offhook_caller.caller import SimulatedCaller
from offhook_caller.speech.plugin import offhook_embedders

PACKS = PluginHost.discover().packs()
NAMES = ("customer-support", "healthcare", "legal")


def _errors(problems: tuple[PackProblem, ...]) -> list[str]:
    return [str(problem) for problem in problems if problem.severity is Severity.ERROR]


def test_all_three_packs_come_in_through_their_entry_points_with_keys_of_their_own() -> None:
    assert set(NAMES) <= set(PACKS)
    assert _errors(check_keys(PACKS.values())) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_pack_is_sound(name: str) -> None:
    assert _errors(check_pack(PACKS[name])) == []


@pytest.mark.speech
@pytest.mark.parametrize("name", NAMES)
def test_the_callers_follow_every_test_sentence_of_their_rules(name: str) -> None:
    assert sum(len(rule.tests) for task in PACKS[name].tasks for rule in task.rules) > 1000
    assert _errors(SimulatedCaller("scripted").check_script(PACKS[name], offhook_embedders()[0])) == []
