from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from offhook.callers import CallerBrief, CallerTurn
from offhook.clock import run_virtual
from offhook.packs import Task
from offhook.textline import TextLine
from offhook_caller.caller import SimulatedCaller
from offhook_caller.deterministic import Decider
from offhook_caller.minds import CallerMind, CallState, Decision, Reply
from offhook_caller.offscript import Owed, foreign_in, strayed


def turn(written: str, source: str) -> CallerTurn:
    return CallerTurn(written, written, 1.0, 2.0, source)


def test_scripted_lines_and_repairs_of_own_values_are_on_script(booking: Task) -> None:
    turns = [turn(rule.line, f"rule:{rule.id}") for rule in booking.rules]
    turns += [turn("541-555-0148.", "repair:repeat"), turn(booking.intent.opening, "opening")]
    assert strayed(booking, turns) == ()


def test_a_value_outside_the_traits_is_named_with_its_time(booking: Task) -> None:
    (fault,) = strayed(booking, [turn("My phone is 541-555-0199.", "repair:improvised")])
    assert fault == "repair:improvised at 1.00 s states '5415550199', which is not one of the caller's values"


def test_a_scripted_line_in_other_words_is_off_script(booking: Task) -> None:
    (fault,) = strayed(booking, [turn("Sure, book it.", "rule:accept")])
    assert fault == "rule:accept at 1.00 s is not the scripted line: 'Sure, book it.'"


def test_a_line_owed_and_not_said(booking: Task) -> None:
    owed = [
        Owed("verify", 5.0, said=True),
        Owed("accept", 9.0, said=False),
        Owed("note", 11.0, said=False, ended_by_caller=False),
    ]
    assert strayed(booking, [], owed) == ("the line of rule accept was owed at 9.00 s and not said",)


def test_values_of_authored_lines_are_the_callers(booking: Task) -> None:
    task = attrs.evolve(booking, intent=attrs.evolve(booking.intent, opening="Ticket 88123 is why I call."))
    assert foreign_in("It's about ticket 88123.", task) == ()
    assert foreign_in("It's about ticket 88123.", booking) == ("88123",)


@attrs.frozen
class Straying:
    """A mind that invents a number where the script owes a line."""

    decider: Decider

    async def open(self, state: CallState) -> Decision:
        return self.decider.open(state)

    async def answer(self, heard: str, state: CallState) -> Decision:
        right = self.decider.decide(heard, state)
        reply = Reply("It's 541-555-0199.", "It's five four one.", "repair:improvised")
        return Decision(reply, right.state, "gave_up", right.owed)

    async def aclose(self) -> None:
        return None


def test_a_mind_that_strays_is_reported(booking: Task, make_brief: Callable[..., CallerBrief]) -> None:
    def straying(_: CallerBrief, decider: Decider) -> CallerMind:
        return Straying(decider)

    async def call() -> Any:
        line = TextLine()
        line.agent_said("Fernhill, how can I help?")
        caller = SimulatedCaller("straying", straying)

        class Desk:
            def send_text(self, text: str) -> None:
                line.agent_said("What is your full name?")

        line.attach(Desk())  # type: ignore[arg-type]
        return await caller.converse_text(make_brief(booking), line.caller)

    report = run_virtual(call())
    assert len(report.off_script) == 2
    assert "states '5415550199'" in report.off_script[0]
    assert "the line of rule identity was owed" in report.off_script[1]
