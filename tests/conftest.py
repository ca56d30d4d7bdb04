"""What every test may rely on."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """A shell starts what it puts in the background deaf to Ctrl-C, and so would be every program that a test
    starts and interrupts.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
