"""One way to open a small ONNX model: one thread, so that no result depends on the number of cores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from offhook.speech import SpeechUnavailable

__all__ = ["open_session"]


def open_session(model: Path) -> Any:
    """An ``onnxruntime.InferenceSession`` on the CPU; its ``run`` may be called from several threads.

    Raises:
        SpeechUnavailable: onnxruntime is not installed.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise SpeechUnavailable(
            f"onnxruntime can't be imported ({error}): run pip install 'offhook[speech]'"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
