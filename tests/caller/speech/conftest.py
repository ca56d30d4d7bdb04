"""One cache folder and one set of engines for all speech tests, so that models load once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from offhook.speech import SpeechStyle
from offhook_caller.speech.piper import PiperEngine
from offhook_caller.speech.slots import SlotVoice, embedded_voices
from offhook_caller.speech.whisper import WhisperListener, embedded_listeners


@pytest.fixture(scope="session")
def speech_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("speech-cache")


@pytest.fixture(scope="session")
def voices(speech_cache: Path) -> Iterator[dict[str, SlotVoice]]:
    found = {voice.name: voice for voice in embedded_voices(speech_cache)}
    found["us-male-joe"].speak("Ready.", SpeechStyle())
    yield found
    for voice in found.values():
        if isinstance(voice.engine, PiperEngine):
            voice.engine.close()


@pytest.fixture(scope="session")
def listeners(speech_cache: Path) -> dict[str, WhisperListener]:
    return {listener.name: listener for listener in embedded_listeners(speech_cache)}


@pytest.fixture(scope="session")
def in_fresh_process(speech_cache: Path) -> Callable[[str], str]:
    """Runs a piece of Python in a new process with the same cache and returns what it printed."""

    def run(code: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "OFFHOOK_CACHE": str(speech_cache)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run
