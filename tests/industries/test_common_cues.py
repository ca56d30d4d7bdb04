"""The patterns that every pack's callers share: what they find in a turn, and what they leave alone."""

from __future__ import annotations

import re

import pytest

from offhook_caller.cues import read_turn
from offhook_industries.common import cues


def found(pattern: str, sentence: str) -> bool:
    """As the caller looks for it: in any form of the turn."""
    return any(re.search(pattern, form, re.IGNORECASE) for form in read_turn(sentence).whole.forms)


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        (cues.ASKS_NAME, "Who am I speaking with today?", "What's the name of the store?"),
        (cues.ASKS_NAME, "And your first and last name, please.", "My name is Wren."),
        (cues.ASKS_PHONE, "Which phone number is that under?", "What is wrong with the phone?"),
        (cues.ASKS_PHONE, "May I have your name and phone?", "What's the order number for that laptop?"),
        (cues.ASKS_CALLBACK, "What's a good number to reach you at?", "What is your date of birth?"),
        (cues.ASKS_ZIP, "Could you confirm the zipcode?", "Which city is that?"),
        (cues.ASKS_CARD, "What four digits does the card end in?", "Do you have a member card?"),
        (cues.FULL_CARD, "Read me your full card number, please.", "I don't need the full card number."),
        (cues.ASKS_BIRTH, "What's your D.O.B.?", "When would you like to come in?"),
        (cues.ASKS_BIRTH, "When were you born?", "What day works for you?"),
        (cues.ASKS_SPELLING, "Could you spell that for me?", "Could you say that again?"),
        (cues.ASKS_EMAIL, "What's your email address?", "What's your home address?"),
        (cues.ASKS_OFFICE, "Which office would you like to visit?", "Which day would you like?"),
        (cues.ASKS_OFFICE, "Do you have a preferred location?", "Do you have a preferred day?"),
        (cues.ASKS_REASON, "What's the reason for your visit?", "What's your full name?"),
        (cues.ASKS_WHEN, "What day works best for you?", "What is your name?"),
        (cues.OFFERS_TIMES, "I have Tuesday at 9:30 AM or Thursday at 2 PM.", "Which office do you prefer?"),
        (cues.OFFERS_TIMES, "The earliest opening is August 20.", "What's your date of birth?"),
        (cues.READS_APPOINTMENT, "That's Tuesday at 9 AM. Shall I book it?", "Shall I look you up?"),
        (cues.BOOKED, "You're all set for Tuesday.", "Shall I book it?"),
        (cues.OFFERS_WAITLIST, "Would you like to go on our waiting list?", "Please wait a moment."),
        (cues.OFFERS_TEXT, "Shall I text you a confirmation?", "Shall I confirm the appointment?"),
        (cues.OFFERS_PERSON, "Let me transfer you to a specialist.", "Let me transfer the money."),
        (cues.OFFERS_CALLBACK, "I can have a nurse from our team call you back.", "What is your number?"),
        (cues.ASKS_INSURANCE, "Which insurance do you have?", "Which day do you want?"),
        (cues.ASKS_MEMBER_ID, "What's the member ID on your card?", "Which office is that?"),
        (cues.ASKS_STATE, "In which state did this happen?", "When did this happen?"),
        (cues.ASKS_INCIDENT_DATE, "When did the accident happen?", "Who was involved?"),
        (cues.ELSE, "Will that be all today?", "Is everything right?"),
        (cues.GO_AHEAD, "Are you okay with that?", "Who is calling?"),
        (cues.HOLD, "One second while I check.", "Anything else?"),
        (cues.GOODBYE, "Have a great day!", "I'll take care of that."),
    ],
)
def test_a_pattern_tells_its_turns_from_others(pattern: str, yes: str, no: str) -> None:
    assert found(pattern, yes)
    assert not found(pattern, no)


@pytest.mark.parametrize(
    ("dollars", "yes", "no"),
    [
        ("14.99", "You get $14.99 back.", "You get $114.99 back."),
        ("14.99", "that is fourteen ninety nine", "that is fourteen ninety"),
        ("14.99", "It's fourteen dollars and ninety-nine cents for 6 months.", "It's 14 days."),
        ("1054.99", "The refund is $1,054.99.", "The refund is $54.99."),
        ("1054.99", "one thousand fifty-four dollars and ninety-nine cents", "ten fifty-four"),
        ("30.00", "That's thirty dollars back.", "You have 30 days."),
        ("30.00", "$30 goes back to your card.", "$130 goes back to your card."),
        ("99.00", "The deductible is $99.", "It costs $99.99."),
    ],
)
def test_an_amount_is_found_however_it_is_said(dollars: str, yes: str, no: str) -> None:
    assert found(cues.money(dollars), yes)
    assert not found(cues.money(dollars), no)


@pytest.mark.parametrize("said", ["August 17, 2026", "august seventeenth", "the 17th of August", "8/17"])
def test_a_day_is_found_however_it_is_said(said: str) -> None:
    assert found(cues.said_day("August", 17), f"It would be {said}.")
    assert not found(cues.said_day("August", 7), f"It would be {said}.")
    assert not found(cues.said_day("August", 17), "It would be August 7 or August 18.")


@pytest.mark.parametrize("said", ["15 days", "fifteen days", "a 15-day window", "15 calendar days"])
def test_a_span_of_days_is_found(said: str) -> None:
    assert found(cues.said_days(15), f"You have {said}.")
    assert not found(cues.said_days(5), f"You have {said}.")


def test_near_stays_within_its_words_and_its_sentence() -> None:
    pattern = cues.near(r"\bopen", r"\bmonday", 2)
    assert re.search(pattern, "open this coming monday")
    assert not re.search(pattern, "open for all who want to come on monday")
    assert not re.search(pattern, "we are open. monday is fine")


def test_both_finds_two_things_in_any_order() -> None:
    pattern = cues.both("name", "phone")
    assert re.search(pattern, "your phone and your name")
    assert not re.search(pattern, "your phone")


def test_asking_for_something_takes_a_question_or_a_request() -> None:
    assert found(cues.asks_for(r"\bbadge\b"), "Could you give me the badge?")
    assert not found(cues.asks_for(r"\bbadge\b"), "The badge is on its way.")


def test_near_divides_a_text_into_words_in_one_way_only() -> None:
    pattern = re.compile(cues.near(r"\bhave\b", r"\btuesday\b", 10))
    assert pattern.search("i have, um, at nine, tuesday")
    assert not pattern.search("have one two three four five six seven eight nine ten eleven tuesday")
    assert not pattern.search("i have, a, a, a, " * 30)  # several ways would take longer than anybody waits
