"""What any caller turns down: a person, a message, something to buy; and how a general question stays "
"one."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, CueTest, ForbiddenCall, Rule
from offhook_industries.customer_support.tasks._cues import (
    ACCOUNT,
    ASKS_ORDER,
    BUYING,
    CONFIRMING,
    IDENTITY,
    OFFERS_PERSON,
    OFFERS_TEXT,
    any_of,
)
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent

__all__ = [
    "confirm_wish_rule",
    "declining_rules",
    "no_account_rule",
    "no_extras_rule",
    "no_person_rule",
    "no_text_rule",
    "not_called",
]

_SAYS_BACK: Final = any_of(
    r"(?:^|[.,!?] )(?:okay,? |alright,? |all right,? |got it,? |sure,? |and |thanks,? |thank you,? )*(?:so|"
    r"just to (?:be sure|be clear|confirm|check|clarify|make sure)|if i understand|let me (?:make sure"
    r"|confirm)"
    r"|(?:just )?so i understand|i understand|i hear|to confirm|to clarify)\b",
    r"\byou(?:'re| are) (?:calling|looking|asking|wanting|trying|hoping|wondering|interested)\b",
    r"\byou(?:'d| would) like\b",
    r"\byou(?: just)? (?:want|wanted|need)\b",
    r"\b(?:your|the) question (?:is|was)\b|\b(?:it's|this is) about\b|\bso (?:it's|your|that's|this is)\b",
    r"\byou(?:'ve| have|'ve got| have got|'re having| got) (?:a|an|your)\b",
    r"\b(?:do i have|did i get|have i got|did i understand|i got) (?:that|this|it|you) (?:right|correctly)\b",
    r"\b(?:that it|that (?:about )?right|that about it|is that the (?:gist|idea)|(?:have|do) i (?:got"
    r"|have) (?:it|that)"
    r"|am i right)\W*$",
)
_GOT_IT_RIGHT: Final = r"(?:did|do|have) i (?:get|have|got|understand|hear)"
_ANOTHER_QUESTION: Final = any_of(
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|august)\b",
    r"\$|\bor\b",
    rf"(?!\b{_GOT_IT_RIGHT}\b)"
    r"\b(?:would|do|could|can|should|shall|may|might|have|did) (?:you|i|we)\b(?! (?:want|like) to know)",
    r"\b(?:like|want|need) me\b",
    r"(?:^|[,.?!;] ?)(?:and |but |so |then )?(?:what(?! you(?:'re| are|'d| want| need))|which|when|why"
    r"|how|(?:is|was|does) (?!that|this|it))\b",
    r"\bthe one\W*$|\b(?:are we|okay to|ok to|good to|ready to|shall we)\b",
)


# Told, not asked.
_TOPIC_ONLY: Final = (
    "That depends on a few things.",
    "Right, I understand what you'd like to know.",
    "That is how it works for everybody.",
    "I have found your order from last month.",
    "Items like that can be returned within a set number of days.",
)


def declining_rules() -> tuple[Rule, ...]:
    """All three refusals."""
    return (no_text_rule(), no_extras_rule(), no_person_rule())


def not_called(tool: str, why: str) -> ForbiddenCall:
    """A tool that has no business in the call."""
    return ForbiddenCall(tool, why)


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
            none_of=(*IDENTITY, r"\bspeaking (?:to|with)\b", r"\breport"),
            threshold=0.7,
        ),
        order=13,
        tests=(
            CueTest("Would you like me to transfer you to a representative?", True),
            CueTest("I can't do that here, but I can connect you with a specialist.", True),
            CueTest("Should I have someone from the membership team call you back?", True),
            *silent(*ROUTINE),
            CueTest("Let me bring up your account.", False),
        ),
    )


def no_text_rule(order: int = 13) -> Rule:
    """``order`` is where it stands among the task's rules."""
    return Rule(
        id="no-text",
        when="The agent offers to send a confirmation, a summary, a reminder or details by text message or "
        "e-mail, or asks where to send one",
        not_when=("when it says that it was sent already, without asking", "when it offers a return label"),
        line="No, thanks, I don't need a message.",
        cues=Cues(all_of=(OFFERS_TEXT, CONFIRMING), none_of=(r"\blabel\b", r"\bscam\b|\breport\b")),
        order=order,
        tests=(
            *fires(
                "Would you like me to text you a confirmation?",
                "I can send you a summary by e-mail if you'd like.",
                "Should I email you the details?",
                "Where should I send the confirmation text?",
            ),
            *silent(*ROUTINE, "Would you like me to e-mail you a return label?"),
        ),
    )


def no_extras_rule() -> Rule:
    return Rule(
        id="no-extras",
        when="The agent offers something to buy or to join that the caller did not ask about: a "
        "membership, a "
        "protection plan, an accessory, another product, a survey",
        not_when=(
            "when it says what the caller's own membership or plan covers",
            "when it asks who is calling",
        ),
        line="No, thank you. I only want what I called about.",
        cues=Cues(all_of=(BUYING,), none_of=IDENTITY),
        order=16,
        tests=(
            *fires(
                "Can I interest you in Kestrel Plus today?",
                "Would you like to add a protection plan to that?",
                "Before we go on, would you be willing to take a short survey?",
            ),
            *silent(*ROUTINE, "Your Total membership covers that."),
        ),
    )


def no_account_rule(line: str, asked_for: str) -> Rule:
    """For callers who ask something general. ``asked_for`` is what, in a few words."""
    return Rule(
        id="no-account",
        when="The agent asks for a name, a phone number, a ZIP code, a card or an order number, or wants "
        "to verify "
        "the caller or look up an account first",
        not_when=("when it only says that no account is needed",),
        line=line,
        cues=Cues(all_of=(any_of(*IDENTITY, ACCOUNT, ASKS_ORDER),), none_of=(r"\bmy name\b",)),
        order=30,
        tests=(
            *fires(
                "May I have your full name and the phone number on the account?",
                "What's your ZIP code?",
                "Do you have an order number for me?",
                "Before I answer, I need to verify your identity.",
                "Let me bring up your account first.",
            ),
            *silent(
                f"Let me check {asked_for} for you.",
                "Is there anything else I can do for you?",
                "One moment while I look that up.",
                "My name is Wren, how can I help?",
            ),
        ),
    )


def confirm_wish_rule(wish: str, line: str, *sentences: str, unless: tuple[str, ...] = ()) -> Rule:
    """``wish`` is a pattern for what the caller wants, ``sentences`` say it back in an agent's words."""
    return Rule(
        id="that-is-it",
        when="The agent repeats in its own words what the caller called for and asks whether that is so",
        not_when=(
            "when it asks for anything else in the same turn",
            "when it asks for a yes to a fee, a refund or a booking",
        ),
        line=line,
        cues=Cues(
            all_of=(_SAYS_BACK, wish, r"\?|\b(?:right|correct|yes)\b|\bthat it\W*$"),
            none_of=(*IDENTITY, _ANOTHER_QUESTION),
        ),
        unless=unless,
        order=19,
        tests=(*fires(*sentences), *silent(*ROUTINE, *_TOPIC_ONLY)),
    )
