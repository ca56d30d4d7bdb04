"""What both callers who cancel a membership say, apart from their values."""

from __future__ import annotations

from offhook.packs import Cues, CueTest, ExpectedCall, Rule, Topic
from offhook_industries.customer_support.tasks._cues import (
    AFTERWARDS,
    ASKS_CARD,
    ASKS_NAME,
    ASKS_PHONE,
    ASKS_ZIP,
    CANCELLED,
    ELSE,
    GO_AHEAD,
    OFFERS_PERSON,
    OUTCOME,
    STAY,
    any_of,
    money,
)

__all__ = ["cancel_calls", "cancelling_rules", "cancelling_topics"]

_IDENTITY = (ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD)
_NOT_YET = any_of(
    r"\b(?:will|would|to) be cancell?ed\b",
    r"\bif (?:i|we|you|it)\b",
    r"\bonce (?:i|we|you|it)\b",
    r"\b(?:shall|should|may|can) (?:i|we)\b[^.?!]*\b(?:cancel|proceed|go ahead|finish|complete"
    r"|finali[sz]e)",
    r"\b(?:want|like) me to\b",
    r"\b(?:not|hasn't|isn't|haven't) (?:yet |been )*cancell?ed\b",
    r"\bready to\b",
    r"\bbefore (?:i|we)\b",
)
_DONE = any_of(
    CANCELLED,
    r"\b(?:membership|plus|total)(?:'s| is| has been)(?: now| all| been)* (?:closed|ended|stopped|over"
    r"|gone|off)\b",
    r"\b(?:you're|you are) (?:now )?(?:out of|off) (?:plus|total|it)\b|\b(?:that's|it's) gone through\b",
    r"\b(?:cancell?ation|it) went through\b|\b(?:switched|turned) off\b|\b(?:is|it's|has|now) (?:been "
    r")?(?:ended|closed)\b",
    r"\b(?:is|it's|was|'s) (?:already|all) (?:cancell?ed|ended|closed|done)\b",
    r"\b(?:you're|you are|that's|that is|it's|it is|all) (?:all |now )?(?:set|done|taken care "
    r"of|complete|completed)\b",
    r"\brefund\b[^?]*\b(?:has been|was|is being|is) (?:now "
    r")?(?:issued|processed|sent|submitted|on its way|on the way)\b",
    r"\b(?:processed|completed|finali[sz]ed|submitted) (?:your|the|that)\b",
)
_ENDED = any_of(
    CANCELLED,
    r"\b(?:i've|i have|we've|we have|just|and|ahead and) (?:now |just )?(?:ended|closed|stopped"
    r"|terminated|dropped)"
    r" (?:it|that|the|your|plus|total)\b",
    r"\b(?:membership|plus|total)(?:'s| is| has been)(?: now| all| been)* (?:closed|ended|stopped|over"
    r"|gone|off)\b",
)
_ASKS_WHETHER = any_of(
    r"\bwant (?:me|us) to (?:end|stop|cancel|close|drop|go ahead)\b|\bwant (?:it|that|plus|total|your \w+)"
    r" (?:cancell?ed|ended|stopped|closed|gone)\b",
    r"\bare we (?:ending|cancell?ing|stopping|closing|dropping)\b|\bgo ahead (?:with|and) (?:the "
    r")?cancel\w*\b",
    r"\b(?:you|you're|quite)(?: \w+)? (?:certain|sure|positive)\b[^.!]*\b(?:end|ending|stop|cancel\w*)\b",
    r"\b(?:shall|should|can|may) (?:i|we) (?:now )?(?:end|stop|close|drop|cancel)\b",
    r"\b(?:cancel|end|stop|close|drop) (?:it|that|this|plus|total|your|the|today)\b[^.!]*\?",
    r"\b(?:certain|sure|positive) (?:about|that|you)\b[^.!]*\?|\bare you (?:certain|positive)\b",
    r"\byour (?:okay|ok|permission|go-ahead|yes|consent)\b[^.!]*\b(?:end|cancel|stop|close)\b",
    r"\bare you sure\b",
    r"\b(?:shall|should|may|can|could|want|like|you|to|confirm|proceed|go ahead|is "
    r"it)\b[^.!]*\bcancel\w*\b[^.!]*\?",
)


