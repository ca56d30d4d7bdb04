"""The process that holds piper (GPL-3.0).

Run as ``python -m offhook_caller.speech.piper_worker MODEL CONFIG``. Nothing else in offhook imports piper.
The pipe protocol, one request at a time:

* in: one JSON line ``{"text": str, "length_scale": float, "seed": int}``;
* out: one JSON line ``{"samples": n, "rate": Hz}`` and then n little-endian ``float32`` samples,
  or ``{"error": message}`` and nothing more.

Before the first request it writes one such line, ``{"samples": 0, "rate": Hz}`` or the error that keeps it
from starting. It ends when its input does.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from piper import PiperConfig, PiperVoice

from offhook_caller.speech.noise_inputs import NoisyModel, with_noise_inputs

__all__ = ["Synthesiser", "main"]

_LATENT_CHANNELS: Final = 192
_DURATION_CHANNELS: Final = 2
_FRAMES_PER_ID: Final = 8
_SPARE_FRAMES: Final = 256
_DRAWS: Final = 8
_DIFFERING_SHAPES: Final = (
    onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument,
    onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException,
    onnxruntime.capi.onnxruntime_pybind11_state.Fail,
)


class Synthesiser:
    """One piper voice whose noise comes from a seed given with each text."""

    def __init__(self, model: Path, config: Path) -> None:
        self._noisy: NoisyModel = with_noise_inputs(model.read_bytes())
        if len(self._noisy.noise_inputs) != 2:
            raise ValueError(f"expected noise for durations and for sound, found {self._noisy.noise_inputs}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self._session: Any = onnxruntime.InferenceSession(
            self._noisy.model, options, providers=["CPUExecutionProvider"]
        )
        self._config = PiperConfig.from_dict(json.loads(config.read_text(encoding="utf-8")))
        self._voice = PiperVoice(session=self._session, config=self._config)

    @property
    def rate(self) -> int:
        """Hz."""
        return int(self._config.sample_rate)

    def say(self, text: str, length_scale: float, seed: int) -> NDArray[np.float32]:
        """The waveform, shape ``(n,)``; equal arguments give equal samples."""
        generator = np.random.default_rng(seed)
        # Double brackets would be taken for phonemes.
        plain = text.replace("[[", "[ [")
        parts = [
            self._sentence(self._voice.phonemes_to_ids(phonemes), length_scale, generator)
            for phonemes in self._voice.phonemize(plain)
            if phonemes
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    def _sentence(
        self, ids: list[int], length_scale: float, generator: np.random.Generator
    ) -> NDArray[np.float32]:
        durations, sound = self._noisy.noise_inputs
        feeds: dict[str, NDArray[Any]] = {
            "input": np.array([ids], np.int64),
            "input_lengths": np.array([len(ids)], np.int64),
            "scales": np.array(
                [self._config.noise_scale, length_scale, self._config.noise_w_scale], np.float32
            ),
            self._noisy.starts_input: np.zeros(3, np.int64),
            durations: generator.standard_normal((1, _DURATION_CHANNELS, len(ids)), np.float32),
        }
        # How long the sound will be is known only inside the graph: the noise is cut there. It is drawn
        # frame by frame, so that a longer draw begins with the shorter one.
        frames = np.zeros((0, _LATENT_CHANNELS), np.float32)
        wanted = round(len(ids) * _FRAMES_PER_ID * max(1.0, length_scale)) + _SPARE_FRAMES
        while True:
            more = generator.standard_normal((wanted, _LATENT_CHANNELS), np.float32)
            frames = np.concatenate([frames, more])
            feeds[sound] = np.ascontiguousarray(frames.T[np.newaxis])
            try:
                return np.asarray(self._session.run(None, feeds)[0], np.float32).reshape(-1)
            except _DIFFERING_SHAPES:
                if len(frames) >= wanted * _DRAWS:
                    raise


def _reply(out: BinaryIO, header: dict[str, object], samples: NDArray[np.float32] | None = None) -> None:
    out.write(json.dumps(header).encode() + b"\n")
    if samples is not None:
        out.write(samples.astype("<f4").tobytes())
    out.flush()


def main() -> int:
    """Serves requests from standard input until it ends."""
    # An interrupt typed at the terminal reaches the whole process group; the owner decides when this
    # process ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever a library prints must not get between the replies.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        synthesiser = Synthesiser(Path(sys.argv[1]), Path(sys.argv[2]))
    except Exception as error:
        _reply(out, {"error": f"{type(error).__name__}: {error}"})
        return 1
    _reply(out, {"samples": 0, "rate": synthesiser.rate})
    for line in sys.stdin.buffer:
        try:
            request = json.loads(line)
            samples = synthesiser.say(
                str(request["text"]), float(request["length_scale"]), int(request["seed"])
            )
        except Exception as error:
            _reply(out, {"error": f"{type(error).__name__}: {error}"})
        else:
            _reply(out, {"samples": len(samples), "rate": synthesiser.rate}, samples)
    return 0


if __name__ == "__main__":
    sys.exit(main())
