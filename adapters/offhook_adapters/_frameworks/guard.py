"""Stands between a run and an agent's process: where the run is killed, the agent must not live on, for it
may hold connections that cost money.

Started as a program: the command to run is its arguments, and its stdin is a pipe that only the run holds
open. It leads the process group of all the agent starts.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Final

__all__ = ["guard"]

_STOP_SECONDS: Final = 2.0


def guard(command: Sequence[str]) -> int:
    """Runs ``command`` to its end, or to that of whoever holds the other end of stdin; its exit code.

    Raises:
        OSError: it can't be started.
    """
    # A handler, for what is merely ignored the command would ignore too. It gets the signal itself.
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    alone = threading.Event()
    ending = threading.Thread(target=_end_with_stdin, args=(alone,), daemon=True)
    ending.start()
    code = process.wait()
    if alone.is_set():  # the command has ended, but maybe not all that it started
        ending.join()
    return code if code >= 0 else 128 - code


def _end_with_stdin(alone: threading.Event) -> None:
    while os.read(0, 1):
        pass
    alone.set()
    os.killpg(0, signal.SIGTERM)
    time.sleep(_STOP_SECONDS)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(guard(sys.argv[1:]))
