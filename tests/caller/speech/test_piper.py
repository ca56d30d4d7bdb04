"""The piper process: GPL code stays in it, and it may die."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from offhook.speech import SpeechUnavailable
from offhook_caller.speech import piper as piper_module
from offhook_caller.speech.piper import PiperEngine
from offhook_caller.speech.weights import WeightFile

pytestmark = pytest.mark.speech


def _workers() -> dict[int, str]:
    """This process's living piper processes, by id."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == os.getpid() and b"offhook_caller.speech.piper_worker" in words:
            found[int(folder.name)] = words[-3].decode()
    return found


@pytest.fixture
def engine(speech_cache: Path) -> Iterator[PiperEngine]:
    engine = PiperEngine(speech_cache)
    yield engine
    engine.close()


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")


@needs_proc
def test_one_worker_that_ends_when_closed(engine: PiperEngine) -> None:
    before = set(_workers())
    engine.say("Good morning.", 1.0)
    engine.say("Good evening.", 1.0)
    assert len(set(_workers()) - before) == 1
    engine.close()
    assert set(_workers()) == before


@needs_proc
def test_a_forgotten_engine_leaves_no_process(speech_cache: Path) -> None:
    before = set(_workers())
    engine = PiperEngine(speech_cache)
    engine.say("Good morning.", 1.0)
    assert set(_workers()) != before
    del engine
    assert set(_workers()) == before


@needs_proc
def test_a_killed_worker_is_replaced_and_says_the_same(engine: PiperEngine) -> None:
    before = set(_workers())
    first = engine.say("Could you repeat that?", 0.9)
    (worker,) = set(_workers()) - before
    os.kill(worker, signal.SIGKILL)
    assert engine.say("Could you repeat that?", 0.9).tobytes() == first.tobytes()
    (other,) = set(_workers()) - before
    assert other != worker


def test_threads_share_the_worker_safely(engine: PiperEngine) -> None:
    sentences = [f"This is sentence number {word}." for word in ("one", "two", "three", "four")]
    alone = {sentence: engine.say(sentence, 1.0).tobytes() for sentence in sentences}
    together: dict[str, bytes] = {}

    def say(sentence: str) -> None:
        together[sentence] = engine.say(sentence, 1.0).tobytes()

    threads = [threading.Thread(target=say, args=(sentence,)) for sentence in sentences]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_tempo_reaches_the_voice(engine: PiperEngine) -> None:
    slow = engine.say("Wait.", 0.5)
    quick = engine.say("Wait.", 2.0)
    assert 2.5 < len(slow) / len(quick) < 5.5


def test_noise_drawn_too_short_is_drawn_on_and_sounds_the_same(
    in_fresh_process: Callable[[str], str],
) -> None:
    code = (
        "import hashlib\n"
        "from offhook.caches import cache_root\n"
        "from offhook_caller.speech import piper_worker\n"
        "from offhook_caller.speech.weights import JOE_CONFIG, JOE_MODEL, located\n"
        "files = [located(weight, cache_root()) for weight in (JOE_MODEL, JOE_CONFIG)]\n"
        "voice = piper_worker.Synthesiser(*files)\n"
        "amply = voice.say('Please hold the line.', 1.0, 7)\n"
        "piper_worker._FRAMES_PER_ID, piper_worker._SPARE_FRAMES = 0, 30\n"
        "scarcely = voice.say('Please hold the line.', 1.0, 7)\n"
        "print(len(amply) > 30 * 256, amply.tobytes() == scarcely.tobytes())\n"
    )
    assert in_fresh_process(code) == "True True"


def test_piper_is_not_imported_here(engine: PiperEngine) -> None:
    engine.say("Good morning.", 1.0)
    assert not [name for name in sys.modules if name == "piper" or name.startswith("piper.")]


def test_a_model_the_worker_cannot_load_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"nothing like a model")

    def give(weight: WeightFile, cache: Path) -> Path:
        return broken

    monkeypatch.setattr(piper_module, "located", give)
    with pytest.raises(SpeechUnavailable, match="piper can't speak: ValueError: not an ONNX model"):
        PiperEngine(tmp_path).say("Good morning.", 1.0)


def test_a_worker_that_cannot_start_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(piper_module, "_WORKER_MODULE", "offhook_caller.speech.no_such_worker")
    with pytest.raises(SpeechUnavailable, match=r"died twice.*No module named"):
        PiperEngine(tmp_path).say("Good morning.", 1.0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_starts_its_own_worker(engine: PiperEngine) -> None:
    first = engine.say("Good morning.", 1.0).tobytes()
    child = os.fork()
    if child == 0:
        same = False
        try:
            same = engine.say("Good morning.", 1.0).tobytes() == first
            engine.close()
        finally:
            os._exit(0 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert engine.say("Good morning.", 1.0).tobytes() == first
