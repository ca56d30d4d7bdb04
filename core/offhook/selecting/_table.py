"""Candidates from a CSV file; whatever is wrong in it is named by row and column."""

from __future__ import annotations

import csv
import difflib
import hashlib
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

import attrs

from offhook.selecting._contract import LAYERS, Candidate

__all__ = ["CANDIDATE_COLUMNS", "CandidateTable", "CandidateTableError", "read_candidates"]

CANDIDATE_COLUMNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "layer": f"{', '.join(LAYERS)}.",
        "name": "The model and its setting; one row a name in each layer.",
        "id": "The exact identifier.",
        "generally_available": "yes or no; a pre-release is no.",
        "runs_on": "Platforms that offer the model, with ; between them.",
        "callable_as": "Platforms where a live call took the identifier, with ; between them; "
        "PLATFORM=IDENTIFIER where the platform spells it another way.",
        "streams": "yes or no: served in real time.",
        "note": "Optional; added to the reasons where the candidate is excluded.",
    }
)
"""Each column and what it holds. Other columns are figures from 0 on, empty where nobody published one."""

_OPTIONAL: Final = ("note",)
_WORDS: Final[Mapping[str, bool]] = MappingProxyType({"yes": True, "true": True, "no": False, "false": False})
_UNKNOWN: Final = ("", "nan")


class CandidateTableError(Exception):
    """A file that holds no table of candidates; one line that names the row and the column."""


@attrs.frozen
class CandidateTable:
    """``sha256`` is of the file's bytes."""

    candidates: tuple[Candidate, ...]
    sha256: str


@attrs.frozen
class _Row:
    """One line of the table; the header is row 1, as a spreadsheet counts."""

    source: str
    number: int
    cells: Mapping[str, str]

    def fault(self, column: str, what: str) -> CandidateTableError:
        return CandidateTableError(f"{self.source}: row {self.number}, column {column}: {what}")

    def text(self, column: str) -> str:
        if not self.cells[column]:
            raise self.fault(column, "is empty")
        return self.cells[column]

    def yes_or_no(self, column: str) -> bool:
        word = self.cells[column]
        if word.lower() not in _WORDS:
            raise self.fault(column, f"{word!r} is neither yes nor no")
        return _WORDS[word.lower()]

    def names(self, column: str) -> tuple[str, ...]:
        found = [piece.strip() for piece in self.cells[column].split(";")] if self.cells[column] else []
        if "" in found:
            raise self.fault(column, f"{self.cells[column]!r} has nothing between two ;")
        return tuple(found)

    def figure(self, column: str) -> float | None:
        word = self.cells[column]
        if word.lower() in _UNKNOWN:
            return None
        try:
            if not word.isascii() or "_" in word:  # float reads more than figures are written with
                raise ValueError(word)
            value = float(word)
        except ValueError:
            raise self.fault(column, f"{word!r} is not a number, as figures are") from None
        if not math.isfinite(value) or value < 0:
            raise self.fault(column, f"{word!r} is not a number from 0 on")
        return value


def read_candidates(path: Path) -> CandidateTable:
    """Reads a UTF-8 CSV file with the columns of ``CANDIDATE_COLUMNS`` and one for each figure.

    Raises:
        CandidateTableError: the file can't be read, or a row or column is wrong.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CandidateTableError(f"cannot read {path}: {error.strerror or error}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data[: error.start].count(b"\n") + 1
        raise CandidateTableError(f"{path}: row {row}: not UTF-8 text; save it as CSV UTF-8") from None
    rows = _rows(text, str(path))
    candidates = tuple(_candidate(row) for row in rows)
    _refuse_doubles(rows, candidates)
    return CandidateTable(candidates, hashlib.sha256(data).hexdigest())


def _rows(text: str, source: str) -> list[_Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        lines = [[cell.strip() for cell in line] for line in reader]
    except csv.Error as error:
        raise CandidateTableError(f"{source}: line {reader.line_num}: {error}") from None
    if not lines or not any(lines[0]):
        raise CandidateTableError(
            f"{source}: row 1: no header; it begins with {', '.join(CANDIDATE_COLUMNS)}"
        )
    header = lines[0]
    _check_header(header, source)
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        if not any(line):
            continue
        if len(line) != len(header):
            last = header[min(len(line), len(header)) - 1]
            raise CandidateTableError(
                f"{source}: row {number}, column {last}: {len(line)} cells, the header has {len(header)}"
            )
        row = _Row(source, number, dict(zip(header, line, strict=True)))
        for column, cell in row.cells.items():
            if not cell.isprintable():
                raise row.fault(column, f"{cell!r} holds a line break or a control character")
        rows.append(row)
    if not rows:
        raise CandidateTableError(f"{source}: row 2: no candidate below the header")
    return rows


def _check_header(header: Sequence[str], source: str) -> None:
    for position, column in enumerate(header, start=1):
        if not column:
            raise CandidateTableError(f"{source}: row 1, column {position}: has no name")
        if column in header[: position - 1]:
            raise CandidateTableError(f"{source}: row 1, column {column}: is there twice")
    for column in CANDIDATE_COLUMNS:
        if column not in header and column not in _OPTIONAL:
            near = difflib.get_close_matches(column, [c for c in header if c not in CANDIDATE_COLUMNS], n=1)
            hint = f" ({near[0]!r} is close)" if near else ""
            raise CandidateTableError(f"{source}: row 1, column {column}: is missing{hint}")


def _candidate(row: _Row) -> Candidate:
    layer = row.text("layer")
    if layer not in LAYERS:
        raise row.fault("layer", f"{layer!r} is none of {', '.join(LAYERS)}")
    runs_on = row.names("runs_on")
    figures = {
        column: value
        for column in row.cells
        if column not in CANDIDATE_COLUMNS and (value := row.figure(column)) is not None
    }
    return Candidate(
        name=row.text("name"),
        id=row.text("id"),
        layer=layer,
        metrics=figures,
        generally_available=row.yes_or_no("generally_available"),
        runs_on=runs_on,
        callable_as=_identifiers(row, runs_on),
        streams=row.yes_or_no("streams"),
        note=row.cells.get("note", ""),
    )


def _identifiers(row: _Row, runs_on: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for piece in row.names("callable_as"):
        platform, equals, spelled = (part.strip() for part in piece.partition("="))
        if platform not in runs_on:
            raise row.fault("callable_as", f"{platform!r} is not among the platforms in runs_on")
        if platform in found:
            raise row.fault("callable_as", f"{platform!r} is there twice")
        if equals and not spelled:
            raise row.fault("callable_as", f"{piece!r} has no identifier after =")
        found[platform] = spelled or row.text("id")
    return found


def _refuse_doubles(rows: Sequence[_Row], candidates: Sequence[Candidate]) -> None:
    seen: dict[tuple[str, str], int] = {}
    for row, candidate in zip(rows, candidates, strict=True):
        key = (candidate.layer, candidate.name)
        if key in seen:
            raise row.fault("name", f"{candidate.name!r} is in row {seen[key]} already")
        seen[key] = row.number
