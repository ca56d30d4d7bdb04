"""The table of spoken and written forms: what the word normaliser and `states_value` must take for one, and
what they must keep apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from offhook.spoken import normalise_words, states_value
from offhook.values import ValueKind, canonical

_KINDS = {str(kind) for kind in ValueKind}


def _rows(name: str) -> list[tuple[str, str, str]]:
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()[1:]
    rows = [
        re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), line).split("\t") for line in lines
    ]
    return [(kind, one, other) for kind, one, other in rows]


def _is_written(kind: str, text: str) -> bool:
    """Whether a text is a written form of a kind's value; spoken ones are for the other side only."""
    if kind not in _KINDS:
        return False
    try:
        canonical(ValueKind(kind), text)
    except ValueError:
        return False
    return True


PAIRS = _rows("spoken_pairs.tsv")
NEAR_MISSES = _rows("spoken_near_misses.tsv")
VALUES = [row for row in PAIRS if row[0] in _KINDS]
NEAR_VALUES = [row for row in NEAR_MISSES if any(_is_written(row[0], text) for text in row[1:])]


@pytest.mark.parametrize(("kind", "spoken", "written"), PAIRS)
def test_spoken_and_written_forms_are_the_same_words(kind: str, spoken: str, written: str) -> None:
    assert normalise_words(spoken) == normalise_words(written)
    assert normalise_words(spoken)


@pytest.mark.parametrize(("kind", "one", "other"), NEAR_MISSES)
def test_near_misses_stay_apart(kind: str, one: str, other: str) -> None:
    assert normalise_words(one) != normalise_words(other)


@pytest.mark.parametrize(("kind", "spoken", "written"), VALUES)
def test_a_value_is_stated_in_both_forms_alone_and_in_a_line(kind: str, spoken: str, written: str) -> None:
    value = canonical(ValueKind(kind), written)
    for text in (spoken, written, f"Well, it's {spoken}, thanks.", f"Sure. {written}"):
        stated = states_value(ValueKind(kind), value, text)
        assert stated.found, text
        assert stated.span is not None
        assert text[slice(*stated.span)] == stated.evidence


@pytest.mark.parametrize(("kind", "one", "other"), NEAR_VALUES)
def test_a_near_miss_does_not_state_the_value(kind: str, one: str, other: str) -> None:
    for value, text in ((one, other), (other, one)):
        if _is_written(kind, value):
            assert not states_value(ValueKind(kind), canonical(ValueKind(kind), value), text).found


def test_the_tables_are_large_enough_to_mean_something() -> None:
    assert len(PAIRS) >= 300
    assert len(NEAR_MISSES) >= 80
    assert len(NEAR_VALUES) >= 50
    assert len(set(PAIRS)) == len(PAIRS)
    assert {kind for kind, _, _ in VALUES} >= _KINDS - {"yes_no", "text"}
