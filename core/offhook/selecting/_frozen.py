"""A selection as a file, and whether it still follows from its data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs

from offhook.selecting._contract import (
    SELECTION_VERSION,
    Candidate,
    ModelSelector,
    Selection,
    SelectionQuestion,
)
from offhook.selecting._precedence import choose_model
from offhook.selecting._rule import first_token_ceiling
from offhook.storage import from_json, guarded, read_text, to_json, write_text

__all__ = ["read_selection", "selection_faults", "write_selection"]


def write_selection(selection: Selection, path: Path) -> None:
    """Writes a selection as JSON, whole or not at all; equal selections give equal bytes.

    Raises:
        StorageError: the disk refuses.
    """
    with guarded(path):
        write_text(path, to_json(selection) + "\n")


def read_selection(path: Path) -> Selection:
    """Raises:
    StorageError: the file can't be read, is no selection, or is of another version.
    """
    return from_json(read_text(path), Selection, source=str(path), version=SELECTION_VERSION)


def selection_faults(
    frozen: Selection, candidates: Sequence[Candidate], sha256: str, selector: ModelSelector
) -> tuple[str, ...]:
    """What speaks against a frozen selection, one line each; none where it follows from these data.

    Raises:
        SelectionRefused: the question that it answers has no answer in these data.
    """
    faults = []
    if frozen.data_sha256 != sha256:
        faults.append(
            f"the data are not those it was frozen with (SHA-256 {sha256}, frozen {frozen.data_sha256})"
        )
    limit = frozen.ceiling
    if limit is not None:  # what the measurements give, whatever the file says
        limit = first_token_ceiling(limit.round_trip_s, limit.overhead_s)
    question = SelectionQuestion(frozen.layer, frozen.platform, frozen.data_sha256, frozen.data_date, limit)
    again = choose_model(frozen.declaration, candidates, question, selector)
    for field in attrs.fields(Selection):
        was, now = getattr(frozen, field.name), getattr(again, field.name)
        if was != now:
            faults.append(f"{field.name} differs: {_difference(was, now)}")
    return tuple(faults)


def _difference(was: object, now: object) -> str:
    """Of two lists only what is not in both, or their order where all is."""
    if isinstance(was, tuple) and isinstance(now, tuple):
        lost, added = [x for x in was if x not in now], [x for x in now if x not in was]
        was, now = (lost, added) if lost or added else (was, now)
    return f"frozen {_short(was)}, now {_short(now)}"


def _short(value: object) -> str:
    text = to_json(value)
    return text if len(text) <= 200 else f"{text[:197]}..."
