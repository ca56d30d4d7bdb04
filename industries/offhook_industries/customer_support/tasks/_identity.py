"""Rules that answer identity questions: the same for every caller with an account, but for the values."""

from __future__ import annotations

from collections.abc import Mapping

from offhook.packs import Cues, CueTest, ExpectedCall, Rule
from offhook_industries.customer_support.tasks._cues import (
    ASKS_CARD,
    ASKS_IF_RIGHT,
    ASKS_NAME,
    ASKS_PHONE,
    ASKS_ZIP,
    ELSE,
    OFFERS_PERSON,
    READS_BACK,
    REPEATS,
    any_of,
)
from offhook_industries.customer_support.tasks._people import Person

__all__ = ["gate_calls", "identity_rules", "no_person_rule"]

_WHO = any_of(ASKS_NAME, ASKS_PHONE)
_PROOF = any_of(ASKS_ZIP, ASKS_CARD)
_FULL_CARD = (
    r"\b(?:full|whole|entire|complete|sixteen|16)(?:[ -](?:digit|digits|debit|credit))* "
    r"card\b|\ball (?:the |sixteen |16 )+digits\b"
)


def gate_calls(who: Person) -> tuple[ExpectedCall, ...]:
    """The calls that open every account task."""
    proof: Mapping[str, str] = {"postal_code": who.postal_code, "card_last4": who.card_last4}
    return (
        ExpectedCall("identify_customer", arguments={"full_name": who.full_name, "phone": who.phone}),
        ExpectedCall("verify_identity", arguments=proof),
        ExpectedCall("get_customer_summary"),
    )


def identity_rules(who: Person) -> tuple[Rule, ...]:
    return (
        _everything(who),
        _zip_and_card(who),
        _zip(who),
        _card(who),
        _name_and_phone(who),
        _phone(who),
        _name(who),
        _order(who),
    )


def _everything(who: Person) -> Rule:
    return Rule(
        id="all-details",
        when="The agent asks in one turn both who is calling (name or phone) and for the ZIP code "
        "or the card digits",
        not_when=("when the name or the number is only read back",),
        line=f"I'm {who.full_name}, my number is {who.phone}, the ZIP code is {who.postal_code} "
        f"and the card ends in {who.card_last4}.",
        cues=Cues(all_of=(_WHO, _PROOF), none_of=(READS_BACK, _FULL_CARD, ELSE)),
        order=10,
        tests=(
            CueTest(
                "I'll need your full name, phone number, ZIP code, and the card's last four digits.",
                True,
            ),
            CueTest(
                "To get started, what's your name and phone number? And the ZIP code on a "
                "recent order, please.",
                True,
            ),
            CueTest(
                "Please tell me the phone number on the account together with your ZIP code "
                "and the card's last four.",
                True,
            ),
            CueTest("May I have your full name and the phone number on the account?", False),
            CueTest(
                "What is the ZIP code on that order, and the last four digits on the card you paid with?",
                False,
            ),
            CueTest(
                "Thanks for your name and number. Now the ZIP code, please.", False, ("said:name-and-phone",)
            ),
        ),
    )


def _zip_and_card(who: Person) -> Rule:
    return Rule(
        id="zip-and-card",
        when="Both proofs are wanted in one turn: an order's ZIP code, and how the card ends",
        not_when=("when the whole card number is wanted", "when reading the digits back"),
        line=f"The ZIP code is {who.postal_code}, and the card ends in {who.card_last4}.",
        cues=Cues(all_of=(ASKS_ZIP, ASKS_CARD), none_of=(ASKS_IF_RIGHT, _FULL_CARD)),
        order=20,
        tests=(
            CueTest(
                "What is the ZIP code on that order, and the last four digits on the card you paid with?",
                True,
            ),
            CueTest("To verify you, I need the last four of the card and the zip code.", True),
            CueTest(
                "Thank you. Now, could you give me the postal code on a recent order and the "
                "card's last four digits?",
                True,
            ),
            CueTest(
                "That didn't match. Please tell me the ZIP code first, one digit at a time, "
                "and then the card's last four digits.",
                True,
            ),
            CueTest(
                "Thank you, I found the account. To check that it's yours, what is the zip "
                "code on a recent order? And what are the last four "
                "digits on the card that paid for it?",
                True,
                ("said:name-and-phone",),
            ),
            CueTest("I have ZIP code 10001 and a card ending in 4242. Is that right?", False),
            CueTest("What's the ZIP code on the order?", False),
            CueTest("Could you read me your entire 16 digit card number and your zip?", False),
            CueTest("May I have your full name and the phone number on the account?", False),
            CueTest("Thank you, you're verified.", False, ("said:zip-and-card",)),
        ),
    )


def _zip(who: Person) -> Rule:
    return Rule(
        id="zip-only",
        when="Of the two proofs only the ZIP code is wanted",
        not_when=("when reading the ZIP code back",),
        line=f"The ZIP code is {who.postal_code}.",
        cues=Cues(all_of=(ASKS_ZIP,), none_of=(READS_BACK, REPEATS, ASKS_CARD)),
        order=22,
        tests=(
            CueTest("What's the ZIP code on the order?", True),
            CueTest("And the five digit zip for that address?", True),
            CueTest("Can you confirm your postal code for me?", True),
            CueTest("What are the last four digits on the card?", False),
            CueTest("What is the ZIP code on that order, and the last four digits on the card?", False),
            CueTest("Which city would you like a store in?", False),
        ),
    )


