"""Looks for secrets where none belong: in events, errors, records, the ``repr`` of objects, and logs."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import attrs

__all__ = ["Leak", "Watch", "all_logs"]

# Shorter ones would be found in any text by chance.
_SHORTEST: Final = 8
# The twin lives in this process, too, and a server's own log shows what a client sent it.
_SERVERS: Final = ("websockets.server", "uvicorn", "hypercorn")


@attrs.frozen
class Leak:
    """``what`` secret stood ``where``; the secret itself is not told."""

    what: str
    where: str


class Watch:
    """Keeps the secrets of one run of the kit, and where they turned up."""

    def __init__(self) -> None:
        self._secrets: dict[str, str] = {}
        self._leaks: dict[Leak, None] = {}
        self.looks = 0

    @property
    def leaks(self) -> tuple[Leak, ...]:
        return tuple(self._leaks)

    def guard(self, what: str, secret: str) -> None:
        """From now on, ``secret`` must not turn up anywhere."""
        if len(secret) >= _SHORTEST:
            self._secrets[secret] = what

    def look(self, where: str, value: object) -> None:
        """Looks into a text, an error with all that led to it, or the ``repr`` of anything else."""
        self.looks += 1
        if isinstance(value, BaseException):
            text = "".join(traceback.format_exception(value)) + repr(value)
        else:
            text = value if isinstance(value, str) else repr(value)
        for secret, what in self._secrets.items():
            if secret in text:
                self._leaks[Leak(what, where)] = None


class _Listener(logging.Handler):
    def __init__(self, watch: Watch, others: list[logging.Handler]) -> None:
        super().__init__(logging.DEBUG)
        self._watch = watch
        self._others = others

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith(_SERVERS):
            self._watch.look(f"the log of {record.name}", self.format(record))
        if record.levelno >= logging.WARNING:
            for other in self._others:
                other.handle(record)


@contextmanager
def all_logs(watch: Watch) -> Iterator[None]:
    """Everything that any logger says, down to DEBUG, is looked into. What is below a warning goes to nobody
    else meanwhile; levels and handlers are put back at the end.
    """
    root = logging.getLogger()
    known = [found for found in root.manager.loggerDict.values() if isinstance(found, logging.Logger)]
    levels = [(logger, logger.level) for logger in (root, *known)]
    listener = _Listener(watch, list(root.handlers))
    apart = [logger for logger in known if not logger.propagate]
    handlers, disabled = list(root.handlers), root.manager.disable
    root.handlers[:] = [listener]
    for logger in apart:
        logger.addHandler(listener)
    for logger, _ in levels:
        logger.setLevel(logging.DEBUG)
    logging.disable(logging.NOTSET)
    try:
        yield
    finally:
        logging.disable(disabled)
        root.handlers[:] = handlers
        for logger in apart:
            logger.removeHandler(listener)
        for logger, level in levels:
            logger.setLevel(level)
