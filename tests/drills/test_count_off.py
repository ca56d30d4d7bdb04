"""The marks of Count Off, on records made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.drills import Drill, DrillMark, HeardSpeech, MarkState
from offhook.streams import stream
from offhook_drills.count_off import CountOff
from tests.drills._made import count_rule, heard, made, said

NUMBERS = (3, 5, 7, 9, 11)
DRAW: Mapping[str, object] = {"start": 3, "numbers": list(NUMBERS)}
# His numbers begin at 10, 20... and end half a second later.
ENDS = tuple(10.0 * turn + 0.5 for turn in range(1, 6))
WORDS = ("four", "six", "eight", "ten", "twelve")


def replies(latencies: Sequence[float], words: Sequence[str] = WORDS) -> list[HeardSpeech]:
    return [
        heard(word, end + late, end + late + 0.3)
        for word, end, late in zip(words, ENDS, latencies, strict=True)
    ]


def marked(speech: Sequence[HeardSpeech]) -> DrillMark:
    lines = [said(str(number), end - 0.5, end, "number") for number, end in zip(NUMBERS, ENDS, strict=True)]
    return CountOff().mark(made("count_off", DRAW, lines, sorted(speech, key=lambda part: part.start)))


def first(speech: Sequence[HeardSpeech]) -> float:
    """The mark of the first turn, with nothing said in the others."""
    mark = marked(speech)
    assert mark.mark == pytest.approx(mark.parts[0].mark / 5)
    return mark.parts[0].mark


@pytest.mark.parametrize(
    ("latency", "mark"),
    [
        (0.0, 100.0),
        (0.8, 100.0),
        (0.801, 99.9875),
        (2.4, 80.0),
        (3.999, 60.0125),
        (4.0, 60.0),
        (4.001, 60.0),
        (5.0, 60.0),
        (5.001, 0.0),
    ],
)
def test_a_right_number_pays_by_its_latency(latency: float, mark: float) -> None:
    assert first([heard("Four.", ENDS[0] + latency, ENDS[0] + latency + 0.3)]) == pytest.approx(mark)


def test_the_mark_is_the_mean_of_five_turns() -> None:
    mark = marked(replies((0.5, 2.4, 4.5, 0.1, 1.6)))
    assert mark.mark == pytest.approx((100 + 80 + 60 + 100 + 90) / 5)
    assert mark.state is MarkState.MEASURED
    assert mark.numbers["right"] == 5
    assert mark.numbers["latency_mean_s"] == pytest.approx(1.82)
    assert mark.numbers["latency_worst_s"] == pytest.approx(4.5)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Four.", 100),
        ("4", 100),
        ("For.", 100),
        ("Fore", 100),
        ("Four, four.", 100),
        ("Uh, four.", 100),
        ("Four, sergeant!", 100),
        ("For you", 0),
        ("Five.", 0),
        ("Three, four.", 0),
        ("Four, no, five.", 0),
        ("Forty.", 0),
        ("Sorry?", 0),
        ("", 0),
    ],
)
def test_what_counts_as_the_right_number(text: str, mark: float) -> None:
    assert first([heard(text, ENDS[0] + 0.3, ENDS[0] + 0.6)]) == mark


def test_a_wrong_turn_costs_only_itself() -> None:
    mark = marked(replies((0.5,) * 5, ("four", "seven", "eight", "ten", "twelve")))
    assert [part.mark for part in mark.parts] == [100, 0, 100, 100, 100]
    assert "6 was due" in mark.parts[1].why


def test_a_missed_turn_costs_only_itself() -> None:
    speech = replies((0.5,) * 5)
    del speech[2]
    assert [part.mark for part in marked(speech).parts] == [100, 100, 0, 100, 100]


def test_an_answer_that_comes_too_late_does_not_spoil_the_next_turn() -> None:
    late = heard("Four.", ENDS[1] + 0.2, ENDS[1] + 0.5)
    speech = [late, *replies((0.5, 1.6, 0.5, 0.5, 0.5))[1:]]
    assert [part.mark for part in marked(speech).parts] == [0, 90, 100, 100, 100]


def test_an_answer_given_twice_costs_nothing() -> None:
    again = [heard(word, end + 9.6, end + 9.9) for word, end in zip(WORDS, ENDS, strict=True)]
    mark = marked([*replies((0.5,) * 5), *again])
    assert mark.mark == 100
    assert mark.parts[1].evidence["set_aside"] == [{"text": "four", "start": ENDS[0] + 9.6}]


def test_a_wrong_answer_said_twice_costs_only_its_turn() -> None:
    speech = replies((0.5,) * 5, ("four", "seven", "eight", "ten", "twelve"))
    between = [*speech, heard("Seven.", ENDS[2] - 0.4, ENDS[2] + 0.2)]
    assert [part.mark for part in marked(between).parts] == [100, 0, 100, 100, 100]
    two_turns_on = [*speech, heard("Seven.", ENDS[3] + 0.1, ENDS[3] + 0.3)]
    assert [part.mark for part in marked(two_turns_on).parts] == [100, 0, 100, 100, 100]
    in_one_breath = replies((0.5,) * 5, ("four", "seven", "seven, eight", "ten", "twelve"))
    assert [part.mark for part in marked(in_one_breath).parts] == [100, 0, 100, 100, 100]


def test_a_number_answered_too_early_is_right_where_it_is_due() -> None:
    mark = marked(replies((0.5,) * 5, ("four", "ten", "eight", "ten", "twelve")))
    assert [part.mark for part in mark.parts] == [100, 0, 100, 100, 100]


def test_a_list_of_wrong_numbers_makes_no_later_guess_free() -> None:
    speech = replies((0.5,) * 5, ("four", "seven, nine", "eight", "ten", "twelve"))
    mark = marked([*speech, heard("Nine.", ENDS[2] + 0.1, ENDS[2] + 0.3)])
    assert [part.mark for part in mark.parts] == [100, 0, 0, 100, 100]


def test_a_late_wrong_answer_leaves_the_next_turn_its_right_one() -> None:
    speech = replies((0.5, 1.6, 0.5, 0.5, 0.5))[1:]
    mark = marked([heard("Seven.", ENDS[1] + 0.2, ENDS[1] + 0.5), *speech])
    assert [part.mark for part in mark.parts] == [0, 90, 100, 100, 100]
    assert mark.parts[1].evidence["set_aside"] == [{"text": "Seven.", "start": ENDS[1] + 0.2}]


def test_after_a_missed_turn_only_one_wrong_answer_is_let_pass() -> None:
    wrong = [heard(text, ENDS[1] + at, ENDS[1] + at + 0.3) for at, text in ((0.2, "Seven."), (0.9, "Nine."))]
    mark = marked([*wrong, *replies((0.5, 1.6, 0.5, 0.5, 0.5))[1:]])
    assert [part.mark for part in mark.parts] == [0, 0, 100, 100, 100]
    alone = marked([wrong[0], *replies((0.5,) * 5)[2:]])
    assert [part.mark for part in alone.parts] == [0, 0, 100, 100, 100]
    assert alone.parts[1].why == "6 was due, heard 'Seven.'"


def test_a_second_answer_in_one_breath_with_the_next_costs_nothing() -> None:
    speech = replies((0.5,) * 5, ("four", "four, six", "eight", "eight, ten", "twelve"))
    assert marked(speech).mark == 100


def test_talking_over_him_costs_nothing() -> None:
    mark = marked(replies((-0.3, -0.1, 0.0, -0.2, 0.7)))
    assert mark.mark == 100
    assert mark.parts[0].evidence["talked_over_s"] == pytest.approx(0.3)
    assert mark.parts[4].evidence["talked_over_s"] == 0


def test_what_was_over_before_his_number_is_no_answer_to_it() -> None:
    assert first([heard("Four.", 9.0, 9.6)]) == 0


def test_a_reply_without_a_number_is_waited_past() -> None:
    speech = [heard("Hm.", ENDS[0] + 0.3, ENDS[0] + 0.5), heard("Four.", ENDS[0] + 1.6, ENDS[0] + 1.9)]
    assert first(speech) == pytest.approx(90)


def test_only_the_first_number_counts() -> None:
    speech = [heard("Five.", ENDS[0] + 0.3, ENDS[0] + 0.5), heard("Four.", ENDS[0] + 1.6, ENDS[0] + 1.9)]
    assert first(speech) == 0


def test_silence_scores_nothing() -> None:
    mark = marked([])
    assert (mark.mark, mark.state) == (0, MarkState.MEASURED)
    assert "latency_mean_s" not in mark.numbers


def test_a_number_that_he_never_said_is_our_fault() -> None:
    record = made("count_off", DRAW, [said("three", 1.0, 1.5, "number")], [])
    mark = CountOff().mark(record)
    assert (mark.mark, mark.state) == (0, MarkState.INSTRUMENT_FAULT)


@given(st.floats(0, 7), st.floats(0, 7))
def test_a_later_answer_never_pays_more(one: float, other: float) -> None:
    sooner, later = sorted((round(one, 6), round(other, 6)))
    marks = [first([heard("4", ENDS[0] + late, ENDS[0] + late + 0.2)]) for late in (sooner, later)]
    assert marks[0] >= marks[1]
    assert marks[0] == pytest.approx(count_rule(sooner), abs=1e-4)


def test_the_start_lies_between_one_and_eleven_and_his_numbers_are_fixed() -> None:
    drill = CountOff()
    draws = [drill.draw(stream(seed, "draw", "draw")) for seed in range(200)]
    assert {draw["start"] for draw in draws} == set(range(1, 12))
    assert all(draw["numbers"] == [draw["start"] + 2 * turn for turn in range(5)] for draw in draws)
    assert isinstance(drill, Drill)
