"""The parts of a session that decide without a connection."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from offhook.clock import run_virtual
from offhook_adapters.openai_realtime._turns import Turns
from offhook_adapters.openai_realtime._twin_responses import Meter
from offhook_adapters.openai_realtime.session import _appended
from offhook_adapters.wires.outbox import Outbox
from offhook_adapters.wires.playback import Playback, Truncation

# --- truncation ---------------------------------------------------------------------------------------------


def test_the_item_under_way_is_cut_and_what_follows_it_was_not_heard() -> None:
    playback = Playback()
    playback.add("a", 0, 1.0, now=0.0)
    playback.add("b", 0, 1.5, now=0.0)
    playback.add("b", 0, 0.5, now=0.1)
    playback.add("c", 0, 1.0, now=0.2)
    cut = playback.cut(now=1.6)
    assert cut is not None
    assert cut.truncations(1.58) == (Truncation("b", 0, 580), Truncation("c", 0, 0))
    assert playback.cut(now=1.7) is None


@pytest.mark.parametrize("played", [0.48, 2.48])
def test_what_the_line_counts_from_is_found_by_the_clock(played: float) -> None:
    """After a pause the line may have begun to count anew, or not."""
    playback = Playback()
    playback.add("a", 0, 2.0, now=0.0)
    playback.add("b", 0, 3.0, now=2.5)
    cut = playback.cut(now=3.0)
    assert cut is not None
    (truncation,) = cut.truncations(played)
    assert truncation.item_id == "b"
    assert truncation.audio_end_ms in (479, 480)


def test_what_has_been_heard_to_its_end_is_not_cut() -> None:
    playback = Playback()
    playback.add("a", 0, 1.0, now=0.0)
    assert playback.cut(now=5.0) is None
    playback.add("b", 0, 1.0, now=6.0)
    cut = playback.cut(now=7.05)
    assert cut is not None
    assert cut.truncations(1.0) == ()


# --- asking for responses -----------------------------------------------------------------------------------


def _called(*calls: str) -> Turns:
    turns = Turns()
    turns.created()
    for call in calls:
        turns.called(call)
    return turns


def test_a_response_is_due_once_all_are_answered_and_the_calling_one_is_over() -> None:
    turns = _called("a", "b")
    turns.answered("a")
    turns.done()
    assert not turns.due
    turns.answered("b")
    assert turns.due
    turns.asked()
    assert not turns.due
    assert turns.waiting
    turns.acknowledged("a")
    turns.acknowledged("b")
    turns.created()
    turns.done()
    assert not turns.due
    assert not turns.waiting


def test_a_response_the_server_gave_with_every_result_known_is_not_asked_for_again() -> None:
    turns = _called("a")
    turns.done()
    turns.caller_stopped()
    turns.answered("a")
    turns.acknowledged("a")
    turns.created()
    turns.done()
    assert not turns.due


def test_a_response_the_server_began_without_the_result_is_followed_by_another() -> None:
    turns = _called("a")
    turns.done()
    turns.answered("a")
    turns.asked()
    turns.created()  # the caller's turn, answered before the result got there
    turns.refused(busy=True)
    assert not turns.due
    turns.acknowledged("a")
    turns.done()
    assert turns.due


def test_a_response_that_is_refused_for_good_is_not_asked_for_again() -> None:
    turns = _called("a")
    turns.done()
    turns.answered("a")
    turns.asked()
    turns.refused(busy=False)
    assert not turns.due
    assert not turns.waiting


# --- sending ------------------------------------------------------------------------------------------------


def test_gathered_sound_goes_forty_milliseconds_at_a_time_and_order_is_kept() -> None:
    sent: list[Mapping[str, Any]] = []

    async def send(event: Mapping[str, Any]) -> None:
        sent.append(event)

    async def work() -> None:
        outbox = Outbox(send, _appended)
        for level in (1, 2, 3):
            assert outbox.frame(np.full(480, level, dtype=np.int16))
        outbox.event({"type": "response.create"})
        assert outbox.frame(np.full(480, 4, dtype=np.int16))
        running = asyncio.create_task(outbox.run())
        await asyncio.sleep(1)
        running.cancel()

    run_virtual(work())
    sounds = [
        np.frombuffer(base64.b64decode(event["audio"]), dtype="<i2") if "audio" in event else None
        for event in sent
    ]
    assert [None if sound is None else (len(sound), sound[0], sound[-1]) for sound in sounds] == [
        (960, 1, 2),
        (480, 3, 3),
        None,
        (480, 4, 4),
    ]


def test_a_platform_that_takes_nothing_is_given_ten_seconds() -> None:
    async def work() -> int:
        outbox = Outbox(lambda event: asyncio.sleep(3600), _appended)
        frame = np.zeros(480, dtype=np.int16)
        return sum(outbox.frame(frame) for _ in range(600))

    assert run_virtual(work()) == 500


# --- the twin's meter ---------------------------------------------------------------------------------------


def test_a_response_pays_for_the_conversation_before_it_and_reuses_what_the_last_one_read() -> None:
    meter = Meter()
    meter.read("x" * 400)
    meter.said("y" * 40, 2.0)
    first = meter.bill()
    assert first["input_token_details"]["text_tokens"] == 100
    assert first["input_token_details"]["cached_tokens"] == 0
    assert first["output_token_details"] == {"text_tokens": 10, "audio_tokens": 40}
    meter.heard(3.0)
    second = meter.bill()
    details = second["input_token_details"]
    assert (details["text_tokens"], details["audio_tokens"]) == (110, 70)
    assert details["cached_tokens_details"] == {"text_tokens": 100, "audio_tokens": 0}
    assert second["total_tokens"] == 180
