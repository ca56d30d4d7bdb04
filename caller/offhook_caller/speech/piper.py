"""The piper synthesiser behind its licence boundary: GPL-3.0 code in its own process, reached by a pipe."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import weakref
from pathlib import Path
from typing import IO, Any, Final

import attrs
import numpy as np

from offhook.speech import EngineInfo, SpeechUnavailable
from offhook_caller.speech.variation import Waveform
from offhook_caller.speech.weights import JOE_CONFIG, JOE_MODEL, distribution_version, located, package_folder

__all__ = ["PiperEngine"]

_WORKER_MODULE: Final = "offhook_caller.speech.piper_worker"
_GOODBYE_SECONDS: Final = 5.0


class _WorkerDied(Exception):
    """The process ended or answered something that is not the protocol; the message holds its last words."""


class _Worker:
    """One running piper process."""

    def __init__(self, model: Path, config: Path) -> None:
        self._last_words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _WORKER_MODULE, str(model), str(config)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._last_words,
        )
        self.owner = os.getpid()
        # Runs when this object is collected and at interpreter exit, whichever is first.
        self.close = weakref.finalize(self, _end, self._process, self._last_words, self.owner)
        self.rate = int(self._read_header()["rate"])

    def say(self, text: str, length_scale: float, seed: int) -> Waveform:
        request = {"text": text, "length_scale": length_scale, "seed": seed}
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise _WorkerDied(self._explanation()) from error
        wanted = 4 * int(self._read_header()["samples"])
        assert self._process.stdout is not None
        body = self._process.stdout.read(wanted)
        if len(body) != wanted:
            raise _WorkerDied(self._explanation())
        return np.frombuffer(body, "<f4").astype(np.float32)

    def _read_header(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            header = json.loads(line)
        except ValueError as error:
            raise _WorkerDied(self._explanation()) from error
        if not isinstance(header, dict):
            raise _WorkerDied(f"unexpected answer {line[:80]!r}")
        if "error" in header:
            raise SpeechUnavailable(f"piper can't speak: {header['error']}")
        return header

    def _explanation(self) -> str:
        try:
            code = self._process.wait(timeout=_GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            return "its answer was cut short"
        self._last_words.seek(0)
        lines = self._last_words.read().decode(errors="replace").strip().splitlines()
        return f"exit status {code}" + (f", {lines[-1]}" if lines else "")


def _end(process: subprocess.Popen[bytes], last_words: IO[bytes], owner: int) -> None:
    if os.getpid() != owner:
        # A forked child holds copies of the pipes; the process belongs to its parent.
        return
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:
                # Closing flushes; a pipe whose reader has died refuses that.
                continue
    try:
        process.wait(timeout=_GOODBYE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    last_words.close()


@attrs.define(eq=False)
class PiperEngine:
    """Says one sentence at a time with the voice "joe". The worker process starts with the first one.

    May be shared by threads; a forked child starts a worker of its own. A worker that dies is started once
    more for the same sentence.
    """

    cache: Path
    rate: int = attrs.field(default=22_050, init=False)
    _worker: _Worker | None = attrs.field(default=None, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    @property
    def info(self) -> EngineInfo:
        return EngineInfo(
            name="piper-joe",
            engine="piper-tts",
            version=distribution_version("piper-tts"),
            licence="GPL-3.0 engine in a separate process, CC0 voice",
            weights_sha256=JOE_MODEL.sha256,
        )

    def say(self, sentence: str, tempo: float) -> Waveform:
        """One sentence at ``rate``, spoken ``tempo`` times as fast as the voice's own pace.

        Raises:
            SpeechUnavailable: package or weights are missing or damaged, or the worker died twice.
        """
        seed = int.from_bytes(hashlib.sha256(sentence.encode()).digest()[:8], "big")
        with self._lock:
            try:
                return self._running().say(sentence, 1 / tempo, seed)
            except _WorkerDied:
                self._drop()
            try:
                return self._running().say(sentence, 1 / tempo, seed)
            except _WorkerDied as error:
                self._drop()
                raise SpeechUnavailable(
                    f"the piper process died twice ({error}): run pip install --force-reinstall piper-tts"
                ) from error

    def close(self) -> None:
        """Ends the worker process. The next sentence would start another."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _running(self) -> _Worker:
        if self._worker is None or self._worker.owner != os.getpid():
            package_folder("piper", "piper-tts")
            worker = _Worker(located(JOE_MODEL, self.cache), located(JOE_CONFIG, self.cache))
            if worker.rate != self.rate:
                raise SpeechUnavailable(f"the piper voice speaks at {worker.rate} Hz, not {self.rate}")
            self._worker = worker
        return self._worker
