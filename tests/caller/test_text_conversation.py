"""The same caller on a text line, with a platform that takes words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from offhook.callers import AgentHeard, CallerBrief, CallerReport
from offhook.clock import run_virtual
from offhook.packs import Task
from offhook.textline import TextCaller, TextLine
from offhook_caller.caller import SimulatedCaller
from offhook_caller.journal import CallerSettings, Journal


class Desk:
    """Answers each turn with the next of its own; hangs up when it has none left."""

    def __init__(self, line: TextLine, turns: Iterable[str | None]) -> None:
        self._line = line
        self._turns = iter(turns)
        self.heard: list[str] = []

    def send_text(self, text: str) -> None:
        self.heard.append(text)
        self.go_on()

    def go_on(self) -> None:
        said = next(self._turns, None)
        if said is None:
            self._line.end("agent")
        elif said:
            self._line.agent_said(said)


def converse(
    brief: CallerBrief, turns: Iterable[str | None], settings: CallerSettings | None = None
) -> tuple[CallerReport, list[str], TextLine]:
    async def call() -> tuple[CallerReport, list[str], TextLine]:
        line = TextLine()
        desk = Desk(line, turns)
        line.attach(desk)  # type: ignore[arg-type]
        asyncio.get_running_loop().call_soon(desk.go_on)
        report = await SimulatedCaller("scripted", settings=settings).converse_text(brief, line.caller)
        return report, desk.heard, line

    return run_virtual(call())


def test_it_is_a_text_caller() -> None:
    assert isinstance(SimulatedCaller("scripted"), TextCaller)


def test_a_whole_call_in_text(booking: Task, make_brief: Callable[..., CallerBrief]) -> None:
    report, heard, line = converse(
        make_brief(booking),
        [
            "Fernhill, how can I help?",
            "What is your full name, and the phone number we have on file?",
            "Could you say your phone number again?",
            "What is your ZIP code and the last four digits of the frame number?",
            "A brake overhaul is $64.00. Shall I book it?",
            "Your brake overhaul is booked. Is there anything our mechanic should know?",
            "Is there anything else I can do for you?",
            "Goodbye.",
        ],
    )
    assert [turn.source for turn in report.turns] == [
        "opening",
        "rule:identity",
        "repair:repeat",
        "rule:verify",
        "rule:accept",
        "rule:note",
        "rule:done",
    ]
    assert heard == [turn.spoken for turn in report.turns]
    assert report.hung_up_because == "satisfied"
    assert report.off_script == ()
    assert line.ended_by == "caller"
    assert [entry.text for entry in report.heard][-1] == "Goodbye."
    assert {"heard:price", "heard:booked", "said:note", "opened"} <= {event.name for event in report.events}


def test_a_silent_agent_gets_one_hello_and_is_left(
    booking: Task, make_brief: Callable[..., CallerBrief]
) -> None:
    report, heard, line = converse(make_brief(booking), ["Fernhill, how can I help?", "", "", ""])
    assert heard == [booking.intent.opening, "Hello?"]
    assert report.hung_up_because == "gave_up"
    assert 30.0 <= line.now - report.turns[0].end < 31.0


def test_an_agent_that_hangs_up_ends_it(booking: Task, make_brief: Callable[..., CallerBrief]) -> None:
    report, _, line = converse(make_brief(booking), ["Fernhill, how can I help?", None])
    assert report.hung_up_because == "agent_ended"
    assert line.ended_by == "agent"


def test_a_text_call_has_a_longest_length(booking: Task, make_brief: Callable[..., CallerBrief]) -> None:
    turns = ["Fernhill, how can I help?"] + ["Which service would you like?"] * 100
    report, _, line = converse(make_brief(booking), turns, CallerSettings(longest=20.0))
    assert report.hung_up_because == "too_long"
    assert 20.0 <= line.now < 30.0


def test_of_an_endless_turn_only_the_end_is_read(booking: Task) -> None:
    journal = Journal(booking)
    journal.hear(AgentHeard("x" * 2_000_000, 0.0, 1.0))
    journal.hear(AgentHeard("How can I help?", 1.0, 2.0))
    assert len(journal.agent_turn) == 4000
    assert journal.agent_turn.endswith("x How can I help?")
