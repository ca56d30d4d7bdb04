"""The room: who is heard by whom, what a muted microphone sends, and who is told of what."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import numpy as np
import pytest

from offhook.audio import FRAME_SAMPLES, LINE_RATE, Clip, Samples
from offhook.clock import run_real, run_virtual
from offhook.line import SentSpan
from offhook.room import AGENT_NAME, ChatPost, LocalRoom, MediaChange, PictureSeen, Room, RoomEvent, RoomTapes
from offhook.sessions import Media, Pixels

Act = Callable[[LocalRoom], Awaitable[object]]


def ramp(count: int, start: int = 1) -> Clip:
    """Samples that are all different and never silent."""
    return Clip((np.arange(start, start + count) % 9_000 + 1).astype(np.int16))


def placed(clip: Clip, at: int, total: int) -> Samples:
    tape = np.zeros(total, dtype=np.int16)
    tape[at : at + len(clip.samples)] = clip.samples
    return tape


def picture(value: int, height: int = 4, width: int = 6) -> Pixels:
    return np.full((height, width, 3), value, dtype=np.uint8)


async def _awaited(work: Awaitable[object]) -> None:
    await work


async def held(room: LocalRoom, seconds: float, *acts: Act) -> RoomTapes:
    """A meeting of the given length in which the acts go on."""
    async with asyncio.TaskGroup() as group:
        group.create_task(room.run())
        tasks = [group.create_task(_awaited(act(room))) for act in acts]
        await room.sleep_until(seconds)
        room.close()
        await room.ended()
        for task in tasks:
            task.cancel()
    return room.result()


def meeting(room: LocalRoom, seconds: float, *acts: Act) -> RoomTapes:
    return run_virtual(held(room, seconds, *acts))


def agent_says(at: float, clip: Clip) -> Act:
    async def act(room: LocalRoom) -> None:
        await room.sleep_until(at)
        room.agent.playout.push(clip.samples, clip.rate)
        room.agent.playout.end()

    return act


def says(who: str, at: float, clip: Clip) -> Act:
    async def act(room: LocalRoom) -> None:
        await room.sleep_until(at)
        await room.seat(who).say(clip)

    return act


def test_a_local_room_is_a_room() -> None:
    assert isinstance(LocalRoom(["Sergeant"]), Room)


def test_everyone_is_on_a_track_of_his_own_and_the_agent_hears_the_others_mixed() -> None:
    room = LocalRoom(["Sergeant", "Major"])
    mix: list[Samples] = []
    room.agent.on_frame(lambda frame, began: mix.append(np.array(frame)))
    one, other, answer = ramp(2400), ramp(1500, 3000), ramp(1000, 500)
    tapes = meeting(
        room,
        0.5,
        says("Sergeant", 0.1, one),
        says("Major", 0.14, other),
        agent_says(0.12, answer),
    )
    total = 25 * FRAME_SAMPLES
    sergeant, major = placed(one, 2400, total), placed(other, 7 * 480, total)
    assert tapes.seconds == pytest.approx(0.5)
    assert np.array_equal(tapes.tracks["Sergeant"], sergeant)
    assert np.array_equal(tapes.tracks["Major"], major)
    assert np.array_equal(tapes.tracks[AGENT_NAME], placed(answer, 6 * 480, total))
    assert np.array_equal(np.concatenate(mix), sergeant + major)  # and not a sample of the agent's own
    assert tapes.said["Sergeant"] == (SentSpan(0.1, 0.1 + 2400 / LINE_RATE),)
    assert [(span.start, span.end) for span in tapes.played] == [(0.12, 0.12 + 1000 / LINE_RATE)]


def test_a_mix_beyond_full_scale_saturates() -> None:
    room = LocalRoom(["Sergeant", "Major"])
    mix: list[Samples] = []
    room.agent.on_frame(lambda frame, began: mix.append(np.array(frame)))
    loud = Clip(np.tile(np.array([30_000, -30_000], dtype=np.int16), 240))
    meeting(room, 0.06, says("Sergeant", 0.0, loud), says("Major", 0.0, loud))
    assert set(np.concatenate(mix)[:480].tolist()) == {32767, -32768}


def test_tracks_are_handed_over_frame_by_frame_silence_included() -> None:
    room = LocalRoom(["Sergeant"])
    told: list[tuple[float, float, bool]] = []

    def sink(frame: Samples, began: float) -> None:
        told.append((began, round(room.now, 6), bool(frame.any())))

    stop = room.on_track(AGENT_NAME, sink)

    async def stopping(room: LocalRoom) -> None:
        await room.sleep_until(0.09)
        stop()

    meeting(room, 0.2, agent_says(0.04, ramp(480)), stopping)
    assert told == [
        (0.0, 0.02, False),
        (0.02, 0.04, False),
        (0.04, 0.06, True),
        (0.06, 0.08, False),
    ]


def test_what_is_said_into_a_muted_microphone_is_lost() -> None:
    room = LocalRoom(["Sergeant"])
    clip = ramp(10 * FRAME_SAMPLES)

    async def muting(room: LocalRoom) -> None:
        room.agent.playout.push(clip.samples)
        room.agent.playout.end()
        await room.sleep_until(0.05)  # in the middle of the third frame, which is heard whole
        room.agent.set_media(Media.MICROPHONE, False)
        await room.sleep_until(0.13)
        room.agent.set_media(Media.MICROPHONE, True)

    tapes = meeting(room, 0.3, muting)
    expected = placed(clip, 0, 15 * FRAME_SAMPLES)
    expected[3 * FRAME_SAMPLES : 7 * FRAME_SAMPLES] = 0
    assert np.array_equal(tapes.tracks[AGENT_NAME], expected)
    assert tapes.media == (
        MediaChange(AGENT_NAME, Media.MICROPHONE, False, 0.05),
        MediaChange(AGENT_NAME, Media.MICROPHONE, True, 0.13),
    )


def test_only_real_changes_are_seen() -> None:
    room = LocalRoom(["Sergeant"])
    assert room.state(AGENT_NAME, Media.MICROPHONE)
    assert not room.state(AGENT_NAME, Media.CAMERA)

    async def switching(room: LocalRoom) -> None:
        room.agent.set_media(Media.MICROPHONE, True)
        for on in (True, True, False, False):
            room.agent.set_media(Media.SCREEN, on)

    tapes = meeting(room, 0.1, switching)
    assert [(change.media, change.on) for change in tapes.media] == [
        (Media.SCREEN, True),
        (Media.SCREEN, False),
    ]


def test_the_chat_keeps_its_order_and_tells_the_agent_only_of_the_others() -> None:
    room = LocalRoom(["Sergeant", "Major"])
    far_end: list[RoomEvent] = []
    agent: list[RoomEvent] = []
    room.on_event(lambda event, pixels: far_end.append(event))
    room.agent.on_event(lambda event, pixels: agent.append(event))

    async def chatting(room: LocalRoom) -> None:
        room.seat("Sergeant").post("first")
        await room.sleep_until(0.055)
        room.agent.post("second \ud800")
        room.seat("Major").post("third")

    tapes = meeting(room, 0.1, chatting)
    assert tapes.chat == (
        ChatPost("Sergeant", "first", 0.0),
        ChatPost(AGENT_NAME, "second \ufffd", 0.055),
        ChatPost("Major", "third", 0.055),
    )
    assert tuple(far_end) == tapes.chat
    assert agent == [tapes.chat[0], tapes.chat[2]]


def test_pictures_are_hashed_and_kept_where_they_change() -> None:
    room = LocalRoom(["Sergeant"])
    shown: list[tuple[RoomEvent, Pixels | None]] = []
    room.agent.on_event(lambda event, pixels: shown.append((event, pixels)))

    async def showing(room: LocalRoom) -> None:
        frame = picture(1)
        room.agent.set_media(Media.CAMERA, True)
        room.agent.set_media(Media.SCREEN, True)
        room.agent.show(Media.CAMERA, frame)
        frame[:] = 9  # the room keeps what it was shown
        room.agent.show(Media.CAMERA, picture(1))
        room.agent.show(Media.CAMERA, picture(2))
        room.agent.show(Media.SCREEN, picture(2))
        room.agent.show(Media.CAMERA, picture(1, 6, 4))  # the same bytes in another shape
        room.seat("Sergeant").show(picture(7))

    tapes = meeting(room, 0.1, showing)
    seen = [(each.who, each.media, each.changed) for each in tapes.pictures_seen]
    assert seen == [
        (AGENT_NAME, Media.CAMERA, True),
        (AGENT_NAME, Media.CAMERA, False),
        (AGENT_NAME, Media.CAMERA, True),
        (AGENT_NAME, Media.SCREEN, True),
        (AGENT_NAME, Media.CAMERA, True),
        ("Sergeant", Media.CAMERA, True),
    ]
    hashes = [each.sha256 for each in tapes.pictures_seen]
    assert hashes[0] == hashes[1]
    assert hashes[2] == hashes[3]
    assert len(set(hashes)) == 4
    assert np.array_equal(tapes.pictures[hashes[0]], picture(1))
    assert set(tapes.pictures) == set(hashes)
    # The agent sees the sergeant's camera go on, and then his frame.
    assert [type(event) for event, _ in shown] == [MediaChange, PictureSeen]
    assert shown[1][1] is not None
    assert np.array_equal(shown[1][1], picture(7))


@pytest.mark.parametrize(
    ("media", "pixels"),
    [
        (Media.CAMERA, picture(1)),
        (Media.MICROPHONE, picture(1)),
        (Media.SCREEN, np.zeros((4, 6), dtype=np.uint8)),
        (Media.SCREEN, np.zeros((4, 6, 3), dtype=np.int16)),
        (Media.SCREEN, np.zeros((0, 6, 3), dtype=np.uint8)),
        (Media.SCREEN, np.zeros((1, 5000, 3), dtype=np.uint8)),
    ],
)
def test_what_is_no_frame_is_refused(media: Media, pixels: Pixels) -> None:
    room = LocalRoom(["Sergeant"])
    room.agent.set_media(Media.SCREEN, True)
    with pytest.raises(ValueError, match=r"is off|no picture|a frame (is|has)"):
        room.agent.show(media, pixels)


def test_a_chat_takes_text_only_and_not_without_end() -> None:
    room = LocalRoom(["Sergeant"])
    with pytest.raises(ValueError, match="expected text"):
        room.agent.post(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="20000 characters"):
        room.agent.post("x" * 20_001)


def test_an_agent_that_leaves_is_silent_from_then_on() -> None:
    room = LocalRoom(["Sergeant"])
    clip = ramp(10 * FRAME_SAMPLES)

    async def leaving(room: LocalRoom) -> None:
        room.agent.playout.push(clip.samples)
        await room.sleep_until(0.05)
        room.agent.leave()
        room.agent.leave()
        room.agent.post("gone")
        room.agent.set_media(Media.MICROPHONE, False)
        room.agent.playout.push(clip.samples)
        await room.sleep_until(0.07)
        assert room.agent_left
        assert not room.over

    tapes = meeting(room, 0.2, leaving)
    expected = placed(Clip(clip.samples[: 3 * FRAME_SAMPLES]), 0, 10 * FRAME_SAMPLES)
    assert np.array_equal(tapes.tracks[AGENT_NAME], expected)
    assert tapes.agent_left == 0.05
    assert tapes.chat == ()
    assert tapes.media == ()


def test_nothing_happens_in_a_room_that_is_over() -> None:
    room = LocalRoom(["Sergeant"])

    async def late() -> SentSpan:
        tapes = await held(room, 0.1)
        room.agent.post("late")
        room.seat("Sergeant").post("late")
        room.seat("Sergeant").show(picture(1))
        room.agent.set_media(Media.SCREEN, True)
        assert room.result().chat == tapes.chat == ()
        assert room.result().media == ()
        return await room.seat("Sergeant").say(ramp(480))

    assert not run_virtual(late()).complete


def test_closing_cuts_off_who_is_speaking() -> None:
    room = LocalRoom(["Sergeant"])
    tapes = meeting(room, 0.105, says("Sergeant", 0.0, ramp(9600)))
    assert tapes.said["Sergeant"] == (SentSpan(0.0, 0.12, complete=False),)
    assert len(tapes.tracks["Sergeant"]) == 6 * FRAME_SAMPLES


def test_stop_saying_cuts_one_seat_and_not_the_other() -> None:
    room = LocalRoom(["Sergeant", "Major"])

    async def cut(room: LocalRoom) -> None:
        await room.sleep_until(0.05)
        room.seat("Sergeant").stop_saying()

    tapes = meeting(room, 0.5, says("Sergeant", 0.0, ramp(4800)), says("Major", 0.0, ramp(4800)), cut)
    assert tapes.said["Sergeant"] == (SentSpan(0.0, 0.06, complete=False),)
    assert tapes.said["Major"] == (SentSpan(0.0, 0.2),)


@pytest.mark.parametrize("where", ["track", "event"])
def test_what_a_sink_raises_ends_the_meeting_and_blames_nobody_else(where: str) -> None:
    room = LocalRoom(["Sergeant"])

    def broken(*_: object) -> None:
        raise OverflowError("our own")

    if where == "track":
        room.on_track(AGENT_NAME, broken)
    else:
        room.on_event(broken)

    async def go() -> None:
        running = asyncio.create_task(room.run())
        await asyncio.sleep(0)
        room.agent.post("hello")  # raises nothing here
        await running

    with pytest.raises(OverflowError, match="our own"):
        run_virtual(go())
    assert room.over


def test_names_are_taken_once() -> None:
    with pytest.raises(ValueError, match="different names"):
        LocalRoom(["Sergeant", "Sergeant"])
    with pytest.raises(ValueError, match="different names"):
        LocalRoom([AGENT_NAME])
    with pytest.raises(KeyError):
        LocalRoom(["Sergeant"]).seat("Major")
    with pytest.raises(KeyError):
        LocalRoom(["Sergeant"]).on_track("Major", lambda frame, began: None)


def test_there_is_no_result_before_the_end_and_no_second_meeting() -> None:
    room = LocalRoom(["Sergeant"])
    with pytest.raises(RuntimeError, match="isn't over"):
        room.result()
    meeting(room, 0.1)
    with pytest.raises(RuntimeError, match="one call"):
        run_virtual(room.run())


def test_late_ticks_in_real_time_move_nothing() -> None:
    room = LocalRoom(["Sergeant"])
    began: list[float] = []
    room.on_track("Sergeant", lambda frame, at: began.append(at))

    async def stalling(room: LocalRoom) -> None:
        await room.sleep_until(0.05)
        time.sleep(0.12)  # noqa: ASYNC251 - the loop is held up for six frames

    tapes = run_real(held(room, 0.4, says("Sergeant", 0.0, ramp(7200)), stalling))
    frames = len(tapes.tracks["Sergeant"]) // FRAME_SAMPLES
    begins = round(tapes.said["Sergeant"][0].start * LINE_RATE)
    assert np.array_equal(tapes.tracks["Sergeant"], placed(ramp(7200), begins, frames * FRAME_SAMPLES))
    assert began == [pytest.approx(index * 0.02) for index in range(frames)]
    assert len(tapes.lateness) == frames
    assert max(tapes.lateness) > 0.05


def test_equal_meetings_leave_equal_tapes() -> None:
    def once() -> RoomTapes:
        room = LocalRoom(["Sergeant", "Major"])
        return meeting(
            room,
            1.0,
            says("Sergeant", 0.1, ramp(5000)),
            says("Major", 0.3, ramp(100)),
            agent_says(0.2, ramp(7000)),
        )

    first, second = once(), once()
    assert all(first.tracks[who].tobytes() == second.tracks[who].tobytes() for who in first.tracks)
    assert (first.said, first.played) == (second.said, second.played)


def test_a_meeting_takes_only_so_many_changes_of_media() -> None:
    room = LocalRoom(["Sergeant"])

    async def act(_: LocalRoom) -> None:
        for number in range(10_000):
            room.agent.set_media(Media.CAMERA, number % 2 == 0)
        with pytest.raises(ValueError, match="10000 changes of media"):
            room.agent.set_media(Media.CAMERA, True)
        room.agent.set_media(Media.CAMERA, False)  # no change

    assert len(meeting(room, 0.1, act).media) == 10_000
