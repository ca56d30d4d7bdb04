"""Callers must understand any sensible agent, not only the policy follower: whole calls in other words.

Each turn is what the caller hears, with the source of what it then says. Recognisers' slips are part of it.
"""

from __future__ import annotations

import pytest

from offhook_caller.cues import CueMatcher
from offhook_caller.deterministic import Decider
from offhook_caller.minds import CallState
from offhook_caller.speech.plugin import offhook_embedders
from offhook_industries.customer_support.pack import build_pack

pytestmark = pytest.mark.speech

Call = tuple[tuple[str, str], ...]

CANCEL_PLUS: Call = (
    (
        "I'm sorry to hear that. I can take care of it for you. Could I start with your first and last name?",
        "rule:name-only",
    ),
    ("Thanks, Selina. And what's the phone number you have on file with us?", "rule:phone-only"),
    ("Perfect. Bear with me for just a second.", "silence"),
    (
        "Great, I've located your profile. For security, can you confirm the zip code from a "
        "recent purchase?",
        "rule:zip-only",
    ),
    ("And the last 4 of the card used for that order?", "rule:card-only"),
    (
        "Thank you, Selina, you're all verified. I see you've been with us on Plus. Is there "
        "anything I could do to change your mind, "
        "maybe remind you of the free two day delivery?",
        "rule:stay",
    ),
    ("Understood. Let me pull up the details of that.", "silence"),
    (
        "Okay. Since you have six full months left, we'd be refunding 14 dollars and 99 "
        "cents to the original card, and your benefits stop "
        "today. Would you like me to process that?",
        "rule:agree",
    ),
    ("Sure thing, I'm processing it now, just a moment.", "silence"),
    (
        "That's been taken care of. Your membership is now canceled and you should see the "
        "money in three to seven business days. Anything "
        "else I can help with today?",
        "rule:done",
    ),
)

CANCEL_PLUS_BRISK: Call = (
    (
        "Sure. For that I'll need the name on the account, your phone number, your zip code, "
        "and the last four digits on the card for "
        "a recent order.",
        "rule:all-details",
    ),
    ("I'm sorry, I didn't catch the phone number. Could you say it again slowly?", "repair:repeat"),
    ("Got it. Are you sure you want to cancel today?", "rule:refund-first"),
    ("Of course. That would be $14.99 for the six months you haven't used. Can I go ahead?", "rule:agree"),
    ("All done. It has been cancelled.", "rule:done"),
)

CANCEL_TOTAL: Call = (
    (
        "Happy to help with that. Who do I have the pleasure of speaking with, and what's a "
        "good callback number?",
        "rule:name-and-phone",
    ),
    ("Was that 559-555-0161?", "repair:yes"),
    (
        "Thanks. Next, I need the zip code and the last four numbers on the card for any "
        "order you've placed.",
        "rule:zip-and-card",
    ),
    ("Would switching to Plus at a lower price work for you instead?", "rule:stay"),
    ("No problem. Do you happen to have an order number?", "rule:order-number"),
    (
        "Thank you. So your refund comes out to $104.99, covering seven unused months. Do "
        "you agree to cancel on those terms?",
        "rule:agree",
    ),
    ("Just to be completely sure, you'd like me to finalize this cancellation, correct?", "rule:agree"),
    (
        "Great, your Kestrel Total plan is officially cancelled, and a refund of $104.99 has been issued.",
        "rule:done",
    ),
)

NEVER_READ_BACK: Call = (
    ("May I have your name and number?", "rule:name-and-phone"),
    ("Okay, I went ahead and cancelled your membership.", "rule:how-much-back"),
    ("I don't have that figure, but it is cancelled.", "rule:leave-it"),
)

ALREADY_TOTAL: Call = (
    ("Great choice! What membership are you on at the moment?", "rule:which-now"),
    ("No worries. Let's find your account. What's your full name?", "rule:name-only"),
    ("And your mobile number, please?", "rule:phone-only"),
    ("I have 941 555 0135, is that correct?", "repair:yes"),
    ("Now the zip on your last order and the last four of your card.", "rule:zip-and-card"),
    (
        "It looks like you're already enrolled in Kestrel Total, Pedro, so you've got the best plan we have.",
        "rule:have-it",
    ),
)

