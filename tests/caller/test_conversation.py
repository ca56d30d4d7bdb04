"""Whole calls over the real line in virtual time, with voices and ears that need no weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE
from offhook.callers import CallerBrief
from offhook.clock import run_virtual
from offhook.line import Line
from offhook.packs import Task
from offhook_caller.caller import SimulatedCaller
from offhook_caller.journal import CallerSettings

GREETING = ("Thanks for calling Fernhill.", 0.34, "How can I help you?")
BOOKING = (
    ("Which service would you like: a standard tune-up, a brake overhaul, or wheel truing?",),
    ("What is your full name, and the phone number we have on file?",),
    ("Sorry, I didn't catch the phone number. Could you say it again, one digit at a time?",),
    ("I have 541-555-0147. Is that right?",),
    (
        "Let me look that up.",
        2.0,
        "Thank you, Nadia.",
        0.4,
        "What is your ZIP code, and what are the last four digits of the frame number?",
    ),
    ("That's ZIP 97405 and 7730, correct?",),
    ("A brake overhaul for your Larkspur 7 is $64.00.", 0.34, "Shall I book it?"),
    ("Your brake overhaul is booked for $64.00. Is there anything our mechanic should know?",),
    ("I've written that down for the workshop. Is there anything else I can do for you?",),
    ("Thanks for calling Fernhill. Goodbye.",),
)


# A finished call has the caller's report, the line's tapes and what the agent heard (see conftest.py).
Place = Callable[..., Any]
Part = str | float | None


def in_order(turns: Iterable[Iterable[Part]]) -> Callable[[str], Iterable[Part] | None]:
    left = iter(turns)
    return lambda _: next(left, None)


def silent(_: str) -> tuple[str, ...]:
    return ()


def test_a_whole_booking(booking: Task, call: Place) -> None:
    done = call(booking, GREETING, in_order(BOOKING))
    report = done.report
    assert [turn.source for turn in report.turns] == [
        "opening",
        "rule:service",
        "rule:identity",
        "repair:repeat",
        "repair:no",
        "rule:verify",
        "repair:yes",
        "rule:accept",
        "rule:note",
        "rule:done",
    ]
    assert done.agent_heard == tuple(turn.spoken for turn in report.turns)
    assert report.hung_up_because == "satisfied"
    assert report.off_script == ()
    assert done.tapes.ended_by == "caller"
    assert [event.name for event in report.events if event.name.startswith("heard:")] == [
        "heard:price",
        "heard:booked",
    ]
    heard = " ".join(entry.text for entry in report.heard)
    assert heard == " ".join(part for turn in (GREETING, *BOOKING) for part in turn if isinstance(part, str))


def test_turns_lie_where_the_tape_has_sound(booking: Task, call: Place) -> None:
    done = call(booking, GREETING, in_order(BOOKING))
    caller = np.abs(done.tapes.stereo[:, 0])
    outside = np.ones(len(caller), dtype=bool)
    for turn in done.report.turns:
        start, end = round(turn.start * LINE_RATE), round(turn.end * LINE_RATE)
        assert caller[start : start + 480].max() > 1000
        assert caller[end - 480 : end].max() > 1000
        outside[start:end] = False
    assert caller[outside].max() == 0


def test_it_never_talks_over_the_agent_and_waits_its_pause(booking: Task, call: Place) -> None:
    settings = CallerSettings(pause=(0.4, 0.6), patience=0.6)
    done = call(booking, GREETING, in_order(BOOKING), settings=settings)
    agent = np.abs(done.tapes.stereo[:, 1]) > 300
    gaps = []
    for turn in done.report.turns:
        start = round(turn.start * LINE_RATE)
        assert not agent[start : round(turn.end * LINE_RATE)].any()
        gaps.append((start - 1 - int(np.flatnonzero(agent[:start])[-1])) / LINE_RATE)
    assert all(0.38 <= gap <= 0.66 for gap in gaps), gaps
    assert len(set(np.round(gaps, 2))) > 3


def test_after_words_that_are_no_question_it_waits_for_more(booking: Task, call: Place) -> None:
    turns = (("I need your full name, please.", 0.8, "And your phone number?"),)
    done = call(booking, GREETING, in_order(turns))
    identity = done.report.turns[1]
    assert identity.source == "rule:identity"
    assert identity.start > done.report.heard[-1].end


def test_an_agent_that_starts_again_is_heard_out(booking: Task, call: Place) -> None:
    turns = (("Which service would you like?", 0.55, "A tune-up, a brake overhaul, or wheel truing?"),)
    done = call(booking, GREETING, in_order(turns), settings=CallerSettings(pause=(0.7, 0.7)))
    service = done.report.turns[1]
    assert service.source == "rule:service"
    assert service.start > done.report.heard[-1].end
    assert len(done.report.heard) == 3


def test_words_spoken_over_the_caller_are_heard_and_answered(booking: Task, call: Place) -> None:
    def interrupting(heard: str) -> Iterable[Part] | None:
        return None if "Nadia" in heard else ()

    done = call(booking, ("Hello.", 1.4, "What is your full name?"), interrupting)
    opening, identity = done.report.turns
    overlapped = done.report.heard[1]
    assert opening.start < overlapped.start < opening.end
    assert identity.source == "rule:identity"


def test_silence_brings_one_hello_and_then_an_end(booking: Task, call: Place) -> None:
    done = call(booking, GREETING, silent)
    opening, hello = done.report.turns
    assert (hello.source, hello.spoken) == ("silence", "Hello?")
    assert hello.start - opening.end == pytest.approx(8.0, abs=0.05)
    assert done.report.hung_up_because == "gave_up"
    assert done.tapes.seconds - opening.end == pytest.approx(30.0, abs=0.1)


def test_each_silence_has_its_own_hello(booking: Task, call: Place) -> None:
    def slow(heard: str) -> Iterable[Part] | None:
        return (9.5, "One moment, please.")

    done = call(booking, GREETING, slow, settings=CallerSettings(longest=45.0))
    sources = [turn.source for turn in done.report.turns]
    assert sources == ["opening", "silence", "silence", "silence"]


def test_an_agent_without_a_greeting_is_called_for(booking: Task, call: Place) -> None:
    answers = in_order((("Fernhill, good morning.",), ("Which service would you like?",)))
    done = call(booking, (), answers)
    assert [turn.source for turn in done.report.turns] == ["silence", "opening", "rule:service"]
    assert done.report.turns[0].start == pytest.approx(8.0, abs=0.05)


def test_hello_can_be_switched_off(booking: Task, call: Place) -> None:
    done = call(booking, GREETING, silent, settings=CallerSettings(hello="", abandon_after=12.0))
    assert [turn.source for turn in done.report.turns] == ["opening"]
    assert done.report.hung_up_because == "gave_up"


def test_a_call_has_a_longest_length(booking: Task, call: Place) -> None:
    def forever(heard: str) -> Iterable[Part]:
        return [part for _ in range(20) for part in ("One moment, please.", 5.0)]

    done = call(booking, GREETING, forever, settings=CallerSettings(longest=40.0))
    assert done.report.hung_up_because == "too_long"
    assert done.tapes.seconds == pytest.approx(40.0, abs=0.1)


def test_a_line_owed_when_time_is_up_is_off_script(booking: Task, call: Place) -> None:
    turns = (("What is your full name?",),)
    finished = call(booking, GREETING, in_order(turns))
    answered = finished.report.turns[1].start
    done = call(booking, GREETING, in_order(turns), settings=CallerSettings(longest=answered - 0.05))
    assert done.report.hung_up_because == "too_long"
    (fault,) = done.report.off_script
    assert fault.startswith("the line of rule identity was owed")


def test_an_agent_that_hangs_up_in_mid_line_leaves_no_fault_of_ours(booking: Task, call: Place) -> None:
    done = call(booking, (*GREETING, 2.0, None), silent)
    assert done.report.turns == ()
    assert [event.name for event in done.report.events] == ["cut_off:opening"]
    assert done.report.hung_up_because == "agent_ended"
    assert done.report.off_script == ()
    assert done.tapes.ended_by == "platform"


def test_a_goodbye_is_taken_as_one(price: Task, call: Place) -> None:
    turns = (("A standard tune-up is $85.00. Goodbye.",),)
    done = call(price, GREETING, in_order(turns))
    assert done.report.hung_up_because == "satisfied"
    assert done.tapes.ended_by == "caller"
    assert len(done.report.turns) == 1


def test_runs_differ_and_equal_runs_are_equal(price: Task, call: Place) -> None:
    def placed(run: int, seed: int = 7) -> Any:
        answers = in_order((("Which service would you like?",), ("It is $85.00. Anything else?",)))
        return call(price, ("Fernhill, hello?",), answers, run=run, seed=seed)

    runs = [placed(run) for run in (1, 2, 3, 4, 5)]
    assert len({done.tapes.stereo.tobytes() for done in runs}) == 5
    spoken = {tuple(turn.spoken for turn in done.report.turns) for done in runs}
    assert [len(turns) for turns in spoken] == [3]
    again = placed(1)
    assert again.tapes.stereo.tobytes() == runs[0].tapes.stereo.tobytes()
    assert again.report == runs[0].report
    assert placed(1, seed=8).report != runs[0].report


def test_repeated_values_are_said_more_slowly(booking: Task, call: Place) -> None:
    turns = (
        ("What is your full name?",),
        ("Sorry, could you say that again?",),
    )
    done = call(booking, GREETING, in_order(turns))
    identity, repeat = done.report.turns[1:3]
    assert repeat.source == "repair:repeat"
    assert (repeat.end - repeat.start) / len(repeat.spoken) > 0.9 * (identity.end - identity.start) / len(
        identity.spoken
    )


def test_a_call_without_the_voice_it_needs_says_so(
    booking: Task, make_brief: Callable[..., CallerBrief]
) -> None:
    async def placed() -> bool:
        line = Line()
        brief = attrs.evolve(make_brief(booking), voice="nobody")
        with pytest.raises(ValueError, match="there is no voice 'nobody'; known: fake"):
            await SimulatedCaller("scripted").converse(brief, line.caller)
        return line.hung_up

    assert run_virtual(placed())
