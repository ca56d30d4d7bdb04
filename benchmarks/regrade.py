"""``regrade_*``: time and memory of grading stored two-minute calls again, from audio and from measurements.

``python -m benchmarks.regrade`` grades a hundred calls, ``--calls 630`` as many as a round of the published
benchmark has.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np
import soundfile

from benchmarks._calls import SLICE
from benchmarks._row import BenchRow, print_rows
from offhook.audio import LINE_RATE
from offhook.callers import AgentHeard, CallerTurn
from offhook.host import PluginHost
from offhook.line import write_flac
from offhook.records import CallRecord, PlayedSpan, RunManifest, TimedTranscript
from offhook.runner import RunOptions, carry_out, new_run
from offhook.runner.plan import keys_of
from offhook.storage import RunFolder, file_stamp

_CALLS: Final = 100
_PUBLISHED_CALLS: Final = 630
_SECONDS: Final = 120.0
_WORKERS: Final = 2
_PACK: Final = "customer-support"
_FAULTY: Final = ("saboteur-skips-verification", "saboteur-alters-digit", "saboteur-claims-done")


# --- the calls ---


@attrs.frozen(eq=False)
class _Call:
    """A recorded call, in memory."""

    folder: Path
    record: CallRecord
    stereo: Any
    caller: Any


def _recorded(place: Path, host: PluginHost) -> list[_Call]:
    """Ten calls over real audio: seven tasks by an agent that follows policy, one by three that do not."""
    found = []
    for platform, tasks in (("reference", SLICE), *((name, (f"{_PACK}/T4-H1",)) for name in _FAULTY)):
        run = new_run(RunOptions(platform, place / platform, tasks), host)
        carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
        for call_id in run.folder.call_ids():
            folder = run.folder.call_folder(call_id)
            stereo, _ = soundfile.read(folder / "recording.flac", dtype="int16")
            caller, _ = soundfile.read(folder / "caller.flac", dtype="int16")
            found.append(_Call(folder, run.folder.record(call_id), stereo, caller))
    return found


def _copied(place: Path, calls: Sequence[_Call], wanted: int) -> RunFolder:
    """So many calls, each one of the ten brought to two minutes, with sound and mishearings of its own."""
    tasks = tuple(sorted({f"{_PACK}/{call.record.key.task}" for call in calls}))
    runs = -(-wanted // len(tasks))
    by_task = {task: [c for c in calls if f"{_PACK}/{c.record.key.task}" == task] for task in tasks}
    manifest = RunManifest(
        version=1,
        run_id="bench",
        seed=1,
        platform="bench",
        caller="scripted",
        line="audio",
        runs=runs,
        audio=("clean",),
        tasks=tasks,
        planned=runs * len(tasks),
        harness_reference=True,
        components=(),
    )
    run = RunFolder.create(place, manifest)
    keys = {call_id: key for call_id, key in keys_of(manifest).items() if key.attempt == 1}
    for number, (call_id, key) in enumerate(sorted(keys.items())[:wanted]):
        choices = by_task[f"{key.pack}/{key.task}"]
        rng = np.random.default_rng(number)
        _copy(run, choices[key.run % len(choices)], call_id, key, rng)
    return run


def _copy(run: RunFolder, call: _Call, call_id: str, key: Any, rng: np.random.Generator) -> None:
    scratch = run.scratch(call_id)
    for name in ("state.sqlite", "tools.jsonl", "platform.json"):
        if (call.folder / name).is_file():
            shutil.copyfile(call.folder / name, scratch / name)
    write_flac(scratch / "recording.flac", _stretched(call.stereo, rng), LINE_RATE)
    write_flac(scratch / "caller.flac", _stretched(call.caller, rng), LINE_RATE)
    stamps = tuple(file_stamp(path) for path in sorted(scratch.iterdir()))
    run.commit_call(scratch, attrs.evolve(_longer(call.record, rng), call_id=call_id, key=key, files=stamps))


def _stretched(samples: Any, rng: np.random.Generator) -> Any:
    """Repeated to two minutes, with a few samples that are this call's alone."""
    length = round(_SECONDS * LINE_RATE)
    out = np.resize(samples, (length, *samples.shape[1:]))
    at = rng.integers(length, size=100)
    out[at] += rng.integers(-1, 2, size=(100, *samples.shape[1:]), dtype=np.int16)
    return out


