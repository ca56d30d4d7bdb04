"""R-E1: a caller who demands a person at once."""

from __future__ import annotations

from offhook.packs import Cues, CueTest, ExpectedCall, Intent, Rule, Structure, Task, Tier
from offhook_industries.customer_support.tasks._cues import (
    OFFERS_PERSON,
    UNHEARD,
    any_of,
)
from offhook_industries.customer_support.tasks._declining import not_called
from offhook_industries.customer_support.tasks._person import thanks_rule, waiting_rule

__all__ = ["task"]


def task(pack: str) -> Task:
    return Task(
        pack=pack,
        id="R-E1",
        title="Demands a person immediately",
        category="reception",
        tier=Tier.EASY,
        structure=Structure(tool_calls=1, constrained_args=1, rows_written=1),
        intent=Intent(
            opening="I want to talk to a real person right now.",
            conduct=(
                "You want a person and nothing else, and you don't say why.",
                "You give no name, no number and no reason to a machine. You don't accept help from it.",
                "When they say that they are connecting you, say that you'll wait, and wait.",
            ),
            closing="Fine. Bye.",
            satisfied=("said:waiting",),
        ),
        traits=(),
        rules=(_transfer_me(), thanks_rule(), waiting_rule(), _no_reason()),
        expected=(ExpectedCall("transfer_to_human", arguments={"reason": "caller_request"}),),
        forbidden=(not_called("identify_customer", "the caller gave no name and wants no account"),),
    )


def _transfer_me() -> Rule:
    return Rule(
        id="transfer-me",
        when="The agent asks whether to transfer the caller, or whether they want a person",
        not_when=("when it also wants to know why", "when it is already connecting them"),
        line="Yes. Put me through to a person.",
        cues=Cues(
            all_of=(
                any_of(
                    OFFERS_PERSON,
                    r"\b(?:get|grab|fetch|find) you (?:someone|somebody|a|one)\b",
                    r"\b(?:put|transfer|connect) you (?:through|over|now)\b|\bbe (?:transferred"
                    r"|connected|put through)\b",
                    r"\b(?:an?|to|our) (?:real |live |actual )?(?:human(?: being)?|person|representative"
                    r"|agent|people)\b",
                ),
                r"\?|\bif (?:you(?:'d)? (?:like|want|prefer)|that's what)\b|^(?:and |so |okay )?(?:shall"
                r"|should|want|do|would)\b",
            ),
            none_of=(r"\b(?:what|why|which|who|name|phone|number|about|reason|instead|try)\b(?! of our)",),
        ),
        order=10,
        tests=(
            CueTest("Would you like me to transfer you to a representative?", True),
            CueTest("Shall I connect you with a person now?", True),
            CueTest("You'd like to speak with a human, is that right?", True),
            CueTest("I'm connecting you with a person now.", False),
            CueTest("What would you like to speak to a representative about?", False),
            CueTest("May I have your name before I transfer you to someone?", False),
        ),
    )


def _no_reason() -> Rule:
    return Rule(
        id="no-reason",
        when="The agent asks what it is about, asks for any detail, or tries to help by itself "
        "instead of connecting the caller",
        not_when=("when it is connecting the caller", "when it simply asks whether to transfer"),
        line="I'm not explaining it to a machine. Just get me a person.",
        cues=Cues(
            like=(
                "What can I help you with today?",
                "I might be able to help you myself if you tell me the problem.",
                "Give me a try first, I can often sort it out.",
            ),
            all_of=(
                any_of(
                    r"\?",
                    r"\bi (?:can|could) (?:look|check|find|see|sort|fix|do|answer|handle)\b",
                    r"\bgive me (?:an idea|a hint|the gist|some idea)\b",
                    r"\b(?:give|let) me (?:have )?(?:a|one|it a) (?:try|go|shot|chance)\b",
                    r"\b(?:tell me|let me know|describe|explain|i need|i'll need|i can "
                    r"(?:help|assist|take care)|(?:can't|cannot|unable|not able))\b",
                ),
            ),
            none_of=(UNHEARD,),
            threshold=0.7,
        ),
        order=30,
        tests=(
            CueTest(
                "I can do that. May I ask what this is about, so that I send you to the right team?", True
            ),
            CueTest("I may be able to help you myself. What's the problem?", True),
            CueTest("Please tell me your name and phone number first.", True),
            CueTest("I'm sorry, I can't connect you without knowing the reason.", True),
            CueTest("I'm connecting you with a person now.", False),
            CueTest("Would you like me to transfer you to a representative?", False),
            CueTest("Please hold while I transfer you.", False),
        ),
    )
