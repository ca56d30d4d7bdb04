"""When a call is over after the agent has called the tool that ends it: once its last words are here. The
line plays them out by itself.
"""

from __future__ import annotations

import asyncio
from typing import Final

from offhook.sessions import Ended
from offhook_adapters.wires.stream import CallStream

__all__ = ["LastWords"]

# A platform that has something to add begins to within this time; its words may end and begin again.
_SILENT_SECONDS: Final = 4.0
_BETWEEN_SECONDS: Final = 0.5
# Nothing at all while it is talking: its end of the turn was lost.
_LOST_SECONDS: Final = 10.0


class LastWords:
    """Ends ``stream`` on the agent's behalf. Nothing happens before ``begin``."""

    def __init__(self, stream: CallStream) -> None:
        self._stream = stream
        self._loop = asyncio.get_running_loop()
        self._tool = ""
        self._begun = False
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, tool: str) -> None:
        """The tool that ends the call was answered."""
        self._tool = tool
        self._wait(_SILENT_SECONDS)

    def stir(self) -> None:
        """Words or sound of the agent."""
        if self._tool:
            self._begun = True
            self._wait(_LOST_SECONDS)

    def rest(self) -> None:
        """The platform says that all of the agent's turn is sent. A turn that had begun before the tool was
        answered may end now, too; it holds no last words.
        """
        if self._tool and self._begun:
            self._wait(_BETWEEN_SECONDS)

    def interrupted(self) -> None:
        """The caller broke in: the platform may have more to say, or not."""
        if self._tool:
            self._wait(_SILENT_SECONDS)

    def _wait(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, self._over)

    def _over(self) -> None:
        self._stream.end(Ended("agent", self._tool))