def cancel_calls() -> tuple[ExpectedCall, ...]:
    return (
        ExpectedCall("quote_membership_cancellation"),
        ExpectedCall(
            "confirm_membership_cancellation",
            arguments={"proration_acknowledged": True},
            carry={"quote_token": "quote_membership_cancellation.quote_token"},
        ),
    )


def cancelling_topics(refund: str) -> tuple[Topic, ...]:
    return (
        Topic("refund", Cues(all_of=(money(refund),))),
        Topic("cancelled", Cues(all_of=(CANCELLED,), none_of=(_NOT_YET,))),
    )


def cancelling_rules(tier: str, refund: str, months: str, other_refund: str) -> tuple[Rule, ...]:
    """``refund`` in dollars without the sign, ``months`` in words; ``other_refund`` is not this "
    "caller's."""
    return (
        _done(tier, refund),
        _claimed(tier, refund),
        _still_done(tier),
        _agree(tier, refund, months, other_refund),
        _stay(tier, refund, months),
        _refund_first(tier, refund, months),
    )


def _done(tier: str, refund: str) -> Rule:
    agreed = ("heard:refund", "said:agree")
    return Rule(
        id="done",
        when="The caller has agreed to the refund, and the agent says the membership has been "
        "cancelled, or asks whether there is "
        "anything else, or offers something new",
        not_when=(
            "while it is still looking something up or asking",
            "when it says that it will cancel, or asks whether it shall",
        ),
        line="Thanks, that settles it. Bye.",
        cues=Cues(
            all_of=(any_of(rf"^(?!.*(?:{_NOT_YET})).*(?:{any_of(_DONE, ELSE)})", OUTCOME, AFTERWARDS),)
        ),
        after=("said:agree",),
        order=4,
        ends_call=True,
        tests=(
            CueTest(
                f"Your Kestrel {tier} membership has been cancelled, and ${refund} is on its "
                f"way back to your card.",
                True,
                agreed,
            ),
            CueTest("That's done. Is there anything else I can do for you?", True, agreed),
            CueTest(
                f"The cancellation is complete. You'll see the refund of ${refund} within a week.",
                True,
                agreed,
            ),
            CueTest(
                "All set, it's cancelled as of today. Would you like a confirmation by text?", True, agreed
            ),
            CueTest("One moment while I take care of that.", False, agreed),
            CueTest(
                f"Your membership will be cancelled today and you'll get ${refund} back. Is that right?",
                False,
                agreed,
            ),
            CueTest(f"Kestrel {tier} is cancelled.", False),
            CueTest("Is there anything else I can do for you?", False),
        ),
    )


def _claimed(tier: str, refund: str) -> Rule:
    return Rule(
        id="how-much-back",
        when="The agent says the membership has been cancelled without ever having named the refund",
        line="Hold on, how much do I get back for the months I haven't used?",
        cues=Cues(all_of=(_ENDED,), none_of=(_NOT_YET, r"\?")),
        unless=("heard:refund", "said:agree"),
        first_n=1,
        order=6,
        tests=(
            CueTest(f"I've cancelled your Kestrel {tier} membership.", True),
            CueTest("Your membership is now cancelled. Is there anything else?", True),
            CueTest("The cancellation has been processed.", True),
            CueTest(f"Your membership has been cancelled and ${refund} goes back to your card.", False),
            CueTest("Would you like me to go ahead and cancel it?", False),
            CueTest("May I have your full name and the phone number on the account?", False),
        ),
    )


def _still_done(tier: str) -> Rule:
    asked = ("said:how-much-back",)
    return Rule(
        id="leave-it",
        when="The agent says once more that the membership is cancelled after the caller had to "
        "ask for the refund",
        line="All right, if it's cancelled, we're done here. Bye.",
        cues=Cues(all_of=(any_of(_DONE, ELSE),), none_of=(_NOT_YET,)),
        after=asked,
        unless=("said:agree",),
        order=8,
        ends_call=True,
        tests=(
            CueTest("It's been cancelled, and the refund is on its way.", True, asked),
            CueTest(f"As I said, Kestrel {tier} is cancelled. Anything else?", True, asked),
            CueTest("Your cancellation has been completed today.", True, asked),
            CueTest("Let me look up the refund.", False, asked),
            CueTest("It's been cancelled, and the refund is on its way.", False),
            CueTest("Would you like me to cancel it now?", False, asked),
        ),
    )


