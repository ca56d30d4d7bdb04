"""How well the callers' cues carry over to agents nobody had in mind when they were written.

``dev_legal.jsonl`` holds turns of an agent that the cues were tuned on. ``heldout_legal.jsonl`` was labelled
from the rules' prose and is not read when cues are tuned, so a failure tells only its counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from offhook.packs import Pack
from offhook_industries.legal.pack import build_pack
from tests.industries._sentences import agreement, mislabelled, read_turns

pytestmark = pytest.mark.speech

DEV: Final = Path(__file__).with_name("dev_legal.jsonl")
HELD_OUT: Final = Path(__file__).with_name("heldout_legal.jsonl")
# What was measured, less 0.02.
LEAST_PRECISION: Final = 0.91
LEAST_RECALL: Final = 0.879


@pytest.fixture(scope="module")
def pack() -> Pack:
    return build_pack()


@pytest.mark.parametrize(("path", "least"), [(DEV, 1400), (HELD_OUT, 180)])
def test_the_turns_name_what_the_tasks_have(pack: Pack, path: Path, least: int) -> None:
    turns = read_turns(path)
    assert len(turns) >= least
    assert mislabelled(pack, turns) == ()
    assert {turn.task for turn in turns} == {task.id for task in pack.tasks}


def test_the_callers_follow_the_wordings_they_were_tuned_on(pack: Pack) -> None:
    found = agreement(pack, read_turns(DEV))
    assert found.precision >= 0.98, found.listed
    assert found.recall >= 0.98, found.listed


def test_the_callers_follow_wordings_that_were_held_out(pack: Pack) -> None:
    found = agreement(pack, read_turns(HELD_OUT))
    assert found.precision >= LEAST_PRECISION, found.counts
    assert found.recall >= LEAST_RECALL, found.counts
