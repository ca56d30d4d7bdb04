"""What ``offhook.testing`` ships: sound that is what it says, and engines that hear what was said."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import offhook.testing
from offhook.audio import FRAME_SAMPLES, LINE_RATE, Clip, frames_of, rms_dbfs
from offhook.clock import run_virtual
from offhook.line import Line
from offhook.speech import Listener, ListenerHint, SentenceEmbedder, SpeechStyle, Voice, VoiceActivityDetector
from offhook.testing import (
    EnergyVad,
    FakeListener,
    FakeVoice,
    HangUpAt,
    HashEmbedder,
    PlayAt,
    ScriptedAgent,
    concat,
    gap,
    noise,
    speechlike,
    tone,
)

HINT = ListenerHint()
STYLE = SpeechStyle()
LINE = "Hi, this is O'Brien. My number is 415-555-0134, and it's spelled naïve."
WORDS = st.lists(
    st.text(st.characters(exclude_categories=("Cs", "Z", "C")), min_size=1, max_size=8), max_size=8
)


def heard(clip: Clip) -> str:
    return FakeListener().hear(clip, HINT).text


def test_all_is_public_and_sorted() -> None:
    names = offhook.testing.__all__
    assert names == sorted(names)
    assert all(hasattr(offhook.testing, name) for name in names)


# --- builders ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("clip", [tone(440, 1.5, -23), noise(1.5, -23, 4), speechlike(1.5, 4, -23)])
def test_builders_keep_level_and_length(clip: Clip) -> None:
    assert clip.rate == LINE_RATE
    assert len(clip.samples) == 36_000
    assert rms_dbfs(clip.samples) == pytest.approx(-23, abs=0.05)


def test_a_tone_is_at_its_frequency() -> None:
    spectrum = np.abs(np.fft.rfft(tone(440, 1.0).samples.astype(float)))
    assert int(np.argmax(spectrum)) == 440


def test_seeds_make_the_sound() -> None:
    for build in (lambda seed: noise(0.5, seed=seed), lambda seed: speechlike(0.5, seed)):
        assert build(1).sha256 == build(1).sha256
        assert build(1).sha256 != build(2).sha256


def test_concat_joins_at_the_first_rate() -> None:
    clip = concat(tone(300, 0.1, rate=16_000), gap(0.1), noise(0.1))
    assert clip.rate == 16_000
    assert len(clip.samples) == 4800
    assert not clip.samples[1650:3150].any()
    with pytest.raises(ValueError, match="at least one clip"):
        concat()


# --- fake speech ------------------------------------------------------------------------------------


def test_the_fakes_are_what_the_protocols_ask_for() -> None:
    assert isinstance(FakeVoice(), Voice)
    assert isinstance(FakeListener(), Listener)
    assert isinstance(EnergyVad(), VoiceActivityDetector)
    assert isinstance(HashEmbedder(), SentenceEmbedder)


@given(
    words=WORDS, tempo=st.floats(0.5, 2), pitch=st.floats(-6, 6), rate=st.sampled_from([8000, 16_000, 24_000])
)
@settings(max_examples=60, deadline=None)
def test_any_text_is_heard_as_it_was_said(words: list[str], tempo: float, pitch: float, rate: int) -> None:
    clip = FakeVoice().speak(" ".join(words), SpeechStyle(tempo, pitch)).at_rate(rate)
    assert heard(clip) == " ".join(words)


@given(lead=st.integers(0, 5000), tail=st.integers(0, 5000))
@settings(max_examples=30, deadline=None)
def test_silence_around_changes_nothing(lead: int, tail: int) -> None:
    clip = concat(gap(lead / LINE_RATE), FakeVoice().speak(LINE, STYLE), gap(tail / LINE_RATE))
    framed = Clip(np.concatenate(list(frames_of(clip))))
    assert heard(framed) == LINE


def test_style_changes_the_sound_and_not_the_words() -> None:
    voice = FakeVoice()
    plain, slow, high = (
        voice.speak(LINE, style) for style in (STYLE, SpeechStyle(0.8), SpeechStyle(1, 0.13))
    )
    assert len({plain.sha256, slow.sha256, high.sha256, voice.speak(LINE, STYLE).sha256}) == 3
    assert slow.seconds > plain.seconds * 1.1


@pytest.mark.parametrize("style", [SpeechStyle(0.1), SpeechStyle(9), SpeechStyle(1, 7)])
def test_a_style_it_cannot_speak_is_refused(style: SpeechStyle) -> None:
    with pytest.raises(ValueError, match="can't speak at tempo"):
        FakeVoice().speak("hello", style)


def test_a_cut_utterance_is_heard_as_far_as_it_got() -> None:
    clip = FakeVoice().speak("please cancel everything", STYLE)
    times = FakeListener().hear(clip, ListenerHint(word_times=True)).words
    assert [word.text for word in times] == ["please", "cancel", "everything"]
    assert times[-1].end == pytest.approx(clip.seconds)
    middle = round((times[1].start + 0.09 + 3 * 0.04 + 0.01) * LINE_RATE)
    assert heard(Clip(clip.samples[:middle])) == "please can"
    assert heard(Clip(clip.samples[200:])) == "cancel everything"


def test_noise_within_reason_is_no_trouble_and_noise_alone_says_nothing() -> None:
    clip = FakeVoice().speak(LINE, STYLE)
    hiss = noise(clip.seconds, rms_dbfs(clip.samples) - 8, 3).samples
    assert heard(Clip((clip.samples + hiss).astype(np.int16))) == LINE
    assert (
        heard(noise(3))
        == heard(speechlike(3))
        == heard(tone(1000, 1))
        == heard(gap(1))
        == heard(gap(0))
        == ""
    )


def test_two_utterances_in_one_clip_are_one_text() -> None:
    voice = FakeVoice()
    clip = concat(voice.speak("good morning", STYLE), gap(0.5), voice.speak("and bye", SpeechStyle(1.5)))
    assert heard(clip) == "good morning and bye"


# --- activity and meaning -----------------------------------------------------------------------------


def activity(clip: Clip) -> np.ndarray:
    detector = EnergyVad().open()
    return np.array([detector.push(frame) for frame in frames_of(clip)])


@pytest.mark.parametrize("floor", [None, -50.0, -42.0])
@pytest.mark.parametrize("speech", [FakeVoice().speak(LINE, STYLE), tone(300, 5.0, -24)])
def test_activity_is_speech_and_not_the_room(floor: float | None, speech: Clip) -> None:
    clip = concat(gap(1.0), speech, gap(1.0))
    if floor is not None:
        clip = Clip((clip.samples + noise(clip.seconds, floor, 2).samples).astype(np.int16))
    speaking = activity(clip) > 0.5
    count = len(speech.samples) // FRAME_SAMPLES
    assert not speaking[:50].any()
    assert speaking[50 : 50 + count].all()
    assert not speaking[52 + count :].any()


def test_activity_is_a_probability() -> None:
    values = activity(concat(gap(0.1), noise(0.5, -45), speechlike(1.0), tone(500, 0.2, -3)))
    assert ((values >= 0) & (values <= 1)).all()


def test_sentences_are_closer_the_more_words_they_share() -> None:
    vectors = HashEmbedder().embed(
        (
            "Can I have your phone number?",
            "What's your phone number, please?",
            "The plan costs ten dollars.",
            "",
        )
    )
    assert vectors.shape == (4, 512)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-6)
    likeness = vectors @ vectors.T
    assert likeness[0, 1] > 0.4 > likeness[0, 2]


def test_words_count_and_not_their_case_or_stops() -> None:
    first, second = HashEmbedder().embed(("Hello, Nadia!", "hello nadia"))
    assert np.array_equal(first, second)


# --- the scripted agent -------------------------------------------------------------------------------


def test_a_conversation_in_fake_speech_over_the_line() -> None:
    """Voice, line, voice activity and listener together: the agent answers what it heard, frame by frame."""
    voice, listener, detector = FakeVoice(), FakeListener(), EnergyVad().open()
    line = Line()
    turn: list[np.ndarray] = []
    quiet = [0]

    def listen(frame: np.ndarray, began: float) -> None:
        turn.append(frame)
        quiet[0] = 0 if detector.push(frame) > 0.5 else quiet[0] + 1
        if quiet[0] == 10 and (text := heard(Clip(np.concatenate(turn)))):
            turn.clear()
            line.platform.playout.push(voice.speak(f"you said {text}", STYLE).samples)

    line.platform.on_frame(listen)
    ears: list[np.ndarray] = []
    line.caller.on_frame(lambda frame, _: ears.append(frame))

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(line.run())
            for text in ("my number is 555 0134", "thank you"):
                await line.caller.say(voice.speak(text, STYLE))
                await asyncio.sleep(0.5)
                await line.platform.playout.drained()
            line.caller.hang_up()

    run_virtual(main())
    agent = listener.hear(Clip(np.concatenate(ears)), HINT)
    assert agent.text == "you said my number is 555 0134 you said thank you"
    tapes = line.result()
    assert heard(Clip(np.ascontiguousarray(tapes.stereo[:, 1]))) == agent.text
    latencies = [played.start - sent.end for sent, played in zip(tapes.sent, tapes.played, strict=True)]
    # Ten quiet frames, and at most one more because a clip ends within a frame.
    assert all(0.2 <= latency <= 0.22 for latency in latencies)


def test_a_scripted_agent_hears_and_hangs_up() -> None:
    async def main() -> tuple[Line, ScriptedAgent]:
        line = Line()
        agent = ScriptedAgent([HangUpAt(0.5), PlayAt(0.1, tone(500, 0.1)), PlayAt(0.7, tone(500, 0.1))])
        async with asyncio.TaskGroup() as group:
            group.create_task(line.run())
            group.create_task(agent.serve(line.platform))
            group.create_task(line.caller.say(noise(0.2)))
        return line, agent

    line, agent = run_virtual(main())
    tapes = line.result()
    assert tapes.ended_by == "platform"
    assert tapes.seconds == pytest.approx(0.5)
    assert [round(span.start, 6) for span in tapes.played] == [0.1]
    assert agent.heard.samples.tobytes() == np.ascontiguousarray(tapes.stereo[:, 0]).tobytes()
