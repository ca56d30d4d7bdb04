"""Turns and talk from hand-made spans, where every answer can be read off."""

from __future__ import annotations

import pytest

from offhook_graders.timing.measure import turns_of
from offhook_graders.timing.talk import barge_ins, dead_air, measure_talk, talked_over, unanswered, yields
from offhook_graders.timing.turns import Span, Turn, overlap


def turns(*spans: Span) -> list[Turn]:
    return [Turn((span,)) for span in spans]


def found(caller: list[Span], agent: list[Span]) -> tuple[list[Span], list[Span], list[Span]]:
    asked, told, backchannels = turns_of(caller, agent)
    return [(t.start, t.end) for t in asked], [(t.start, t.end) for t in told], backchannels


def test_overlap_of_two_lists() -> None:
    assert overlap([(0, 2), (3, 5)], [(1, 4), (4.5, 9)]) == [(1, 2), (3, 4), (4.5, 5)]
    assert overlap([], [(0, 1)]) == []


@pytest.mark.parametrize(("pause", "count"), [(0.4, 1), (1.2, 1), (1.8, 1), (1.9, 2)])
def test_a_pause_does_not_end_a_turn(pause: float, count: int) -> None:
    asked, _, _ = found([(1, 3), (3 + pause, 6)], [(8, 9)])

    assert len(asked) == count


def test_an_answer_ends_it() -> None:
    assert found([(1, 3), (4.5, 6)], [(3.5, 4.0), (7, 9)])[0] == [(1, 3), (4.5, 6)]


def test_a_reply_that_starts_early_and_is_cut_off_at_once_leaves_the_turn_whole() -> None:
    asked, told, _ = found([(1, 3), (3.4, 5)], [(3.2, 6)])

    assert (asked, told) == ([(1, 5)], [(3.2, 6)])


def test_who_is_cut_in_on_and_falls_silent_in_the_pause_does_not_end_the_others_turn() -> None:
    asked, told, _ = found([(4, 5), (6, 8)], [(1, 5.5), (9, 11)])

    assert (asked, told) == ([(4, 8)], [(1, 5.5), (9, 11)])


@pytest.mark.parametrize(
    ("agent", "backchannel"),
    [
        ((2.0, 2.4), True),  # over the caller's speech
        ((4.1, 4.5), True),  # in a pause of theirs, close to both ends
        ((3.9, 4.3), True),  # over the end of it, and they go on 0.4 s later
        ((2.0, 3.5), False),  # too long
        ((7.3, 7.7), False),  # "stop": they fall silent 0.3 s later
        ((8.5, 8.9), False),  # after the caller
    ],
)
def test_what_is_a_backchannel(agent: Span, backchannel: bool) -> None:
    _, told, mms = found([(1, 4), (4.7, 8)], [agent])

    assert (mms == [agent]) is backchannel
    assert (told == []) is backchannel


def test_a_short_answer_is_no_backchannel() -> None:
    asked, told, mms = found([(1, 4), (5.3, 8)], [(4.5, 4.9)])

    assert (asked, told, mms) == ([(1, 4), (5.3, 8)], [(4.5, 4.9)], [])


def test_talked_over_turns_overlap_for_long_enough() -> None:
    caller = turns((0, 2), (5, 7), (10, 12))

    assert talked_over(caller, turns((1.75, 4), (6.65, 9), (13, 14))) == (1,)


def test_barge_ins_begin_inside_the_others_turn() -> None:
    agent = turns((0, 3), (5, 8), (10, 12))

    cut_in = barge_ins(turns((2, 4), (7.95, 9), (13, 14)), agent)

    assert [(found.turn, found.over, found.at) for found in cut_in] == [(0, 0, 2)]


def yielded(caller: Span, agent: list[Span]) -> float | None:
    told = turns(caller)
    spoke = [Turn(tuple(agent))]
    (only,) = yields(barge_ins(told, spoke), told, spoke)
    return only.yield_s


def test_yield_time_is_the_time_to_silence() -> None:
    assert yielded((2, 5), [(0, 2.6), (6, 7)]) == pytest.approx(0.6)


def test_a_pause_between_words_is_no_yielding() -> None:
    assert yielded((2, 6), [(0, 2.2), (2.7, 3.9), (8, 9)]) == pytest.approx(1.9)


def test_a_silence_of_a_second_is_yielding_even_where_the_agent_starts_again() -> None:
    assert yielded((2, 6), [(0, 2.2), (3.3, 8)]) == pytest.approx(0.2)


def test_an_agent_that_talks_on_does_not_yield() -> None:
    caller, agent = turns((2, 4)), turns((0, 6))

    (only,) = yields(barge_ins(caller, agent), caller, agent)

    assert (only.yield_s, only.spoke_on_s) == (None, 2)


def test_unanswered_turns() -> None:
    caller = turns((0, 1), (10, 11), (20, 21), (30, 31))

    assert unanswered(caller, turns((2, 3), (22, 23)), 40) == (4, (1, 3))
    # After the last one somebody hung up, and a closing line asks for nothing.
    assert unanswered(caller, turns((2, 3), (22, 23)), 32) == (3, (1,))
    assert unanswered(caller, turns((2, 3), (22, 23)), 40, closing=(3,)) == (3, (1,))


def test_an_agent_that_was_already_speaking_has_answered() -> None:
    assert unanswered(turns((0, 2), (6, 7)), turns((1, 4)), 20) == (2, (1,))


def test_dead_air_lies_between_the_first_sound_and_the_last() -> None:
    assert dead_air([(10, 12), (15, 16), (4, 5), (19.5, 20)]) == ((5, 10), (16, 19.5))
    assert dead_air([]) == ()


def test_the_numbers_of_a_dialogue_add_up() -> None:
    caller, agent = turns((0, 4), (10, 12), (20, 23)), turns((3, 8), (13, 14), (19, 20.5))

    numbers = measure_talk(30, caller, agent, backchannels=[(10.5, 10.8)]).numbers()

    assert numbers == {
        "caller_turns": 3,
        "agent_turns": 3,
        "caller_speech_s": 9,
        "agent_speech_s": 7.5,
        "overlap_s": 1.5,
        "overlap_share": pytest.approx(1.5 / 9, abs=1e-6),
        "talked_over_turns": 2,
        "agent_barge_ins": 1,
        "caller_barge_ins": 1,
        "yielded": 1,
        "not_yielded": 0,
        "yield_median_s": 0.5,
        "answerable_turns": 3,
        "unanswered_turns": 1,
        "dead_air": 1,
        "dead_air_s": 5,
        "dead_air_longest_s": 5,
    }
