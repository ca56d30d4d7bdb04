"""How well the callers' cues carry over to agents nobody had in mind when they were written.

Both files hold turns of an agent, labelled by hand from the rules' prose: the rule that has to speak
(``null``: none) after the events in ``given``. ``dev_healthcare.jsonl`` is what cues are tuned on;
``heldout_healthcare.jsonl`` is not: its sentences are never listed, and whoever tunes on them has to bring
new ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from offhook.packs import Pack
from offhook_industries.healthcare.pack import build_pack
from tests.industries._sentences import agreement, mislabelled, read_turns

pytestmark = pytest.mark.speech

DEV: Final = Path(__file__).with_name("dev_healthcare.jsonl")
HELD_OUT: Final = Path(__file__).with_name("heldout_healthcare.jsonl")


@pytest.fixture(scope="module")
def pack() -> Pack:
    return build_pack()


@pytest.mark.parametrize(("path", "least"), [(DEV, 1400), (HELD_OUT, 150)], ids=["dev", "heldout"])
def test_the_turns_name_what_the_tasks_have(pack: Pack, path: Path, least: int) -> None:
    turns = read_turns(path)
    assert len(turns) >= least
    assert {turn.task for turn in turns} == {task.id for task in pack.tasks}
    assert mislabelled(pack, turns) == ()


def test_no_turn_is_in_both_files() -> None:
    held_out = {(turn.task, turn.sentence) for turn in read_turns(HELD_OUT)}
    assert not held_out & {(turn.task, turn.sentence) for turn in read_turns(DEV)}


def test_the_callers_follow_the_wordings_they_were_tuned_on(pack: Pack) -> None:
    found = agreement(pack, read_turns(DEV))
    assert found.precision >= 0.98, found.listed
    assert found.recall >= 0.97, found.listed


def test_the_callers_follow_wordings_that_were_held_out(pack: Pack) -> None:
    found = agreement(pack, read_turns(HELD_OUT))
    assert found.precision >= 0.92, found.counts
    assert found.recall >= 0.92, found.counts
