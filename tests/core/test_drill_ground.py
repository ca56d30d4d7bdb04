"""The ground of a drill: when the far end hears the agent, to the sample, and what it makes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE, Clip, Samples
from offhook.clock import run_virtual
from offhook.drills import CastMember, Ear, Ground, SpokenLine, Stretch, audible_part, cast_voices
from offhook.host import PluginHost
from offhook.room import LocalRoom
from offhook.speech import (
    Heard,
    ListenerHint,
    SpeechStyle,
    SpeechUnavailable,
    VoiceActivity,
    VoiceActivityDetector,
)
from offhook.streams import stream
from offhook.testing import EnergyVad, FakeVoice, concat, fake_engines, gap, noise, speechlike, tone

T = TypeVar("T")
VOICE = FakeVoice()


def spoken(text: str) -> Clip:
    """Words whose first and last samples are audible."""
    sound = VOICE.speak(text, SpeechStyle()).samples.copy()
    sound[0] = sound[-1] = 2000
    return Clip(sound)


def make_ground(room: LocalRoom, **changes: object) -> Ground:
    engines = attrs.evolve(fake_engines("one", "two"), **changes)  # type: ignore[arg-type]
    return Ground(
        room,
        draw={},
        engines=engines,
        rng=lambda purpose: stream(1, "test", purpose),
        voices=cast_voices((CastMember("Sergeant"),), engines.voices),
    )


def on_ground(
    conduct: Callable[[Ground], Awaitable[T]], *agent: tuple[float, Clip], **changes: object
) -> tuple[T, Ground]:
    """Holds something on a ground where the agent says clips at certain seconds."""

    async def speaking(room: LocalRoom) -> None:
        for at, clip in agent:
            await room.sleep_until(at)
            room.agent.playout.push(clip.samples)
            room.agent.playout.end()

    async def go() -> tuple[T, Ground]:
        room = LocalRoom(["Sergeant"])
        ground = make_ground(room, **changes)
        others = [asyncio.create_task(work) for work in (room.run(), speaking(room), ground.listen())]
        try:
            result = await conduct(ground)
            room.close()
            await room.ended()
            ground.finish()
            await others[2]
        finally:
            for task in others:
                task.cancel()
        return result, ground

    return run_virtual(go())


async def nothing(ground: Ground) -> None:
    await ground.room.sleep_until(5.0)


# --- what the ear makes of a track -----------------------------------------------------------------


def stretches(
    track: Samples, hang_over: float = 0.4, detector: VoiceActivityDetector | None = None
) -> list[tuple[int, int]]:
    closed: list[Stretch] = []
    ear = Ear((detector or EnergyVad()).open(), lambda: hang_over, closed.append)
    padded = np.pad(track, (0, -len(track) % 480))
    for start in range(0, len(padded), 480):
        ear.push(padded[start : start + 480])
    ear.finish()
    assert closed == ear.stretches
    return [(stretch.start, stretch.end) for stretch in closed]


@pytest.mark.parametrize("offset", [0, 1, 239, 479, 4801])
@pytest.mark.parametrize("length", [2400, 2401, 9_999])
def test_onset_and_end_are_exact_to_the_sample(offset: int, length: int) -> None:
    word = np.full(length, 3000, dtype=np.int16)
    track = np.zeros(48_000, dtype=np.int16)
    track[offset : offset + length] = word
    assert stretches(track) == [(offset, offset + length)]


def test_what_is_below_the_audible_level_is_no_part_of_speech() -> None:
    track = np.zeros(48_000, dtype=np.int16)
    track[4000:14_000] = 103
    track[6001:9003] = -3000
    track[9003] = 104
    assert stretches(track) == [(6001, 9004)]


def test_a_click_is_no_speech_and_moves_no_onset() -> None:
    track = np.zeros(72_000, dtype=np.int16)
    track[5000:5010] = 20_000
    track[12_000:20_000] = 3000
    track[25_000:25_010] = 20_000  # within the hang-over, but more than 0.15 s from the speech
    track[50_000:50_020] = -20_000
    assert stretches(track) == [(12_000, 20_000)]


def test_a_soft_beginning_that_the_detector_misses_is_part_of_the_word() -> None:
    track = np.zeros(48_000, dtype=np.int16)
    track[10_000:14_000] = 110  # audible, but far too soft for the detector
    track[14_000:20_000] = 5000
    assert stretches(track) == [(10_000, 20_000)]


def test_the_release_of_a_last_consonant_is_part_of_the_word() -> None:
    track = np.zeros(48_000, dtype=np.int16)
    track[10_000:15_000] = 5000
    track[15_000 + 2900 : 15_000 + 3100] = 600  # the "t" of "eight", after 0.12 s
    assert stretches(track) == [(10_000, 18_100)]


def test_a_hum_before_speech_is_not_taken_for_it() -> None:
    track = np.full(96_000, 110, dtype=np.int16)
    track[60_000:70_000] = 8000
    (start, end), *others = stretches(track)
    assert not others
    assert abs(start - 60_000) <= 0.01 * LINE_RATE
    # At most the trail after the sound that the detector knows.
    assert 70_000 <= end <= 70_000 + 0.3 * LINE_RATE + 3 * 480


@pytest.mark.parametrize("before", [0.25, 0.38, 0.6, 1.5])
@pytest.mark.parametrize("level", [80, 110])
def test_noise_before_a_word_moves_its_onset_by_no_more_than_a_soft_beginning(
    level: int, before: float
) -> None:
    length = round(before * LINE_RATE)
    track = np.zeros(4 * LINE_RATE, dtype=np.int16)
    hiss = np.random.default_rng(4).normal(0, level, length)
    track[48_000 - length : 48_000] = np.clip(hiss, -4 * level, 4 * level).astype(np.int16)
    track[48_000:60_000] = 6000
    ((start, end),) = stretches(track)
    assert abs(start - 48_000) <= 0.01 * LINE_RATE
    assert end == 60_000


def test_a_loud_word_that_the_detector_notices_late_begins_with_its_first_sample() -> None:
    class Late(EnergyVad):
        """Deaf to the first 0.3 s."""

        def open(self) -> VoiceActivity:
            return Deaf(super().open())

    class Deaf:
        def __init__(self, inner: VoiceActivity) -> None:
            self.inner, self.loud = inner, 0

        def push(self, frame: Samples) -> float:
            heard = self.inner.push(frame)
            self.loud = self.loud + 1 if heard >= 0.5 else 0
            return heard if self.loud > 15 else 0.0

    track = np.zeros(48_000, dtype=np.int16)
    track[12_001:30_000] = 4000
    assert stretches(track, detector=Late()) == [(12_001, 30_000)]


@pytest.mark.speech
@pytest.mark.parametrize("kind", ["hum", "hiss 100", "hiss 300"])
def test_what_an_agent_hums_before_a_real_word_gains_it_nothing(kind: str) -> None:
    host = PluginHost.discover()
    detector, voice = host.vads()["silero"], host.voices()["us-female-heart"]
    for word in ("six", "eight", "twelve", "two"):
        clip = voice.speak(word, SpeechStyle()).samples
        part = audible_part(clip)
        assert part is not None
        begin, length = 72_000, round(1.5 * LINE_RATE)
        track = np.zeros(6 * LINE_RATE, dtype=np.int16)
        track[begin : begin + part[1] - part[0]] = clip[part[0] : part[1]]
        if kind == "hum":
            sound = 150 * np.sin(2 * np.pi * 200 * np.arange(length) / LINE_RATE)
        else:
            sound = np.random.default_rng(0).normal(0, int(kind.split()[1]), length)
        track[begin - length : begin] = sound.astype(np.int16)
        (start, end), *others = stretches(track, detector=detector)
        assert not others
        assert abs(start - begin) <= 0.051 * LINE_RATE, word
        assert end == begin + part[1] - part[0]


@pytest.mark.parametrize(("quiet", "count"), [(9_599, 1), (9_600, 2), (9_601, 2)])
def test_speech_is_one_stretch_until_the_hang_over_has_passed(quiet: int, count: int) -> None:
    word = np.full(5000, 3000, dtype=np.int16)
    track = np.concatenate((np.zeros(700), word, np.zeros(quiet), word, np.zeros(24_000))).astype(np.int16)
    found = stretches(track)
    assert len(found) == count
    assert found[0][0] == 700
    assert found[-1][1] == 700 + 10_000 + quiet


def test_the_hang_over_can_be_set() -> None:
    word = np.full(5000, 3000, dtype=np.int16)
    track = np.concatenate((word, np.zeros(12_000), word)).astype(np.int16)
    assert len(stretches(track, hang_over=0.6)) == 1
    assert len(stretches(track, hang_over=0.2)) == 2


def test_speech_cut_off_by_the_end_of_the_track_is_kept() -> None:
    track = np.concatenate((np.zeros(2400), np.full(4800, 3000))).astype(np.int16)
    assert stretches(track) == [(2400, 7200)]


def test_speech_like_sound_is_one_stretch() -> None:
    clip = speechlike(6.0, seed=3)
    (start, end), *others = stretches(concat(gap(0.5), clip, gap(1.0)).samples)
    assert not others
    loud = np.flatnonzero(np.abs(clip.samples.astype(int)) >= 104)
    assert (start - 12_000, end - 12_000) == (loud[0], loud[-1] + 1)


@pytest.mark.speech
@pytest.mark.parametrize("word", ["Six.", "Eight.", "OK."])
def test_words_of_real_voices_are_heard_from_the_first_to_the_last_sample(word: str) -> None:
    host = PluginHost.discover()
    detector = host.vads()["silero"]
    for name, voice in sorted(host.voices().items())[:4]:
        clip = voice.speak(word, SpeechStyle())
        part = audible_part(clip.samples)
        assert part is not None
        track = np.zeros(3 * LINE_RATE, dtype=np.int16)
        track[12_345 : 12_345 + len(clip.samples)] = clip.samples
        assert stretches(track, detector=detector) == [(12_345 + part[0], 12_345 + part[1])], name


# --- what a drill sees -----------------------------------------------------------------------------


def test_each_stretch_is_recognised_in_order() -> None:
    first, second = spoken("five six"), spoken("seven")
    _, ground = on_ground(nothing, (1.0, first), (3.003, second))
    assert [heard.text for heard in ground.heard] == ["five six", "seven"]
    assert ground.heard[0].start == 1.0
    assert ground.heard[0].end == 1.0 + len(first.samples) / LINE_RATE
    assert ground.heard[1].start == 3.02
    assert ground.heard[1].confidence > 0.9


def test_next_heard_waits_for_a_stretch_that_began_in_time() -> None:
    async def conduct(ground: Ground) -> list[object]:
        none = await ground.next_heard(0, 0.9)
        told = [none, round(ground.room.now, 2)]
        heard = await ground.next_heard(0, 1.05)  # begun, and far from ended
        return [*told, heard.text if heard else None, ground.room.now]

    word = spoken("unaccompanied")
    told, _ = on_ground(conduct, (1.0, word))
    assert told[:3] == [None, 0.9, "unaccompanied"]
    # Told with the first frame that ends 0.4 s after the last sample, and not later.
    over = 1.0 + len(word.samples) / LINE_RATE + 0.4
    assert told[3] == pytest.approx(np.ceil(round(over / 0.02, 6)) * 0.02, abs=1e-6)


def test_a_word_that_begins_at_the_very_end_of_the_wait_still_counts() -> None:
    async def conduct(ground: Ground) -> tuple[object, object]:
        just_in = await ground.next_heard(0, 1.001)
        too_late = await ground.next_heard(1, 3.001)
        await ground.room.sleep_until(4.0)
        return just_in, too_late

    late = concat(Clip(np.zeros(30, dtype=np.int16)), spoken("no"))
    (just_in, too_late), ground = on_ground(conduct, (1.0, spoken("yes")), (3.0, late))
    assert getattr(just_in, "text", None) == "yes"
    assert too_late is None
    assert ground.heard[1].start == 3.0 + 30 / LINE_RATE  # a quarter of a millisecond late


def test_asked_late_it_tells_only_of_what_began_in_time() -> None:
    async def conduct(ground: Ground) -> list[object]:
        await ground.room.sleep_until(5.0)
        late = [await ground.next_heard(0, 2.0), await ground.agent_starts(0.0, 2.0)]
        heard = await ground.next_heard(0, 3.0)
        assert ground.room.now == pytest.approx(5.0)  # it has all been heard: nothing is waited for
        return [*late, heard.text if heard else None, await ground.agent_starts(0.0, 3.0)]

    assert on_ground(conduct, (3.0, spoken("yes")))[0] == [None, None, "yes", 3.0]


def test_a_click_at_the_end_of_the_wait_is_waited_out_and_no_word() -> None:
    async def conduct(ground: Ground) -> tuple[object, float]:
        return await ground.next_heard(0, 1.005), ground.room.now

    click = Clip(np.full(24, 20_000, dtype=np.int16))
    (heard, told_at), _ = on_ground(conduct, (1.0, click))
    assert heard is None
    assert told_at < 1.5


def test_agent_starts_fires_while_the_agent_speaks() -> None:
    async def conduct(ground: Ground) -> tuple[float | None, float, bool]:
        start = await ground.agent_starts(0.0, 5.0)
        return start, ground.room.now, ground.agent_speaking

    (start, told_at, speaking), _ = on_ground(conduct, (1.0, spoken("a rather long sentence of words")))
    assert start == 1.0
    assert told_at <= 1.08
    assert speaking


def test_agent_starts_tells_of_speech_that_goes_on_and_not_of_what_is_over() -> None:
    long = concat(spoken("one"), spoken("two"), spoken("three"), spoken("four"))

    async def conduct(ground: Ground) -> list[float | None]:
        await ground.room.sleep_until(1.5)
        goes_on = await ground.agent_starts(1.5, 5.0)
        await ground.room.sleep_until(1.0 + long.seconds + 0.1)
        assert ground.agent_speaking  # for the hang-over
        after = 1.0 + len(long.samples) / LINE_RATE
        return [goes_on, await ground.agent_starts(after, after + 0.2), await ground.agent_starts(after, 4.0)]

    told, _ = on_ground(conduct, (1.0, long), (3.5, spoken("five")))
    assert told == [1.0, None, 3.5]


def test_silence_is_silence() -> None:
    async def conduct(ground: Ground) -> tuple[object, object, bool, float]:
        start = await ground.agent_starts(0.0, 1.0)
        heard = await ground.next_heard(0, 2.0)
        return start, heard, ground.agent_speaking, round(ground.room.now, 2)

    (start, heard, speaking, now), ground = on_ground(conduct)
    assert (start, heard, speaking, now) == (None, None, False, 2.0)
    assert ground.heard == ()


def test_speech_under_way_at_the_end_is_heard_as_far_as_it_got() -> None:
    async def conduct(ground: Ground) -> None:
        await ground.room.sleep_until(1.3)

    _, ground = on_ground(conduct, (1.0, spoken("one two three four five six")))
    assert len(ground.heard) == 1
    assert ground.heard[0].end == 1.3
    assert "one two three four five six".startswith(ground.heard[0].text)


def test_a_recogniser_that_fails_is_told_to_the_drill() -> None:
    class Deaf:
        name = "deaf"
        info = VOICE.info

        def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
            raise SpeechUnavailable("no weights")

    async def conduct(ground: Ground) -> None:
        await ground.next_heard(0, 5.0)

    with pytest.raises(SpeechUnavailable, match="no weights"):
        on_ground(conduct, (1.0, spoken("yes")), careful_ears=Deaf())


# --- what ours say ---------------------------------------------------------------------------------


def test_a_line_is_kept_from_its_first_to_its_last_audible_sample() -> None:
    clip = concat(
        Clip(np.full(100, 50, dtype=np.int16)), Clip(np.full(1000, 5000, dtype=np.int16)), gap(0.05)
    )

    async def conduct(ground: Ground) -> SpokenLine:
        await ground.room.sleep_until(0.5)
        return await ground.say("Sergeant", "now", purpose="order", clip=clip)

    line, ground = on_ground(conduct)
    assert line == SpokenLine("Sergeant", "now", 0.5 + 100 / LINE_RATE, 0.5 + 1100 / LINE_RATE, "order")
    assert ground.said == [line]


def test_a_line_is_spoken_by_the_voice_of_whoever_says_it() -> None:
    async def conduct(ground: Ground) -> Samples:
        heard: list[Samples] = []
        ground.room.on_track("Sergeant", lambda frame, began: heard.append(np.array(frame)))
        line = await ground.say("Sergeant", "attention", purpose="order")
        assert line.complete
        assert ground.voice("Sergeant").name == "one"
        return np.concatenate(heard)

    sound, _ = on_ground(conduct)
    wanted = VOICE.speak("attention", SpeechStyle()).samples
    assert np.array_equal(sound[: len(wanted)], wanted)


def test_a_line_that_is_cut_off_says_so() -> None:
    async def conduct(ground: Ground) -> SpokenLine:
        saying = asyncio.create_task(ground.say("Sergeant", "long", purpose="order", clip=tone(300, 3.0)))
        await ground.room.sleep_until(0.99)
        ground.stop_saying("Sergeant")
        return await saying

    line, _ = on_ground(conduct)
    assert not line.complete
    assert line.end == 1.0


def test_a_line_whose_telling_is_cancelled_is_kept() -> None:
    async def conduct(ground: Ground) -> None:
        saying = asyncio.create_task(ground.say("Sergeant", "x", purpose="order", clip=noise(3.0)))
        await ground.room.sleep_until(1.0)
        saying.cancel()
        await asyncio.wait({saying})

    _, ground = on_ground(conduct)
    assert ground.said == [SpokenLine("Sergeant", "x", 0.0, 1.0, "order", complete=False)]


def test_a_moment_takes_only_what_a_record_can_hold() -> None:
    async def conduct(ground: Ground) -> None:
        await ground.room.sleep_until(0.5)
        moment = ground.moment("cut_in", numbers=(1, 2))
        assert (moment.at, moment.data) == (0.5, {"numbers": [1, 2]})
        with pytest.raises(ValueError, match="not JSON compliant"):
            ground.moment("bad", at=float("nan"))
        with pytest.raises(TypeError):
            ground.moment("bad", what=object())

    _, ground = on_ground(conduct)
    assert [moment.name for moment in ground.moments] == ["cut_in"]


# --- the cast ----------------------------------------------------------------------------------------


def test_the_cast_gets_its_preferred_voices_and_nobody_anothers() -> None:
    voices = {name: FakeVoice(name=name) for name in ("alto", "bass", "tenor")}
    cast = (CastMember("A"), CastMember("B", ("soprano", "alto")), CastMember("C", ("alto", "bass")))
    given = cast_voices(cast, voices)
    assert {who: voice.name for who, voice in given.items()} == {"A": "tenor", "B": "alto", "C": "bass"}


def test_fewer_voices_than_people_are_heard_twice_and_none_is_an_error() -> None:
    cast = (CastMember("A"), CastMember("B"))
    assert [voice.name for voice in cast_voices(cast, {"one": FakeVoice(name="one")}).values()] == [
        "one",
        "one",
    ]
    with pytest.raises(SpeechUnavailable, match="no voice"):
        cast_voices(cast, {})
