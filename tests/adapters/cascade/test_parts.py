"""The smaller pieces of a cascade."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.audio import Clip, frames_of
from offhook.clock import deadline_ticker
from offhook.speech import ListenerHint, SpeechStyle
from offhook.testing import EnergyVad, FakeListener, FakeVoice, concat, gap, run_real, run_virtual
from offhook_adapters.cascade.dial import all_of
from offhook_adapters.cascade.endpointed import EndpointedEars
from offhook_adapters.cascade.history import History, heard_part
from offhook_adapters.cascade.incoming import Incoming
from offhook_adapters.cascade.parts import Wanted
from offhook_adapters.cascade.sentences import Sentences
from offhook_adapters.cascade.standby import Standby, opened
from offhook_adapters.wires.vendor import VendorError, VendorUnusable

# --- what was heard -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "part"),
    [(0.0, ""), (0.3, "One"), (0.4, "One two"), (0.99, "One two three"), (1.0, "One two three four")],
)
def test_the_part_that_was_heard_ends_at_a_word(share: float, part: str) -> None:
    assert heard_part("One two three four", share) == part


@given(st.text(), st.floats(0, 1))
def test_what_was_heard_is_a_beginning_of_the_text(text: str, share: float) -> None:
    assert text.startswith(heard_part(text, share))


def test_a_message_of_which_nothing_was_heard_is_gone_unless_it_called_tools() -> None:
    history = History("Prompt.")
    first, second = history.agent(), history.agent()
    history.said(second, "")  # equal to the first, and yet another message
    history.said(first, "Okay.")
    assert [message["content"] for message in history.messages] == ["Prompt.", "Okay."]
    history.wants(first, [Wanted("a", "look_up", "{}")])
    history.said(first, "")
    assert [message["content"] for message in history.messages] == ["Prompt.", ""]


# --- sentences ----------------------------------------------------------------------------------------------


def test_sentences_come_as_soon_as_they_are_whole() -> None:
    sentences = Sentences()
    assert sentences.push("Your appointment is on Monday. ") == []
    assert sentences.push("At ten") == ["Your appointment is on Monday. "]
    assert sentences.rest() == ["At ten"]
    assert sentences.rest() == []


def test_a_title_or_a_number_ends_no_sentence() -> None:
    text = "Your doctor will be Dr. Vasquez in room No. 4 at 10.30 a.m. on Monday"
    assert Sentences().push(text) == []


@given(st.lists(st.text(alphabet="ab .!?A", max_size=40), max_size=8))
def test_no_letter_is_lost_between_sentences(pieces: list[str]) -> None:
    sentences = Sentences()
    found = [sentence for piece in pieces for sentence in sentences.push(piece)]
    whole = "".join(pieces)
    assert "".join([*found, *sentences.rest()]).strip() == whole.strip() or not whole.strip()


# --- connections --------------------------------------------------------------------------------------------


class _Door:
    """Connections that say when they were opened and closed."""

    def __init__(self, seconds: float = 0.5) -> None:
        self.seconds = seconds
        self.opened: list[int] = []
        self.closed: list[int] = []

    async def open(self) -> int:
        number = len(self.opened)
        self.opened.append(number)
        await asyncio.sleep(self.seconds)
        return number

    async def close(self, number: int) -> None:
        self.closed.append(number)

    def standby(self, *, usable: bool = True, lasts: float = 60.0) -> Standby[int]:
        return Standby(self.open, self.close, usable=lambda _: usable, lasts=lasts)


def test_a_connection_is_there_before_it_is_needed() -> None:
    async def work() -> None:
        loop, door = asyncio.get_running_loop(), _Door()
        standby = door.standby()
        await standby.ready()
        began = loop.time()
        assert await standby.take() == 0
        assert loop.time() == began
        standby.prepare()
        await asyncio.sleep(1)
        assert await standby.take() == 1
        standby.prepare()
        await asyncio.sleep(0.1)
        await standby.close()
        assert door.closed == [2]  # the spare one; what was taken is its taker's

    run_virtual(work())


@pytest.mark.parametrize(("usable", "lasts"), [(False, 60.0), (True, 5.0)])
def test_a_spare_connection_that_is_old_or_gone_is_not_used(usable: bool, lasts: float) -> None:
    async def work() -> None:
        door = _Door()
        standby = door.standby(usable=usable, lasts=lasts)
        await standby.ready()
        await asyncio.sleep(10)
        assert await standby.take() == 1
        await standby.close()
        assert door.closed == [0]

    run_virtual(work())


def test_a_connection_nobody_waits_for_any_more_is_closed() -> None:
    async def work() -> None:
        door = _Door()
        task = asyncio.ensure_future(opened(door.open, door.close))
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        assert door.closed == [0]

    run_virtual(work())


def test_of_several_failures_the_one_that_no_call_escapes_is_raised() -> None:
    async def fails(error: Exception) -> None:
        raise error

    async def work() -> None:
        await all_of(fails(VendorError("busy")), fails(VendorUnusable("no key")))

    with pytest.raises(VendorUnusable, match="no key"):
        run_virtual(work())


def test_events_end_raise_and_can_be_given_up_on() -> None:
    async def events(error: Exception | None) -> AsyncIterator[int]:
        yield 1
        if error is not None:
            raise error

    async def stubborn() -> AsyncIterator[int]:
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            return
        yield 0

    async def work() -> None:
        incoming = Incoming(events(None))
        assert [await incoming.next() for _ in range(3)] == [1, None, None]
        broken = Incoming(events(OSError("gone")))
        assert await broken.next() == 1
        for _ in range(2):
            with pytest.raises(OSError, match="gone"):
                await broken.next()
        waiting = asyncio.ensure_future(Incoming(stubborn()).next())
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert waiting.cancelled()

    run_virtual(work())


# --- ears without turns of their own ------------------------------------------------------------------------


class _Told:
    def __init__(self) -> None:
        self.said: list[str] = []

    def caller_began(self) -> None:
        self.said.append("began")

    def caller_insists(self) -> None:
        self.said.append("insists")

    def caller_stopped(self) -> None:
        self.said.append("stopped")

    def caller_said(self, text: str) -> None:
        self.said.append(text)


def test_turns_are_found_and_transcribed_in_their_order() -> None:
    first, second = (FakeVoice().speak(text, SpeechStyle()) for text in ("Good morning.", "A wheel, please."))
    sound = concat(gap(0.5), first, gap(1.5), second, gap(1.5))

    async def transcribe(clip: Clip) -> str:
        await asyncio.sleep(0.01)
        return FakeListener().hear(clip, ListenerHint()).text

    async def work() -> list[str]:
        told = _Told()
        ears = EndpointedEars(EnergyVad(), transcribe)
        running = asyncio.ensure_future(ears.run(told))
        for frame in frames_of(sound):
            assert ears.hear(frame)
        async with asyncio.timeout(5):
            async for _ in deadline_ticker(0.01):
                if len(told.said) >= 8:
                    break
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return told.said

    said = run_real(work())
    assert [each for each in said if each not in ("began", "insists", "stopped")] == [
        "Good morning.",
        "A wheel, please.",
    ]
    assert [each for each in said if each in ("began", "insists", "stopped")] == [
        "began",
        "insists",
        "stopped",
    ] * 2


def test_silence_is_no_turn() -> None:
    async def never(clip: Clip) -> str:
        raise AssertionError("nothing was said")

    async def work() -> list[str]:
        told = _Told()
        ears = EndpointedEars(EnergyVad(), never)
        running = asyncio.ensure_future(ears.run(told))
        for _ in range(200):
            ears.hear(np.zeros(480, dtype=np.int16))
        await asyncio.sleep(0.1)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return told.said

    assert run_virtual(work()) == []
