"""Which calls are void, and how they are placed again until each task has its graded runs."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE, Samples
from offhook.callers import CallerReport, CallerTurn
from offhook.cli import main
from offhook.grading import Grade, GradeKind, Outcome
from offhook.records import CallKey, CallRecord, RunManifest, empty_record
from offhook.runner import RunOptions, carry_out, new_run, resume_run
from offhook.runner._voids import CALLER_LEFT, PHANTOM, agent_sounded, void_cause
from offhook.runner.plan import keys_of
from offhook.scoring import NO_AGENT, rerun_reason, settle_calls
from offhook.sessions import AgentAudio, Ended
from offhook.storage import StorageError, from_json, to_json
from tests.core._marks import PACK, MarksPlugin, install_marks, marks_host, placed, says
from tests.core._stand import BriefSession, RealTimePlatform

OPENING = CallerTurn("Hello", "Hello", 0.0, 1.0, "opening")
SMALL_TALK = CallerTurn("Hello?", "Hello?", 0.0, 1.0, "silence")
RULE = CallerTurn("My order", "My order", 0.0, 1.0, "rule:order")

# --- the rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("because", "turns", "spoke", "told", "tools", "audio", "expected"),
    [
        ("satisfied", (OPENING,), True, True, 2, "clean", ""),
        ("gave_up", (OPENING,), False, False, 0, "clean", NO_AGENT),
        ("gave_up", (SMALL_TALK,), False, False, 0, "noise", NO_AGENT),
        ("gave_up", (), False, True, 0, "clean", NO_AGENT),  # the platform told of words: somebody spoke
        ("gave_up", (), False, False, 0, "clean", PHANTOM),
        ("agent_ended", (), False, False, 0, "clean", NO_AGENT),  # it answered, and hung up without a word
        ("gave_up", (SMALL_TALK,), True, True, 0, "clean", CALLER_LEFT),
        ("too_long", (), True, True, 0, "clean", ""),  # it held on to the end and was never let speak
        ("gave_up", (SMALL_TALK,), True, True, 0, "degraded", ""),  # an agent that never heard has failed
        ("gave_up", (SMALL_TALK,), True, True, 1, "clean", ""),
        ("gave_up", (SMALL_TALK, RULE), True, True, 0, "clean", ""),
        ("agent_ended", (SMALL_TALK,), True, True, 0, "clean", ""),
    ],
)
def test_the_rules(
    because: str,
    turns: tuple[CallerTurn, ...],
    spoke: bool,
    told: bool,
    tools: int,
    audio: str,
    expected: str,
) -> None:
    report = CallerReport(turns=turns, heard=(), events=(), hung_up_because=because)
    cause = void_cause(report, agent_spoke=spoke, transcripts=told, tool_calls=tools, audio=audio)
    assert cause == expected


def test_silence_and_faint_hiss_are_no_speech() -> None:
    rng = np.random.default_rng(1)
    silence = np.zeros(LINE_RATE, dtype=np.int16)
    assert not agent_sounded(silence)
    assert not agent_sounded(rng.normal(0, 10, LINE_RATE).astype(np.int16))
    spoken = silence.copy()
    spoken[-300:] = 3000  # a short sound, in what is left after the last whole 20 ms too
    assert agent_sounded(spoken)
    assert not agent_sounded(silence[:0])


class Mute(BriefSession):
    """Sends nothing but digital silence, as many platforms do all the time."""

    def send_audio(self, frame: Samples) -> None:
        self.frames += 1
        self._queue.put_nowait(AgentAudio(np.zeros(480, dtype=np.int16), LINE_RATE))


class HangsUp(BriefSession):
    def send_audio(self, frame: Samples) -> None:
        self.frames += 1
        if self.frames == 5:
            self._queue.put_nowait(Ended("platform"))


@pytest.mark.parametrize("session", [Mute, HangsUp])
def test_a_platform_that_only_sends_silence_has_failed_after_two_reruns(session: Any, tmp_path: Path) -> None:
    class Quiet(MarksPlugin):
        def offhook_adapters(self) -> Any:
            return [RealTimePlatform("quiet", session, virtual_time=True)]

        offhook_adapters.offhook_impl = MarksPlugin.offhook_adapters.offhook_impl  # type: ignore[attr-defined]

    host = type(marks_host())()
    assert host.register(Quiet(), name="quiet")
    options = RunOptions("quiet", tmp_path / "run", ("B-E1",), images=tmp_path / "images", attempts=10)
    run = new_run(options, host)
    told: list[tuple[str, bool | None]] = []
    summary = carry_out(
        run,
        stop=threading.Event(),
        on_started=lambda _: None,
        on_done=lambda done: told.append((done.ending, done.passed)),
    )
    assert told == [("void", None), ("void", None), ("completed", False)]
    assert [run.folder.record(call_id).cause for call_id in run.folder.call_ids()] == [NO_AGENT] * 3
    assert (summary.calls[0].state, summary.calls[0].why) == ("failed", "no agent speech in 3 attempts")


# --- the counts -----------------------------------------------------------------------------------


def _record(ending: str, cause: str = "", attempt: int = 1, run: int = 1) -> CallRecord:
    key = CallKey("p", "T", "x", run, attempt=attempt)
    return empty_record(f"{run}-{attempt}", key, seed=1, ending=ending, cause=cause)


def _grades(outcome: Outcome, cause: int | None = None, call_id: str = "1-1") -> list[Grade]:
    marks = Grade("marks", "1", GradeKind.VERDICT, call_id, outcome, "because")
    numbers = {} if cause is None else {"cause": float(cause)}
    return [marks, Grade("attribution", "1", GradeKind.FINDING, call_id, Outcome.MEASURED, "why", numbers)]


@pytest.mark.parametrize(
    ("ending", "cause", "grades", "silent_before", "expected"),
    [
        ("void", "refused: no", [], 5, "refused"),
        ("void", NO_AGENT, [], 1, NO_AGENT),
        ("void", NO_AGENT, [], 2, ""),
        ("error", "harness: boom", [], 0, ""),
        ("completed", "", _grades(Outcome.PASS, 3), 0, ""),
        ("completed", "", _grades(Outcome.FAIL, 1), 0, ""),
        ("completed", "", _grades(Outcome.FAIL, 2), 0, "caller off script"),
        ("completed", "", _grades(Outcome.FAIL, 3), 0, "harness fault"),
        ("completed", "", _grades(Outcome.FAIL, 4), 0, ""),
        ("completed", "", _grades(Outcome.FAIL), 0, ""),
        ("completed", "", _grades(Outcome.ERROR, 3), 0, ""),
    ],
)
def test_what_is_placed_again(
    ending: str, cause: str, grades: list[Grade], silent_before: int, expected: str
) -> None:
    assert rerun_reason(_record(ending, cause), grades, silent_before=silent_before) == expected


def test_silent_attempts_are_counted_apart_from_other_voids() -> None:
    attempts = [
        _record("void", "refused: no", 1),
        _record("void", NO_AGENT, 2),
        _record("void", "refused: no", 3),
        _record("void", NO_AGENT, 4),
        _record("void", NO_AGENT, 5),
    ]
    states = [settle_calls(attempts[: n + 1], [], attempts=9)[0].state for n in range(5)]
    assert states == ["void", "void", "void", "void", "failed"]
    assert settle_calls(attempts[:2], [], attempts=2)[0].state == "failed"  # the last that it may have


# --- runs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("platform", "workers"), [("brief", 1), ("brief", 2), ("slow", 1)])
def test_a_failure_of_our_own_is_placed_again_until_it_is_graded(
    platform: str, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_marks(tmp_path / "site", monkeypatch)
    says(
        monkeypatch,
        failing=["B-E1/1/1", "B-E1/1/2", "B-H1/2/1"],
        causes={"B-E1/1/1": 3, "B-E1/1/2": 2, "B-H1/2/1": 4},
    )
    run = placed(
        tmp_path, platform=platform, workers=workers, runs=2, at_once=None if platform == "brief" else 2,
        block=("offhook",),
    )  # fmt: skip
    assert run.attempts == [
        *(("B-E1", 1, attempt, "completed") for attempt in (1, 2, 3)),
        ("B-E1", 2, 1, "completed"),
        ("B-H1", 1, 1, "completed"),
        ("B-H1", 2, 1, "completed"),
    ]
    summary = run.summary
    assert (summary.planned, summary.ran, summary.graded, summary.passed) == (4, 4, 4, 3)
    assert (summary.void, summary.voided_attempts, summary.shortfalls) == (0, 2, ())
    ours = [done for done in run.done if done.again is not None]
    assert [(done.ending, done.passed) for done in ours] == [("void", None)] * 2
    assert {(row.task, row.planned, row.ran, row.voided) for row in summary.tasks} == {
        ("B-E1", 2, 2, 2),
        ("B-H1", 2, 2, 0),
    }


def test_a_defective_task_is_void_and_not_placed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, failing=["B-E1"], causes={"B-E1": 1})
    run = placed(tmp_path, runs=2)
    assert [attempt for *_, attempt, _ in run.attempts] == [1, 1, 1, 1]
    assert (run.summary.graded, run.summary.void) == (2, 2)
    assert [str(short) for short in run.summary.shortfalls] == [
        f"{PACK}/B-E1: 0 of 2 graded runs after 1 attempt each: 2 x task defect"
    ]


def test_void_calls_are_left_out_of_what_is_pooled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, failing=["B-E1"], causes={"B-E1": 1})
    run = placed(tmp_path)
    assert run.summary.kept_up.calls == 1


def test_attempts_have_a_cap_that_the_manifest_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, failing=["B-E1"], causes={"B-E1": 3})
    run = placed(tmp_path, attempts=5, tasks=("B-E1",))
    assert [attempt for *_, attempt, _ in run.attempts] == [1, 2, 3, 4, 5]
    manifest = run.folder.manifest()
    assert manifest.attempts == 5
    assert set(run.folder.call_ids()) == set(keys_of(manifest))
    assert run.summary.shortfalls[0].attempts == (5,)
    old = json.loads(to_json(manifest))
    del old["attempts"], old["graders"], old["frozen"]
    before = from_json(json.dumps(old), RunManifest, source="old")
    assert (before.attempts, len(keys_of(before)), before.frozen) == (3, 3, None)


def test_a_manifest_with_absurd_attempts_is_refused(tmp_path: Path) -> None:
    run = placed(tmp_path, tasks=("B-E1",))
    path = run.folder.path / "run.json"
    path.write_text(to_json(attrs.evolve(run.folder.manifest(), attempts=10**9)))
    with pytest.raises(StorageError, match="attempts is 1000000000, expected 1 to 20"):
        run.folder.manifest()


def test_a_resumed_run_places_what_only_late_grades_void(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process died between storing the call and grading it."""
    says(monkeypatch, failing=["B-E1/1/1"], causes={"B-E1/1/1": 3})
    once = placed(tmp_path, tasks=("B-E1",), attempts=1)
    assert once.summary.void == 1
    shutil.rmtree(once.folder.path / "grades")
    path = once.folder.path / "run.json"
    path.write_text(to_json(attrs.evolve(once.folder.manifest(), attempts=3)))
    run = resume_run(once.folder.path, marks_host(), workers=1)
    assert run.todo == ()  # nothing is graded yet
    summary = carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert (summary.graded, summary.passed, summary.voided_attempts) == (1, 1, 1)
    again = resume_run(once.folder.path, marks_host(), workers=1)
    assert again.todo == ()


