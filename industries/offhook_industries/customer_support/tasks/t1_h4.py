"""T1-H4: a laptop that has shipped can't be cancelled; how long it may be returned."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ASKS_ORDER,
    CANCELLED,
    GO_AHEAD,
    IDENTITY,
    NOT_YET,
    any_of,
    said_day,
    said_days,
)
from offhook_industries.customer_support.tasks._declining import declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import Person, person, traits_of
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_SHIPPED = any_of(
    r"\b(?:truck|carrier|courier|driver) (?:already )?(?:has|have|had|got|picked)\b|\b(?:out of|left) "
    r"our hands\b",
    r"\b(?:handed|given|passed) (?:over )?to the (?:carrier|courier|driver|truck)\b|\balready (?:gone"
    r"|left|moving)\b",
    r"\b(?:shipped|on (?:its|the) way|in transit|dispatched|sent out|gone out|left (?:the|our)"
    r"|out for delivery|(?:with|to) the (?:carrier|courier|driver)|went out|out the door)\b",
    r"\bno (?:stopping|cancelling|canceling|pulling) (?:it|that)\b|\b(?:it's|already) (?:gone|out the "
    r"door)\b",
    r"\b(?:can't|cannot|can not|can no longer|unable to|not able to|isn't possible|not possible|too late"
    r"|no longer|"
    r"won't be able|couldn't)\b[^.?!]*\b(?:cancel\w*|stop|it)\b",
    r"\bcan\'t be (?:stopped|cancell?ed|called back|recalled)\b",
    r"\bcancel\w*\b[^.?!]*\b(?:off the table|out of the question|isn't|not|no longer|too late|can't"
    r"|cannot)\b",
)
_MAYBE = r"\b(?:if|whether|unless|until|as long as|hasn't|haven't|not yet|let me|i'll)\b"
_WINDOW = any_of(said_days(60), said_day("October", 13), r"\b(?:two|2) months\b")


def task(pack: str) -> Task:
    who = person("Victor Ramos", "laptop")
    return Task(
        pack=pack,
        id="T1-H4",
        title="Cancel a shipped laptop, then the return window",
        category="orders",
        tier=Tier.HARD,
        structure=Structure(tool_calls=4, constrained_args=5, rows_written=0),
        intent=Intent(
            opening="Hello, I've changed my mind about a laptop I ordered. Please cancel it.",
            conduct=(
                "You want the laptop cancelled. You don't know that it has shipped.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "When you learn that it has shipped or can't be cancelled, ask how long you may return it.",
                "Start no return. When you have heard how long you have, thank them and hang up.",
            ),
            closing="All right, that's all I wanted to know. Bye.",
            satisfied=("heard:window",),
        ),
        traits=traits_of(who),
        rules=(
            _told(),
            _how_long(who),
            _only_asking(),
            _cancel_it(),
            *identity_rules(who, the_one=False),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall("check_return_eligibility", arguments={"order_number": who.order_number}),
        ),
        topics=(
            Topic(
                "shipped",
                Cues(
                    all_of=(_SHIPPED,),
                    none_of=(
                        r"\b(?:if|whether|once|unless|hasn't|not "
                        r"yet)\b",
                    ),
                ),
            ),
            Topic("window", Cues(all_of=(_WINDOW,))),
        ),
    )


def _told() -> Rule:
    return told_rule(
        "how long the laptop may be returned (60 days from delivery, or until October 13)",
        "window",
        _WINDOW,
        "All right, then I'll return it after it comes. That's all, bye.",
        (
            *fires(
                "As a Plus member you have 60 days from the day it's delivered.",
                "It has shipped, so I can't cancel it, but you can return it within sixty days. Shall I "
                "note that?",
                "You can send it back until October 13, 2026. Is there anything else?",
            ),
            *fires("Is there anything else I can do?", given=("heard:shipped", "heard:window")),
            *silent(*ROUTINE, "I'm afraid it has already shipped.", "Is there anything else I can do?"),
        ),
    )


def _how_long(who: Person) -> Rule:
    return Rule(
        id="how-long",
        when="The agent says that the laptop has shipped or is on its way, or that it can't be cancelled",
        not_when=(
            "when it also says how long the laptop may be returned",
            "when it only says that it will check, or that a shipped order could not be cancelled in general",
        ),
        line=f"Oh. Then how long do I have to return it once it's here? That's order {who.order_number}.",
        cues=Cues(all_of=(_SHIPPED,), none_of=(_MAYBE, r"\?")),
        unless=("heard:window",),
        first_n=1,
        order=8,
        tests=(
            *fires(
                "I'm sorry, that order has already shipped, so it can't be cancelled.",
                "Your laptop is on its way and arrives on August 14.",
                "It's too late to cancel that one, I'm afraid. Would you like to return it instead?",
                "The status is shipped. Cancelling it is no longer possible.",
            ),
            *silent(
                *ROUTINE,
                "Let me check whether it has shipped.",
                "It has shipped, but you have 60 days to return it.",
                "Orders can be cancelled only until they have shipped.",
                "Shall I cancel it?",
            ),
        ),
    )


def _only_asking() -> Rule:
    asked = ("heard:shipped", "said:how-long")
    return Rule(
        id="only-asking",
        when="After the caller asked how long they have, the agent offers to start a return, to refuse or "
        "redirect the delivery, or again says that it can't be cancelled, without saying how long",
        not_when=("when it asks who is calling, for a proof or for the order",),
        line="No, don't start anything. Just tell me how long I'd have to return it.",
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:would you like|do you want|did you want|you wanting|want to|shall i|shall we"
                    r"|should i|should we"
                    r"|can i|want me to|like me to"
                    r"|you can|you could|i can|i could|happy to|let's|welcome to|free to)\b"
                    r"[^.!]*\b(?:return|refus\w+|redirect|intercept|decline|reject|start|store)\b",
                    r"\b(?:i|we) (?:can|could)\b[^.!]*\b(?:carrier|courier|driver|turn it (?:around|back)"
                    r"|send it back|call it back|stop it)\b",
                    r"\b(?:don't|do not|just) (?:accept|take|sign)\b|\b(?:turn|send) it (?:away|back)\b",
                    r"\b(?:can't|cannot|unable|too late|no longer|there's no|no way)\b[^.?!]*\bcancel\w*\b",
                    GO_AHEAD,
                ),
            ),
            none_of=(*IDENTITY, ASKS_ORDER),
        ),
        after=("said:how-long",),
        unless=("heard:window",),
        order=18,
        tests=(
            *fires(
                "Would you like me to start a return?",
                "You could refuse the delivery at the door.",
                "As I said, it can no longer be cancelled.",
                given=asked,
            ),
            *silent("Which order is it?", "You have 60 days.", given=asked),
            *silent("Would you like me to start a return?"),
        ),
    )


def _cancel_it() -> Rule:
    return Rule(
        id="cancel-it",
        when="The agent asks whether to cancel the laptop, or reads the order back for a yes, before it "
        "has said "
        "that it shipped",
        not_when=("when it asks who is calling, for a proof or for the order",),
        line="Yes, that's the one. Please cancel it.",
        cues=Cues(
            all_of=(
                any_of(
                    GO_AHEAD,
                    r"\b(?:shall|should|may|can|could|want|like|you|to|confirm|is it|is that)\b[^.!]*"
                    r"\bcancel\w*\b[^.!]*\?",
                    r"\blaptop\b[^.!]*\b(?:right|correct|that one|is that it)\b",
                    r"\bis that the (?:one|order|laptop)\b",
                    r"\bcancel\w*\b[^.!]*\b(?:yes|yeah|right|correct|okay)\W*$",
                    r"\b(?:call\w*|pull\w*|stop\w*|scrap\w*)\b[^.!]*\b(?:off|back|it|that|laptop"
                    r"|order)\b[^.!]*"
                    r"(?:\?|\bif you (?:like|want)\b)",
                ),
            ),
            none_of=(
                *IDENTITY,
                rf"^(?!.*(?:{NOT_YET})).*(?:{CANCELLED})",
                ASKS_ORDER,
                _SHIPPED,
                r"\b(?:pull|look|bring) up\b",
                r"\bwhy\b",
            ),
        ),
        unless=("heard:shipped", "heard:window"),
        order=20,
        tests=(
            *fires(
                "So you want to cancel the laptop, is that right?",
                "I see a Quill 14 laptop for $649.99. Is that the one?",
                "Shall I go ahead and cancel it?",
            ),
            *silent(*ROUTINE, "It has already shipped.", "Which order would you like to cancel?"),
        ),
    )
