"""T1-M4: a late delivery change that is quoted and turned down."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    AFTERWARDS,
    ELSE,
    GO_AHEAD,
    HOLD,
    IDENTITY,
    OFFERS_PERSON,
    OFFERS_TEXT,
    UNHEARD,
    any_of,
)
from offhook_industries.customer_support.tasks._declining import (
    declining_rules,
    not_called,
)
from offhook_industries.customer_support.tasks._delivery import FEE, cost_first_rule, which_day_rule
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of

__all__ = ["task"]

_DAY = "Tuesday, August 18, 2026"
_LEFT = any_of(
    r"\b(?:leave|left|keep|kept|stays?|remains?|unchanged|no changes?|still (?:set|scheduled|on|coming)"
    r"|as (?:it is|"
    r"planned|scheduled)|original(?:ly)?)\b",
    r"\b(?:okay|ok|all right|alright|understood|(?<!you )sure|no problem|of course|got it|very well"
    r"|absolutely)\b",
    r"\b(?:haven't|have not|didn't|did not|won't|will not|not|nothing)(?: has| will)?(?: been"
    r"| be)? (?:move\w*|chang\w*|charg\w*)\b",
)

_MOVED_ANYWAY = (
    r"^(?!.*\b(?:nothing|not|n't|no)\b).*"
    r"\b(?:i've|i have|has been|is now|it's now) (?:now )?(?:moved|rescheduled|changed)\b"
)


def task(pack: str) -> Task:
    who = person("Thomas Whitaker", "range")
    return Task(
        pack=pack,
        id="T1-M4",
        title="Quote a late range delivery change",
        category="orders",
        tier=Tier.MEDIUM,
        structure=Structure(tool_calls=4, constrained_args=6, rows_written=1),
        intent=Intent(
            opening="Hello, can I have the delivery of my new range moved to Tuesday, August 18, 2026?",
            conduct=(
                "You want to know whether the delivery can be moved to August 18, and what that costs.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "When you hear that it costs $29.99, decline: the delivery stays as it is.",
                "Take no other day and no discount. When they have taken note, thank them and hang up.",
            ),
            closing="Then it stays as it is. That's all, thanks. Bye.",
            satisfied=("said:leave-it",),
        ),
        traits=traits_of(who),
        rules=(
            _settled(),
            _stays(),
            _leave_it(),
            which_day_rule(_DAY, "Moving it costs $29.99, because it's due tomorrow."),
            cost_first_rule("Tuesday, August 18"),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall(
                "quote_delivery_change",
                arguments={"order_number": who.order_number, "new_date": "2026-08-18"},
            ),
        ),
        topics=(Topic("fee", Cues(all_of=(FEE,))),),
        forbidden=(not_called("confirm_delivery_change", "the caller turned the charge down"),),
    )


def _leave_it() -> Rule:
    return Rule(
        id="leave-it",
        when="The agent has named the fee of $29.99, in this turn or before, and tells it or asks "
        "whether to move "
        "the delivery",
        not_when=("when the caller has declined already", "when it asks who is calling, or for a proof"),
        line="No, I won't pay that. Please leave the delivery as it is.",
        cues=Cues(
            all_of=(any_of(FEE, GO_AHEAD, r"\b(?:mov|chang|reschedul|shift|push|switch)\w*\b[^.!]*\?"),),
            none_of=(*IDENTITY, OFFERS_PERSON, OFFERS_TEXT),
        ),
        after=("heard:fee",),
        unless=("said:leave-it",),
        order=8,
        tests=(
            *fires(
                "Because it's less than 48 hours away, moving it costs $29.99. Shall I go ahead?",
                "There'd be a late change fee of twenty-nine ninety-nine.",
                "I can move it to August 18 for 29 dollars and 99 cents. Is that okay?",
            ),
            *fires("Would you like me to move it, then?", given=("heard:fee",)),
            *silent(*ROUTINE, "Shall I move it to August 18?"),
            *silent("All right, I've left it as it is.", given=("heard:fee", "said:leave-it")),
        ),
    )


def _stays() -> Rule:
    declined = ("heard:fee", "said:leave-it")
    return Rule(
        id="stays",
        when="After the caller declined, the agent offers another day, a lower fee or an exception, or "
        "asks again "
        "whether to move the delivery",
        not_when=(
            "when it asks whether there is anything else",
            "when it says that the delivery stays as it is",
        ),
        line="No, no other day either. It stays as it is.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:another|other|different|later|earlier|next) (?:available )?(?:day|date|time"
                    r"|slot|days|dates)\b",
                    r"\b(?:would|could|does|how about|what about)\b[^.!]*\b(?:monday|tuesday|wednesday"
                    r"|thursday|friday|saturday|august)\b",
                    r"\b(?:waive|discount|half|reduce|lower|credit|exception|free of charge|skip the fee"
                    r"|no fee|no charge"
                    r"|without the fee|knock|(?:bring|brought|get|take|took)\b[^.!]*\b(?:off|down))\w*\b",
                    r"\bif we (?:move|moved|push|made)\b|\bwould you like that\b",
                    r"\b(?:how's|how is|how does|how would|what if|is)\b[^.!]*\bthe (?:\w+teenth|\w+ieth"
                    r"|\w+first"
                    r"|[0-9]+(?:st|nd|rd|th))\b",
                    r"\b(?:we|i) (?:can|could|might)\b[^.!]*\b(?:next (?:week|month)|for nothing|that's "
                    r"(?:better"
                    r"|easier)|cheaper|free)\b",
                    r"\b(?:drop|cut|cover|lower|take off|remove|split)\w*\b[^.!]*\b(?:fee|charge|cost"
                    r"|price)\b",
                    r"\bare you (?:sure|certain)\b|\b(?:opening|space|room)\b[^.!]*\bon the \w+",
                    r"\b(?:you|you're|quite)(?: \w+)? (?:sure|certain)\b[^.!]*\b(?:mov\w*|chang\w*"
                    r"|resched\w*)\b",
                    r"\bwould that (?:interest|help|change|work|suit|be)\b|\b(?:deal|interested)\?"
                    r"|\breally don't want\b",
                    r"\b(?:would you|do you|shall i|shall we|should i|should we|can i|want me|are you "
                    r"sure)\b[^.!]*"
                    r"\b(?:mov\w*|chang\w*|reschedul\w*|august|sure)\b",
                ),
            ),
            none_of=(*IDENTITY, ELSE, HOLD, r"(?<!for )\b(?:nothing|haven't|won't be|not be|no changes?)\b"),
        ),
        after=("said:leave-it",),
        order=3,
        tests=(
            *fires(
                "Would another day suit you better?",
                "I could waive half of it. Would that help?",
                "Are you sure? Shall I move it to August 20 instead?",
                given=declined,
            ),
            *silent("Okay, I'll leave it as it is.", "Anything else I can do for you?", given=declined),
            *silent("Would another day suit you better?"),
        ),
    )


def _settled() -> Rule:
    declined = ("heard:fee", "said:leave-it")
    return Rule(
        id="settled",
        when="After the caller declined, the agent says that the delivery stays as it is, takes note, or "
        "asks "
        "whether there is anything else",
        not_when=(
            "when it offers another day or a lower fee",
            "when it says that the delivery has been moved",
        ),
        line="Thank you, that's all. Bye.",
        cues=Cues(
            all_of=(any_of(_LEFT, ELSE, AFTERWARDS, r"^(?!.*\?).*\w"),),
            none_of=(
                r"\b(?:would you|shall i|shall we|should i|should we|do you want)\b[^.!]*\b(?:day|date"
                r"|mov\w*|reschedul\w*)\b",
                r"\b(?:would|could|does|how about|what about)\b[^.!]*\b(?:monday|tuesday|wednesday"
                r"|thursday|friday|saturday|august)\b",
                r"\b(?:waive|discount|exception|knock|skip the fee|what if|how about)\w*\b",
                r"\b(?:are you sure|sure you|how's|how is|would one)\b",
                rf"^(?!.*(?:{ELSE})).*\b(?:we|i) (?:can|could|might)\b",
                r"\bif we\b|\bwould (?:be free|that)\b|\bwould you like that\b|\b(?:brought|bring) the fee\b",
                UNHEARD,
                r"\blet me (?:make|write|note|put|take|just)\b|\bi'll (?:just )?(?:make|write|take) (?:a "
                r"|it |that )?(?:note|down)\b",
                _MOVED_ANYWAY,
                HOLD,
                r"\b(?:next (?:week|month)|no fee if|free if)\b",
            ),
        ),
        after=("said:leave-it",),
        order=4,
        ends_call=True,
        tests=(
            *fires(
                "Okay, I'll leave the delivery as it is.",
                "Understood. It still comes tomorrow between noon and four.",
                "No problem. Is there anything else I can do for you?",
                "All right, nothing has been changed and nothing will be charged.",
                given=declined,
            ),
            *silent("Would another day suit you better?", given=declined),
            *silent("Okay, I'll leave the delivery as it is.", "Is there anything else I can do for you?"),
        ),
    )
