"""T3-E1: whether a repair at another shop ends the maker's warranty."""

from __future__ import annotations

from offhook.packs import Cues, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ACCOUNT,
    ASKS_ORDER,
    BUYING,
    HOLD,
    IDENTITY,
    any_of,
)
from offhook_industries.customer_support.tasks._declining import (
    confirm_wish_rule,
    no_account_rule,
    no_extras_rule,
    no_person_rule,
    not_called,
)
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_ANSWER = any_of(
    r"\b(?:honou?rs?|respects?|leaves?|keeps?)\b[^.?!]*\bwarranty\b|\bwarranty\b[^.?!]*\b(?:untouched|as "
    r"it is|alone|survives?)\b",
    r"\b(?:not|n't|never|cannot|no)\b[^.?!]*\b(?:void|end|lose|loses|cancel|affect|invalidate|break"
    r"|terminate|"
    r"cost you|take away|impact)\w*\b",
    r"\b(?:void|ends?|lose|cancel|affect|invalidate|break|terminate)\w*\b[^.?!]*\bwarrant(?:y|ies)\b",
    r"\bwarrant(?:y|ies)\b[^.?!]*\b(?:stays?|remains?|still|continues?|intact|valid|safe|good|holds?"
    r"|void|kept|keep"
    r"|stands?|in effect|in place|in force|alive|unaffected)\b",
    r"\b(?:keep|still have|retain)\b[^.?!]*\bwarranty\b",
    r"\b(?:damage|harm|faults?|problems?|anything)\b[^.?!]*\b(?:cause[sd]?|by (?:the|that|another"
    r"|other))\b[^.?!]*"
    r"\b(?:not|n't|isn't|excluded)\b",
)
_ASKING = r"\?|\b(?:you want to know|you'd like to know|you're asking|asking (?:if|whether)|wondering)\b"


def task(pack: str) -> Task:
    return Task(
        pack=pack,
        id="T3-E1",
        title="Third-party repair and the warranty",
        category="service",
        tier=Tier.EASY,
        structure=Structure(tool_calls=0, constrained_args=0, rows_written=0),
        intent=Intent(
            opening="Hi. If another shop repairs my laptop, do I lose the manufacturer's warranty?",
            conduct=(
                "You want to know whether a repair at another shop ends the maker's warranty, in general.",
                "You want nothing booked, nothing looked up, and nobody else on the line.",
                "You don't give your name or an order, as neither is needed for that.",
                "When they have answered, thank them and hang up.",
            ),
            closing="That's all I wanted to know, thanks. Bye.",
            satisfied=("heard:answer",),
        ),
        traits=(),
        rules=(
            _told(),
            _no_booking(),
            _in_general(),
            no_account_rule("I don't think you need my account for that. It's a general question.", "that"),
            confirm_wish_rule(
                r"\b(?:warranty|repair\w*|shop|void\w*)\b",
                "Yes, exactly that.",
                "So you're wondering whether a repair elsewhere affects your warranty, is that right?",
                "You want to know if another shop may repair the laptop without ending the warranty, "
                "correct?",
                "Just so I understand, you're asking about the manufacturer's warranty?",
            ),
            no_extras_rule(),
            no_person_rule(),
        ),
        expected=(),
        topics=(Topic("answer", Cues(all_of=(_ANSWER,), none_of=(_ASKING,))),),
        forbidden=(
            not_called("identify_customer", "a general question needs no account"),
            not_called("transfer_to_human", "a general question needs no person"),
            not_called("report_scam_contact", "nobody has reported a scam"),
        ),
    )


def _told() -> Rule:
    return told_rule(
        "whether a repair by another shop ends the maker's warranty",
        "answer",
        _ANSWER,
        "Okay, that answers it. Thanks, bye.",
        (
            *fires(
                "No. A repair somewhere else does not by itself end the manufacturer's warranty, but "
                "damage it "
                "causes isn't covered.",
                "Your warranty stays valid, though any harm done by the other shop is not covered.",
                "Having it fixed elsewhere won't void the warranty on its own. Would you like a TechCrew "
                "visit?",
                "You keep the warranty, as long as the repair itself causes no damage.",
            ),
            *fires("Anything else I can do for you?", given=("heard:answer",)),
            *silent(
                *ROUTINE,
                "So you want to know whether that would void the warranty?",
                "Which laptop is it?",
                "Is the laptop still under warranty?",
            ),
        ),
        not_when=(
            "while it only repeats the question or asks for something",
            "when it only says what TechCrew does",
        ),
    )