NO_MEMBERSHIP: Call = (
    ("I'd be glad to check. Is it Plus or Total?", "rule:which-one"),
    ("That's fine. Can I get the full name and phone number associated with it?", "rule:name-and-phone"),
    (
        "For verification I'll need a zip code and the last four digits of your payment card.",
        "rule:zip-and-card",
    ),
    ("Let me take a look.", "silence"),
    (
        "So, I've checked, and there isn't an active membership on your account right now. "
        "Would you like to sign up for one?",
        "rule:none-then",
    ),
)

PRICES: Call = (
    ("Are you a current member with us?", "rule:no-account"),
    ("Sure, would you like to hear about Plus or Total first?", "rule:both-please"),
    ("Let me check both prices for you.", "silence"),
    ("Plus runs twenty nine ninety nine per year.", "rule:and-total"),
    ("Total is $179.99 annually. Would you like to sign up for either one?", "rule:both-heard"),
)

PRICE_MATCH: Call = (
    ("Absolutely. Do you have a specific item you'd like matched?", "rule:in-general"),
    ("No problem, I don't need your account for this. One second.", "silence"),
    (
        "So basically, if you find the exact same product for less at one of our qualifying "
        "competitors, we'll match it. It doesn't apply "
        "to marketplace sellers or clearance.",
        "rule:explained",
    ),
)

DEMAND: Call = (
    ("I understand. So I can direct you properly, what's this regarding?", "rule:no-reason"),
    ("I might be able to resolve it for you right here. What's going on?", "rule:no-reason"),
    ("Okay. Do you want me to transfer you to a live agent?", "rule:transfer-me"),
    ("Thanks for your patience, I'm transferring you to an agent now.", "rule:waiting"),
    ("Please stay on the line, you'll be connected shortly.", "rule:thanks"),
)

CALLS = (
    ("T4-H1", CANCEL_PLUS),
    ("T4-H1", CANCEL_PLUS_BRISK),
    ("T4-H1", NEVER_READ_BACK),
    ("T4-H3", CANCEL_TOTAL),
    ("T4-M2", ALREADY_TOTAL),
    ("T4-M3", NO_MEMBERSHIP),
    ("T4-E1", PRICES),
    ("T5-E1", PRICE_MATCH),
    ("R-E1", DEMAND),
)


@pytest.fixture(scope="module")
def matcher() -> CueMatcher:
    return CueMatcher(offhook_embedders()[0])


@pytest.mark.parametrize(("task_id", "call"), CALLS)
def test_caller_follows_an_agent_in_its_own_words(task_id: str, call: Call, matcher: CueMatcher) -> None:
    decider = Decider(build_pack().task(task_id), matcher)
    state = decider.open(CallState()).state
    answers = []
    for heard, _ in call:
        decision = decider.decide(heard, state)
        state = decision.state
        answers.append((heard, decision.reply.source if decision.reply is not None else "silence"))
    assert answers == list(call)


def test_caller_follows_the_guides_own_questions(matcher: CueMatcher) -> None:
    pack = build_pack()
    guides = {guide.tool: guide for guide in pack.guide.tools}
    name, phone = guides["identify_customer"].asks
    (proof,) = guides["verify_identity"].asks
    tier = {
        "{get_customer_summary.tier_name}": "Kestrel Plus",
        "{quote_membership_cancellation.tier_name}": "Kestrel Plus",
    }
    quote = {
        "{quote_membership_cancellation.refund}": "$14.99",
        "{quote_membership_cancellation.unused}": "6 unused months",
    }
    offer, propose = (
        guides["quote_membership_cancellation"].offer,
        guides["confirm_membership_cancellation"].propose,
    )
    for field, value in {**tier, **quote}.items():
        offer, propose = offer.replace(field, value), propose.replace(field, value)
    call = (
        (name.question, "rule:name-only"),
        (name.again, "repair:repeat"),
        (phone.question, "rule:phone-only"),
        (phone.again, "repair:repeat"),
        (proof.question, "rule:zip-and-card"),
        (proof.again, "repair:repeat"),
        (offer, "rule:stay"),
        (propose, "rule:agree"),
        (pack.guide.closing, "rule:done"),
    )
    decider = Decider(pack.task("T4-H1"), matcher)
    state = decider.open(CallState()).state
    answers = []
    for heard, _ in call:
        decision = decider.decide(heard, state)
        state = decision.state
        answers.append((heard, decision.reply.source if decision.reply is not None else "silence"))
    assert answers == list(call)