def test_a_resumed_run_goes_on_after_a_void_that_grades_reveal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, failing=["B-E1/1/1"], causes={"B-E1/1/1": 2})
    once = placed(tmp_path, tasks=("B-E1",))
    second = next(c for c in once.folder.call_ids() if once.folder.record(c).key.attempt == 2)
    shutil.rmtree(once.folder.call_folder(second))
    run = resume_run(once.folder.path, marks_host(), workers=1)
    assert [(call.key.attempt, call.call_id) for call in run.todo] == [(2, second)]


# --- the command ----------------------------------------------------------------------------------


def test_an_incomplete_run_says_so_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_marks(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    says(monkeypatch, failing=["B-H1/1"], causes={"B-H1/1": 3})
    command = ["run", "--block", "offhook", "--platform", "brief", "--runs", "2", "--attempts", "2"]
    with pytest.raises(SystemExit) as ended:
        main([*command, "--out", str(tmp_path / "run")])
    shown = capsys.readouterr()
    assert ended.value.code == 1
    line = f"{PACK}/B-H1: 1 of 2 graded runs after 2 attempts each: 1 x harness fault"
    assert line in shown.out.splitlines()
    assert "(draft): 4 calls planned, 4 ran, 3 graded, 1 void, 0 in error, 0 not placed" in " ".join(
        shown.out.split()
    )
    with pytest.raises(SystemExit) as graded:
        main(["grade", str(tmp_path / "run"), "--block", "offhook", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (graded.value.code, told["short_tasks"], told["draft"], told["voided_attempts"]) == (
        1,
        [line],
        True,
        1,
    )
    with pytest.raises(SystemExit) as exported:
        main(["export", str(tmp_path / "run"), "--to", "-", "--format", "jsonl"])
    assert exported.value.code == 0
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    voids = [
        (row["attempt"], row["state"], row["counted"], row["void_reason"])
        for row in rows
        if row["task"] == "B-H1" and row["repeat"] == 1
    ]
    assert sorted(voids) == [(1, "void", False, "harness fault"), (2, "void", True, "harness fault")]
