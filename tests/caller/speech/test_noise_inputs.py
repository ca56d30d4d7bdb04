"""Random draws of an ONNX model turned into inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from offhook_caller.speech.noise_inputs import with_noise_inputs
from offhook_caller.speech.weights import JOE_MODEL, MINILM_MODEL, located


@pytest.mark.parametrize("damaged", [b"", b"not a model at all", b"\x3a\xff\xff\xff\xff\xff\x0f"])
def test_bytes_that_are_no_model(damaged: bytes) -> None:
    with pytest.raises(ValueError, match="not an ONNX model"):
        with_noise_inputs(damaged)


@pytest.mark.speech
def test_a_model_without_noise(speech_cache: Path) -> None:
    with pytest.raises(ValueError, match="draws no noise"):
        with_noise_inputs(located(MINILM_MODEL, speech_cache).read_bytes())


@pytest.mark.speech
def test_the_voice_does_as_its_noise_says(speech_cache: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    noisy = with_noise_inputs(located(JOE_MODEL, speech_cache).read_bytes())
    assert len(noisy.noise_inputs) == 2
    durations, sound = noisy.noise_inputs
    session = onnxruntime.InferenceSession(noisy.model, providers=["CPUExecutionProvider"])
    ids = np.array([[1, 0, 20, 0, 59, 0, 24, 0, 120, 0, 61, 0, 24, 0, 2]], np.int64)

    def say(scale: float, seed: int) -> Any:
        generator = np.random.default_rng(seed)
        feeds = {
            "input": ids,
            "input_lengths": np.array([ids.shape[1]], np.int64),
            "scales": np.array([scale, 1.0, scale], np.float32),
            noisy.starts_input: np.zeros(3, np.int64),
            durations: generator.standard_normal((1, 2, ids.shape[1]), np.float32),
            sound: generator.standard_normal((1, 192, 2000), np.float32),
        }
        return session.run(None, feeds)[0]

    assert say(0.7, 1).tobytes() == say(0.7, 1).tobytes()
    assert say(0.7, 1).tobytes() != say(0.7, 2).tobytes()
    # Without noise the edit must change nothing: the original model is the reference.
    original = onnxruntime.InferenceSession(
        str(located(JOE_MODEL, speech_cache)), providers=["CPUExecutionProvider"]
    )
    plain = original.run(
        None,
        {
            "input": ids,
            "input_lengths": np.array([ids.shape[1]], np.int64),
            "scales": np.array([0.0, 1.0, 0.0], np.float32),
        },
    )[0]
    np.testing.assert_allclose(say(0.0, 3), plain, atol=1e-5)
