"""``grade_100_s``: time to grade a hundred stored calls."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np

from benchmarks._dialogue import Dialogue, Said, make_dialogue, said_by_all
from benchmarks._row import BenchRow, print_rows
from offhook.audio import LINE_RATE
from offhook.grading import Grader
from offhook.host import PluginHost
from offhook.packs import Pack, Task
from offhook.records import RUN_VERSION, CallKey, CallRecord, RunManifest, TimedTranscript, empty_record
from offhook.runner import load_evidence
from offhook.runner.measured import HostEngines, StoredMeasurements
from offhook.storage import RunFolder, file_stamp
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import SeedImages, ToolServer, resolve_carry
from offhook_graders.plugin import offhook_graders, offhook_measurers

_CALLS: Final = 100
_CALL_SECONDS: Final = 70.0


def _record(call_id: str, task: Task, dialogue: Dialogue) -> CallRecord:
    heard = (turn.spoken.replace("please", "police") for turn in dialogue.turns)
    key = CallKey(task.pack, task.id, "bench", int(call_id.removeprefix("call") or 1))
    return attrs.evolve(
        empty_record(call_id, key, seed=1, ending="completed"),
        ended_by="caller",
        seconds=dialogue.length / LINE_RATE,
        caller_turns=dialogue.turns,
        hung_up_because="satisfied",
        user_transcripts=tuple(TimedTranscript(text, float(at)) for at, text in enumerate(heard)),
        user_transcript_available=True,
    )


def _grade_row(host: PluginHost, said: Sequence[Said], folder: Path, pack: Pack) -> BenchRow:
    run = _stored_run(said, folder, pack)
    graders: list[Grader] = offhook_graders()
    measurers = {measurer.name: measurer for measurer in offhook_measurers()}
    measurements = StoredMeasurements(run, measurers, HostEngines(host))
    packs = {pack.name: pack}
    started = time.perf_counter()
    outcomes: list[str] = []
    for call_id in run.call_ids():
        evidence = load_evidence(run, call_id, packs, measurements)
        grades = [grader.grade(evidence) for grader in graders]
        run.write_grades(call_id, grades)
        outcomes += [str(grade.outcome) for grade in grades]
    took = time.perf_counter() - started
    if outcomes.count("pass") != 2 * _CALLS or outcomes.count("measured") < 3 * _CALLS:
        raise RuntimeError(f"every call should pass and be measured, got {sorted(set(outcomes))}")
    how = (
        f"{_CALLS} stored calls of {_CALL_SECONDS:.0f} s, pack {pack.name}, {len(pack.tasks)} tasks in turn, "
        f"each played by its own key; {len(graders)} graders with reading, checking hashes and writing, from "
        "the sound itself, one process, key replays included"
    )
    return BenchRow("grade_100_s", round(took, 2), "s", "<= 15", how)


def _stored_run(said: Sequence[Said], folder: Path, pack: Pack) -> RunFolder:
    images = SeedImages(folder / "images")
    run = RunFolder.create(folder / "run", _manifest(pack))
    for index in range(_CALLS):
        call_id = f"call{index:03d}"
        task = pack.tasks[index % len(pack.tasks)]
        dialogue = make_dialogue(said, np.random.default_rng(index), turns=None, seconds=_CALL_SECONDS)
        scratch = run.scratch(call_id)
        asyncio.run(_perfect_call(pack, task, call_id, scratch, images))
        dialogue.write(scratch)
        stamps = tuple(file_stamp(path) for path in sorted(scratch.iterdir()))
        run.commit_call(scratch, attrs.evolve(_record(call_id, task, dialogue), files=stamps))
    return run


async def _perfect_call(pack: Pack, task: Task, call_id: str, folder: Path, images: SeedImages) -> None:
    """Makes exactly the expected calls."""
    results: dict[str, Mapping[str, Any]] = {}
    with ToolServer(pack, folder, clock=lambda: 1.0, images=images) as server:
        server.open_call(call_id, "token", folder=folder)
        for expected in task.expected:
            carried = {name: resolve_carry(source, results) for name, source in expected.carry.items()}
            arguments = {**expected.arguments, **expected.free_text, **carried}
            results[expected.tool] = (await server.call(call_id, "token", expected.tool, arguments)).body
        server.freeze(call_id)


def _manifest(pack: Pack) -> RunManifest:
    return RunManifest(
        version=RUN_VERSION,
        run_id="bench",
        seed=1,
        platform="bench",
        caller="bench",
        line="audio",
        runs=1,
        audio=("clean",),
        tasks=tuple(f"{pack.name}/{task.id}" for task in pack.tasks),
        planned=_CALLS,
        harness_reference=True,
        components=(),
    )


def run() -> list[BenchRow]:
    """The benchmark. The voices speak before anything is timed."""
    host = PluginHost.discover()
    said = said_by_all(host)
    pack = host.packs().get("customer-support") or bicycle_pack()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        return [_grade_row(host, said, place, pack)]


if __name__ == "__main__":
    print_rows(run())