def _no_booking() -> Rule:
    return Rule(
        id="no-booking",
        when="The agent offers a TechCrew repair, an appointment, or to check the caller's own coverage",
        not_when=("when it has answered the question",),
        line="No, I don't want anything booked. I only want to know about the warranty.",
        cues=Cues(
            all_of=(
                r"\b(?:would you (?:like|rather|prefer)|do you want|did you want|you wanting|want to"
                r"|shall i|shall we|should i|should we|would it help if|our own|our bench"
                r"|can i|could i|want me to|like me to"
                r"|happy to|i can|i could|we could|why not|why don't|i'd|let me"
                r"|we can|how about)\b[^.!]*\b(?:slot|opening|covered|coverage|set you up|book"
                r"|schedul\w+|set up|repair\w*|fix|check|look"
                r"|appointment|techcrew"
                r"|bring|visit|take care of (?:it|that|yours))\b",
            ),
            none_of=(
                *IDENTITY,
                _ANSWER,
                ACCOUNT,
                HOLD,
                BUYING,
                r"\border number\b",
                r"\blook (?:that|this|it|into)\b",
            ),
        ),
        unless=("heard:answer",),
        order=20,
        tests=(
            *fires(
                "Would you like me to book a TechCrew repair instead?",
                "We can schedule an appointment at a store for you.",
                "Shall I check your coverage?",
            ),
            *silent(*ROUTINE, "I can look that up for you."),
        ),
    )


def _in_general() -> Rule:
    return Rule(
        id="in-general",
        when="The agent asks which laptop, brand or order it is, when it was bought, what is wrong with "
        "it, or "
        "whether it is still in warranty",
        not_when=("when it asks who is calling, or for a proof",),
        line="It doesn't matter which one. I'm asking in general.",
        cues=Cues(
            all_of=(
                any_of(
                    ASKS_ORDER,
                    r"\b(?:which|what)(?:'s| is)?\b[^.!]*\b(?:laptop|brand|model|make|computer"
                    r"|manufacturer|wrong|issue|"
                    r"problem|kind|type|happen\w*|shop|repair)\b",
                    r"\bwho (?:made|makes|built|sold)\b",
                    r"\bhow (?:long|old)\b[^.!]*\b(?:had|owned|have|is|are)\b",
                    r"\b(?:under|over|more than|less than) (?:a|one|two) years? old\b",
                    r"\b(?:when|where|how long ago|how old)\b[^.!]*\b(?:buy|bought|purchased?|get|got"
                    r"|laptop|is it)\b",
                    r"\b(?:is|was|are|do|did|have|has|which|what|when|where|how)\b[^.!]*\b(?:laptop"
                    r"|repair\w*|broken|fix\w*|"
                    r"warranty|buy|bought|purchased?|brand|model|screen|battery|wrong|shop"
                    r"|computers?|laptops)\b[^.!]*\?",
                    r"\b(?:is|was|does|has|did|do)\b[^.!]*\b(?:laptop|it|you)\b[^.!]*"
                    r"\b(?:under warranty|warranty still|in warranty|protection plan|bought|from us"
                    r"|from kestrel)\b",
                ),
            ),
            none_of=(*IDENTITY, r"\bhow can i\b|\bwhat can i\b|\border number\b"),
        ),
        unless=("heard:answer",),
        order=24,
        tests=(
            *fires(
                "Which laptop is it?",
                "What seems to be the problem with it?",
                "When did you buy the laptop?",
                "Is it still under warranty?",
            ),
            *silent(*ROUTINE, "A repair elsewhere does not end the warranty."),
        ),
    )
