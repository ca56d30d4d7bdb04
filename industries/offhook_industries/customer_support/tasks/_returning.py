"""What callers who return something say, apart from their values."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Rule, Topic
from offhook_industries.customer_support.tasks._cues import (
    ELSE,
    GO_AHEAD,
    IDENTITY,
    NOT_YET,
    OFFERS_PERSON,
    OFFERS_TEXT,
    any_of,
    money,
)
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent

__all__ = [
    "ASKS_WHY",
    "HOW_BACK",
    "LABEL",
    "STARTED",
    "agree_rule",
    "fee_first_rule",
    "no_return_rule",
    "opened_rule",
    "return_calls",
    "start_it_rule",
    "started_topic",
    "why_return_rule",
]

LABEL: Final = r"\b(?:label|shipping label|prepaid)\b"
_MAILED: Final = r"(?:mail\w*|ship\w*|post\w*|send\w*|courier)"
_BROUGHT: Final = r"(?:walk\w*|carry\w*|stores?|in person|bring\w*|dropp?\w*|hand\w*)"
HOW_BACK: Final = any_of(
    r"\bget(?:ting)? "
    r"(?:it"
    r"|that|the \w+)"
    r" (?:back )?to us\b",
    r"\bhow (?:would|do|will|are|were|did) you (?:be )?(?:like|want|prefer|plan\w*|going|send\w*"
    r"|return\w*|get\w*)\b[^.!]*"
    r"\b(?:return\w*|send\w*|get\w*|bring\w*|back|in)\b",
    rf"\b{_MAILED}\b[^.!]*\bor\b[^.!]*\b(?:{_BROUGHT}|{_MAILED})\b"
    rf"|\b{_BROUGHT}\b[^.!]*\bor\b[^.!]*\b{_MAILED}\b",
)
STARTED: Final = any_of(
    r"\breturn(?:'s| is| has been| was)(?: now| all| been)* (?:in|open|on file|live|ready|good to go"
    r"|going|under way)\b",
    r"\breturn(?:'s| is| has been)?\b[^.?!]{0,15}\b(?:registered|recorded|in the system|through|active)\b",
    r"\b(?:it|that|everything)(?:'s| is)(?: all)? (?:open|registered|in the system|through|entered)\b",
    r"^(?:your |the )?return (?:started|created|set up|opened|confirmed|processed)\b",
    r"\b(?:return|it|that|everything) (?:is|has been|was|'s)(?: now| just| all| successfully)* "
    r"(?:started|set up|set|created|processed|opened|open|confirmed|complete|completed|approved|submitted|"
    r"registered|in|booked|done|underway|logged|filed|authorized|initiated)\b",
    r"\b(?:i've|i have|we've|we have|just|have)(?: now| just| successfully)* (?:started|set up|created"
    r"|processed|opened|"
    r"confirmed|completed|submitted|initiated|registered|authorized|put through)\b",
    r"\b(?:rma|return (?:authorization|number|code)|r m a)\b[^.?!]*[0-9]",
    r"\b(?:you're|you are|that's|all) (?:all )?(?:set|done|taken care of)\b",
    r"\byour (?:return|rma) number (?:is|would be)\b|\breturn authorization (?:number )?is\b",
)
ASKS_WHY: Final = any_of(
    r"\bwhy\b[^.!]*\b(?:you|return\w*|send\w*|bring\w*|going|back)\b",
    r"\bwhat(?:'s| is|'d| has)? (?:making|made|makes) you\b|\bwhat changed\b",
    r"\b(?:does|did) it\b[^.!]*\b(?:fault|defect|problem|issue|flaw)s?\b",
    r"\bwhat (?:didn't|don't|did|do) you (?:not )?(?:like|dislike)\b|\bnot (?:happy|satisfied) with\b",
    r"\bwhat (?:led|brought|prompted|caused|has|had) you\b",
    r"\bwhat (?:didn't|isn't|wasn't|doesn't|did not)\b|\bhow come\b|\bwhat's up with\b|\bwent off it\b",
    r"\b(?:anything|something|thing) (?:the matter|go wrong|went wrong|gone wrong)\b",
    r"\b(?:was|is) there (?:a|any|some) (?:fault|defect|problem|issue|flaw)\b|\bgo wrong\b",
    r"\breasons?\b",
    r"\b(?:something|anything|it|is) (?:isn't|not|wasn't|is not) (?:right|working|okay|as expected)\b",
    r"\b(?:anything|something|what(?:'s| is| was| seems)?)\b[^.!]{0,20}\b(?:wrong|the matter|problem"
    r"|issue|trouble|defect\w*"
    r"|fault\w*|damaged?|happened)\b",
    r"\b(?:is|was|are|does|did) (?:it|the \w+|there|you)\b[^.!]*\b(?:defect\w*|broken|damaged?|faulty"
    r"|working|wrong|"
    r"change (?:of|your) mind|changed your mind|work|problem|issue)\b",
    r"\b(?:defective|damaged|faulty|wrong item)\b[^.!]*\bor\b",
)
_OPENED: Final = any_of(
    r"\b(?:open|opened|unopened|unbox\w*|sealed|unused|original (?:packaging|box))\b",
    r"\b(?:is|was|has|are|did|have)\b[^.!]*\b(?:box|package|packaging|seal)\b",
    r"\b(?:used|using|activated?|set up|turned on|broken in) (?:it|the|that)\b(?! return)|\b(?:have|did) "
    r"you (?:used?|turned?) (?:it|that)\b|\bbeen (?:used"
    r"|activated|worn"
    r"|turned on)\b",
    r"\b(?:plastic|wrap(?:per|ping)?|seal|sticker|shrink ?wrap)\b[^.!]*\b(?:on|off|broken|intact|still)\b",
)
_RETURN_OPENS: Final = (
    r"\b(?:me|us) to open\b|\bopen(?:ing|ed)? (?:the|a|your|that|this|up the|up a|up this) return\b"
)
# "There's a fee on opened phones, okay?" asks for a yes, not whether the box is open.
_OPENED_ONLY: Final = rf"^(?!.*(?:{_RETURN_OPENS}))(?!.*\b(?:fee|charge|cost)\b).*(?:{_OPENED})"
_ASKS_WHY_ONLY: Final = rf"^(?!.*\bfee\b).*(?:{ASKS_WHY})"
_OFFERS_RETURN: Final = any_of(
    r"\b(?:would you like|do you want|did you want|are you wanting|you wanting|want to|shall i|shall we"
    r"|should i"
    r"|should we|can i|want me to|like me to|are you looking|ready to|go ahead)\b[^.!]*"
    r"\b(?:return\w*|send|start|open|begin|create|refund|exchange)\b",
    r"\b(?:i can|i could|we can|we could|happy to|glad to|let me|let's|i'll|able to)\b[^.!]*"
    r"\b(?:start|open|begin|create|set up|process|do|get|put|make)\b[^.!]{0,25}\b(?:return|refund|exchange)\b"
    r"(?! (?:window|date|period|policy|rules?|deadline))",
    r"\b(?:i can|i could|we can|we could)\b[^.!]*\bset (?:the|that|a|your) return up\b",
    r"\b(?:get|have) (?:it|that|this|the \w+) (?:returned|sent back|refunded)\b",
)
_ABOUT_RETURN: Final = r"\b(?:return\w*|send (?:it|that) back|refund\w*|take (?:it|that) back)\b"


def return_calls(order_number: str, reason: str) -> tuple[ExpectedCall, ...]:
    """Eligibility, quote and confirmation."""
    return (
        ExpectedCall("check_return_eligibility", arguments={"order_number": order_number}),
        ExpectedCall("quote_return", arguments={"order_number": order_number, "reason": reason}),
        ExpectedCall(
            "confirm_return",
            arguments={"refund_acknowledged": True},
            carry={"quote_token": "quote_return.quote_token"},
        ),
    )


def started_topic() -> Topic:
    return Topic("started", Cues(all_of=(STARTED,), none_of=(NOT_YET, r"\?")))


def why_return_rule(line: str) -> Rule:
    return Rule(
        id="why",
        when="The agent asks why the caller returns it, or whether something is wrong with it",
        not_when=(
            "when it asks only whether the box was opened",
            "when it asks who is calling, or for a proof",
        ),
        line=line,
        cues=Cues(
            all_of=(
                ASKS_WHY,
                r"\?|\b(?:tell|ask|know|reason)\b|^(?:and |so |but )?(?:what|why|how come|did|was|is|does)\b",
            ),
            none_of=(*IDENTITY, ELSE, r"\border number\b"),
        ),
        order=25,
        tests=(
            *fires(
                "May I ask why you're returning it?",
                "What's the reason for the return?",
                "Is it defective, or did you change your mind?",
                "Is anything wrong with it?",
            ),
            *silent(*ROUTINE, "Has the box been opened?", "Is there anything else I can do for you?"),
        ),
    )


def opened_rule(line: str) -> Rule:
    return Rule(
        id="opened",
        when="The agent asks whether the box was opened, or whether the item has been used",
        not_when=(
            "when it only says what opening the box costs",
            "when it asks who is calling, or for a proof",
        ),
        line=line,
        cues=Cues(
            all_of=(
                _OPENED,
                r"\?|\b(?:is|was|has|have|did|do|are) (?:it|you|the \w+)\b|\b(?:tell me|let me know|take "
                r"it|i take)\b",
            ),
            none_of=(
                *IDENTITY,
                _RETURN_OPENS,
                r"\$|\b(?:fee|restocking|because|since(?! you (?:got|bought)))\b",
                r"\border number\b",
            ),
        ),
        order=27,
        tests=(
            *fires(
                "Has the box been opened?",
                "Is it still sealed in the original packaging?",
                "Did you open it, or is it unopened?",
            ),
            *silent(*ROUTINE, "Because it was opened, there's a $45.00 restocking fee."),
        ),
    )


def no_return_rule(topic: str) -> Rule:
    """For a caller who only wants to know. ``topic`` is what they are waiting for."""
    return Rule(
        id="no-return",
        when="The agent offers to start a return, or asks whether the caller wants to return it now",
        not_when=("when it has told what the caller wanted to know", "when it asks for anything else"),
        line="No, I'm not sending it back yet. I only want to know how long I have.",
        cues=Cues(
            all_of=(_OFFERS_RETURN,),
            none_of=(*IDENTITY, OFFERS_TEXT, r"\border number\b", r"\b(?:which|what)\b", r"\bknow\b"),
        ),
        unless=(f"heard:{topic}",),
        order=22,
        tests=(
            *fires(
                "Would you like to start a return?",
                "Do you want me to set up the return now?",
                "Shall I start a refund for you?",
            ),
            *silent(*ROUTINE, "What would you like to return?"),
        ),
    )


def start_it_rule(topic: str) -> Rule:
    """For a caller who would return it if they could."""
    return Rule(
        id="if-possible",
        when="The agent asks whether to start or check a return, before it has said that it can't be "
        "returned",
        not_when=(
            "when it asks for anything else",
            "when it only repeats what the caller called for",
            "when it says that the window has closed",
        ),
        line="Yes, if it can still be returned.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:would you like|do you want|did you want|you wanting|want to|shall i|shall we"
                    r"|should i|should we"
                    r"|may i|want me to|like me to"
                    r"|go ahead)\b[^.!]*"
                    r"\b(?:return\w*|send|start|open|begin|create|check|look|refund)\b",
                    GO_AHEAD,
                    r"\b(?:want|like) (?:me|us) to\b[^.!]*\b(?:window|return\w*|take (?:it|that)|see"
                    r"|check)\b",
                    r"\b(?:i can|i could|we can|we could|happy to|glad to)\b[^.!]*\b(?:check|see|look)\b",
                    r"\bshall we\b[^.!]*\b(?:see|send|return)\w*\b",
                    r"\b(?:i'd|i would|i'll|let me)\b[^.!]*\b(?:check|look|see|window"
                    r"|return)\b[^.!]*\b(?:okay|ok|yes"
                    r"|all right|right)\W*$",
                ),
            ),
            none_of=(
                *IDENTITY,
                OFFERS_PERSON,
                r"\border number\b",
                r"\b(?:which|what|why|pull up|look up)\b",
            ),
        ),
        unless=(f"heard:{topic}",),
        order=28,
        tests=(
            *fires(
                "Would you like me to check whether it can be returned?",
                "Do you want to start a return?",
                "Shall I go ahead and look at the return?",
            ),
            *silent(*ROUTINE, "What would you like to return?", "Has the box been opened?"),
        ),
    )


def agree_rule(refund: str, fee: str | None, line: str) -> Rule:
    """``refund`` and ``fee`` in dollars without the sign; ``fee`` is None for a full refund."""
    less = f"less a fee of ${fee}" if fee else "in full"
    costs = f"There's a restocking fee of ${fee}, so you" if fee else "There's no fee, so you"
    return Rule(
        id="agree",
        when=f"The agent has named the refund of ${refund} ({less}), in this turn or before, and tells "
        f"it or asks "
        "whether to start the return",
        not_when=(
            "when it says that the return has been started",
            "when it asks who is calling, or for a proof",
        ),
        line=line,
        cues=Cues(
            all_of=(any_of(money(refund), GO_AHEAD, rf"{_ABOUT_RETURN}[^.!]*\?"),),
            none_of=(*IDENTITY, STARTED, OFFERS_PERSON, OFFERS_TEXT),
        ),
        after=("heard:refund",),
        unless=("said:agree",),
        order=12,
        tests=(
            *fires(
                f"{costs} get ${refund} back. Shall I start the return?",
                f"Your refund comes to ${refund}. Is that okay with you?",
                f"That makes ${refund} back to your card.",
            ),
            *fires("Would you like me to go ahead with the return?", given=("heard:refund",)),
            *silent(*ROUTINE, "Shall I start the return?", "Has the box been opened?"),
            *silent(f"Your return is started, and ${refund} goes back to your card.", given=("said:agree",)),
        ),
    )


def fee_first_rule(refund: str) -> Rule:
    """``refund`` in dollars without the sign."""
    return Rule(
        id="how-much",
        when="The agent asks whether to start the return, or whether the caller wants to go on, and has "
        "not named "
        f"the refund of ${refund}",
        not_when=(
            "when it asks why, whether it was opened, for the order, who is calling or for a proof",
            "when it only repeats what the caller called for",
        ),
        line="How much would I get back?",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:would you like|do you want|did you want|you wanting|want to|shall i|shall we"
                    r"|should i|should we"
                    r"|may i|want me to|like me to)\b[^.!]*"
                    r"\b(?:return|start|process|open|begin|create|set (?:it|that|this) up|get (?:it|that"
                    r"|this) (?:going|started)|go ahead|proceed|continue)\b",
                    GO_AHEAD,
                    r"\b(?:start|open|do|process) (?:it|that|the return)\?",
                    r"\bwant me to (?:open|start|do|set|get|put)\b",
                    r"\b(?:i can|i could|happy to|glad to|i'm able to|able to|we can)\b[^.!]*\b(?:start"
                    r"|open|begin"
                    r"|set up|get|put|do)\b[^.!]{0,25}\b(?:return|refund)\b",
                    r"\b(?:are we|shall we|is it|should we)\b[^.!]*\b(?:open|start|sent back|send|return)\b",
                    r"\b(?:i'd|i would|i'll|i will|let's|i'd now)\b[^.!]*\breturn\b[^.!]*\b(?:yes|okay"
                    r"|ok|right|shall we"
                    r"|all right|good)\W*$",
                ),
            ),
            none_of=(
                *IDENTITY,
                OFFERS_PERSON,
                STARTED,
                _ASKS_WHY_ONLY,
                _OPENED_ONLY,
                LABEL,
                r"\border number\b",
                r"\b(?:which|what|why|when|pull up|look up|check|verify)\b",
            ),
        ),
        unless=("heard:refund", "said:agree"),
        order=29,
        tests=(
            *fires(
                "Shall I start the return?",
                "Do you want me to go ahead and process that?",
                "There's a restocking fee. Would you like to proceed?",
            ),
            *silent(
                *ROUTINE,
                f"You'd get ${refund} back. Shall I start the return?",
                "What would you like to return?",
            ),
        ),
    )
