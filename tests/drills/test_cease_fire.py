"""The marks of Cease Fire, on records made by hand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.drills import Drill, DrillMark, HeardSpeech, MarkState, Moment
from offhook.streams import stream
from offhook_drills.cease_fire import CeaseFire, time_to_yield
from tests.drills._made import heard, made, said, yield_rule

ORDERED = 10.0
HEARD = 14.0
CUT = 26.0


def marked(
    speech: Sequence[HeardSpeech], *, seconds: float = 60.0, cut: bool = True, counted: bool = True
) -> DrillMark:
    lines = [said("count", 0.0, ORDERED, "order")]
    if cut:
        lines.append(said("Cease fire!", CUT, CUT + 0.8, "cut_in"))
    moments = [Moment("counting", HEARD, {"numbers": [1, 2, 3]})] if counted else []
    return CeaseFire().mark(
        made("cease_fire", {"run": 12.0}, lines, speech, moments=moments, seconds=seconds)
    )


def counting(until: float, *, gap: float = 0.5, word: float = 0.5) -> list[HeardSpeech]:
    """Counts from soon after the order until the very second given, at the latest."""
    starts = np.arange(ORDERED + 0.8, until, gap + word)
    return [heard(str(place), start, min(start + word, until)) for place, start in enumerate(starts, start=1)]


def steady(until: float) -> list[HeardSpeech]:
    """Counts without a pause long enough to be one."""
    return [heard("one two three four", ORDERED + 1, until)]


@pytest.mark.parametrize(
    ("after", "mark"),
    [
        (0.0, 100.0),
        (0.5, 100.0),
        (1.0, 100.0),
        (1.001, 99.96),
        (1.5, 80.0),
        (2.0, 60.0),
        (2.001, 60.0),
        (10.0, 60.0),
        (10.001, 0.0),
    ],
)
def test_the_time_to_silence_pays_by_the_slide(after: float, mark: float) -> None:
    result = marked(steady(CUT + after))
    assert result.mark == pytest.approx(mark)
    assert result.state is MarkState.MEASURED
    assert result.numbers["yield_s"] == pytest.approx(after)
    assert result.numbers["ran_s"] == pytest.approx(CUT - HEARD)


def test_an_agent_that_never_stops_scores_nothing() -> None:
    mark = marked(steady(60.0))
    assert (mark.mark, mark.state) == (0, MarkState.MEASURED)
    assert "yield_s" not in mark.numbers


def test_a_pause_between_two_numbers_is_no_silence() -> None:
    speech = counting(CUT + 4.5, gap=1.0)
    mark = marked(speech)
    assert mark.numbers["yield_s"] == pytest.approx(speech[-1].end - CUT)
    assert mark.mark == 60


def test_pausing_when_cut_in_on_is_no_silence() -> None:
    resumed = [heard("on it goes", CUT + 2.8, 60.0)]
    assert marked([*steady(CUT + 0.3), *resumed]).mark == 0


@pytest.mark.parametrize(("gap", "after"), [(2.9, 6.0), (3.0, 0.3)])
def test_three_seconds_of_quiet_are_silence(gap: float, after: float) -> None:
    speech = [*steady(CUT + 0.3), heard("sorry", CUT + 0.3 + gap, CUT + 6.0)]
    assert marked(speech).numbers["yield_s"] == pytest.approx(after)


def test_whoever_counts_slowly_has_to_be_quiet_for_longer() -> None:
    slow = counting(CUT + 0.2, gap=2.5, word=0.5)
    longest = max(b.start - a.end for a, b in itertools.pairwise(slow))
    result = time_to_yield(slow, CUT, 60.0, since=ORDERED)
    assert result.silence == pytest.approx(1.5 * longest)
    again = [*slow, heard("more", slow[-1].end + 3.5, slow[-1].end + 4.0)]
    assert time_to_yield(again, CUT, 60.0, since=ORDERED).after == pytest.approx(again[-1].end - CUT)


def test_what_was_said_before_the_order_makes_no_pause() -> None:
    early = [heard("hello", 1.0, 1.5), *steady(CUT + 0.2)]
    assert time_to_yield(early, CUT, 60.0, since=ORDERED).silence == pytest.approx(3.0)


def test_words_of_apology_are_speech() -> None:
    speech = [*steady(CUT + 0.3), heard("Yes, sergeant.", CUT + 0.9, CUT + 1.5)]
    assert marked(speech).mark == pytest.approx(80)


def test_silence_that_the_record_does_not_hold_is_not_believed() -> None:
    assert marked(steady(CUT + 0.5), seconds=CUT + 2.0).mark == 0


@pytest.mark.parametrize(
    ("speech", "cut", "counted"),
    [
        ([], False, False),
        ([heard("I would rather not.", 11, 13)], False, False),
        (steady(20.0), False, True),
        (steady(CUT - 1.0), True, True),
        (steady(CUT - 0.201), True, True),
        ([], True, True),
    ],
)
def test_nothing_to_interrupt_is_unmeasured(speech: list[HeardSpeech], cut: bool, counted: bool) -> None:
    mark = marked(speech, cut=cut, counted=counted)
    assert (mark.mark, mark.state) == (0, MarkState.UNMEASURED)
    assert "interrupt" in mark.why


def test_the_reasons_for_unmeasured_differ() -> None:
    assert "never heard" in marked([], cut=False, counted=False).why
    assert "had stopped" in marked(steady(20.0), cut=False).why


def test_a_word_that_ends_as_he_draws_breath_was_there_to_interrupt() -> None:
    mark = marked(steady(CUT - 0.1))
    assert (mark.mark, mark.state) == (100, MarkState.MEASURED)
    assert mark.numbers["yield_s"] == 0


@given(st.floats(0, 12), st.floats(0, 12))
def test_a_later_silence_never_pays_more(one: float, other: float) -> None:
    sooner, later = sorted((round(one, 6), round(other, 6)))
    marks = [marked(steady(CUT + after)).mark for after in (sooner, later)]
    assert marks[0] >= marks[1]
    assert marks[0] == pytest.approx(yield_rule(sooner), abs=1e-3)


def test_he_cuts_in_after_ten_to_fifteen_seconds() -> None:
    drill = CeaseFire()
    drawn = [drill.draw(stream(seed, "draw", "draw"))["run"] for seed in range(300)]
    assert 10 <= min(drawn) < 10.3
    assert 14.7 < max(drawn) <= 15
    assert isinstance(drill, Drill)
