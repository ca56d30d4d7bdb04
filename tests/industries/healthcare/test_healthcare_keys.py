"""Every published task can be done: its calls pass the guards and change exactly the rows stated."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from offhook.packs import ExpectedCall, Intent, Pack, Structure, Task, Tier
from offhook.toolserver import Replay, ReplayError, SeedImages, replay
from offhook_industries.healthcare.pack import build_pack

KEYS: dict[str, Any] = json.loads((Path(__file__).parent / "keys.json").read_text(encoding="utf-8"))


def task_of(task_id: str, calls: list[dict[str, Any]]) -> Task:
    return Task(
        pack="healthcare",
        id=task_id,
        title=task_id,
        category="key",
        tier=Tier.EASY,
        structure=Structure(*KEYS[task_id]["structure"]),
        intent=Intent("Hello.", (), "Bye."),
        traits=(),
        rules=(),
        expected=tuple(ExpectedCall(**call) for call in calls),
    )


def replayed(
    pack: Pack, images: SeedImages, folder: Path, task_id: str, calls: list[dict[str, Any]] | None = None
) -> Replay:
    return replay(pack, task_of(task_id, calls or KEYS[task_id]["calls"]), folder, images=images)


@pytest.mark.parametrize("task_id", KEYS)
def test_a_key_replays_with_its_published_rows(
    task_id: str, healthcare: Pack, healthcare_images: SeedImages, tmp_path: Path
) -> None:
    done = replayed(healthcare, healthcare_images, tmp_path, task_id)
    calls, arguments, rows = KEYS[task_id]["structure"]
    assert len(done.calls) == calls
    assert sum(len(call.get("arguments", {})) for call in KEYS[task_id]["calls"]) == arguments
    assert done.rows_written == rows
    assert Counter(change.table for change in done.changes) == Counter(KEYS[task_id]["rows"])


def test_the_tasks_have_these_keys() -> None:
    tasks = {task.id: task for task in build_pack().tasks}
    assert set(tasks) == set(KEYS)
    for task_id, task in tasks.items():
        found = [
            (call.tool, dict(call.arguments), dict(call.free_text), dict(call.carry))
            for call in task.expected
        ]
        assert found == [
            (call["tool"], call.get("arguments", {}), call.get("free_text", {}), call.get("carry", {}))
            for call in KEYS[task_id]["calls"]
        ], task_id
        assert task.structure == Structure(*KEYS[task_id]["structure"])


def test_only_these_tasks_are_gated_by_an_identity_check() -> None:
    """None of the easy ones, six of the medium ones, eight of the hard ones."""
    gated = Counter(
        task_id.split("-")[1][0]
        for task_id, key in KEYS.items()
        if any(call["tool"] == "verify_identity" for call in key["calls"])
    )
    assert gated == {"M": 6, "H": 8}


@pytest.mark.parametrize(
    "task_id",
    [name for name, key in KEYS.items() if any(c["tool"] == "verify_identity" for c in key["calls"])],
)
def test_without_the_identity_check_the_key_does_not_run(
    task_id: str, healthcare: Pack, healthcare_images: SeedImages, tmp_path: Path
) -> None:
    key = KEYS[task_id]["calls"]
    patient = next(
        (call["arguments"]["patient_id"] for call in key if "patient_id" in call.get("arguments", {})),
        "P-200482",
    )
    rest = [
        {
            **call,
            "carry": {name: path for name, path in call.get("carry", {}).items() if name != "patient_id"},
            "arguments": {
                **call.get("arguments", {}),
                **({"patient_id": patient} if "patient_id" in call.get("carry", {}) else {}),
            },
        }
        for call in key
        if call["tool"] != "verify_identity"
    ]
    with pytest.raises(ReplayError, match="not_verified"):
        replayed(healthcare, healthcare_images, tmp_path, task_id, rest)
