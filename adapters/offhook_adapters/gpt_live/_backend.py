"""When the backend has to be asked to go on.

Its responses arrive within the session, each under the delegation that it works for. After tool results it
has to be asked, once, when every call is answered and no response is under way: the service refuses a
partial batch (LiveKit Agents 1.8.9, llm/_realtime/gpt_live.py, read 2026-11-30).
"""

from __future__ import annotations

__all__ = ["Backend"]


class Backend:
    """The state that decides it. Delegations are named by their id; None is a response that was asked for."""

    def __init__(self) -> None:
        self._running: dict[str | None, list[str]] = {}
        self._open: list[str] = []
        self._owed = False

    @property
    def due(self) -> bool:
        """Whether to ask for a response now."""
        return self._owed and not (self._running or self._open)

    @property
    def busy(self) -> bool:
        """Whether a response is under way."""
        return bool(self._running)

    def created(self, delegation: str | None) -> None:
        """A response began."""
        self._running[delegation] = []

    def called(self, delegation: str | None, call_id: str) -> None:
        """It wants a tool run."""
        self._running.get(delegation, self._open).append(call_id)

    def completed(self, delegation: str | None) -> None:
        """It ended; its calls wait for their answers."""
        self._open += self._running.pop(delegation, [])

    def failed(self, delegation: str | None) -> list[str]:
        """It broke off: its calls that are not answered, which the service takes no answers for any more."""
        return self._running.pop(delegation, [])

    def answered(self, call_id: str) -> bool:
        """A tool's result is there. False where nobody waits for it any more."""
        for calls in (self._open, *self._running.values()):
            if call_id in calls:
                calls.remove(call_id)
                self._owed = True
                return True
        return False

    def asked(self) -> None:
        """A response was asked for."""
        self._owed = False
