"""The parts of a GPT-Live session that decide without a connection."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from offhook.audio import FRAME_SAMPLES, Samples
from offhook.clock import run_virtual
from offhook.sessions import Cost
from offhook_adapters.gpt_live._backend import Backend
from offhook_adapters.gpt_live._duplex import Floor, Passage
from offhook_adapters.gpt_live._pauses import Pauses
from offhook_adapters.gpt_live._twin_speaker import Speaker
from offhook_adapters.gpt_live._words import Words
from offhook_adapters.gpt_live.prices import BackendPrices, Duration, backend_usage, cost_of

PIECE = 4800
SILENCE = np.zeros(PIECE, dtype=np.int16)
VOICE = np.full(PIECE, 2000, dtype=np.int16)
SHORT = np.concatenate((np.zeros(PIECE - 300, dtype=np.int16), np.full(300, 2000, dtype=np.int16)))

# --- who speaks ---------------------------------------------------------------------------------------------


def pushed(floor: Floor, pieces: list[Samples], at: float = 0.0) -> list[Passage]:
    """Pieces that come as they are spoken, 200 ms apart."""
    passages = []
    for index, piece in enumerate(pieces):
        passages.append(floor.push(piece, at + index * 0.2))
        if passages[-1].voiced:
            floor.emitted(piece, at + index * 0.2)
    return passages


def test_silence_is_played_within_what_is_said_and_not_around_it() -> None:
    told = pushed(Floor(), [SILENCE] * 3 + [VOICE, SILENCE, SILENCE, SHORT] + [SILENCE] * 6)
    assert [passage.plays for passage in told] == [False] * 3 + [True] * 8 + [False] * 2
    assert [index for index, passage in enumerate(told) if passage.over] == [10]
    assert [index for index, passage in enumerate(told) if passage.voiced] == [3, 6]


def test_sound_is_held_back_by_as_much_as_the_stream_was_late() -> None:
    floor = Floor()
    for at in (0.6, 0.6, 0.6, 1.2, 1.2, 1.2):  # three pieces at a time
        floor.push(SILENCE, at)
    assert floor.push(SILENCE, 1.8).held_back == 0
    held = floor.push(VOICE, 1.8).held_back
    assert held == pytest.approx(0.2 * 24_000, abs=2)
    floor.emitted(np.zeros(held + PIECE, dtype=np.int16), 1.8)
    assert floor.push(VOICE, 1.8).held_back == 0  # it is being played already


def _overlapped(floor: Floor, start_ms: int, end_ms: int, waiting: float) -> bool:
    pushed(floor, [SILENCE, VOICE, VOICE, VOICE])
    floor.emitted(np.zeros(round(waiting * 24_000), dtype=np.int16), 0.7)
    floor.caller_spoke(start_ms, end_ms)
    assert not floor.gives_way(0.75)  # it still speaks
    floor.push(SILENCE, 0.8)
    return floor.gives_way(0.8)


@pytest.mark.parametrize(
    ("start_ms", "end_ms", "waiting", "gives_way"),
    [
        (400, 700, 1.5, True),
        (400, 700, 0.2, False),  # hardly anything waits
        (0, 150, 1.5, False),  # what it answers was said before it began
    ],
)
def test_what_waits_is_dropped_where_the_caller_talked_over_it(
    start_ms: int, end_ms: int, waiting: float, gives_way: bool
) -> None:
    floor = Floor()
    assert _overlapped(floor, start_ms, end_ms, waiting) is gives_way
    assert not floor.gives_way(0.81)
    assert (floor.waiting(0.81) == 0.0) is gives_way


def test_an_old_interruption_drops_nothing_of_a_later_sentence() -> None:
    floor = Floor()
    floor.caller_spoke(0, 300)
    pushed(floor, [VOICE, VOICE] + [SILENCE] * 5 + [VOICE])
    floor.emitted(np.zeros(48_000, dtype=np.int16), 1.5)
    floor.push(SILENCE, 1.6)
    assert not floor.gives_way(1.6)


def test_a_pause_goes_to_the_line_as_it_is_due_and_its_rest_before_what_follows() -> None:
    async def work() -> tuple[list[int], int]:
        loop = asyncio.get_running_loop()
        until = loop.time() + 0.1
        told: list[int] = []

        def play(samples: Samples) -> None:
            nonlocal until
            until = max(until, loop.time()) + len(samples) / 24_000
            told.append(len(samples))

        pauses = Pauses(play, lambda: max(0.0, until - loop.time()))
        pauses.add(SILENCE)
        await asyncio.sleep(0.2)
        rest = len(pauses.taken())
        before = len(told)
        await asyncio.sleep(1)
        assert len(told) == before
        return told, rest

    told, rest = run_virtual(work())
    assert set(told) == {FRAME_SAMPLES // 4}
    assert 23 <= len(told) <= 27  # 100 ms have passed since the line had nothing else, and it is kept ahead
    assert sum(told) + rest == PIECE


# --- words --------------------------------------------------------------------------------------------------


def test_fragments_are_one_utterance_until_there_is_a_pause() -> None:
    words = Words()
    assert words.add("Good", 1000, 1200) == ""
    assert words.add(" day,", 1200, 1500) == ""
    assert words.add(" sir.", 2300, 2500) == ""
    assert words.add("Yes?", 3400, 3600) == "Good day, sir."
    assert words.take() == "Yes?"
    assert words.take() == ""


# --- the backend --------------------------------------------------------------------------------------------


def test_the_backend_goes_on_once_all_is_answered_and_nothing_is_under_way() -> None:
    backend = Backend()
    backend.created("d1")
    backend.called("d1", "c1")
    backend.called("d1", "c2")
    assert backend.answered("c1")
    assert not backend.due
    backend.completed("d1")
    assert not backend.due
    assert backend.answered("c2")
    assert backend.due
    backend.asked()
    assert not backend.due
    assert not backend.answered("c2")


def test_another_delegation_under_way_is_waited_for() -> None:
    backend = Backend()
    backend.created("d1")
    backend.called("d1", "c1")
    backend.completed("d1")
    backend.created("d2")
    backend.answered("c1")
    assert not backend.due
    backend.completed("d2")
    assert backend.due


def test_the_calls_of_a_response_that_failed_are_taken_back() -> None:
    backend = Backend()
    backend.created(None)
    backend.called(None, "c1")
    backend.called(None, "c2")
    backend.answered("c1")
    assert backend.failed(None) == ["c2"]
    assert not backend.answered("c2")
    assert not backend.busy


# --- what it costs ------------------------------------------------------------------------------------------

LUNA = BackendPrices(fresh=0.2, cached=0.02, written=0.25, out=1.2)


@pytest.mark.parametrize(
    ("reported", "measured", "differs", "seconds"),
    [
        (90.0, 92.0, False, 90.0),
        (7.0, 90.0, True, 90.0),
        (110.0, 90.0, True, 90.0),
        (2.0, 5.0, False, 2.0),  # whole seconds of a short call say little
        (None, 60.0, False, 60.0),
    ],
)
def test_seconds_that_are_more_than_a_tenth_off_are_not_trusted(
    reported: float | None, measured: float, differs: bool, seconds: float
) -> None:
    duration = Duration(reported, measured)
    assert duration.differs is differs
    assert duration.seconds == seconds
    basis = "duration" if differs or reported is None else "usage"
    assert cost_of({}, duration, 0.05, None) == Cost(round(seconds / 60 * 0.05, 6), basis)


def test_the_backends_tokens_are_billed_by_their_kind() -> None:
    usage = backend_usage(
        {
            "input_tokens": 1_000_000,
            "input_tokens_details": {"cached_tokens": 600_000, "cache_write_tokens": 100_000},
            "output_tokens": 50_000,
        }
    )
    tokens = 0.3 * 0.2 + 0.6 * 0.02 + 0.1 * 0.25 + 0.05 * 1.2
    assert cost_of(usage, Duration(60.0, 60.0), 0.05, LUNA).usd == pytest.approx(0.05 + tokens)
    assert cost_of(usage, Duration(60.0, 60.0), 0.05, None) == Cost(None, "unknown")
    assert cost_of({}, Duration(60.0, 60.0), None, LUNA) == Cost(None, "unknown")
    assert backend_usage(None) == {}


# --- the twin's voice ---------------------------------------------------------------------------------------


def test_the_twin_talks_in_real_time_and_stops_where_it_is_cut() -> None:
    async def work() -> tuple[list[bool], list[tuple[str, int, int]]]:
        pieces: list[bool] = []
        words: list[tuple[str, int, int]] = []
        speaker = Speaker(lambda sound, voiced: pieces.append(voiced), lambda *told: words.append(told))
        running = asyncio.create_task(speaker.run())
        await asyncio.sleep(0.5)
        speaker.say("Hello there", np.full(48_000, 2000, dtype=np.int16))
        await asyncio.sleep(1.0)
        speaker.cut()
        await asyncio.sleep(2.0)
        running.cancel()
        return pieces, words

    pieces, words = run_virtual(work())
    assert len(pieces) == 18  # 3.5 s
    assert pieces.index(True) == 3
    assert sum(pieces) == 8  # one second, and what was sent ahead
    assert words == [("Hello there", 600, 2600)]
