"""Rules that answer identity questions: the same for every caller with an account, but for the values."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import attrs

from offhook.packs import Cues, CueTest, ExpectedCall, Rule
from offhook_industries.customer_support.tasks._cues import (
    ASKS_CARD,
    ASKS_IF_RIGHT,
    ASKS_NAME,
    ASKS_ORDER,
    ASKS_PHONE,
    ASKS_ZIP,
    ELSE,
    FULL_CARD,
    HOLDING,
    OFFERS_PERSON,
    READS_BACK,
    REPEATS,
    any_of,
)
from offhook_industries.customer_support.tasks._people import Person

__all__ = ["gate_calls", "identity_rules"]

_ASKED = (ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD)
_WHO = any_of(ASKS_NAME, ASKS_PHONE)
_PROOF = any_of(ASKS_ZIP, ASKS_CARD)
_ZIP_STATED = r"\b(?:zip|postal)(?: code)?(?: is| of)?[ ,:]+(?:[0-9][ -]?){5}"
# "Got the ZIP, thanks": only the other proof is still wanted.
_ZIP_GOT = (
    r"\b(?:(?<!i )got|i've got|noted|matches|thanks for|thank you for|(?<!can )(?<!could )(?<!may )i have)"
    r" (?:the|your|that) (?:zip|postal)\b|\b(?:zip|postal)(?: code)?(?: part)?(?:'s| is| was) (?:done|right"
    r"|good|fine|correct|noted|set|matched|okay|ok|clear)\b"
)
# "The card part's done": only the ZIP code is still wanted.
_CARD_GOT = any_of(
    r"\b(?:(?<!i )got|i've got|i got|noted|matches|thanks for|thank you for|(?<!can )(?<!could )(?<!may )"
    r"i have) (?:the|your|that|those) (?:last |final )?(?:card|four|4|digits)\b",
    r"\b(?:card|digits|four)(?: part| number| digits)?(?:'s| is| are| was| were)(?: all)? (?:done|right|good"
    r"|fine|correct|noted|in|set|matched|okay|ok|clear)\b",
)
_MORE_ZIP = rf"^(?!.*(?:{_ZIP_GOT})).*(?:{ASKS_ZIP})"
_MORE_CARD = rf"^(?!.*(?:{_CARD_GOT})).*(?:{ASKS_CARD})"
# "I've got your name, and what's the number?" asks for all that it begins like a read-back.
_BACK = (
    r"^(?!.*[, ](?:and|but|now),? (?:now )?(?:what(?:'s| is)|which|may i|can i|could i|i'll need|i need"
    rf"|i still|i just)\b).*(?:{READS_BACK})"
)
# "Please don't read me the card number" asks for nothing.
_NO_NUMBER = (
    r"^(?!.*\b(?:last|final|ending|ends?|only|just|four)\b).*\b(?:don't|do not|never|no need|shouldn't"
    r"|not)\b[^?!]*"
    r"\bcard number\b"
)
# "The ZIP and the card both check out" asks for nothing.
_GIVEN = (
    r"^(?!.*\b(?:what|which|who|how|need|please|still|now|next)\b)(?!.*\?).*\b(?:zip|card|number|name)\b"
    r"[^.?!]*\b(?:match(?:es|ed)?|checks? out|checked out|lines? up|(?:are|is|all|both) (?:good|right|fine)"
    r"|brings?|brought|worked)\b"
)
_YOURS = r"\bis (?:that|this) (?:still )?(?:your|the right|the correct) (?:\w+ )?(?:number|phone)\b"
_ASKS_NAME = rf"^(?!.*\b(?:i've got|i have|have got) (?:the|your|that) (?:\w+ )?name\b).*(?:{ASKS_NAME})"
_OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "television": "tv|tv set|set",
        "laptop": "computer|notebook|quill",
        "phone": "cell phone|smartphone|cinder|bellwether",
        "soundbar": "sound bar|halo",
        "range": "stove|oven|coastline",
        "bank": "battery|battery pack|voltra",
        "speaker": "pebble",
        "headphones": "headset|earphones",
    }
)
_CARD_STATED = any_of(
    r"\brefund|\b(?:back|credited|charged|paid) (?:on|to|onto|into) (?:your|the|that)\b",
    r"\b(?:ending|ends) (?:in |with )?(?:[0-9] ?){3,}",
)


def gate_calls(who: Person) -> tuple[ExpectedCall, ...]:
    """The calls that open every account task."""
    proof: Mapping[str, str] = {"postal_code": who.postal_code, "card_last4": who.card_last4}
    return (
        ExpectedCall("identify_customer", arguments={"full_name": who.full_name, "phone": who.phone}),
        ExpectedCall("verify_identity", arguments=proof),
        ExpectedCall("get_customer_summary"),
    )


def identity_rules(
    who: Person, *, number_known: bool = True, the_one: bool = True, given: tuple[str, ...] = ()
) -> tuple[Rule, ...]:
    """``number_known`` is whether the caller has the order number at hand, ``given`` what has happened before
    these rules speak. ``the_one`` is False where a rule of the task answers to the order being read back.
    """
    rules = (
        _everything(who),
        _zip_and_card(who),
        _zip(who),
        _card(who),
        _name_and_phone(who),
        _phone(who),
        _name(who),
        *((_the_one(who),) if the_one else ()),
        _order(who) if number_known else _no_number(who),
    )
    return tuple(
        attrs.evolve(
            rule, tests=tuple(attrs.evolve(test, given=(*given, *test.given)) for test in rule.tests)
        )
        for rule in rules
    )


def _everything(who: Person) -> Rule:
    return Rule(
        id="all-details",
        when="The agent asks in one turn both who is calling (name or phone) and for the ZIP code "
        "or the card digits",
        not_when=("when the name or the number is only read back",),
        line=f"I'm {who.full_name}, my number is {who.phone}, the ZIP code is {who.postal_code} "
        f"and the card ends in {who.card_last4}.",
        cues=Cues(all_of=(_WHO, _PROOF), none_of=(READS_BACK, FULL_CARD, ELSE, _GIVEN)),
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
        cues=Cues(
            all_of=(ASKS_ZIP, ASKS_CARD),
            none_of=(ASKS_IF_RIGHT, FULL_CARD, _CARD_STATED, _ZIP_GOT, _CARD_GOT, _GIVEN),
        ),
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
        cues=Cues(all_of=(ASKS_ZIP,), none_of=(_BACK, REPEATS, _MORE_CARD, _ZIP_STATED, _ZIP_GOT, _GIVEN)),
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
        cues=Cues(
            all_of=(ASKS_CARD,),
            none_of=(_BACK, REPEATS, _MORE_ZIP, FULL_CARD, _NO_NUMBER, _CARD_STATED, _GIVEN),
        ),
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
        cues=Cues(all_of=(ASKS_NAME, ASKS_PHONE), none_of=(READS_BACK, ASKS_ZIP, ASKS_CARD, _GIVEN)),
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
            all_of=(ASKS_PHONE,),
            none_of=(_BACK, _YOURS, REPEATS, _ASKS_NAME, ASKS_ZIP, ASKS_CARD, OFFERS_PERSON),
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
                _BACK,
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


def _the_one(who: Person) -> Rule:
    item = _named(who)
    # "..., is that the one?" asks for nothing else, whatever stands before it.
    tag = (
        r"(?:is (?:this|that) (?:it|the (?:one|1))|(?:this|that) the (?:one|1)|(?:this"
        r"|that) the (?:right |same )?"
        r"(?:one|1|order|purchase|delivery|item)(?: that)? (?:you mean|you meant|(?:we're|we are|you're"
        r"|you are) "
        r"(?:talking|calling|asking) about))\W*$"
    )
    tagged = rf"(?!.*\b(?:{item})\b.*\b{tag})"
    return Rule(
        id="the-one",
        when="The turn names or describes the purchase or the order and asks whether that is the one the "
        "caller means",
        not_when=(
            "when it asks which one it is, for a number, who is calling, or for a proof",
            "when it asks for a yes to anything else: a cancellation, a refund, a booking, what the caller "
            "called for",
        ),
        line="Yes, that's the one.",
        cues=Cues(
            all_of=(
                any_of(
                    rf"\b(?:you mean|you're calling about|it's about|this is about|is it|is this|was it"
                    rf"|is that|"
                    rf"that's|that is|that would be|that'd be|it's|it would be|this would be|i see|i have"
                    rf"|i've got|there's|i'm seeing|i found|talking about)"
                    rf"(?: just| the| a| an| your| one| about| that| this| for| only| here| new)* "
                    rf"(?:[\w'-]+ ){{0,4}}?(?:{item})\b[^.!]*(?:\?|\b(?:right|correct|yes)\W*$)",
                    rf"\b(?:{item})\b.*\bis (?:that|this|it) (?:the one|it|the right one|the order|yours"
                    rf"|what you mean|the {who.item.split()[-1]})\b",
                    r"\bis (?:that|this) the (?:right )?(?:one|order|purchase)(?: you (?:mean|meant))?\W*$",
                    r"\b(?:that|this) the (?:right |same )?(?:one|order|purchase|delivery|item)(?: that)? "
                    r"(?:you mean|you meant|(?:we're|we are|you're|you are) (?:talking|calling|asking) about)"
                    r"\W*$",
                    r"\bis that (?:the one|what|which one) you mean\b",
                    rf"\b(?:it's|this is|that's)[^.?!]*\b(?:{item})\b[^.?!]*\b(?:we're|you're|we are|you "
                    rf"are) "
                    rf"(?:talking about|after|calling about|looking at)\W*$",
                    rf"\b(?:{item})\b.*\b(?:would (?:that|this|it) be|that'd be|is (?:that|this|it)) "
                    rf"(?:it|the one)"
                    rf"\b(?:,? (?:yeah|yes|right))?\W*$",
                    rf"\b(?:{item})\b.*[.,!?] ?(?:this|that) (?:the )?one\?$",
                    rf"\b(?:{item})\b.*\b(?:this|that|is that|is this) (?:the one|it)(?: (?:we|you) "
                    rf"mean)?\W*$",
                    rf"\b(?:{item})\b.*\bwould (?:that|this) be the one (?:you|that's|that is"
                    rf"|with)\b[^.?!]*$",
                    rf"\b(?:{item})\b.*\b(?:is|was) it (?:that|this|the) one\W*$",
                    rf"^(?:so |and |okay |ok |alright )?,? ?(?:the |your )?(?:[\w'-]+ ){{0,3}}?(?:{item})"
                    rf"(?: (?:of|from|ordered|you|that|dated|bought)\b[^.?!]*)?, ?(?:right|correct|yes"
                    rf"|is that it"
                    rf"|is that right|is that the one)\W*$",
                ),
            ),
            none_of=(
                *_ASKED,
                rf"^{tagged}.*\b(?:which|what|when|why|how|where)\b",
                rf"^{tagged}.*\b(?:like|want|wanted|need|cancel\w*|return\w*|refund\w*|repair\w*|book\w*"
                rf"|match\w*|move\w*"
                r"|deliver\w*|cover\w*|open\w*|broken|sealed|new or|swollen|hot|price|cost|shall|should|other"
                r"|another|wrong|crack\w*|charg(?:e|es|ing)|used|stock|safe|plugged|unplugged|still|warm"
                r"|wet|dropped"
                r"|working|work|same|identical|color|colour|model|or|coming|fee|number)\b",
            ),
        ),
        order=39,
        tests=(
            CueTest(f"Is it the {who.item}?", True),
            CueTest(f"I see one {who.item} on the account. Is that the one?", True),
            CueTest(f"That would be the {who.item}, correct?", True),
            CueTest("Which order was that?", False),
            CueTest(f"The one you have here is the {who.item}.", False),
            CueTest(f"I can see the {who.item} on your account.", False),
            CueTest(f"What is wrong with the {who.item}?", False),
            CueTest("What is the ZIP code on the order?", False),
        ),
    )


def _named(who: Person) -> str:
    """A pattern for what the caller bought, by its last word and the names agents have for it."""
    last = who.item.split()[-1]
    return rf"{last}|{_OTHER_NAMES[last]}" if last in _OTHER_NAMES else last


def _order(who: Person) -> Rule:
    return Rule(
        id="order-number",
        when="The turn wants to know which purchase or product it is about, its order number, or when it "
        "was "
        "bought",
        not_when=("when it also asks who is calling, or for a proof",),
        line=f"It was the {who.item}, order {who.order_number}.",
        cues=_order_cues(who),
        order=40,
        tests=_order_tests(),
    )


def _no_number(who: Person) -> Rule:
    return Rule(
        id="no-number",
        when="The turn wants to know which purchase or product it is about, its order number, or when it "
        "was "
        "bought",
        not_when=("when it also asks who is calling, or for a proof",),
        line=f"I don't have the number with me. It's the {who.item}.",
        cues=_order_cues(who),
        order=40,
        tests=_order_tests(),
    )


def _order_cues(who: Person) -> Cues:
    item = _named(who)
    return Cues(
        all_of=(
            any_of(
                ASKS_ORDER,
                r"\bwhich (?:\w+ ){0,2}(?:appliance|machine|gadget|unit)\b",
                rf"\b(?:which|what) (?:\w+ ){{0,2}}(?:{item})\b",
                rf"\bwhich of (?:the|your|these|those) (?:\w+ )?(?:{item})s\b",
                rf"\bmore than one (?:{item})\b|\banother (?:{item})\b[^.!]*\?",
                rf"\bor (?:is it |do you mean |was it )?(?:another|a different|the other) (?:one|{item})\b",
                rf"\bwhen (?:did you|you|was it|have you) (?:get|got|getting) (?:the|that|your|this) "
                rf"(?:\w+ )?(?:{item})\b",
            ),
        ),
        none_of=(READS_BACK, HOLDING, r"\bnumber you gave\b", ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD),
    )


def _order_tests() -> tuple[CueTest, ...]:
    return (
        CueTest("Do you have an order number handy?", True),
        CueTest("Which order was that?", True),
        CueTest("What did you buy from us most recently?", True),
        CueTest("And which item is this about?", True),
        CueTest("When did you place that order?", True),
        CueTest("What is the ZIP code on the order?", False),
        CueTest("In order to find you, may I have your full name and phone number?", False),
        CueTest("One moment, I'm looking at your orders.", False),
    )
