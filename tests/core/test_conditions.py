"""Runs on several audio conditions: which calls are placed, what their lines are told, and what is kept."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import offhook
from offhook.callers import CallerBrief, CallerReport, CallerTurn
from offhook.cli import main
from offhook.host import PluginHost
from offhook.levels import active_dbfs
from offhook.line import CLEAN, CallerEnd, LineSetting
from offhook.records import CallKey, CallRecord
from offhook.runner import (
    RunOptions,
    UnknownName,
    WrongCondition,
    carry_out,
    new_run,
    resume_run,
    split_conditions,
)
from offhook.runner.conditions import VoiceLevels, profiles_of, sound_stream, variant_tasks
from offhook.runner.plan import keys_of
from offhook.scoring import RunSummary
from offhook.storage import RunFolder, StorageError
from offhook.testing import FakeVoice
from offhook.testing_pack import bicycle_pack
from tests.core._conditions import HissParameters, HissProfile, hissing_host, left_of
from tests.core._marks import MarksPlugin, install_marks
from tests.core._stand import Terse


def run_with(
    host: PluginHost, tmp_path: Path, name: str = "run", **more: Any
) -> tuple[RunSummary, RunFolder]:
    chosen = {"platform": "brief", "audio": ("clean", "hiss"), "images": tmp_path / "images", **more}
    run = new_run(RunOptions(out=tmp_path / name, **chosen), host)
    summary = carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    return summary, run.folder


def calls_of(folder: RunFolder) -> Mapping[CallKey, CallRecord]:
    return {record.key: record for record in map(folder.record, folder.call_ids())}


# --- planning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variants", "hissing"), [("easy", ["B-E1"]), ("all", ["B-E1", "B-H1"])])
def test_other_conditions_are_placed_for_easy_tasks_unless_all_are_asked_for(
    tmp_path: Path, variants: str, hissing: list[str]
) -> None:
    summary, folder = run_with(hissing_host(), tmp_path, runs=2, variants=variants)
    keys = calls_of(folder)
    placed = sorted({(key.task, key.audio) for key in keys})
    assert placed == sorted([("B-E1", "clean"), ("B-H1", "clean"), *((task, "hiss") for task in hissing)])
    assert summary.planned == summary.ran == len(keys) == 4 + 2 * len(hissing)
    assert summary.missing == 0
    assert [(row.task, row.audio, row.planned, row.ran) for row in summary.tasks] == [
        ("B-E1", "clean", 2, 2),
        ("B-H1", "clean", 2, 2),
        *((task, "hiss", 2, 2) for task in hissing),
    ]
    assert summary.tasks[-1].placed == f"bicycle-repair/{hissing[-1]} (hiss)"
    assert set(keys_of(folder.manifest()).values()) >= set(keys)
    assert len(keys_of(folder.manifest())) == summary.planned * folder.manifest().attempts


def test_a_run_on_one_other_condition_alone(tmp_path: Path) -> None:
    summary, folder = run_with(hissing_host(), tmp_path, audio=("hiss",))
    assert [(key.task, key.audio) for key in calls_of(folder)] == [("B-E1", "hiss")]
    assert summary.planned == 1
    assert summary.rate is None  # the score counts clean calls
    assert summary.variants["hiss"] is not None
    assert summary.variants["hiss"].n == 1


def test_a_run_keeps_what_its_conditions_were(tmp_path: Path) -> None:
    _, folder = run_with(hissing_host(), tmp_path)
    plain = json.loads((folder.path / "run.json").read_text())
    assert plain["audio"] == ["clean", "hiss"]
    assert plain["variant_tasks"] == ["bicycle-repair/B-E1"]
    assert plain["profiles"] == {
        "hiss": {
            "background": "hiss",
            "impairment": "",
            "parameters": {"loudest": 50, "band_hz": [0.0, 12000.0]},
        }
    }
    assert "audio_profile:hiss" in [part["component"] for part in plain["components"]]
    for key, record in calls_of(folder).items():
        named = [part.component for part in record.components]
        assert ("audio_profile:hiss" in named) == (key.audio == "hiss")


def test_conditions_are_read_by_comma_and_each_counts_once() -> None:
    assert split_conditions(("clean,noise", " degraded", "noise")) == ("clean", "noise", "degraded")
    assert split_conditions((",", "")) == ()


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        (
            {"audio": ("clean", "his")},
            UnknownName,
            "unknown audio condition 'his'; nearest: hiss; known: clean, hiss",
        ),
        (
            {"audio": ("hiss",), "tasks": ("B-H1",)},
            WrongCondition,
            "no call to place: hiss is for easy tasks and",
        ),
        ({"audio": ()}, WrongCondition, "no audio condition is named; there are clean, hiss"),
    ],
)
def test_what_can_not_be_placed_is_one_line(
    tmp_path: Path, options: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error) as caught:
        run_with(hissing_host(), tmp_path, **options)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "run").exists()


LOUD = HissParameters()


class Odd:
    """A profile that is faulty in one way."""

    name = "odd"
    background = ""
    impairment = ""

    def __init__(self, push: Any = None, parameters: Any = LOUD, opens: bool = True) -> None:
        self.push = push
        self.parameters = parameters
        self.opens = opens

    def open(self, rng: np.random.Generator, setting: LineSetting) -> Any:
        if not self.opens:
            raise RuntimeError("no\nfilter")
        return self


def gone(frame: Any) -> Any:
    raise SystemExit(5)


@pytest.mark.parametrize(
    ("profile", "says"),
    [
        (
            Odd(opens=False),
            "audio condition 'odd' of profiles ((local)) can't be used: RuntimeError: no filter (",
        ),
        (Odd(gone), "can't be used: SystemExit: 5 ("),
        (Odd(lambda frame: None), "must return int16 frames of shape (480,), got object of shape ()"),
        (
            Odd(lambda frame: frame[:100]),
            "must return int16 frames of shape (480,), got int16 of shape (100,)",
        ),
        (Odd(lambda frame: frame * np.nan), "got float64 of shape (480,)"),
        (Odd(lambda frame: frame.sort()), "can't be used: ValueError: "),
        (Odd(np.array, parameters=None), "its parameters must be a frozen attrs object"),
        (Odd(np.array, parameters=HissParameters(loudest=float("nan"))), "its parameters must be"),  # type: ignore[arg-type]
    ],
)
def test_a_profile_that_does_not_work_is_one_line_before_any_call(
    tmp_path: Path,
    profile: Odd,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    host = hissing_host(profile)
    monkeypatch.setattr(PluginHost, "discover", classmethod(lambda cls, **_: host))
    out = tmp_path / "run"
    with pytest.raises(SystemExit) as ended:
        main(["run", "B-E1", "--platform", "brief", "--audio", "odd", "--out", str(out)])
    assert ended.value.code == 3
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("Error: ")]
    assert len(told) == 1
    assert says in told[0]
    assert not list(out.glob("calls/*"))


def test_a_selection_without_easy_tasks_still_has_its_clean_calls(tmp_path: Path) -> None:
    summary, folder = run_with(hissing_host(), tmp_path, tasks=("B-H1",))
    assert [(key.task, key.audio) for key in calls_of(folder)] == [("B-H1", "clean")]
    assert summary.planned == 1


def test_an_unknown_choice_of_tasks_is_refused() -> None:
    with pytest.raises(ValueError, match="variants must be 'easy' or 'all', not 'hard'"):
        variant_tasks(bicycle_pack().tasks, ("clean",), "hard")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("B-E1", "--audio", "nois"), "unknown audio condition 'nois'; nearest: noise"),
        (
            ("B-E1", "--audio", "clean,noise", "--line", "text"),
            "a text line has no sound for audio condition noise",
        ),
        (("B-H1", "--audio", "noise"), "no call to place: noise is for easy tasks and none is chosen"),
        (("B-E1", "--audio", ","), "no audio condition is named; there are clean, degraded, noise"),
    ],
)
def test_the_command_says_so_in_one_line(
    arguments: tuple[str, ...],
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install_marks(tmp_path / "site", monkeypatch)
    with pytest.raises(SystemExit) as ended:
        main(["run", *arguments, "--out", str(tmp_path / "run")])
    told = capsys.readouterr().err.strip().splitlines()
    assert ended.value.code == 2
    assert says in told[-1]


def test_clean_is_no_plugins_to_provide() -> None:
    host = hissing_host(HissProfile(name="clean"))
    assert profiles_of(host) == {"clean": CLEAN}
    assert [problem.what for problem in host.problems] == [
        "audio_profile 'clean' is offhook's own; give yours another name"
    ]


# --- randomness -----------------------------------------------------------------------------------


def test_every_platform_meets_the_same_noise_and_other_runs_another(tmp_path: Path) -> None:
    tapes: dict[tuple[str, str, int, int], bytes] = {}
    for platform, seed in (("brief", 1), ("other", 1), ("brief", 2)):
        _, folder = run_with(
            hissing_host(),
            tmp_path,
            f"{platform}-{seed}",
            platform=platform,
            seed=seed,
            runs=2,
            variants="all",
        )
        for key, record in calls_of(folder).items():
            if key.audio == "hiss":
                left = left_of(folder.call_folder(record.call_id))
                tapes[key.task, platform, seed, key.run] = left[:20_000].tobytes()
    for task in ("B-E1", "B-H1"):
        for run in (1, 2):
            assert tapes[task, "brief", 1, run] == tapes[task, "other", 1, run]
            assert tapes[task, "brief", 1, run] != tapes[task, "brief", 2, run]
        assert tapes[task, "brief", 1, 1] != tapes[task, "brief", 1, 2]
    assert tapes["B-E1", "brief", 1, 1] != tapes["B-H1", "brief", 1, 1]


def test_the_stream_depends_on_task_run_and_condition_alone() -> None:
    key = CallKey("shop", "T1", "one", 3, "noise")
    same = attrs.evolve(key, platform="two", attempt=2)
    first = sound_stream(1, key).random(4).tolist()
    assert sound_stream(1, same).random(4).tolist() == first
    for other in (
        attrs.evolve(key, pack="store"),
        attrs.evolve(key, task="T2"),
        attrs.evolve(key, run=4),
        attrs.evolve(key, audio="degraded"),
    ):
        assert sound_stream(1, other).random(4).tolist() != first
    assert sound_stream(2, key).random(4).tolist() != first


# --- what a profile is told -----------------------------------------------------------------------


class QuietStreet(MarksPlugin):
    def offhook_industries(self) -> Any:
        return [attrs.evolve(bicycle_pack(), noise_gain=0.1)]

    offhook_industries.offhook_impl = MarksPlugin.offhook_industries.offhook_impl  # type: ignore[attr-defined]


@pytest.mark.parametrize(("plugin", "gain"), [(MarksPlugin(), 0.8), (QuietStreet(), 0.1)])
def test_a_profile_is_told_the_packs_gain_and_the_voices_level(
    tmp_path: Path, plugin: MarksPlugin, gain: float
) -> None:
    profile = HissProfile()
    run_with(hissing_host(profile, plugin=plugin), tmp_path, audio=("hiss",))
    tried, (setting, in_loop) = profile.told
    assert tried[0] == LineSetting()
    assert setting.noise_gain == gain
    assert setting.speech_dbfs == VoiceLevels().active_dbfs(FakeVoice())
    assert in_loop  # on the virtual clock everything is done in place


def test_the_level_is_that_of_the_voices_speech() -> None:
    voice = FakeVoice()
    from offhook.speech import SpeechStyle

    said = voice.speak("Anything else that it may say.", SpeechStyle())
    assert VoiceLevels().active_dbfs(voice) == pytest.approx(active_dbfs(said.samples, said.rate), abs=1.0)


def test_in_real_time_a_profile_is_made_beside_the_loop_that_other_calls_share(tmp_path: Path) -> None:
    profile = HissProfile()
    run_with(hissing_host(profile), tmp_path, platform="slow", audio=("hiss",))
    assert [in_loop for _, in_loop in profile.told] == [False, False]


def test_the_platform_is_sent_the_profiles_sound_and_the_caller_is_kept_without(tmp_path: Path) -> None:
    from offhook.line import read_flac

    _, folder = run_with(hissing_host(), tmp_path, audio=("hiss",))
    (record,) = calls_of(folder).values()
    left = left_of(folder.call_folder(record.call_id)).astype(int)
    clean = read_flac(folder.call_folder(record.call_id) / "caller.flac")[0].astype(int).reshape(-1)
    added = left - clean[: len(left)]
    assert added.min() >= 1
    assert added.max() < 50
    assert np.ptp(added) > 40


# --- voids ----------------------------------------------------------------------------------------


@attrs.frozen
class Leaver:
    """Says "Hello?", is answered, and hangs up before it has told what it wants."""

    name: str = "scripted"
    virtual_time: bool = True

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        report = await Terse().converse(brief, line)
        turn = attrs.evolve(report.turns[0], source="silence")
        assert isinstance(turn, CallerTurn)
        return attrs.evolve(report, turns=(turn,), hung_up_because="gave_up")


class Leaving(MarksPlugin):
    def offhook_callers(self) -> Any:
        return [Leaver()]

    offhook_callers.offhook_impl = MarksPlugin.offhook_callers.offhook_impl  # type: ignore[attr-defined]


def test_a_caller_who_leaves_first_voids_clean_calls_alone(tmp_path: Path) -> None:
    summary, folder = run_with(hissing_host(plugin=Leaving()), tmp_path, tasks=("B-E1",))
    endings = sorted((key.audio, key.attempt, record.ending) for key, record in calls_of(folder).items())
    assert endings == [
        ("clean", 1, "void"),
        ("clean", 2, "void"),
        ("clean", 3, "void"),
        ("hiss", 1, "completed"),
    ]
    assert {result.record.key.audio: result.state for result in summary.calls} == {
        "clean": "void",
        "hiss": "passed",
    }


# --- going on -------------------------------------------------------------------------------------


def test_a_stopped_run_goes_on_with_its_conditions(tmp_path: Path) -> None:
    options = RunOptions(
        "brief", tmp_path / "run", runs=2, audio=("clean", "hiss"), images=tmp_path / "images"
    )
    run = new_run(options, hissing_host())
    assert len(run.calls) == 6
    stop = threading.Event()
    carry_out(run, stop=stop, on_started=lambda _: None, on_done=lambda _: stop.set())
    assert 0 < len(run.folder.call_ids()) < 6
    before = set(run.folder.call_ids())
    again = resume_run(tmp_path / "run", hissing_host(), workers=1)
    assert {call.call_id for call in again.todo} == {call.call_id for call in run.calls} - before
    summary = carry_out(again, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert (summary.planned, summary.ran, summary.missing) == (6, 6, 0)
    assert sum(key.audio == "hiss" for key in calls_of(run.folder)) == 2


def test_a_changed_or_missing_profile_is_not_gone_on_with(tmp_path: Path) -> None:
    run_with(hissing_host(), tmp_path)
    louder = hissing_host(HissProfile(parameters=HissParameters(loudest=60)))
    with pytest.raises(StorageError, match=r"audio profile hiss has changed since .*; begin a new run"):
        resume_run(tmp_path / "run", louder, workers=1)
    without = PluginHost()
    without.register(MarksPlugin(), name="marks")
    with pytest.raises(UnknownName, match="unknown audio condition 'hiss'"):
        resume_run(tmp_path / "run", without, workers=1)


def test_a_program_goes_on_with_the_conditions_that_were_planned(tmp_path: Path) -> None:
    host = hissing_host()
    told: list[tuple[str, str]] = []
    first = asyncio.run(
        offhook.run(
            platform="brief",
            audio=["clean", "hiss"],
            variants="all",
            out=tmp_path / "run",
            host=host,
            on_started=lambda planned: told.append((planned.key.task, planned.key.audio)),
        )
    )
    assert sorted(told) == [("B-E1", "clean"), ("B-E1", "hiss"), ("B-H1", "clean"), ("B-H1", "hiss")]
    assert first.passed
    same = asyncio.run(offhook.run(resume=tmp_path / "run", audio="clean,hiss", variants="all", host=host))
    assert same.summary.planned == 4
    with pytest.raises(ValueError, match="as it was planned; leave out audio"):
        asyncio.run(offhook.run(resume=tmp_path / "run", audio="hiss", host=host))