def _card(who: Person) -> Rule:
    return Rule(
        id="card-only",
        when="Of the two proofs only the end of the card number is wanted",
        not_when=(
            "when the whole card number is wanted",
            "when reading the digits back",
            "when saying to which card money goes",
        ),
        line=f"The card ends in {who.card_last4}.",
        cues=Cues(all_of=(ASKS_CARD,), none_of=(READS_BACK, REPEATS, ASKS_ZIP, _FULL_CARD, r"\brefund")),
        order=24,
        tests=(
            CueTest("What are the last four digits on the card you used?", True),
            CueTest("And the final four of that card, please?", True),
            CueTest("Great. Which four digits does the card end in?", True),
            CueTest("What's the ZIP code on the order?", False),
            CueTest("The refund goes to the card ending in the last four digits we have on file.", False),
            CueTest("Please read me your full card number.", False),
        ),
    )


def _name_and_phone(who: Person) -> Rule:
    return Rule(
        id="name-and-phone",
        when="The turn wants to know who is calling and under which phone number, whatever else it "
        "says about helping",
        not_when=("when it wants neither of them but proofs or an order",),
        line=f"My name is {who.full_name}, and the phone number is {who.phone}.",
        cues=Cues(all_of=(ASKS_NAME, ASKS_PHONE), none_of=(READS_BACK, ASKS_ZIP, ASKS_CARD)),
        order=30,
        tests=(
            CueTest("May I have your full name and the phone number on the account?", True),
            CueTest("I can help with that. What's the name and mobile number the membership is under?", True),
            CueTest(
                "Sure, let's find you first. Could you tell me who I'm speaking with, and your phone number?",
                True,
            ),
            CueTest(
                "I couldn't find that. Please say your full name once more, and then the "
                "phone number one digit at a time.",
                True,
            ),
            CueTest("What's your name?", False),
            CueTest(
                "Could you repeat the phone number, one digit at a time?", False, ("said:name-and-phone",)
            ),
            CueTest("What is the ZIP code on that order, and the last four digits on the card?", False),
        ),
    )


def _phone(who: Person) -> Rule:
    return Rule(
        id="phone-only",
        when="The turn wants the phone number and no name",
        not_when=("when reading the number back",),
        line=f"It's {who.phone}.",
        cues=Cues(
            all_of=(ASKS_PHONE,), none_of=(READS_BACK, REPEATS, ASKS_NAME, ASKS_ZIP, ASKS_CARD, OFFERS_PERSON)
        ),
        order=32,
        tests=(
            CueTest("And what phone number is on the account?", True),
            CueTest("Thank you. Could I get the best number for you?", True),
            CueTest("Which mobile number did you sign up with?", True),
            CueTest("What's your full name?", False),
            CueTest("May I have your name and phone number?", False),
            CueTest("One moment while I look that up.", False),
        ),
    )


def _name(who: Person) -> Rule:
    return Rule(
        id="name-only",
        when="The turn wants the caller's name and no phone number",
        not_when=("when asking for the name of a product or a store", "when reading the name back"),
        line=f"My name is {who.full_name}.",
        cues=Cues(
            all_of=(ASKS_NAME,),
            none_of=(
                READS_BACK,
                REPEATS,
                ASKS_PHONE,
                ASKS_ZIP,
                ASKS_CARD,
                r"\b(?:product|store|item|brand|competitor)(?:'s)? name\b",
                r"\bmy name\b",
            ),
        ),
        order=34,
        tests=(
            CueTest("Can I have your first and last name?", True),
            CueTest("What's the name on the account?", True),
            CueTest("Of course. Who am I speaking with today?", True),
            CueTest("And what phone number is on the account?", False),
            CueTest("My name is Wren, and I can help you with that.", False),
            CueTest("What is the store's name?", False),
        ),
    )


def _order(who: Person) -> Rule:
    return Rule(
        id="order-number",
        when="The turn wants to know which purchase it is about, or its number",
        not_when=("when it also asks who is calling, or for a proof",),
        line=f"It was the {who.item}, order {who.order_number}.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\border (?:number|id|confirmation)\b",
                    r"\b(?:which|what) (?:recent |was the |is the |of your "
                    r")?(?:order|orders|item|purchase)\b",
                    r"\bwhat (?:did|have) you (?:buy|bought|order|ordered|purchase)",
                ),
            ),
            none_of=(READS_BACK, ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD),
        ),
        order=40,
        tests=(
            CueTest("Do you have an order number handy?", True),
            CueTest("Which order was that?", True),
            CueTest("What did you buy from us most recently?", True),
            CueTest("What is the ZIP code on the order?", False),
            CueTest("In order to find you, may I have your full name and phone number?", False),
            CueTest("One moment, I'm looking at your orders.", False),
        ),
    )


def no_person_rule() -> Rule:
    """Callers who want the automated line to do it turn a hand-over down."""
    return Rule(
        id="no-person",
        when="The agent offers to hand the caller to a person, a specialist, a desk or a callback "
        "because it can't or won't go on",
        not_when=("when it asks who is calling, or for a proof",),
        line="No, please don't pass me on. I'd like it settled right here.",
        cues=Cues(
            like=(
                "Would you like me to transfer you to a person?",
                "I can connect you with one of our specialists.",
            ),
            all_of=(OFFERS_PERSON,),
            none_of=(ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD, r"\bspeaking (?:to|with)\b"),
            threshold=0.7,
        ),
        order=45,
        tests=(
            CueTest("Would you like me to transfer you to a representative?", True),
            CueTest("I can't do that here, but I can connect you with a specialist.", True),
            CueTest("Should I have someone from the membership team call you back?", True),
            CueTest("May I have your full name and the phone number on the account?", False),
            CueTest("Let me bring up your account.", False),
            CueTest("What is the ZIP code on that order, and the last four digits on the card?", False),
        ),
    )
