"""The reference platforms on the customer support tasks, with the scripted caller and graders."""

from __future__ import annotations

import threading
from pathlib import Path

import attrs
import pytest

from offhook.caches import cache_root
from offhook.host import PluginHost
from offhook.runner.options import RunOptions
from offhook.runner.run import carry_out, new_run
from offhook.runner.work import LocalWorker
from offhook.spoken import parse_spoken
from offhook.testing import HashEmbedder
from offhook.values import ValueKind
from offhook_adapters.reference.speech import OTHER_PROMPTS, PROMPTS

GATED = frozenset({"T4-M2", "T4-M3", "T4-H1", "T4-H3"})
CANCELLING = frozenset({"T4-H1", "T4-H3"})


def _text_verdicts(platform: str, folder: Path) -> dict[str, bool | None]:
    """Each task's verdict over text. Only the embedder is replaced: it is the one engine text would need."""
    options = RunOptions(
        platform, folder / "run", ("customer-support",), line="text", images=folder / "images"
    )
    run = new_run(options, PluginHost.discover())
    worker = LocalWorker(options, run.folder, host=run.host)
    worker.kit = attrs.evolve(worker.kit, engines=attrs.evolve(worker.kit.engines, embedder=HashEmbedder()))
    return {call.key.task: worker.place(call).passed for call in run.todo}


@pytest.mark.parametrize(
    ("platform", "failing"),
    [
        ("reference", frozenset()),
        ("saboteur-skips-verification", GATED),
        ("saboteur-alters-digit", GATED),
        ("saboteur-alters-refund", CANCELLING),
        ("saboteur-claims-done", CANCELLING),
    ],
)
def test_each_platform_fails_exactly_what_its_fault_touches(
    platform: str, failing: frozenset[str], tmp_path: Path
) -> None:
    verdicts = _text_verdicts(platform, tmp_path)
    assert len(verdicts) >= 7
    assert {task for task, passed in verdicts.items() if not passed} == failing


def test_no_prompt_holds_a_value_any_caller_holds() -> None:
    traits = {
        (trait.kind, trait.value)
        for pack in PluginHost.discover().packs().values()
        for task in pack.tasks
        for trait in task.traits
    }
    prompts = (*PROMPTS.items(), *OTHER_PROMPTS.items())
    said = {(kind, parse_spoken(kind, prompt).value) for kind, prompt in prompts}
    assert len(traits) > 10
    assert not said & traits
    names = {word.lower() for kind, value in traits if kind is ValueKind.NAME for word in value.split()}
    assert not names & {word.strip(".,:").lower() for _, prompt in prompts for word in prompt.split()}


def _audio_verdicts(platform: str, folder: Path, runs: int, tasks: tuple[str, ...]) -> list[bool | None]:
    options = RunOptions(platform, folder, tasks, runs=runs, images=cache_root() / "images")
    verdicts: list[bool | None] = []
    carry_out(
        new_run(options, PluginHost.discover()),
        stop=threading.Event(),
        on_started=lambda call: None,
        on_done=lambda done: verdicts.append(done.passed),
    )
    return verdicts


@pytest.mark.speech
@pytest.mark.slow
def test_the_follower_passes_every_task_over_real_audio_in_three_runs(tmp_path: Path) -> None:
    verdicts = _audio_verdicts("reference", tmp_path / "run", 3, ("customer-support",))
    assert len(verdicts) >= 21
    assert all(verdicts)


@pytest.mark.speech
@pytest.mark.slow
def test_a_changed_digit_is_not_put_right_by_anything_the_recogniser_knows(tmp_path: Path) -> None:
    tasks = tuple(f"customer-support/{task}" for task in sorted(GATED))
    assert not any(_audio_verdicts("saboteur-alters-digit", tmp_path / "run", 1, tasks))
