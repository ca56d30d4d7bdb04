"""T1-M2: an order that has not shipped is cancelled."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ANYTHING,
    ASKS_ORDER,
    BUYING,
    CANCELLED,
    ELSE,
    GO_AHEAD,
    HOLD,
    IDENTITY,
    NOT_YET,
    OFFERS_PERSON,
    OFFERS_TEXT,
    any_of,
)
from offhook_industries.customer_support.tasks._declining import declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of

__all__ = ["task"]

_ASKS_WHY = any_of(
    r"\bwhy\b[^.!]*\b(?:you|cancel\w*|order)\b",
    r"\breasons?\b",
    r"\b(?:is there|was there|something|anything|what(?:'s| is| was))\b[^.?!]{0,15}\b(?:wrong|the matter)\b",
    r"\b(?:what|anything) (?:made|makes) you\b|\bwhat changed\b|\bhow come\b|\bwhat happened\b|\bwhy\W*$",
    r"\bwhat (?:led|brought|prompted|caused|had) you\b|\b(?:not right|go wrong|went wrong)\b",
    r"\b(?:anything|something|what(?:'s| is)?) (?:in )?(?:particular |specific )?(?:behind|prompt\w*)\b",
)
_GONE = (
    r"\b(?:no longer|not|won't be) (?:going out|shipping|being shipped|sent|coming|be getting)\b"
    r"|^cancell?ed\b"
)
_CALLED_OFF = (
    r"\border(?:'s| is| has been)(?: now| all)? (?:dead|no more|gone|stopped|called off|pulled|scrapped"
    r"|off)\b"
    r"|\b(?:that's|it's) (?:all )?(?:done|taken care of)\b[^?]*\b(?:money|refund\w*)\b|\bwon't be getting "
    r"(?:the|that|your)\b|\bcalled (?:it|that|the order) off\b"
    r"|\b(?:been|is|it's|that's) (?:now |all )?called off\b"
)
_KEEP = any_of(
    r"\b(?:keep|keeping|hold on to|change|swap|exchange|replace|different|another|instead|store credit"
    r"|gift card"
    r"|hang on to|hold off|knock|(?:take|get|give you) [^.?!]{0,15}off"
    r"|push (?:it|that|the \w+) back|delay|wait on|bigger|smaller|trade|"
    r"reconsider|change your mind|discount)\b",
)


def task(pack: str) -> Task:
    who = person("Angela Foster", "speaker")
    return Task(
        pack=pack,
        id="T1-M2",
        title="Cancel an unshipped speaker",
        category="orders",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=4, constrained_args=5, rows_written=2),
        intent=Intent(
            opening="Hi, I ordered a speaker yesterday and I'd like to cancel it before it ships.",
            conduct=(
                "You want the order cancelled and your money back, nothing else.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "Say yes when they ask whether to cancel it. Turn down an exchange, a credit and a discount.",
                "When it is cancelled, thank them and hang up.",
            ),
            closing="Thanks, that's everything. Bye.",
            satisfied=("heard:cancelled",),
        ),
        traits=traits_of(who),
        rules=(
            _done(),
            _no_swap(),
            _why(),
            _cancel_it(),
            *identity_rules(who, the_one=False),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall("cancel_order", arguments={"order_number": who.order_number}),
        ),
        topics=(
            Topic(
                "cancelled",
                Cues(all_of=(any_of(CANCELLED, _GONE, _CALLED_OFF),), none_of=(NOT_YET, HOLD, r"\?")),
            ),
        ),
    )


def _cancel_it() -> Rule:
    return Rule(
        id="cancel-it",
        when="The agent asks whether to cancel the order, or reads the order back for a yes",
        not_when=(
            "when it asks who is calling, for a proof, for the order or for a reason",
            "when it offers something in place of cancelling",
            "when it says that the order has been cancelled",
        ),
        line="Yes, please cancel it.",
        cues=Cues(
            all_of=(
                any_of(
                    GO_AHEAD,
                    r"\bcancel (?:it|that|this|the order)\?",
                    r"\b(?:shall|should|may|can|could|want|like|you|to|confirm|is it|is that)\b[^.!]*"
                    r"\bcancel\w*\b[^.!]*\?",
                    r"\bspeaker\b[^.!]*\b(?:right|correct|that one|is that it)\b",
                    r"\bis that the (?:one|order)\b",
                    r"\b(?:stop\w*|call\w*|pull\w*|scrap\w*|kill|drop)\b[^.!]*(?:\?|\b(?:yes|right"
                    r"|correct|off|yeah)\W*$)",
                    r"\b(?:you|you're|quite)(?: \w+)? sure\b[^.!]*\b(?:want|order|speaker)\b[^.!]*(?:gone"
                    r"|stopped|off|cancell?ed)\b",
                    r"\bcancel\w*\b[^.!]*\b(?:yes|yeah|right|correct)\W*$",
                ),
            ),
            none_of=(
                *IDENTITY,
                rf"^(?!.*(?:{NOT_YET})).*(?:{CANCELLED})",
                OFFERS_PERSON,
                OFFERS_TEXT,
                HOLD,
                ASKS_ORDER,
                _ASKS_WHY,
                _KEEP,
                BUYING,
                r"\b(?:pull|look|bring) up\b|\bwhich\b",
            ),
        ),
        unless=("heard:cancelled",),
        order=14,
        tests=(
            *fires(
                "I see a portable speaker for $129.99 that hasn't shipped. Shall I cancel that order?",
                "Are you sure you want to cancel it?",
                "That's the Aurelian Pebble speaker, is that right?",
                "The refund would be $129.99 to your card. Do you want me to go ahead?",
            ),
            *silent(
                *ROUTINE,
                "Which order would you like to cancel?",
                "Why would you like to cancel it?",
                "Your order has been cancelled.",
            ),
        ),
    )


def _why() -> Rule:
    return Rule(
        id="why",
        when="The agent asks why the caller cancels, or what is wrong",
        line="I just don't need it any more.",
        cues=Cues(all_of=(_ASKS_WHY,), none_of=(*IDENTITY, ELSE)),
        order=9,
        tests=(
            *fires(
                "May I ask why you're cancelling?",
                "What's the reason for the cancellation?",
                "Is there anything wrong with the order?",
            ),
            *silent(*ROUTINE, "Shall I cancel it?", "All right, I'll cancel it for you now."),
        ),
    )


def _no_swap() -> Rule:
    return Rule(
        id="no-swap",
        when="The agent offers something in place of cancelling: to keep the order, another item, a "
        "change, a "
        "credit, a discount",
        not_when=("when it says that the order has been cancelled",),
        line="No, thanks. Just cancel it, please.",
        cues=Cues(
            all_of=(
                _KEEP,
                r"\b(?:would (?:you|another|a|that|store|some)|do you|could i|can i|may i|shall i"
                r"|shall we|should i"
                r"|should we|you could|we could|we can|how's about|what if|mind|have you|considered|i can|i "
                r"could|how about"
                r"|want|prefer|rather|"
                r"interested)\b",
            ),
            none_of=(*IDENTITY, CANCELLED),
        ),
        unless=("heard:cancelled",),
        order=10,
        tests=(
            *fires(
                "Would you rather exchange it for another speaker?",
                "I could give you store credit with a small bonus instead.",
                "Are you sure, or would you like to keep the order after all?",
            ),
            *silent(
                *ROUTINE, "Shall I cancel it?", "It's cancelled. Would you like another speaker instead?"
            ),
        ),
    )


def _done() -> Rule:
    cancelled = ("said:cancel-it", "heard:cancelled")
    return Rule(
        id="done",
        when="The agent has said that the order is cancelled, in this turn or before, whatever it asks "
        "or offers "
        "after that",
        not_when=("when it says that it will cancel it, or asks whether it shall",),
        line="Thank you, that's everything. Bye.",
        cues=Cues(all_of=(ANYTHING,), none_of=(HOLD,)),
        after=("heard:cancelled",),
        order=4,
        ends_call=True,
        tests=(
            *fires(
                "Your order is cancelled, and $129.99 goes back to your card in three to seven business "
                "days.",
                "I've cancelled it. Can I do anything else for you?",
                "The cancellation has been processed.",
            ),
            *fires("Anything else today?", given=cancelled),
            *silent(
                *ROUTINE,
                "Shall I cancel it?",
                "It will be cancelled as soon as you say yes.",
                "Is there anything else?",
            ),
        ),
    )
