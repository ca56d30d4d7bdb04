"""How the callers answer turns of an agent that were labelled by hand from their rules' prose.

A pack's ``turns.jsonl`` holds those that its cues were tuned on; callers also have them as examples, so they
are tried without. ``heldout_PACK.jsonl`` is read by nobody who tunes cues: a failure tells only its counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import attrs
import pytest

from offhook.packs import Pack
from offhook_industries.customer_support.pack import build_pack as customer_support
from offhook_industries.healthcare.pack import build_pack as healthcare
from offhook_industries.legal.pack import build_pack as legal
from tests.industries._sentences import agreement, mislabelled, read_turns

pytestmark = pytest.mark.speech

LEAST_TUNED: Final = 0.98
# Every so many tuned turns are tried in the quick tests; all of them in the slow ones.
SAMPLED: Final = 12


@attrs.frozen
class Labelled:
    """A pack with its turns, and the least that its callers reach on those held out: what was measured, less
    0.02.
    """

    pack: Pack
    folder: str
    precision: float
    recall: float

    @property
    def tuned(self) -> Path:
        assert self.pack.folder is not None
        return self.pack.folder / "turns.jsonl"

    @property
    def held_out(self) -> Path:
        return Path(__file__).parent / self.folder / f"heldout_{self.folder}.jsonl"


PACKS: Final = (
    Labelled(customer_support(), "customer_support", 0.934, 0.904),
    Labelled(healthcare(), "healthcare", 0.925, 0.961),
    Labelled(legal(), "legal", 0.93, 0.938),
)
each_pack = pytest.mark.parametrize("labelled", PACKS, ids=[labelled.folder for labelled in PACKS])


@each_pack
@pytest.mark.parametrize(("tuned", "least"), [(True, 1400), (False, 160)])
def test_the_turns_name_what_the_tasks_have(labelled: Labelled, tuned: bool, least: int) -> None:
    turns = read_turns(labelled.tuned if tuned else labelled.held_out)
    assert len(turns) >= least
    assert mislabelled(labelled.pack, turns) == ()
    assert {turn.task for turn in turns} == {task.id for task in labelled.pack.tasks}


@each_pack
def test_no_turn_that_is_held_out_is_an_example(labelled: Labelled) -> None:
    held_out = {(turn.task, turn.sentence) for turn in read_turns(labelled.held_out)}
    examples = {(task.id, one.sentence) for task in labelled.pack.tasks for one in task.examples}
    assert len(held_out & examples) == 0


@each_pack
def test_the_callers_follow_a_sample_of_the_wordings_they_were_tuned_on(labelled: Labelled) -> None:
    found = agreement(labelled.pack, read_turns(labelled.tuned)[::SAMPLED], by_example=False)
    assert found.precision >= LEAST_TUNED, found.listed
    assert found.recall >= LEAST_TUNED, found.listed


@each_pack
@pytest.mark.slow
def test_the_callers_follow_all_the_wordings_they_were_tuned_on(labelled: Labelled) -> None:
    found = agreement(labelled.pack, read_turns(labelled.tuned), by_example=False)
    assert found.precision >= LEAST_TUNED, found.listed
    assert found.recall >= LEAST_TUNED, found.listed


@each_pack
def test_the_callers_follow_wordings_that_were_held_out(labelled: Labelled) -> None:
    found = agreement(labelled.pack, read_turns(labelled.held_out))
    assert found.precision >= labelled.precision, found.counts
    assert found.recall >= labelled.recall, found.counts
