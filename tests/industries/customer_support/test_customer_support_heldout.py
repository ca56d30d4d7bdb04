"""How well the callers' cues carry over to agents nobody had in mind when they were written.

``dev_customer_support.jsonl`` holds turns of an agent that the cues were tuned on.
``heldout_customer_support.jsonl`` was labelled from the rules' prose and is not read when cues are tuned, so
a failure tells only its counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from offhook.packs import Pack
from offhook_industries.customer_support.pack import build_pack
from tests.industries._sentences import agreement, mislabelled, read_turns

pytestmark = pytest.mark.speech

DEV: Final = Path(__file__).with_name("dev_customer_support.jsonl")
HELD_OUT: Final = Path(__file__).with_name("heldout_customer_support.jsonl")
# What was measured, less 0.02.
LEAST_TUNED: Final = 0.975
LEAST_PRECISION: Final = 0.93
LEAST_RECALL: Final = 0.875
# Every so many lines of the long file are looked at in the quick tests; all of them in the slow ones.
SAMPLED: Final = 8


@pytest.fixture(scope="module")
def pack() -> Pack:
    return build_pack()


@pytest.mark.parametrize(("path", "least"), [(DEV, 2000), (HELD_OUT, 180)])
def test_the_turns_name_what_the_tasks_have(pack: Pack, path: Path, least: int) -> None:
    turns = read_turns(path)
    assert len(turns) >= least
    assert mislabelled(pack, turns) == ()
    assert {turn.task for turn in turns} == {task.id for task in pack.tasks}


def test_the_callers_follow_a_sample_of_the_wordings_they_were_tuned_on(pack: Pack) -> None:
    found = agreement(pack, read_turns(DEV)[::SAMPLED])
    assert found.precision >= LEAST_TUNED, found.listed
    assert found.recall >= LEAST_TUNED, found.listed


@pytest.mark.slow
def test_the_callers_follow_all_the_wordings_they_were_tuned_on(pack: Pack) -> None:
    found = agreement(pack, read_turns(DEV))
    assert found.precision >= LEAST_TUNED, found.listed
    assert found.recall >= LEAST_TUNED, found.listed


def test_the_callers_follow_wordings_that_were_held_out(pack: Pack) -> None:
    found = agreement(pack, read_turns(HELD_OUT))
    assert found.precision >= LEAST_PRECISION, found.counts
    assert found.recall >= LEAST_RECALL, found.counts
