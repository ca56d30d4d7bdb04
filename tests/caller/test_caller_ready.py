"""A caller embeds and compiles a task's script once, ahead of its calls, and never two scripts at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.callers import ReadyCaller
from offhook.packs import Task
from offhook.testing import HashEmbedder
from offhook.testing_pack import bicycle_pack
from offhook_caller.caller import SimulatedCaller
from tests.caller.conftest import brief_for, fake_engines

_THREADS = 4


class _Counting(HashEmbedder):
    """Counts the threads inside; each waits for company, a moment."""

    def __init__(self) -> None:
        super().__init__()
        for name, value in {"asked": [], "inside": 0, "most": 0, "company": threading.Event()}.items():
            object.__setattr__(self, name, value)

    def embed(self, sentences: tuple[str, ...]) -> NDArray[np.float32]:
        state = vars(self)
        state["asked"].extend(sentences)
        state["inside"] += 1
        state["most"] = max(state["most"], state["inside"])
        if state["inside"] > 1:
            state["company"].set()
        state["company"].wait(0.002)
        state["inside"] -= 1
        return super().embed(sentences)


def _by_meaning(task: Task) -> Task:
    """The task with an example sentence of its own for each rule."""
    rules = (
        attrs.evolve(rule, cues=attrs.evolve(rule.cues, like=(f"{task.id} wants {rule.id}",)))
        for rule in task.rules
    )
    return attrs.evolve(task, rules=tuple(rules))


def test_a_script_is_compiled_once_and_one_at_a_time() -> None:
    counting = _Counting()
    engines = attrs.evolve(fake_engines(), embedder=counting)
    caller = SimulatedCaller("scripted")
    briefs = [brief_for(_by_meaning(task), engines=engines) for task in bicycle_pack().tasks]
    assert isinstance(caller, ReadyCaller)

    with ThreadPoolExecutor(_THREADS) as pool:
        list(pool.map(caller.prepare, briefs * _THREADS))
    once = list(vars(counting)["asked"])
    for brief in briefs:
        caller.prepare(brief)

    assert len(briefs) > 1
    assert len(once) >= len(briefs)
    assert vars(counting)["asked"] == once
    assert len(once) == len(set(once))
    assert vars(counting)["most"] == 1
