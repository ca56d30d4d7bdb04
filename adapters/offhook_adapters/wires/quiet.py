"""Keys out of the logs: the ``websockets`` package, which SDKs dial with, writes all headers of its handshake
to its log at DEBUG.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import attrs

__all__ = ["unlogged"]

_LOGGER: Final = "websockets.client"


@attrs.frozen(eq=False)
class _Hiding:
    secrets: tuple[str, ...] = attrs.field(repr=False)

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(self._hidden(each) for each in record.args)
        return True

    def _hidden(self, value: object) -> object:
        if not isinstance(value, str):
            return value
        for secret in self.secrets:
            value = value.replace(secret, "[key]") if secret else value
        return value


@contextmanager
def unlogged(*secrets: str) -> Iterator[None]:
    """Inside the block the secrets are left out of what ``websockets`` logs as a client."""
    logger, hiding = logging.getLogger(_LOGGER), _Hiding(secrets)
    logger.addFilter(hiding)
    try:
        yield
    finally:
        logger.removeFilter(hiding)
