from __future__ import annotations

from collections.abc import Iterable

import attrs
import pytest

from offhook.packs import Cues, Rule, Task
from offhook.testing import HashEmbedder
from offhook_caller.cue_tests import state_given
from offhook_caller.cues import CueMatcher
from offhook_caller.deterministic import Decider, Patience
from offhook_caller.minds import CallState, Decision

ASKED = "What is your full name, and the phone number we have on file?"
IDENTITY = ("said:identity",)


def decider_for(task: Task, patience: Patience | None = None) -> Decider:
    return Decider(task, CueMatcher(HashEmbedder()), patience)


def decided(task: Task, heard: str, given: Iterable[str] = ()) -> Decision:
    decider = decider_for(task)
    return decider.decide(heard, state_given(decider, task, tuple(given)))


def answer(task: Task, heard: str, given: Iterable[str] = ()) -> tuple[str, str]:
    reply = decided(task, heard, given).reply
    return ("", "") if reply is None else (reply.source, reply.written)


def test_the_opening_is_said_word_for_word(booking: Task) -> None:
    decision = decider_for(booking).open(CallState())
    assert decision.reply is not None
    assert decision.reply.written == booking.intent.opening
    assert decision.state.events == ("opened",)


def test_a_rules_line_is_said_exactly_and_becomes_an_event(booking: Task) -> None:
    decision = decided(booking, ASKED)
    assert decision.reply is not None
    assert (decision.reply.source, decision.reply.written) == ("rule:identity", "Nadia Okafor, 541-555-0148.")
    assert decision.reply.spoken == "Nadia Okafor, five four one, five five five, zero one four eight."
    assert decision.reply.states == ("full_name", "phone")
    assert decision.state.events == ("opened", "said:identity")
    assert decision.owed == "identity"
    assert decision.why == f"rule identity by pattern: '{ASKED}'"


def test_of_two_things_asked_the_lower_order_is_answered(booking: Task) -> None:
    both = "And the ZIP code? I also need your full name."
    assert answer(booking, both)[0] == "rule:identity"


def test_asked_to_repeat_it_says_only_what_is_asked_for_slowly(booking: Task) -> None:
    heard = "Sorry, I didn't catch the phone number. One digit at a time, please?"
    reply = decided(booking, heard, IDENTITY).reply
    assert reply is not None
    assert (reply.source, reply.written, reply.careful) == ("repair:repeat", "541-555-0148.", True)
    assert reply.spoken == "five, four, one. five, five, five. zero, one, four, eight."


def test_somebody_elses_name_asked_for_again_is_not_the_callers(booking: Task) -> None:
    heard = "Sorry, could you say only the name of that person or company again, and spell it?"
    reply = decided(booking, heard, IDENTITY).reply
    assert reply is not None
    assert (reply.source, reply.written) == ("repair:repeat", "Nadia Okafor, 541-555-0148.")
    own = decided(booking, "Could you say the name of the account holder again?", IDENTITY).reply
    assert own is not None
    assert own.written == "Nadia Okafor."


def test_several_values_are_told_apart_by_their_names(booking: Task) -> None:
    reply = decided(booking, "Please say the ZIP code and the frame digits again.", ("said:verify",)).reply
    assert reply is not None
    assert reply.written == "ZIP code 97405, frame 7730."
    assert reply.spoken == "ZIP code nine, seven, four, zero, five. frame seven, seven, three, zero."


def test_asked_to_spell_it_spells(booking: Task) -> None:
    reply = decided(booking, "Could you spell your name for me?", IDENTITY).reply
    assert reply is not None
    assert reply.spoken == "First name Nadia, N, A, D, I, A. Last name Okafor, O, K, A, F, O, R."


def test_asked_to_repeat_without_a_word_what_it_repeats_the_line_with_its_values_slow(booking: Task) -> None:
    reply = decided(booking, "Sorry, could you say that again?", ("said:identity", "said:verify")).reply
    assert reply is not None
    assert (reply.source, reply.written) == ("repair:repeat", "ZIP 97405, and the frame number ends in 7730.")
    slow = "ZIP nine, seven, four, zero, five, and the frame number ends in seven, seven, three, zero."
    assert reply.spoken == slow
    assert reply.careful


def test_a_last_line_that_is_more_than_values_is_repeated_as_it_was(booking: Task) -> None:
    reply = decided(booking, "Sorry, could you say that again?", ("said:note",)).reply
    assert reply is not None
    assert (reply.source, reply.written) == (
        "repair:repeat",
        "Please note that the rear brake squeals in the rain.",
    )
    assert reply.careful


def test_a_rule_made_for_repetitions_is_not_outranked(booking: Task) -> None:
    repeat = Rule(
        "repeat",
        "Asks to repeat the number",
        "Five, four, one.",
        Cues(
            all_of=("repeat|say that again",), like=("Could you repeat the number?", "Please say that again.")
        ),
        order=5,
    )
    task = attrs.evolve(booking, rules=(repeat, *booking.rules))
    assert (
        answer(task, "Could you repeat the phone number?", ("said:identity", "said:repeat"))[0]
        == "rule:repeat"
    )


def test_a_right_read_back_gets_a_yes(booking: Task) -> None:
    heard = "I have Nadia Okafor, 541-555-0148. Is that right?"
    assert answer(booking, heard, IDENTITY) == ("repair:yes", "Yes, that's right.")


def test_a_rule_that_matches_the_words_of_a_read_back_gives_way_to_a_yes(booking: Task) -> None:
    broad = attrs.evolve(booking.rules[0], id="broad", cues=Cues(all_of=(r"\bi have\b",)), tests=(), order=1)
    task = attrs.evolve(booking, rules=(broad, *booking.rules))
    assert answer(task, "I have 541-555-0148. Is that right?", IDENTITY)[0] == "repair:yes"
    assert answer(task, "I have two openings. Is that all right?", IDENTITY)[0] == "rule:broad"


