"""Which of the agent's items the caller has heard, so that an interrupted one can be cut where they stopped
hearing it.

Sound arrives faster than it is played. How much was played is the line's to say; where an utterance began,
which the line counts from, is found by the clock.
"""

from __future__ import annotations

import attrs

__all__ = ["Cut", "Playback", "Truncation"]

# Sound that should have just been played out may still be on the line by this many seconds.
_ON_THE_LINE = 0.1


@attrs.frozen
class Truncation:
    """An item of which only the first ``audio_end_ms`` were heard."""

    item_id: str
    content_index: int
    audio_end_ms: int


@attrs.frozen
class _Piece:
    item_id: str
    content_index: int
    seconds: float
    after_pause: bool


@attrs.frozen
class Cut:
    """The agent's sound since it was last cut off, of which about ``estimate`` seconds were played."""

    pieces: tuple[_Piece, ...]
    estimate: float

    def truncations(self, played: float) -> tuple[Truncation, ...]:
        """The items not heard to their end, where ``played`` is what the line says of its current utterance.

        The line begins a new utterance after a pause, but not after every one, so of the places where it may
        have begun the one that agrees best with the clock is taken.
        """
        heard = min((start + played for start in self._starts()), key=lambda at: abs(at - self.estimate))
        cut: list[Truncation] = []
        for piece in self.pieces:
            if round(heard * 1000) < round(piece.seconds * 1000):
                end = max(0, int(heard * 1000))
                cut.append(Truncation(piece.item_id, piece.content_index, end))
            heard -= piece.seconds
        return tuple(cut)

    def _starts(self) -> tuple[float, ...]:
        starts, at = [0.0], 0.0
        for piece in self.pieces:
            if piece.after_pause:
                starts.append(at)
            at += piece.seconds
        return tuple(starts)


class Playback:
    """Follows the agent's sound. Times are seconds of one clock."""

    def __init__(self) -> None:
        self._pieces: list[_Piece] = []
        self._until = 0.0

    def add(self, item_id: str, content_index: int, seconds: float, now: float) -> None:
        """More sound of an item."""
        pause = now > self._until
        self._until = max(self._until, now) + seconds
        last = self._pieces[-1] if self._pieces else None
        if last is not None and (last.item_id, last.content_index) == (item_id, content_index):
            self._pieces[-1] = attrs.evolve(last, seconds=last.seconds + seconds)
        else:
            self._pieces.append(_Piece(item_id, content_index, seconds, pause))

    def cut(self, now: float) -> Cut | None:
        """Ends what is being played; None where nothing is."""
        if now > self._until + _ON_THE_LINE or not self._pieces:
            return None
        total = sum(piece.seconds for piece in self._pieces)
        cut = Cut(tuple(self._pieces), total - max(0.0, self._until - now))
        self._pieces, self._until = [], now
        return cut