def _longer(record: CallRecord, rng: np.random.Generator) -> CallRecord:
    """The record of the stretched call: its turns again and again, transcripts each without a word."""
    shifts = np.arange(0.0, _SECONDS, record.seconds)

    def fits(end: float) -> bool:
        return bool(end <= _SECONDS)

    turns = [
        attrs.evolve(turn, start=turn.start + shift, end=turn.end + shift)
        for shift in shifts
        for turn in record.caller_turns
        if fits(turn.end + shift)
    ]
    heard = [
        attrs.evolve(one, start=one.start + shift, end=one.end + shift)
        for shift in shifts
        for one in record.caller_heard
        if fits(one.end + shift)
    ]
    played = [
        PlayedSpan(span.start + shift, span.end + shift)
        for shift in shifts
        for span in record.played
        if fits(span.end + shift)
    ]
    return attrs.evolve(
        record,
        seconds=_SECONDS,
        caller_turns=tuple[CallerTurn, ...](turns),
        caller_heard=tuple[AgentHeard, ...](heard),
        played=tuple(played),
        user_transcripts=_misheard(record.user_transcripts, shifts, rng),
        agent_transcripts=tuple(
            attrs.evolve(line, at=line.at + shift)
            for shift in shifts
            for line in record.agent_transcripts
            if fits(line.at + shift)
        ),
    )


def _misheard(
    lines: Sequence[TimedTranscript], shifts: Any, rng: np.random.Generator
) -> tuple[TimedTranscript, ...]:
    found = []
    for shift in shifts:
        for line in lines:
            words = line.text.split()
            if len(words) > 1:
                del words[int(rng.integers(len(words)))]
            if line.at + shift <= _SECONDS:
                found.append(TimedTranscript(" ".join(words), line.at + shift))
    return tuple(found)


# --- the command ---


@attrs.frozen
class _Took:
    """``cpu_s`` is of all processes: what the machine's other work can't stretch."""

    seconds: float
    cpu_s: float
    peak_mb: float


def _graded(run: RunFolder, environment: Mapping[str, str]) -> _Took:
    """``offhook grade`` as a user runs it, from start to end."""
    command = [sys.executable, "-c", "from offhook.cli import main; main()", "grade", str(run.path)]
    before = _children_cpu_s()
    started = time.perf_counter()
    with subprocess.Popen(
        [*command, "--workers", str(_WORKERS), "--json"],
        env=dict(environment),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.append(process.stderr.read() if process.stderr else ""))
        reader.start()
        peak = 0.0
        while process.poll() is None:
            peak = max(peak, _tree_mb(process.pid))
            time.sleep(0.1)
        took = time.perf_counter() - started
        reader.join()
    if process.returncode != 0:
        raise RuntimeError(f"offhook grade ended with {process.returncode}: {''.join(said)[-2000:]}")
    return _Took(took, _children_cpu_s() - before, peak)


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _tree_mb(root: int) -> float:
    """Resident memory of a process and all below it; a page that several share counts once."""
    parents: dict[int, int] = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended since
            parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
    mine = {root}
    while more := {child for child, parent in parents.items() if parent in mine} - mine:
        mine |= more
    return sum(map(_resident_mb, mine))


def _resident_mb(process: int) -> float:
    with suppress(OSError):
        found = re.search(r"^Pss: +(\d+) kB", Path(f"/proc/{process}/smaps_rollup").read_text(), re.M)
        return int(found[1]) / 1024 if found else 0.0
    return 0.0


def run(wanted: int) -> list[BenchRow]:
    """Both figures, and the memory of the worse."""
    host = PluginHost.discover()
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        calls = _recorded(place, host)
        stored = _copied(place / "run", calls, wanted)
        fresh = {**os.environ, "OFFHOOK_CACHE": str(place / "cache")}
        audio = _graded(stored, fresh)
        shutil.rmtree(stored.path / "grades")
        again = _graded(stored, fresh)
    share = wanted / _PUBLISHED_CALLS
    how = (
        f"offhook grade --workers {_WORKERS} on {wanted} stored calls of {_SECONDS:.0f} s, made of "
        f"{len(calls)} recorded ones ({len(_FAULTY)} of them failed), each with its own sound; "
        "start-up, hash checks, all graders and the table at the end included, nothing in the cache; "
        "memory of all processes together, shared pages counted once; "
        f"{audio.cpu_s:.0f} s of processor time from audio, {again.cpu_s:.0f} s from measurements"
    )
    peak = max(audio.peak_mb, again.peak_mb)
    return [
        BenchRow(f"regrade_{wanted}_audio_s", round(audio.seconds, 1), "s", f"<= {150 * share:.0f}", how),
        BenchRow(f"regrade_{wanted}_stored_s", round(again.seconds, 1), "s", f"<= {60 * share:.0f}", how),
        BenchRow(f"regrade_{wanted}_mb", round(peak), "MB", "<= 1024", how),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=_CALLS)
    print_rows(run(parser.parse_args().calls))
