"""Holding drills: what is recorded of each, what ends one, and what is the platform's fault or ours."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.audio import Clip
from offhook.clock import run_virtual
from offhook.drillrun import BadMark, DrillKit, Outcome, mark_of, place_drill, plan_drills, tape_names
from offhook.drills import CastMember, DrillGround, DrillMark, DrillRecord, MarkPart, MarkState
from offhook.line import read_flac
from offhook.platforms import PlatformUnusable
from offhook.room import AGENT_NAME
from offhook.sessions import (
    Ability,
    AgentAudio,
    AgentChat,
    AgentMedia,
    AgentPicture,
    AgentTranscript,
    Deployment,
    Ended,
    Media,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolResult,
    Usage,
)
from offhook.speech import Heard, ListenerHint, SpeechUnavailable
from offhook.storage import from_json, to_json
from offhook.testing import DrillBroke, FakeListener, ScriptedRecruit, SendAt, fake_engines, hold_drill, tone

SERGEANT = CastMember("Sergeant")


@attrs.frozen
class Echo:
    """Says a drawn number and wants it said back; ``conduct`` may be replaced."""

    work: Callable[[DrillGround], Awaitable[object]] | None = None
    name: str = "echo"
    title: str = "Echo"
    version: str = "1"
    measures: str = "whether one word comes back"
    needs: frozenset[Ability] = frozenset({Ability.AUDIO})
    cast: tuple[CastMember, ...] = (SERGEANT,)
    limit: float = 30.0

    def draw(self, rng: np.random.Generator) -> Mapping[str, Any]:
        return {"word": ["alpha", "bravo", "charlie"][int(rng.integers(3))], "pair": (1, 2)}

    async def conduct(self, ground: DrillGround) -> None:
        if self.work is not None:
            await self.work(ground)
            return
        line = await ground.say("Sergeant", ground.draw["word"], purpose="order")
        await ground.next_heard(0, line.end + 3.0)

    def mark(self, record: DrillRecord) -> DrillMark:
        right = [heard for heard in record.heard if heard.text == record.draw["word"]]
        part = MarkPart("echo", 100.0 if right else 0.0, "heard" if right else "not heard")
        numbers = {"latency": right[0].start - record.said[0].end} if right and record.said else {}
        return DrillMark("echo", "1", record.drill_id, part.mark, part.why, parts=(part,), numbers=numbers)


def echo(order: str) -> str:
    return order


def script(*steps: SendAt, **changes: Any) -> ScriptedRecruit:
    return ScriptedRecruit(script=steps, **changes)


async def wait_until(ground: DrillGround, at: float) -> None:
    await ground.room.sleep_until(at)


def place(drill: Echo, adapter: Any, scratch: Path | None = None, seed: int = 1) -> Outcome:
    kit = DrillKit(adapter, fake_engines(), seed)
    planned = plan_drills([drill.name], platform=adapter.name, runs=1, seed=seed)[0]
    return run_virtual(place_drill(drill, planned, kit, scratch))


# --- a drill that goes well -------------------------------------------------------------------------


def test_a_drill_is_held_and_marked_by_what_was_heard() -> None:
    record, mark = hold_drill(Echo(), ScriptedRecruit(answer=echo, delay=0.5))
    assert record.ending == "completed"
    assert (mark.mark, mark.state) == (100.0, MarkState.MEASURED)
    assert record.said[0].text == record.heard[0].text == record.draw["word"]
    # The recruit answers half a second after the last sample, with the next frame.
    assert 0.5 <= mark.numbers["latency"] < 0.52 + 1e-6
    assert hold_drill(Echo(), ScriptedRecruit())[1].mark == 0.0


def test_equal_seeds_leave_equal_records_and_equal_tapes(tmp_path: Path) -> None:
    def once(name: str, seed: int) -> tuple[str, dict[str, bytes]]:
        folder = tmp_path / name
        folder.mkdir()
        outcome = place(Echo(), ScriptedRecruit(answer=echo), folder, seed)
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert sorted(files) == sorted(stamp.name for stamp in outcome.record.files)
        return to_json(attrs.evolve(outcome.record, wall={})), files

    first, second = once("a", 4), once("b", 4)
    assert first == second
    assert sorted(first[1]) == ["recruit.flac", "sergeant.flac"]
    words = {place(Echo(), ScriptedRecruit(answer=echo), None, seed).record.draw["word"] for seed in range(9)}
    assert len(words) == 3  # and other seeds draw otherwise


def test_a_draw_does_not_depend_on_the_platform() -> None:
    for seed in range(5):
        mine = [hold_drill(Echo(), ScriptedRecruit(name=name), seed=seed)[0] for name in ("one", "two")]
        assert mine[0].draw == mine[1].draw
        assert mine[0].drill_id != mine[1].drill_id


def test_a_record_survives_its_file() -> None:
    steps = (
        SendAt(0.5, AgentChat("posted")),
        SendAt(0.6, AgentMedia(Media.CAMERA, True)),
        SendAt(0.7, AgentPicture(Media.CAMERA, np.zeros((2, 2, 3), dtype=np.uint8))),
        SendAt(0.8, AgentTranscript("I said so")),
        SendAt(0.9, Usage({"tokens": 7.0})),
    )
    record, mark = hold_drill(Echo(), script(*steps, answer=echo))
    assert from_json(to_json(record), DrillRecord, source="test", version=1) == record
    assert from_json(to_json(mark), DrillMark, source="test") == mark
    assert record.draw["pair"] == [1, 2]  # as a file gives it back, also while the drill is held
    assert [(post.who, post.text) for post in record.chat] == [(AGENT_NAME, "posted")]
    assert [(change.media, change.on) for change in record.media] == [(Media.CAMERA, True)]
    assert [seen.changed for seen in record.pictures] == [True]
    assert [said.text for said in record.agent_transcripts] == ["I said so"]
    assert record.usage == {"tokens": 7.0}
    assert (record.cost_usd, record.cost_basis) == (0.0, "reported")


def test_tapes_are_what_was_said_and_played(tmp_path: Path) -> None:
    outcome = place(Echo(), script(SendAt(0.5, tone(440, 0.2))), tmp_path)
    recruit, rate = read_flac(tmp_path / "recruit.flac")
    assert rate == 24_000
    assert np.array_equal(recruit[12_000:16_800], tone(440, 0.2).samples)
    assert not recruit[:12_000].any()
    assert len(recruit) == round(outcome.record.seconds * rate)


def test_names_of_participants_never_name_files_they_should_not() -> None:
    names = tape_names(["../../etc/passwd", "Major Maggie", "major  maggie", "", "日本", ".."])
    assert names["../../etc/passwd"] == "etc-passwd.flac"
    assert {names["Major Maggie"], names["major  maggie"]} == {"major-maggie.flac", "major-maggie-2.flac"}
    assert {names[""], names["日本"], names[".."]} == {
        "participant.flac",
        "participant-2.flac",
        "participant-3.flac",
    }
    assert len(set(tape_names("x" * 50 + str(n) for n in range(30)).values())) == 30


def test_pictures_are_kept_as_images(tmp_path: Path) -> None:
    import zlib

    pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    steps = (SendAt(0.2, AgentMedia(Media.SCREEN, True)), SendAt(0.3, AgentPicture(Media.SCREEN, pixels)))
    outcome = place(Echo(), script(*steps), tmp_path)
    (image,) = tmp_path.glob("picture-*.png")
    assert outcome.record.pictures[0].sha256.startswith(image.stem.removeprefix("picture-"))
    data = image.read_bytes()
    assert data[:16] == b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    assert data[16:24] == b"\0\0\0\4\0\0\0\2"
    length = int.from_bytes(data[33:37], "big")
    rows = zlib.decompress(data[41 : 41 + length])
    assert rows == b"\0" + pixels[0].tobytes() + b"\0" + pixels[1].tobytes()


# --- what the platform gets wrong --------------------------------------------------------------------


def test_a_missing_ability_is_unmeasured_and_nothing_is_placed() -> None:
    class NeverJoins(ScriptedRecruit):
        async def deploy(self, agent: Any) -> Deployment:
            raise AssertionError("nothing is placed")

    record, mark = hold_drill(
        Echo(needs=frozenset({Ability.AUDIO, Ability.CHAT, Ability.MUTE})), NeverJoins()
    )
    assert record.ending == "unfit"
    assert (mark.mark, mark.state) == (0.0, MarkState.UNMEASURED)
    assert mark.why == "scripted-recruit can't do it: it lacks chat, mute"
    assert record.said == ()


def test_an_agent_that_leaves_in_the_middle_is_silent_from_then_on() -> None:
    steps = (SendAt(0.5, "alpha"), SendAt(0.5, Ended("agent", "bored")), SendAt(1.0, "bravo"))
    record, _ = hold_drill(Echo(lambda ground: wait_until(ground, 3.0)), script(*steps))
    assert record.ending == "completed"
    assert record.seconds == 3.0
    (heard,) = record.heard
    assert heard.text == "alpha"  # what it had said before it left is heard to its end
    assert record.agent_left == pytest.approx(heard.end, abs=0.021)


def test_a_session_that_breaks_leaves_the_drill_standing() -> None:
    class Breaks(ScriptedRecruit):
        async def connect(self, deployment: Any, call: Any) -> Any:
            session = await super().connect(deployment, call)

            async def events() -> AsyncIterator[SessionEvent]:
                await asyncio.sleep(0.7)
                yield AgentChat("about to break")
                raise OSError("connection reset")

            session.events = events  # type: ignore[method-assign]
            return session

    record, mark = hold_drill(Echo(), Breaks(answer=echo))
    assert record.ending == "completed"
    assert record.session_errors == ("platform broke: OSError: connection reset",)
    assert record.agent_left == pytest.approx(0.7)
    assert mark.mark == 0.0


def test_a_session_that_will_not_hear_is_sent_nothing_more() -> None:
    class Deaf(ScriptedRecruit):
        async def connect(self, deployment: Any, call: Any) -> Any:
            session = await super().connect(deployment, call)

            def send_audio(frame: Any) -> None:
                raise SystemExit(3)

            session.send_audio = send_audio  # type: ignore[method-assign]
            return session

    record, _ = hold_drill(Echo(), Deaf())
    assert record.ending == "completed"
    assert record.session_errors == ("platform broke: SystemExit: 3",)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (AgentChat(7), "a chat post is int"),  # type: ignore[arg-type]
        (AgentMedia("trumpet", True), "'trumpet' is not a valid Media"),  # type: ignore[arg-type]
        (AgentMedia(Media.CAMERA, "on"), "AgentMedia.on is str"),  # type: ignore[arg-type]
        (AgentPicture(Media.CAMERA, np.zeros((2, 2, 3), dtype=np.uint8)), "camera of recruit is off"),
        (SessionError("busy", "later"), "busy: later"),
    ],
)
def test_nonsense_from_the_platform_is_noted_and_the_drill_goes_on(event: SessionEvent, told: str) -> None:
    record, mark = hold_drill(Echo(), script(SendAt(0.2, event), answer=echo))
    assert mark.mark == 100.0
    assert any(told in error for error in record.session_errors)


def test_a_tool_call_is_answered_that_there_is_none() -> None:
    answers: list[ToolResult] = []

    class Calls(ScriptedRecruit):
        async def connect(self, deployment: Any, call: Any) -> Any:
            session = await super().connect(deployment, call)

            async def take(result: ToolResult) -> None:
                answers.append(result)

            session.send_tool_result = take  # type: ignore[method-assign]
            return session

    record, _ = hold_drill(Echo(), Calls(script=(SendAt(0.2, ToolCall("c1", "look_up", {})),)))
    assert [(answer.id, answer.status) for answer in answers] == [("c1", 404)]
    assert any("look_up" in error for error in record.session_errors)


def test_a_refusal_is_void_and_has_no_mark() -> None:
    class Refuses(ScriptedRecruit):
        async def connect(self, deployment: Any, call: Any) -> Any:
            raise ConnectionError("line busy")

    outcome = place(Echo(), Refuses())
    assert outcome.record.ending == "void"
    assert outcome.record.cause.startswith("refused: ")
    assert "line busy" in outcome.record.cause
    assert mark_of(Echo(), outcome.record) is None
    with pytest.raises(DrillBroke, match="void: refused"):
        hold_drill(Echo(), Refuses())


@pytest.mark.parametrize("error", [PlatformUnusable("no key"), SpeechUnavailable("no weights")])
def test_what_no_other_drill_would_survive_comes_out(error: Exception) -> None:
    class Useless(ScriptedRecruit):
        async def connect(self, deployment: Any, call: Any) -> Any:
            raise error

    with pytest.raises(type(error), match=str(error)):
        place(Echo(), Useless())


# --- what we get wrong --------------------------------------------------------------------------------


def test_a_drill_that_raises_keeps_what_was_recorded(tmp_path: Path) -> None:
    async def raises(ground: DrillGround) -> None:
        await ground.say("Sergeant", "alpha", purpose="order")
        raise LookupError("no such number")

    hung_up: list[bool] = []

    class Told(ScriptedRecruit):
        async def connect(self, deployment: Any, call: Any) -> Any:
            session = await super().connect(deployment, call)
            hang_up = session.hang_up

            async def told() -> None:
                hung_up.append(True)
                await hang_up()

            session.hang_up = told  # type: ignore[method-assign]
            return session

    outcome = place(Echo(raises), Told(), tmp_path)
    assert outcome.record.ending == "error"
    assert outcome.record.cause == "drill echo failed: LookupError: no such number"
    assert "no such number" in outcome.trace
    assert "Traceback" in outcome.trace
    assert [line.text for line in outcome.record.said] == ["alpha"]
    assert (tmp_path / "sergeant.flac").is_file()
    assert hung_up == [True]
    assert mark_of(Echo(), outcome.record) is None


def test_a_drill_over_its_limit_is_ended() -> None:
    async def forever(ground: DrillGround) -> None:
        await ground.say("Sergeant", "alpha", purpose="order", clip=tone(300, 100.0))

    record = place(Echo(forever, limit=5.0), ScriptedRecruit()).record
    assert record.ending == "error"
    assert record.cause == "drill echo ran longer than its limit of 5 s"
    assert record.seconds == pytest.approx(5.0, abs=0.03)
    (line,) = record.said  # cut off, and kept as such
    assert not line.complete


def test_a_drill_that_will_not_be_cancelled_is_left_behind() -> None:
    async def stubborn(ground: DrillGround) -> None:
        while True:
            try:
                await asyncio.sleep(1000)
            except asyncio.CancelledError:
                continue

    record = place(Echo(stubborn, limit=2.0), ScriptedRecruit()).record
    assert record.cause == "drill echo ran longer than its limit of 2 s"


def test_a_sink_of_the_drill_that_raises_is_the_drills_error() -> None:
    async def listens(ground: DrillGround) -> None:
        def broken(event: object, pixels: object) -> None:
            raise ZeroDivisionError("in a sink")

        ground.room.on_event(broken)
        await ground.room.sleep_until(5.0)

    record = place(Echo(listens), script(SendAt(0.5, AgentChat("hi")))).record
    assert record.ending == "error"
    assert "ZeroDivisionError: in a sink" in record.cause
    assert record.session_errors == ()


@pytest.mark.parametrize("end", [0.9, 3.0])
def test_a_recogniser_that_breaks_is_our_error_also_after_the_last_order(end: float) -> None:
    class Broken(FakeListener):
        def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
            raise RuntimeError("model gone")

    drill = Echo(lambda ground: wait_until(ground, end))
    kit = DrillKit(script(SendAt(0.5, "alpha")), attrs.evolve(fake_engines(), careful_ears=Broken()), 1)
    planned = plan_drills(["echo"], platform="x", runs=1, seed=1)[0]
    record = run_virtual(place_drill(drill, planned, kit, None)).record
    assert (record.ending, record.cause) == ("error", "the recogniser failed: RuntimeError: model gone")


def test_a_draw_that_no_file_can_hold_is_an_error() -> None:
    class Odd(Echo):
        def draw(self, rng: np.random.Generator) -> Mapping[str, Any]:
            return {"what": rng}

    with pytest.raises(ValueError, match="drill echo drew what is no JSON"):
        place(Odd(), ScriptedRecruit())


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"mark": 101.0}, "its mark is 101.0"),
        ({"mark": float("nan")}, "its mark is nan"),
        ({"parts": (MarkPart("a", -1.0, "odd"),)}, "part a is -1.0"),
        ({"drill_id": "other"}, "drill_id 'other', expected"),
        ({"mark": 5.0, "state": MarkState.UNMEASURED}, "unmeasured has to be 0"),
        ({"version": "../../../pwn"}, "version '../../../pwn', expected '1'"),
        ({"drill": "other"}, "drill 'other', expected 'echo'"),
        ({"state": "measured"}, "has state 'measured'"),
        ({"mark": True}, "its mark is True"),
        ({"mark": "50"}, "its mark is '50'"),
        ({"why": None}, "its mark has why None"),
        ({"numbers": {"a": float("inf")}}, "number 'a' is inf"),
        ({"numbers": {"a": True}}, "number 'a' is True"),
        ({"numbers": {"a": "b"}}, "number 'a' is 'b'"),
        ({"numbers": {1: 2.0}}, "number 1 is 2.0"),
        ({"numbers": [1.0]}, "numbers are list"),
        ({"parts": None}, "parts are NoneType"),
        ({"parts": (7,)}, "7 is no part"),
        ({"parts": (MarkPart(5, 50.0, "odd"),)}, "is no part with a name"),  # type: ignore[arg-type]
        ({"parts": (MarkPart("a", 50.0, 6),)}, "part a has why 6"),  # type: ignore[arg-type]
        ({"parts": (MarkPart("a", 50.0, "odd", state="x"),)}, "part a has state 'x'"),  # type: ignore[arg-type]
        ({"parts": (MarkPart("a", 50.0, "odd", evidence=[1]),)}, "part a has evidence"),  # type: ignore[arg-type]
    ],
)
def test_a_mark_that_makes_no_sense_is_refused(changes: dict[str, Any], told: str) -> None:
    class Odd(Echo):
        def mark(self, record: DrillRecord) -> DrillMark:
            return attrs.evolve(super().mark(record), **changes)

    record = place(Echo(), ScriptedRecruit()).record
    with pytest.raises(BadMark, match=told):
        mark_of(Odd(), record)


def test_reasons_are_kept_on_one_line() -> None:
    class Verse(Echo):
        def mark(self, record: DrillRecord) -> DrillMark:
            part = MarkPart("a", 5.0, "part\nof it\r\n")
            return attrs.evolve(super().mark(record), why="one\n  two", parts=(part,))

    mark = mark_of(Verse(), place(Echo(), ScriptedRecruit()).record)
    assert mark is not None
    assert (mark.why, mark.parts[0].why) == ("one two", "part of it")


def test_a_version_that_names_no_folder_is_no_version_of_a_mark() -> None:
    class Odd(Echo):
        def mark(self, record: DrillRecord) -> DrillMark:
            return attrs.evolve(super().mark(record), version="a/b")

    with pytest.raises(BadMark, match="no folder can be named"):
        mark_of(Odd(version="a/b"), place(Echo(), ScriptedRecruit()).record)


def test_a_marking_that_raises_is_told_and_no_zero() -> None:
    class Odd(Echo):
        def mark(self, record: DrillRecord) -> DrillMark:
            raise KeyError("moment")

    with pytest.raises(DrillBroke, match="could not mark it: KeyError"):
        hold_drill(Odd(), ScriptedRecruit())


def test_agent_audio_that_never_ends_stops_with_the_drill() -> None:
    endless = SendAt(0.1, AgentAudio(tone(300, 200.0).samples, 24_000))
    record, _ = hold_drill(Echo(lambda ground: wait_until(ground, 2.0)), script(endless))
    assert record.seconds == 2.0
    assert record.heard[0].end == 2.0
    assert threading.active_count() < 50
