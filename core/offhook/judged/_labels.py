"""What people decided about calls of a golden set, blind: a file of JSON lines, one label a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.judging import Verdict
from offhook.storage import StorageError, clean_text, from_json, read_text, to_json, write_text

__all__ = [
    "GOLDEN_VERSION",
    "GoldenLabel",
    "ReadLabels",
    "SettledLabels",
    "read_labels",
    "settle",
    "taken",
    "write_labels",
]

GOLDEN_VERSION: Final = 1
_DECIDED: Final = frozenset({str(Verdict.MET), str(Verdict.NOT_MET)})


@attrs.frozen
class GoldenLabel:
    """One person's decision on one criterion of one call. ``label`` is ``met`` or ``not_met``."""

    call_id: str
    criterion: str
    label: str
    rater: str
    note: str = ""


@attrs.frozen
class SettledLabels:
    """One label a criterion, by call. ``disputed`` are those that raters labelled differently: they are left
    out, because there is no human label to compare with."""

    by_call: Mapping[str, Mapping[str, str]]
    disputed: tuple[tuple[str, str], ...]
    raters: tuple[str, ...]


@attrs.frozen
class ReadLabels:
    """What a grading page saved. ``unclear`` counts criteria whose rater could not tell, ``open`` those that
    were not graded."""

    labels: tuple[GoldenLabel, ...]
    unclear: int
    open: int


def read_labels(path: Path) -> tuple[GoldenLabel, ...]:
    """Reads a labels file.

    Raises:
        StorageError: it can't be read, or a line is no label; the message names the line.
    """
    found = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        label = from_json(line, GoldenLabel, source=f"{path}:{number}")
        if label.label not in _DECIDED:
            raise StorageError(f"{path}:{number}: $.label is {label.label!r}, expected met or not_met")
        found.append(label)
    return tuple(found)


def write_labels(path: Path, labels: Iterable[GoldenLabel]) -> None:
    """Writes a labels file whole. Raises OSError."""
    write_text(path, "".join(f"{to_json(label)}\n" for label in labels))


def settle(labels: Iterable[GoldenLabel]) -> SettledLabels:
    """Several raters' labels as one for each criterion. A rater's later label replaces an earlier one."""
    last: dict[tuple[str, str], dict[str, str]] = {}
    for label in labels:
        last.setdefault((label.call_id, label.criterion), {})[label.rater] = label.label
    by_call: dict[str, dict[str, str]] = {}
    disputed = []
    for (call_id, criterion), votes in sorted(last.items()):
        if len(set(votes.values())) == 1:
            by_call.setdefault(call_id, {})[criterion] = next(iter(votes.values()))
        else:
            disputed.append((call_id, criterion))
    raters = tuple(sorted({rater for votes in last.values() for rater in votes}))
    return SettledLabels(by_call, tuple(disputed), raters)


def taken(path: Path, criteria: Mapping[str, Sequence[str]], stamp: str) -> ReadLabels:
    """The labels in a file that a grading page saved, checked against the run it was made for.

    Args:
        criteria: the ids of each call's criteria.
        stamp: what stands for the run on its page.

    Raises:
        StorageError: it is no such file, of another run, or names a call, a criterion or a label that there
            is not.
    """
    try:
        data = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{path}: not JSON ({error})") from None
    if not isinstance(data, dict) or data.get("version") != GOLDEN_VERSION:
        raise StorageError(f"{path}: expected a file that the grading page saved, version {GOLDEN_VERSION}")
    if data.get("run") != stamp:
        raise StorageError(f"{path}: it grades the calls of another run")
    rater, entries = data.get("rater"), data.get("labels")
    if not isinstance(rater, str) or not rater.strip():
        raise StorageError(f"{path}: $.rater is {rater!r}, expected who graded")
    if not isinstance(entries, list):
        raise StorageError(f"{path}: $.labels is no list")
    labels, unclear, seen = [], 0, set()
    for index, entry in enumerate(entries):
        label = _label(entry, f"{path}: $.labels[{index}]", rater.strip(), criteria)
        if (label.call_id, label.criterion) in seen:
            raise StorageError(f"{path}: $.labels[{index}] grades the same criterion once more")
        seen.add((label.call_id, label.criterion))
        if label.label in _DECIDED:
            labels.append(label)
        else:
            unclear += 1
    known = sum(len(names) for names in criteria.values())
    return ReadLabels(tuple(labels), unclear, known - len(seen))


def _label(entry: Any, where: str, rater: str, criteria: Mapping[str, Sequence[str]]) -> GoldenLabel:
    if not isinstance(entry, dict):
        raise StorageError(f"{where} is no object")
    texts = {name: entry.get(name, "") for name in ("call_id", "criterion", "label", "note")}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise StorageError(f"{where}.{name} is {text!r}, expected text")
    if texts["call_id"] not in criteria:
        raise StorageError(f"{where}.call_id: the run has no such call ({texts['call_id']!r})")
    if texts["criterion"] not in criteria[texts["call_id"]]:
        raise StorageError(f"{where}.criterion: the call has no criterion {texts['criterion']!r}")
    if texts["label"] not in _DECIDED | {str(Verdict.UNCLEAR)}:
        raise StorageError(f"{where}.label is {texts['label']!r}, expected met, not_met or unclear")
    return GoldenLabel(
        texts["call_id"], texts["criterion"], texts["label"], clean_text(rater), clean_text(texts["note"])
    )
