"""How well the callers' cues carry over to agents nobody had in mind when they were written.

``heldout_customer_support.jsonl`` holds turns of an agent, in wordings and with recognisers' slips that were
labelled by hand from the rules' prose before the cues were looked at: the rule that has to speak (``null``:
none) after the events in ``given``. Cues are not tuned on it; whoever does tune on it has to bring new turns.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Final

import attrs
import pytest

from offhook.packs import Pack
from offhook_caller.cue_tests import state_given
from offhook_caller.cues import CueMatcher
from offhook_caller.deterministic import Decider
from offhook_caller.speech.plugin import offhook_embedders
from offhook_industries.customer_support.pack import build_pack

pytestmark = pytest.mark.speech

TURNS: Final = Path(__file__).with_name("heldout_customer_support.jsonl")
LEAST_PRECISION: Final = 0.95
LEAST_RECALL: Final = 0.80


@attrs.frozen
class Turn:
    """What the agent says after the events in ``given``, and the rule that has to speak."""

    task: str
    sentence: str
    rule: str | None
    given: tuple[str, ...] = attrs.field(converter=tuple)


@pytest.fixture(scope="module")
def pack() -> Pack:
    return build_pack()


@pytest.fixture(scope="module")
def turns() -> tuple[Turn, ...]:
    return tuple(Turn(**json.loads(line)) for line in TURNS.read_text(encoding="utf-8").splitlines())


def test_the_turns_name_what_the_tasks_have(pack: Pack, turns: tuple[Turn, ...]) -> None:
    assert len(turns) >= 100
    assert len({(turn.task, turn.sentence, turn.given) for turn in turns}) == len(turns)
    assert {turn.task for turn in turns} <= {task.id for task in pack.tasks}
    for turn in turns:
        task = pack.task(turn.task)
        rules = {rule.id for rule in task.rules}
        events = {f"said:{rule}" for rule in rules} | {f"heard:{topic.name}" for topic in task.topics}
        assert turn.rule is None or turn.rule in rules
        assert set(turn.given) <= events
        own = {test.sentence for rule in task.rules for test in rule.tests}
        assert turn.sentence not in own


def test_the_callers_follow_wordings_that_were_held_out(pack: Pack, turns: tuple[Turn, ...]) -> None:
    matcher = CueMatcher(offhook_embedders()[0])
    deciders = {task.id: Decider(task, matcher) for task in pack.tasks}
    counts: Counter[str] = Counter()
    wrong = []
    for turn in turns:
        decider = deciders[turn.task]
        decision = decider.decide(turn.sentence, state_given(decider, pack.task(turn.task), turn.given))
        source = decision.reply.source if decision.reply is not None else "silence"
        fired = source.removeprefix("rule:") if source.startswith("rule:") else None
        counts["fired"] += fired is not None
        counts["wanted"] += turn.rule is not None
        counts["right"] += fired is not None and fired == turn.rule
        if fired != turn.rule:
            wrong.append(f"{turn.task} {turn.sentence!r}: {turn.rule} wanted, {source} spoke")
    listed = "\n".join(wrong)
    assert counts["right"] / counts["fired"] >= LEAST_PRECISION, listed
    assert counts["right"] / counts["wanted"] >= LEAST_RECALL, listed
