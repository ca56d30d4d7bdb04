"""What the policy follower is told of a task: what to call, and none of the values."""

from __future__ import annotations

import json
from typing import Any

import attrs
from hypothesis import given
from hypothesis import strategies as st

from offhook.host import PluginHost
from offhook.packs import ExpectedCall
from offhook.runner import follower_plan
from offhook.testing_pack import bicycle_pack

VALUES = st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789@-", min_size=6, max_size=14).map(
    "zq{}".format  # so that no value is a piece of a tool's own name
)


@given(
    values=st.lists(st.one_of(VALUES, st.integers(10**6, 10**9)), min_size=3, max_size=3, unique=True),
    task=st.sampled_from(range(2)),
)
def test_no_expected_value_reaches_the_follower(values: list[Any], task: int) -> None:
    pack = bicycle_pack()
    chosen = pack.tasks[task]
    marked = tuple(
        ExpectedCall(
            call.tool,
            dict.fromkeys(call.arguments, values[0]),
            dict.fromkeys(call.free_text, str(values[1])),  # type: ignore[arg-type]
            call.carry,
        )
        for call in chosen.expected
    )
    plan = follower_plan(pack, attrs.evolve(chosen, expected=marked))
    told = json.dumps([attrs.asdict(step) for step in plan.steps])
    assert not any(str(value) in told for value in values)
    assert [step.tool for step in plan.steps] == [call.tool for call in chosen.expected]


def test_no_value_of_a_real_task_reaches_the_follower() -> None:
    for pack in PluginHost.discover().packs().values():
        for task in pack.tasks:
            plan = follower_plan(pack, task)
            told = json.dumps([attrs.asdict(step) for step in plan.steps])
            words = [*(trait.value for trait in task.traits)]
            words += [str(value) for call in task.expected for value in call.arguments.values()]
            names = {name for step in plan.steps for name in (step.tool, *step.parameters)}
            assert not [word for word in words if word not in names and f'"{word}"' in told]
