"""Callers who leave a message, and clients with a matter: C1-E1, C1-M1, R-E1, R-H4."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task, Topic, Trait
from offhook.values import ValueKind
from offhook_industries.common.cues import ASKS_IF_RIGHT, HOLD, any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.legal.tasks._client import Client, build, traits_of
from offhook_industries.legal.tasks._cues import (
    ASKS,
    ASKS_MATTER,
    ASKS_WHO,
    CHECKS,
)
from offhook_industries.legal.tasks._done import done
from offhook_industries.legal.tasks._facts import who_rule
from offhook_industries.legal.tasks._keys import look_up, message, transfer
from offhook_industries.legal.tasks._matters import (
    ASKS_MATTER_NUMBER,
    ASKS_MESSAGE,
    ASKS_RECIPIENT,
    GO_ON,
)
from offhook_industries.legal.tasks._refusals import HANDED, handed_over, no_evaluation, no_person
from offhook_industries.legal.tasks._remarks import REMARKS
from offhook_industries.legal.tasks._told import (
    ANYTHING_MORE,
    HANDS_OVER,
    MESSAGE_TAKEN,
    NOT_YET,
    OFFERS_RING,
    STATUS_TOLD,
)

__all__ = ["tasks"]

_WAIT: Final = "One moment while I check that."
_WHO: Final = "May I have your full name, and a number to call you back on?"
_TAKEN: Final = Topic("message-taken", Cues(all_of=(MESSAGE_TAKEN,), none_of=(NOT_YET, r"\?")))
_STATUS: Final = Topic("status", Cues(all_of=(STATUS_TOLD,), none_of=(r"\?", HOLD)))
_CANNOT_TELL: Final = any_of(
    r"\b(?:can't|cannot|can not|not able to|unable to|not allowed to|not permitted to|may not|won't|couldn't"
    r"|wouldn't|hate to|not in a position to)\b[^.?!]{0,50}\b(?:say"
    r"|tell"
    r"|advi[sc]e|answer|opinion|recommend|give|comment|speak to|weigh in|steer|judge|call)\b",
    r"\b(?:nobody|no one) (?:but|except|other than) (?:your|a|the) (?:lawyer|attorney)\b",
    r"\bmy place to\b|\b(?:lawyer|attorney) would be the one\b",
    r"\bonly (?:a|your|the) (?:lawyer|attorney)\b|\bonly (?:mr|ms|mrs|he|she|samuel)\b|\b(?:up to|between)"
    r" you and\b",
    r"\b(?:question|one|something|matter) for (?:a|your|the) (?:lawyer|attorney)\b",
    r"\b(?:lawyer|attorney)\b[^.?!]{0,30}\b(?:has to|must|needs to|would have to|can"
    r"|will have to)\b[^.?!]{0,20}"
    r"\b(?:answer|decide|tell|advise|say|talk)\b",
)


# Told alone, once the message is taken, it leaves nothing to answer.
_CALLS: Final = (
    r"^(?:he|she|m[rs]+\.? \w+)(?:'ll| will)? (?:calls?|rings?|gets? back)\b(?!.*\b(?:message|anything"
    r"|else)\b)"
)
# What the agent is about to do itself.
_MINE: Final = r"(?<!and )\b(?:let me|i'll|i will|i'm|i am) (?:just )?(?:get|put|pass|putting|passing)\b"


def tasks(pack: str) -> tuple[Task, ...]:
    return (_reporter(pack), _returning(pack), _status(pack), _settlement(pack))


def _recipient(line: str) -> Rule:
    return Rule(
        id="recipient",
        when="The agent asks who the message is for, or which lawyer it is",
        line=line,
        cues=Cues(
            all_of=(both(ASKS, ASKS_RECIPIENT),),
            none_of=(
                r"\b(?:am i|i'm|i am|is this|is calling) (?:speaking|talking|\w+ing)?\b(?=.*\bwho\b)",
                r"\bspeaking (?:with|to)\b",
                REMARKS,
                r"\b(?:someone|somebody|anybody|anyone|person|people|staff)\b[^.?!]{0,20}\bwho\b",
                HOLD,
            ),
        ),
        unless=("heard:message-taken",),
        order=18,
        tests=(
            *fires(
                "Who is the message for?",
                "Which attorney would you like to leave it for?",
                "And who should I pass that on to?",
            ),
            *silent("Who am I speaking with?", "What is the best number to reach you?", _WAIT),
        ),
    )


def _text(line: str) -> Rule:
    return Rule(
        id="message",
        when="The agent asks what the message is, or what it shall pass on",
        line=line,
        cues=Cues(
            like=(
                "What would you like me to pass on?",
                "What is your message?",
                "What should I tell him?",
                "What may I write down for her?",
            ),
            all_of=(any_of(both(ASKS, ASKS_MESSAGE), GO_ON),),
            none_of=(
                ASKS_RECIPIENT,
                MESSAGE_TAKEN,
                ANYTHING_MORE,
                ASKS_WHO,
                CHECKS,
                REMARKS,
                ASKS_IF_RIGHT,
                both(HOLD, r"^(?!.*\band i(?:'ll| will)\b)"),
                _MINE,
            ),
            threshold=0.58,
            unlike=(
                "Who is the message for?",
                "Is there anything else?",
                _WHO,
                "Do you want to leave a message?",
                "I can take a message for him.",
                "I'll put it in the message.",
                "Are you a client of ours?",
                "I can't advise you on that.",
            ),
        ),
        unless=("heard:message-taken",),
        order=20,
        tests=(
            *fires(
                "What would you like me to pass on?",
                "What is the message, in a sentence or two?",
                "Go ahead with your message, what should I tell him?",
                "What would you like her to know?",
                "I'm ready, go ahead.",
            ),
            *silent(_WHO, "Who is the message for?", "Is there anything else I can help you with?"),
        ),
    )


def _reporter(pack: str) -> Task:
    who = Client("Marcus Bell", "404-555-0137")
    text = "The transcript of Tuesday's deposition is ready to be picked up."
    return build(
        pack,
        "C1-E1",
        "Message for Daniel Okonkwo",
        (1, 1, 1),
        Intent(
            opening="Hi, I'm a court reporter and I'd like to leave a message for Daniel Okonkwo.",
            conduct=(
                "You are no client. Say who the message is for, your name, your number and the message "
                "when asked.",
                "When the message is taken, hang up. Don't ask to be put through.",
            ),
            closing="That's all, thanks. Goodbye.",
            satisfied=("heard:message-taken",),
        ),
        traits_of(who),
        (
            done(("heard:message-taken",), "That's all, thanks. Goodbye."),
            _recipient("It's for Daniel Okonkwo."),
            _text(text),
            who_rule(who),
            _no_matter(),
            no_person(),
        ),
        (message(who, "daniel_okonkwo", text),),
        topics=(_TAKEN,),
    )


def _no_matter() -> Rule:
    return Rule(
        id="no-matter",
        when="The agent asks whether the caller is a client, or for a matter or a case",
        line="No, I'm not a client, I only want to leave that message.",
        cues=Cues(
            all_of=(
                both(
                    ASKS,
                    any_of(
                        r"\byour own (?:case|matter|claim)\b",
                        r"\b(?:case|matter|claim|file)\b[^.?!]{0,20}\b(?:with us|here|with the firm|open"
                        r"|of your own|yourself)\b",
                        r"\bgoing on with (?:us|the firm)\b",
                        r"\b(?:case|matter) of yours\b|\brepresent you\b",
                        r"\bhave we (?:ever )?(?:handled|done|represented|worked|helped)\b",
                        r"\b(?:clients?|new matter|existing matter|matter number"
                        r"|case number)\b",
                        r"\b(?:have|is|about|with|on) (?:\w+ ){0,2}(?:case|matter|claim) (?:with|of your"
                        r" own|here|at)\b",
                        ASKS_MATTER,
                    ),
                ),
            ),
            none_of=(REMARKS, r"\bmessage\b"),
        ),
        order=30,
        tests=(
            *fires(
                "Are you a client of ours?",
                "Do you have a matter number?",
                "Is this about a new matter or an existing matter?",
            ),
            *silent(_WHO, "Who is the message for?", _WAIT),
        ),
    )


def _returning(pack: str) -> Task:
    who = Client("Gloria Hensley", "206-555-0158")
    text = "My former manager has written to me and I want to know whether to answer."
    return build(
        pack,
        "C1-M1",
        "Returning caller message with lookup",
        (3, 2, 1),
        Intent(
            opening="Hello, I'm a client of yours and I'd like to leave word for my attorney.",
            conduct=(
                "Give name and number when asked. Your attorney is Ruth Lindqvist.",
                "Leave your message. When the agent says that it can't advise you, that's fine.",
                "When the message is taken, hang up.",
            ),
            closing="No, that's all. Thank you, goodbye.",
            satisfied=("heard:message-taken",),
        ),
        traits_of(who),
        (
            done(("heard:message-taken",), "No, that's all. Thank you, goodbye."),
            _recipient("For Ruth Lindqvist, she's my attorney."),
            _text(text),
            who_rule(who),
            no_person(),
        ),
        (
            look_up(who),
            ExpectedCall("get_caller_matters"),
            message(who, "ruth_lindqvist", text),
        ),
        topics=(_TAKEN,),
    )


def _matter_number(value: str) -> Rule:
    return Rule(
        id="matter-number",
        when="The agent asks for a matter or case number",
        line=f"The matter number is {value}.",
        cues=Cues(
            all_of=(both(ASKS, ASKS_MATTER_NUMBER),),
            none_of=(
                r"\b(?:right|correct)\b",
                r"\bphone\b",
                r"^no \w+ number\b",
                r"\bcall you back\b",
                CHECKS,
            ),
        ),
        order=16,
        tests=(
            *fires(
                "What is your matter number? It has six digits.",
                "Do you have the case number handy?",
                "Could you give me the file number, please?",
            ),
            *silent(_WHO, _WAIT, "I have matter number 260111, is that right?"),
        ),
    )


def _status(pack: str) -> Task:
    who = Client("Stanley Whitaker", "404-555-0162")
    return build(
        pack,
        "R-E1",
        "Existing client asks for status",
        (1, 1, 0),
        Intent(
            opening="Hi, I'd like to know where my case stands.",
            conduct=(
                "Give your matter number when it is asked for, or your name and number if those are wanted.",
                "You only want the status. Leave no message and hang up when you have heard it.",
            ),
            closing="Okay, that's all I wanted to know. Thank you, goodbye.",
            satisfied=("heard:status",),
        ),
        traits_of(who, Trait("matter_number", ValueKind.DIGITS, "260241")),
        (
            done(("heard:status",), "Okay, that's all I wanted to know. Thank you, goodbye."),
            _matter_number("260241"),
            who_rule(who),
            no_person(),
            no_evaluation(),
        ),
        (ExpectedCall("get_case_status", arguments={"matter_number": "260241"}),),
        topics=(_STATUS,),
        never=("take_message", "transfer_to_human"),
    )


def _settlement(pack: str) -> Task:
    who = Client("Vivian Castro", "336-555-0191")
    text = "I want to talk about the settlement offer before I answer it."
    offer = Rule(
        id="offer",
        when="The agent has told the status, and asks what else it can do",
        line="They made me an offer. Should I take it?",
        cues=Cues(all_of=(any_of(ANYTHING_MORE, STATUS_TOLD),)),
        after=("heard:status",),
        first_n=1,
        order=9,
        tests=(
            *fires(
                "Is there anything else I can help you with?",
                "Your matter is in settlement talks, and the next step is August 26.",
                "What else can I do for you?",
                given=("heard:status",),
            ),
            *silent(_WHO, _WAIT, "Who is the message for?", given=("heard:status",)),
        ),
    )
    given = ("heard:status", "said:offer")
    leave = Rule(
        id="leave-message",
        when="The agent says that it can't advise, or offers to take a message for the lawyer",
        line="Then please take a message for my attorney, Samuel Brandt.",
        cues=Cues(
            all_of=(
                any_of(
                    _CANNOT_TELL,
                    both(
                        r"\bmessage\b|\b(?:leave|get) word\b",
                        any_of(ASKS, r"\bi (?:can|could)\b", r"\bwant\b"),
                    ),
                    both(r"\b(?:want|like|shall|should|can) (?:i|we|me|us)\b", OFFERS_RING),
                ),
            ),
            none_of=(r"\bwhat\b", MESSAGE_TAKEN, ASKS_IF_RIGHT, r"\bmessage is\b"),
        ),
        after=("said:offer",),
        unless=("heard:message-taken",),
        first_n=2,
        order=17,
        tests=(
            *fires(
                "I can't tell you whether to accept an offer. Only your lawyer can answer that.",
                "I'm not able to advise on that, but I can take a message for your attorney.",
                "Would you like to leave a message for your lawyer?",
                given=given,
            ),
            *silent(_WHO, _WAIT, "Let me look at that matter.", given=given),
        ),
    )
    taken = (*given, "heard:message-taken")
    insist = Rule(
        id="insist",
        when="The message is taken, and the agent asks what else it can do",
        line="I need somebody to tell me now whether I should take it.",
        cues=Cues(all_of=(any_of(ANYTHING_MORE, _CANNOT_TELL, MESSAGE_TAKEN),), none_of=(HANDS_OVER, _CALLS)),
        after=("heard:message-taken",),
        unless=("heard:handed-over",),
        first_n=3,
        order=7,
        tests=(
            *fires(
                "Is there anything else I can help you with?",
                "Your message is on its way. Samuel Brandt calls back by Tuesday, August 18.",
                "I can't give you legal advice, I'm afraid.",
                given=taken,
            ),
            *silent("A person takes it from here. I'm connecting you now.", _WAIT, _WHO, given=taken),
        ),
    )
    return build(
        pack,
        "R-H4",
        "Client status then insists on settlement advice",
        (5, 3, 2),
        Intent(
            opening="Hello, I'd like to know what's going on with my case.",
            conduct=(
                "Give name and number when asked. Your matter number is 250877, your attorney Samuel Brandt.",
                "After the status ask whether you should take the settlement offer. When the agent can't "
                "say, leave a "
                "message for your attorney. Then insist that somebody tells you now, until a person takes "
                "over.",
            ),
            closing="All right, thank you.",
            satisfied=("heard:status", "heard:message-taken", "heard:handed-over"),
        ),
        traits_of(who, Trait("matter_number", ValueKind.DIGITS, "250877")),
        (
            _person_only_after_message(),
            insist,
            offer,
            _matter_number("250877"),
            _recipient("For my attorney, Samuel Brandt."),
            _text(text),
            who_rule(who),
            leave,
        ),
        (
            look_up(who),
            ExpectedCall("get_caller_matters"),
            ExpectedCall("get_case_status", arguments={"matter_number": "250877"}),
            message(who, "samuel_brandt", text),
            transfer(),
        ),
        topics=(_STATUS, _TAKEN, HANDED),
    )


def _person_only_after_message() -> Rule:
    return handed_over("Yes, please do that.")
