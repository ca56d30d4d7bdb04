"""The two recognisers: what they hear, that they hear it again, and what they do with silence and length."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offhook.audio import Clip, silence
from offhook.speech import Heard, Listener, ListenerHint, SpeechStyle
from offhook_caller.speech.slots import SlotVoice
from offhook_caller.speech.whisper import WhisperListener, windows_of

LINE = "I am calling about a parcel that was left at the wrong door on Tuesday."
SIZES = ("whisper-tiny", "whisper-base")


def _words(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum() or letter == " ")


@pytest.fixture(scope="module")
def spoken(voices: dict[str, SlotVoice]) -> Clip:
    return voices["us-female-heart"].speak(LINE, SpeechStyle())


@pytest.mark.speech
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("beam", [1, 5])
def test_plain_speech_is_heard_word_for_word(
    listeners: dict[str, WhisperListener], spoken: Clip, size: str, beam: int
) -> None:
    assert isinstance(listeners[size], Listener)
    heard = listeners[size].hear(spoken, ListenerHint(beam=beam))
    assert _words(heard.text) == _words(LINE)
    assert 0.5 < heard.confidence <= 1.0
    assert heard.words == ()


@pytest.mark.speech
def test_a_rate_of_a_telephone_is_fine(listeners: dict[str, WhisperListener], spoken: Clip) -> None:
    heard = listeners["whisper-base"].hear(spoken.at_rate(8000), ListenerHint())
    assert _words(heard.text) == _words(LINE)


@pytest.mark.speech
@pytest.mark.parametrize("name", ["us-female-heart", "us-male-joe"])
def test_base_does_not_stop_before_the_digits(
    listeners: dict[str, WhisperListener], voices: dict[str, SlotVoice], name: str
) -> None:
    whole = 0
    for digits in ("six four eight nine", "one zero eight nine", "four two six four", "four five nine four"):
        clip = voices[name].speak(f"It ends in {digits}.", SpeechStyle())
        text = listeners["whisper-base"].hear(clip, ListenerHint(beam=5)).text
        whole += sum(letter.isdigit() for letter in text) == 4
    assert whole >= 3


@pytest.mark.speech
@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_threads_and_processes_hear_the_same(
    listeners: dict[str, WhisperListener],
    spoken: Clip,
    in_fresh_process: Callable[[str], str],
    size: str,
) -> None:
    hint = ListenerHint(beam=5, word_times=True)
    alone = listeners[size].hear(spoken, hint)
    together: list[Heard] = []
    threads = [
        threading.Thread(target=lambda: together.append(listeners[size].hear(spoken, hint))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [alone] * 3
    code = (
        "import attrs, json\n"
        "from offhook.caches import cache_root\n"
        "from offhook.speech import ListenerHint, SpeechStyle\n"
        "from offhook_caller.speech.slots import embedded_voices\n"
        "from offhook_caller.speech.whisper import embedded_listeners\n"
        f"clip = embedded_voices(cache_root())[0].speak({LINE!r}, SpeechStyle())\n"
        f"(ears,) = [l for l in embedded_listeners(cache_root()) if l.name == {size!r}]\n"
        "heard = ears.hear(clip, ListenerHint(beam=5, word_times=True))\n"
        "print(json.dumps(attrs.asdict(heard)))\n"
    )
    assert json.loads(in_fresh_process(code)) == json.loads(json.dumps(attrs.asdict(alone)))


@pytest.mark.speech
def test_word_times_follow_the_sound(listeners: dict[str, WhisperListener], spoken: Clip) -> None:
    pause = silence(1.0)
    later = Clip(np.concatenate([pause.samples, spoken.samples]))
    words = listeners["whisper-base"].hear(later, ListenerHint(word_times=True)).words
    assert _words(" ".join(word.text for word in words)) == _words(LINE)
    assert all(type(word.start) is float and word.start <= word.end for word in words)
    assert [word.start for word in words] == sorted(word.start for word in words)
    assert words[1].start == pytest.approx(1.2, abs=0.35)
    assert words[-1].end == pytest.approx(later.seconds, abs=0.35)
    assert words[-1].end <= later.seconds + 0.01


@pytest.mark.speech
@pytest.mark.parametrize("size", SIZES)
def test_silence_is_no_text(listeners: dict[str, WhisperListener], size: str) -> None:
    hisses = (np.random.default_rng(5).normal(0, level, 48_000).astype(np.int16) for level in (20, 300))
    for clip in (silence(2.0), silence(0.0), Clip(np.ones(100, np.int16)), *map(Clip, hisses)):
        assert listeners[size].hear(clip, ListenerHint()) == Heard("")


@pytest.mark.speech
@pytest.mark.slow
def test_more_than_half_a_minute_is_heard_whole(
    listeners: dict[str, WhisperListener], voices: dict[str, SlotVoice]
) -> None:
    lines = [
        "The first box held two lamps.",
        "In the second box there was a kettle.",
        "The third was empty when it came.",
        "Nobody rang the bell that morning.",
        "My neighbour saw the van drive off.",
        "I have kept all of the packaging.",
        "The kettle works without any trouble.",
        "One of the lamps has a broken switch.",
        "I would rather have it repaired than replaced.",
        "There is no hurry, as we have other lamps.",
        "Friday afternoon would be a good time.",
        "Please call before you come over.",
        "The gate at the front is usually locked.",
        "You can park on the other side of the road.",
    ]
    clip = voices["us-female-heart"].speak(" ".join(lines), SpeechStyle(tempo=0.8))
    assert clip.seconds > 31
    heard = listeners["whisper-base"].hear(clip, ListenerHint(word_times=True))
    wanted = _words(" ".join(lines)).split()
    assert len(set(wanted) - set(_words(heard.text).split())) <= 3
    assert heard.words[-1].end > 31


@pytest.mark.speech
def test_the_prompt_sets_the_manner(
    listeners: dict[str, WhisperListener], voices: dict[str, SlotVoice]
) -> None:
    clip = voices["us-female-heart"].speak("My name is Aidan Fischer.", SpeechStyle())
    plain = listeners["whisper-base"].hear(clip, ListenerHint())
    led = listeners["whisper-base"].hear(
        clip, ListenerHint(prompt="CALLER SAYS ALL IN CAPITALS. YES. NO. HELLO.")
    )
    assert not plain.text.isupper()
    assert led != plain


@pytest.mark.speech
def test_impossible_hints_are_refused(listeners: dict[str, WhisperListener], spoken: Clip) -> None:
    with pytest.raises(ValueError, match="beam"):
        listeners["whisper-tiny"].hear(spoken, ListenerHint(beam=0))
    with pytest.raises(ValueError, match="at most 200"):
        listeners["whisper-tiny"].hear(spoken, ListenerHint(prompt="seven " * 300))


def test_windows_are_cut_where_it_is_quiet() -> None:
    audio = np.full(16_000 * 60, 0.1, np.float32)
    audio[16_000 * 25 : 16_000 * 25 + 4800] = 0
    windows = windows_of(audio)
    assert windows[0] == (0, windows[1][0])
    assert windows[0][1] / 16_000 == pytest.approx(25.15, abs=0.2)


@settings(max_examples=30)
@given(st.integers(0, 16_000 * 100), st.integers(0, 2**32 - 1))
def test_windows_cover_everything_once(length: int, seed: int) -> None:
    audio = np.random.default_rng(seed).standard_normal(length).astype(np.float32)
    windows = windows_of(audio)
    assert windows[0][0] == 0
    assert windows[-1][1] == length
    assert all(before[1] == after[0] for before, after in itertools.pairwise(windows))
    assert all(end - start <= 28 * 16_000 for start, end in windows)