def _agree(tier: str, refund: str, months: str, other_refund: str) -> Rule:
    return Rule(
        id="agree",
        when=f"The agent reads back that {months} unused months bring a refund of ${refund}, or "
        f"asks whether to cancel after having said so",
        not_when=("a save offer without the amount", "when the membership has already been cancelled"),
        line=f"Yes, go ahead and cancel it. I understand I get ${refund} back.",
        cues=Cues(all_of=(any_of(money(refund), GO_AHEAD),), none_of=(CANCELLED, OFFERS_PERSON, *_IDENTITY)),
        after=("heard:refund",),
        order=12,
        tests=(
            CueTest(
                f"Cancelling today gives you ${refund} back for {months} unused months. Shall I cancel it?",
                True,
            ),
            CueTest(
                f"You would be refunded {refund} for {months} months and the membership ends "
                f"today. Is that okay?",
                True,
            ),
            CueTest(
                f"So that's {months} unused months, a refund of ${refund}. Do I have your go-ahead?", True
            ),
            CueTest("Would you like me to proceed?", True, ("heard:refund",)),
            CueTest("Shall I cancel it?", False),
            CueTest(f"You get ${other_refund} back. Shall I go ahead?", False),
            CueTest("Would you like to keep the benefits until your renewal date instead?", False),
            CueTest(
                f"It's cancelled. ${refund} is on its way to your card.",
                False,
                ("heard:refund", "said:agree"),
            ),
        ),
    )


def _stay(tier: str, refund: str, months: str) -> Rule:
    return Rule(
        id="stay",
        when=f"The agent tries to hold the caller: by the benefits of Kestrel {tier}, money off, a "
        f"pause, a smaller plan, or a plea",
        not_when=("when the refund is being stated for a yes or a no",),
        line="No thanks, I still want to cancel.",
        cues=Cues(
            like=(
                f"Would you like to keep your {tier} membership?",
                "Can I offer you a discount to stay with us?",
            ),
            all_of=(STAY,),
            none_of=(money(refund), CANCELLED, *_IDENTITY),
            threshold=0.72,
        ),
        unless=("said:agree",),
        order=16,
        tests=(
            CueTest(
                f"Before I do that, would you like to keep Kestrel {tier} and its benefits until it renews?",
                True,
            ),
            CueTest(
                "I could give you a discount of ten percent if you stay with us. Does that sound good?", True
            ),
            CueTest("Are you sure you want to cancel, or would you rather hold on to your benefits?", True),
            CueTest("Have you thought about pausing it instead of cancelling?", True),
            CueTest(f"You get ${refund} back for {months} unused months. Shall I cancel it?", False),
            CueTest("May I have your full name and the phone number on the account?", False),
            CueTest("One moment while I work out your refund.", False),
        ),
    )


def _refund_first(tier: str, refund: str, months: str) -> Rule:
    return Rule(
        id="refund-first",
        when="The agent asks whether to cancel, or whether the caller is sure, and has not named "
        "the refund yet",
        not_when=("when it asks for identity details", "when it makes an offer to stay"),
        line="Please tell me first how much money I get back.",
        cues=Cues(
            all_of=(_ASKS_WHETHER,),
            none_of=(CANCELLED, STAY, *_IDENTITY),
        ),
        unless=("heard:refund",),
        order=50,
        tests=(
            CueTest("Are you sure you want to cancel?", True),
            CueTest(f"Shall I go ahead and cancel Kestrel {tier}?", True),
            CueTest("Do you confirm that you want to cancel today?", True),
            CueTest(f"You get ${refund} back for {months} unused months. Shall I cancel it?", False),
            CueTest("So you would like to cancel your membership, is that right?", True),
            CueTest("I have the number 541-555-0171. Is that right?", False, ("said:name-and-phone",)),
            CueTest("Can I go ahead and pull up your account?", False),
            CueTest("May I have your full name and the phone number on the account?", False),
            CueTest("Let me check that for you.", False),
            CueTest(f"Sure, I can help you with the cancellation of {tier}.", False),
        ),
    )
