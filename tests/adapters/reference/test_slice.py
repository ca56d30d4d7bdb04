"""The reference platforms on the packs' tasks, with the scripted caller and graders."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner

from offhook.caches import cache_root
from offhook.host import PluginHost
from offhook.runner.options import RunOptions
from offhook.runner.run import carry_out, new_run
from offhook.runner.work import LocalWorker
from offhook.scoring import RunSummary
from offhook.spoken import parse_spoken
from offhook.testing import HashEmbedder
from offhook.values import ValueKind
from offhook_adapters.reference.sabotage_command import sabotage
from offhook_adapters.reference.speech import OTHER_PROMPTS, PROMPTS

PACKS = ("customer-support", "healthcare", "legal")
MEMBERSHIP = ("T4-E1", "T4-M2", "T4-M3", "T4-H1", "T4-H3", "T5-E1", "customer-support/R-E1")
GATED = frozenset({"T4-M2", "T4-M3", "T4-H1", "T4-H3"})
CANCELLING = frozenset({"T4-H1", "T4-H3"})


def _text_verdicts(platform: str, folder: Path, tasks: tuple[str, ...]) -> dict[str, bool | None]:
    """Each task's verdict over text. Only the embedder is replaced: it is the one engine text would need."""
    options = RunOptions(platform, folder / "run", tasks, line="text", images=folder / "images")
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
    verdicts = _text_verdicts(platform, tmp_path, MEMBERSHIP)
    assert len(verdicts) == len(MEMBERSHIP)
    assert {task for task, passed in verdicts.items() if not passed} == failing


@pytest.mark.speech
@pytest.mark.parametrize("pack", PACKS)
def test_the_follower_passes_every_task_over_text(pack: str, tmp_path: Path) -> None:
    options = RunOptions("reference", tmp_path / "run", (pack,), line="text", images=cache_root() / "images")
    summary = _carried_out(options)
    assert [f"{call.record.key.task}: {call.why}" for call in summary.calls if call.state != "passed"] == []
    assert summary.passed == summary.planned == 30


@pytest.mark.speech
@pytest.mark.slow
@pytest.mark.parametrize("pack", PACKS)
def test_no_saboteur_passes_a_task_that_it_can_spoil(pack: str) -> None:
    done = CliRunner().invoke(sabotage, [pack, "--json"], catch_exceptions=False)
    rows = json.loads(done.stdout)
    assert len(rows) == 30
    assert {row["task"]: row for row in rows if not row["sound"]} == {}


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


def _carried_out(options: RunOptions) -> RunSummary:
    run = new_run(options, PluginHost.discover())
    return carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)


@pytest.mark.speech
@pytest.mark.slow
def test_the_follower_passes_the_membership_tasks_over_real_audio_in_three_runs(tmp_path: Path) -> None:
    options = RunOptions(
        "reference", tmp_path / "run", MEMBERSHIP, runs=3, workers=2, images=cache_root() / "images"
    )
    summary = _carried_out(options)
    failed = {call.record.key.task for call in summary.calls if call.state != "passed"}
    # Svensson, spelled by the voice that spells worst, is not understood however often it is asked for.
    assert failed <= {"T4-H3"}
    assert summary.planned == 21
    assert summary.passed >= 18


@pytest.mark.speech
@pytest.mark.slow
def test_a_changed_digit_is_not_put_right_by_anything_the_recogniser_knows(tmp_path: Path) -> None:
    options = RunOptions(
        "saboteur-alters-digit", tmp_path / "run", tuple(sorted(GATED)), images=cache_root() / "images"
    )
    summary = _carried_out(options)
    assert (summary.graded, summary.passed) == (len(GATED), 0)
