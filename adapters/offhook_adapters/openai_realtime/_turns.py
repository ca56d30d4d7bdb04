"""When the platform has to be asked for a response.

The server answers the caller by itself. After tool results it has to be asked, once, when every call of the
batch is answered, and only while no response is under way.
"""

from __future__ import annotations

__all__ = ["Turns"]


class Turns:
    """The state that decides it. Tell it what was sent and received, then look at ``due``. ``acknowledged``
    says whether the server tells when it has taken a result in.
    """

    def __init__(self, *, acknowledged: bool = True) -> None:
        self._tells = acknowledged
        self._active = False
        self._asked = False
        self._heard = False
        self._owed = False
        self._unanswered: set[str] = set()
        self._unacknowledged: set[str] = set()

    @property
    def due(self) -> bool:
        """Whether to ask for a response now."""
        return self._owed and not (self._unanswered or self._active or self._asked)

    @property
    def active(self) -> bool:
        """Whether a response is under way."""
        return self._active

    @property
    def waiting(self) -> bool:
        """Whether the platform is expected to send something."""
        return self._active or self._asked or self._heard

    def asked(self) -> None:
        """A response was asked for."""
        self._asked = True

    def caller_stopped(self) -> None:
        """The caller's turn is over; the server will answer."""
        self._heard = True

    def created(self) -> None:
        """A response began. If the server had every result by then, it is the answer that was owed. A server
        that does not tell what it has is taken to have what was sent before it was asked.
        """
        known = not self._unacknowledged if self._tells else self._asked
        self._active, self._asked, self._heard = True, False, False
        if known and not self._unanswered:
            self._owed = False

    def done(self) -> None:
        """The response under way ended."""
        self._active = False

    def called(self, call_id: str) -> None:
        """The platform wants a tool run."""
        self._unanswered.add(call_id)

    def answered(self, call_id: str) -> None:
        """A tool's result was sent."""
        self._unanswered.discard(call_id)
        self._unacknowledged.add(call_id)
        self._owed = True

    def acknowledged(self, call_id: str) -> None:
        """The server has taken a result in."""
        self._unacknowledged.discard(call_id)

    def refused(self, *, busy: bool) -> None:
        """The server won't give the response asked for: because it is giving another, after which it is asked
        again, or for good.
        """
        self._asked = False
        if busy:
            # one that began on its own was taken for the one asked for
            self._active, self._owed = True, self._owed or not self._tells
        else:
            self._owed = False