def test_a_wrong_read_back_gets_a_no_and_the_right_value_slowly(booking: Task) -> None:
    reply = decided(booking, "So your phone number is 541-555-0184, correct?", IDENTITY).reply
    assert reply is not None
    assert (reply.source, reply.written, reply.careful) == ("repair:no", "No, it's 541-555-0148.", True)


def test_a_wrong_read_back_comes_before_the_next_question(booking: Task) -> None:
    heard = "I have 541-555-0184, is that right? And what's your ZIP code?"
    assert answer(booking, heard, IDENTITY)[0] == "repair:no"


def test_after_a_right_read_back_the_next_question_is_answered(booking: Task) -> None:
    heard = "I have 541-555-0148, thank you. What's your ZIP code?"
    assert answer(booking, heard, IDENTITY)[0] == "rule:verify"


def test_a_rule_that_reads_values_back_itself_stands(booking: Task) -> None:
    assert (
        answer(booking, "That is 64 dollars for 7730. Shall I book it?", ("said:verify",))[0] == "rule:accept"
    )


def test_a_question_for_a_trait_without_a_rule_is_answered_from_the_traits(booking: Task) -> None:
    task = attrs.evolve(booking, rules=())
    decision = decided(task, "Can I get your phone number and ZIP code?")
    assert decision.reply is not None
    assert (decision.reply.source, decision.reply.written) == (
        "repair:state",
        "phone number 541-555-0148, ZIP code 97405.",
    )
    phone = "phone number five four one, five five five, zero one four eight"
    assert decision.reply.spoken == f"{phone}, ZIP code nine seven four zero five."


@pytest.mark.parametrize("heard", ["One moment, please.", "Let me look that up.", "I found your account."])
def test_holds_and_statements_get_silence(booking: Task, heard: str) -> None:
    decision = decided(booking, heard)
    assert decision.reply is None
    assert decision.hang_up == ""


def test_a_topic_heard_in_a_statement_is_remembered(booking: Task) -> None:
    assert "heard:booked" in decided(booking, "Your brake overhaul is booked.").state.events


def test_asked_for_its_purpose_again_it_opens_again(booking: Task) -> None:
    assert answer(booking, "How can I help you?") == ("repair:restate", booking.intent.opening)


def test_a_rule_that_ends_the_call_hangs_up_satisfied(price: Task) -> None:
    decision = decided(price, "Is there anything else I can do for you?", ("heard:price",))
    assert decision.hang_up == "satisfied"
    assert decision.reply is not None


def test_the_closing_question_ends_a_satisfied_call_without_a_rule(price: Task) -> None:
    task = attrs.evolve(price, rules=())
    decision = decided(task, "Anything else today?", ("heard:price",))
    assert decision.reply is not None
    assert (decision.reply.source, decision.reply.written) == ("closing", "Thank you, bye.")
    assert decision.hang_up == "satisfied"


def test_the_closing_question_before_the_goal_is_met_brings_the_opening_again(price: Task) -> None:
    decision = decided(attrs.evolve(price, rules=()), "Anything else today?")
    assert decision.reply is not None
    assert (decision.reply.source, decision.hang_up) == ("repair:restate", "")


def test_a_value_read_back_beside_the_closing_question_does_not_keep_the_call_open(booking: Task) -> None:
    told = "The confirmation went to 541-555-0148. Is there anything else I can help you with?"
    decision = decided(attrs.evolve(booking, rules=()), told, booking.intent.satisfied)
    assert decision.reply is not None
    assert (decision.reply.source, decision.hang_up) == ("closing", "satisfied")


@pytest.mark.parametrize(("given", "reason"), [((), "agent_ended"), (("heard:price",), "satisfied")])
def test_a_goodbye_ends_the_call(price: Task, given: tuple[str, ...], reason: str) -> None:
    decision = decided(price, "Thanks for calling. Goodbye.", given)
    assert (decision.reply, decision.hang_up) == (None, reason)


def test_unknown_questions_get_neutral_lines_and_then_it_gives_up(booking: Task) -> None:
    decider, state, said = decider_for(booking, Patience(misses=3)), CallState(), []
    for _ in range(4):
        decision = decider.decide("Would you prefer red or blue?", state)
        assert decision.reply is not None
        said.append((decision.reply.source, decision.hang_up))
        state = decision.state
    assert said == [("repair:unsure", "")] * 3 + [("repair:give_up", "gave_up")]


def test_progress_restores_patience(booking: Task) -> None:
    decider, state = decider_for(booking, Patience(misses=2)), CallState()
    for heard in ("Red or blue?", "Red or blue?", ASKED, "Red or blue?", "Red or blue?"):
        decision = decider.decide(heard, state)
        assert decision.hang_up == ""
        state = decision.state


def test_an_agent_that_repeats_itself_for_ever_is_left(booking: Task) -> None:
    decider, state = decider_for(booking, Patience(repairs=5)), CallState()
    reasons = []
    for _ in range(7):
        decision = decider.decide("Sorry, could you say your phone number again?", state)
        reasons.append(decision.hang_up)
        state = decision.state
    assert reasons[:6] == [""] * 6  # the rule once, then five repairs
    assert reasons[6] == "gave_up"


def test_nothing_understood_is_said_so(booking: Task) -> None:
    assert answer(booking, "")[0] == "repair:unheard"


def test_equal_turns_and_states_give_equal_decisions(booking: Task) -> None:
    assert decided(booking, ASKED) == decided(booking, ASKED)
