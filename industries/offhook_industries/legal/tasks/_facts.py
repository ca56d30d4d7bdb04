"""What a caller tells of themselves and of the matter when asked."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule
from offhook_industries.common.cues import ASKS_IF_RIGHT, HOLD, READS_BACK, any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.legal.tasks._client import Client
from offhook_industries.legal.tasks._cues import (
    ASKS,
    ASKS_ADVERSE,
    ASKS_DATE,
    ASKS_MATTER,
    ASKS_OTHER_SIDE,
    ASKS_REPRESENTED,
    ASKS_STATE,
    ASKS_STORY,
    ASKS_WHO,
    CHECKS,
    CHECKS_AGAIN,
    HELPED,
    OTHERS_NAMES,
    SEVERAL,
    TELL,
)
from offhook_industries.legal.tasks._matters import ASKS_PROVIDER, ASKS_RECIPIENT
from offhook_industries.legal.tasks._remarks import MEASURES, REMARKS
from offhook_industries.legal.tasks._told import MESSAGE_TAKEN, RECORDED

__all__ = [
    "against",
    "checked",
    "kind",
    "matter_rules",
    "not_represented",
    "on_day",
    "story",
    "where",
    "who_rule",
]

_WAIT: Final = "One moment while I check that."
_WHO: Final = "May I have your full name, and a number to call you back on?"


def who_rule(who: Client) -> Rule:
    """Name and number, whichever of the two is asked for."""
    return Rule(
        id="who",
        when="The agent asks for the caller's name, for a phone or callback number, or for both",
        not_when=(
            "when it asks for another person's or a company's name",
            "when it reads a name or number back to check it",
        ),
        line=f"{who.full_name}, {who.phone}.",
        cues=Cues(
            all_of=(both(ASKS, ASKS_WHO),),
            none_of=(
                READS_BACK,
                CHECKS,
                REMARKS,
                r"\byour number (?:has|is|comes|shows)\b|\bmatch(?:es)? (?:what|our|the)\b"
                r"|\bunder your own name\b",
                OTHERS_NAMES,
                ASKS_RECIPIENT,
                both(MESSAGE_TAKEN, r"^(?!.*\bwho i\b)"),
                ASKS_OTHER_SIDE,
                r"\bwe (?:call|text|reach) you\b.*\bat\b",
                r"\bwhere (?:are|were) you calling from\b",
                r"\blet me (?:just )?(?:make a note|write|note)\b",
                r"\bto (?:him|her|them)\W*$",
                r"\byou are (?:booked|set|all)\b",
            ),
        ),
        order=22,
        tests=(
            *fires(
                _WHO,
                "Sure. Who am I speaking with?",
                "And what's the best phone number to reach you at?",
                "Can I start with your first and last name please",
                "Before we go on I'll need your name and a callback number.",
            ),
            *silent(
                "Who would the claim be against?",
                "What is the name of the company?",
                "I have your number as 404-555-0100. Is that right?",
                "Do you have a matter number?",
                _WAIT,
            ),
        ),
    )


def not_represented(line: str = "No, nobody represents me.") -> Rule:
    return Rule(
        id="not-represented",
        when="The agent asks whether a lawyer or law firm represents the caller in this, or whether they "
        "have "
        "hired one",
        line=line,
        cues=Cues(
            like=(
                "Does a lawyer represent you in this already?",
                "Have you hired an attorney?",
                "Do you have legal representation?",
                "Are you already with another law firm?",
            ),
            all_of=(any_of(both(ASKS, ASKS_REPRESENTED), HELPED),),
            threshold=0.7,
            unlike=(
                "Would you like to speak to a lawyer?",
                "Which lawyer is it for?",
                "What kind of case is it?",
                "A lawyer confirms that date.",
                "Did that lawyer give you anything in writing?",
                "Shall I find you a time with a lawyer?",
                "Only a lawyer can answer that.",
                "We can't be your lawyers.",
                "Shall we get you in with an attorney?",
            ),
            none_of=(
                SEVERAL,
                r"\bget you\b",
                REMARKS,
                r"\b(?:give|gave|tell|told) you\b|\bwhat (?:kind|type|sort)\b|\bneed a (?:lawyer"
                r"|attorney) for\b",
                r"\ba (?:lawyer|attorney) (?:will|looks|reads|confirms)\b",
                r"\bthe (?:lawyer|attorney)s? (?:ought|should|to|will|would|can|has|have|knows?|needs?"
                r"|says?)\b",
                r"\b(?:evaluation|consultation|appointment|in mind|message)\b",
                r"\b(?:connect|transfer|put) you\b",
                r"\b(?:would|want|like) (?:you|to|me|us)\b",
            ),
        ),
        order=20,
        tests=(
            *fires(
                "Does a lawyer represent you in this matter already?",
                "Have you hired another attorney for this?",
                "Are you currently represented by anyone?",
                "Is another law firm working on this case for you?",
            ),
            *silent(
                "Who would the claim be against?",
                "Would you like an evaluation with a lawyer?",
                "A lawyer confirms that date.",
                _WHO,
            ),
        ),
    )


def against(who: Client, line: str = "") -> Rule:
    return Rule(
        id="against",
        when="The agent asks who the claim would be against, who the other side is, or which company or "
        "person "
        "it is",
        not_when=(
            "when it asks for the caller's own name or number",
            "when it asks who has the medical records",
        ),
        line=line or f"That would be {who.against}.",
        cues=Cues(
            like=(
                "Who would the claim be against, which person or company?",
                "Who is the other party?",
                "What is the name of the company?",
                "Who was your employer?",
                "Who was the other driver?",
                "Which company is responsible for it?",
                "Who owned the place?",
            ),
            all_of=(both(ASKS, ASKS_ADVERSE),),
            none_of=(
                SEVERAL,
                ASKS_REPRESENTED,
                CHECKS,
                both(HOLD, r"^(?!.*\bi(?:'ll| will| just)* need\b)"),
                REMARKS,
                r"\b(?:i've|i have) (?:now |just )?(?:noted|written down|added) (?:the|their|that)\b",
                r"\bbecause of who\b|\bwhat happened\b|\bwhat (?:the|your|that) \w+ did\b",
                r"\b(?:kind|type|sort) of\b|\b(?:which|what) state\b|^(?:and "
                r"|so )?where\b(?!.*\b(?:company|dealer|clinic|center|place|called|names?|against)\b)",
                r"^(?:and |so )?when(?:'d)?\b(?! you(?:'re| are| feel) (?:ready|able))",
                r"\brecords\b|\bhow (?:many|long|much|often|fast)\b|\bdo you have a copy\b",
                r"\bname of the (?:surgeon|doctor|nurse|officer|witness|adjuster)\W*$",
                r"\bdoctor (?:set|found|saw|treated|told|looked)\b",
                r"\byour (?:full |first |own )?name\b",
                r"\bmessage\b",
                r"\b(?:insurance|insurer) (?:company |carrier )?(?:do you have|of your own)\b",
            ),
            threshold=0.65,
            unlike=(
                "May I have your full name?",
                "Who is the message for?",
                "In which state did it happen?",
                "Were you the driver or a passenger?",
                "Was anyone else in the car with you?",
                "Does a lawyer represent you?",
                "We can't help with a claim against that company.",
                "Only a lawyer at the firm can answer that.",
                "What state did you work in?",
                "How long did you work there?",
                "Is the car still under warranty?",
                "Does your employer know about it?",
                "Did you tell the company?",
                "Nothing stands in the way of a claim against that company.",
                "What does the claim concern?",
                "Please tell me what happened there.",
                "The other driver may have insurance.",
            ),
        ),
        order=24,
        tests=(
            *fires(
                "Who would the claim be against, which person or company?",
                "And who's the other party in this?",
                "Can you tell me the name of the company involved?",
                "Which business or individual do you believe is responsible?",
                "Who was your employer?",
                "And what's the dealer called?",
                "Whose truck was it?",
                "Sorry, could you say only the name of that person or company again?",
            ),
            *silent(
                _WHO,
                "In which state did it happen?",
                "Which hospital has your medical records?",
                "Let me check that the firm is free to take this.",
                "Do you already have an attorney?",
                "Checked, nothing is in the way of a claim against that company. When was that?",
            ),
        ),
    )


def checked(line: str) -> Rule:
    """Of a caller whose screening is on file."""
    return Rule(
        id="checked",
        when="The agent asks who the claim is against, or wants to run the checks again",
        not_when=("when it says that the checks are done",),
        line=line,
        cues=Cues(
            like=("Who would the claim be against?",),
            all_of=(any_of(both(ASKS, ASKS_ADVERSE), CHECKS_AGAIN),),
            none_of=(
                SEVERAL,
                REMARKS,
                ASKS_REPRESENTED,
                r"\b(?:don't|won't|needn't|no)\b[^.?!]{0,12}\b(?:need|have|redo|repeat|again)\b",
                r"\b(?:done|on file|complete|finished|skip|don't have to|clear|cleared)\b",
                r"\byour (?:full |own )?name\b",
            ),
            threshold=0.76,
            unlike=("Please tell me about the accident.", "The checks are done.", "What kind of case is it?"),
        ),
        first_n=2,
        order=24,
        tests=(
            *fires(
                "Who would the claim be against?",
                "What is the name of the other driver?",
                "Can you tell me who the other party is so I can run a conflict check?",
                "I'd have to run a conflict check first.",
                "Let me just run the conflict check once more.",
            ),
            *silent(
                _WHO,
                _WAIT,
                "In which state did it happen?",
                "I see that the checks are done, so we can go on.",
            ),
        ),
    )


def kind(who: Client) -> Rule:
    return Rule(
        id="kind",
        when="The agent asks what kind of matter or case it is, or what it is about",
        not_when=("when it asks to be told what happened",),
        line=who.kind,
        cues=Cues(
            like=("What kind of matter is it?", "What type of case are you calling about?"),
            all_of=(both(ASKS, ASKS_MATTER),),
            none_of=(
                SEVERAL,
                CHECKS,
                REMARKS,
                r"\bwhat happened\b|\bown words\b|\bare you on\b",
                ASKS_ADVERSE,
                r"\bmessage\b",
                r"\bwhat state\b|\bwhich state\b|\bwhen\b|\bwhat date\b",
                r"\bhow (?:did|does)\b",
                r"\b(?:looked at|shall i|should i|(?:can|may) i(?! (?:ask|know|have|get)\b)|open)\b",
                both(ASKS_REPRESENTED, r"^(?!.*\bwhat (?:kind|type|sort)\b)"),
            ),
            threshold=0.68,
            unlike=("In which state did it happen?", "What happened?", "Who would the claim be against?"),
        ),
        order=26,
        tests=(
            *fires(
                "What kind of matter is it, for example a car accident or an injury at work?",
                "What type of case is this?",
                "And what is your matter about?",
                "Could you tell me briefly what sort of legal issue it is?",
            ),
            *silent(
                "In which state did it happen?",
                "Please tell me in your own words what happened.",
                "Who would it be against?",
                _WAIT,
            ),
        ),
    )


def where(who: Client) -> Rule:
    return Rule(
        id="where",
        when="The agent asks in which state or where it happened",
        line=who.where,
        cues=Cues(
            like=(
                "In which state did it happen?",
                "What state was that in?",
                "Which state is that company in?",
            ),
            all_of=(both(ASKS, ASKS_STATE),),
            none_of=(
                SEVERAL,
                ASKS_IF_RIGHT,
                CHECKS,
                REMARKS,
                MEASURES,
                r"\brecords\b|\bagainst\b",
                r"\b(?:send|mail|packet)\b",
                r"\bstate your\b",
                r"\b(?:company|dealer|employer|store)(?:'s)? (?:name|called)\b",
                r"\bwhat(?:'s| is) the (?:company|dealer|place)\b|\b(?:which|what) (?:clinic|hospital"
                r"|store|company)\b",
            ),
            threshold=0.64,
            unlike=(
                "When did it happen?",
                "Which employer are we talking about?",
                "What sort of accident was it?",
                "Which company was it?",
                "I'm checking our licenses for that state.",
                "How long have you lived there?",
            ),
        ),
        order=28,
        tests=(
            *fires(
                "In which state did it happen?",
                "Where did this take place?",
                "What state was that in?",
                "Could you tell me which state the incident occurred in?",
            ),
            *silent(
                "On what date did it happen?",
                "Please state your name.",
                "Where should we send the packet?",
                _WAIT,
            ),
        ),
    )


def on_day(who: Client) -> Rule:
    return Rule(
        id="on-day",
        when="The agent asks when it happened, or for the date",
        not_when=("when it asks when the caller can come or be called",),
        line=who.on_day,
        cues=Cues(
            all_of=(both(ASKS, ASKS_DATE),),
            none_of=(
                SEVERAL,
                HOLD,
                ASKS_IF_RIGHT,
                CHECKS,
                REMARKS,
                MEASURES,
                ASKS_STATE,
                r"\bday(?:'s| is| would be) (?:good|best|fine|better)\b",
                r"\b(?:thinking|hoping|in mind|prefer|suits?|come (?:in|by))\b",
                r"\b(?:evaluation|appointment|come in|call you|reach you|works|work for you|birth)\b",
                r"\bfiling (?:deadline|date)\b",
            ),
        ),
        order=29,
        tests=(
            *fires(
                "On what date did it happen? Please tell me the month, the day and the year.",
                "When did this occur?",
                "And what was the date of the incident?",
                "Do you remember the exact date?",
            ),
            *silent(
                "In which state did it happen?",
                "When would you like to come in for an evaluation?",
                "The filing deadline is in two years.",
                _WAIT,
            ),
        ),
    )


def story(who: Client) -> Rule:
    return Rule(
        id="story",
        when="The agent asks what happened, or for the caller's own account of it",
        not_when=("when it asks for a message or for something to note",),
        line=who.story,
        cues=Cues(
            like=(
                "Please tell me in your own words what happened.",
                "Can you describe what happened?",
                "Tell me your story now.",
                "How did the accident come about?",
                "What went wrong there?",
                "I'm listening, please go on with your story.",
            ),
            all_of=(both(TELL, ASKS_STORY),),
            none_of=(
                SEVERAL,
                r"\bmessage\b",
                ASKS_PROVIDER,
                REMARKS,
                RECORDED,
                r"\bbefore (?:you|we|i)\b",
                r"\b(?:don't|do not|not|stop|later)\b",
                r"\bwhen (?:did|was|were|exactly)\b|\bwhat (?:date|day)\b",
                r"\b(?:i'll|i will|let me) (?:note|write|record|read)\b",
                r"\b(?:kind|type) of\b",
                r"\b(?:note|witness|add|anybody|anyone|somebody|someone)\b",
                r"\bwhere\b(?=.*\bhappen)(?!.*\bwhat\b)",
            ),
            threshold=0.6,
            unlike=(
                "In which state did it happen?",
                "On what date did it happen?",
                "What kind of matter is it?",
                "What sort of accident was it?",
                "Did anybody see the accident?",
                "I'm sorry that this happened to you.",
                "Please don't tell me what happened yet.",
                "Were you hurt in the accident?",
                "Did you go to a doctor?",
                "Was there a police report?",
                "Who caused the accident?",
                "Thank you for telling me what happened.",
                "Is there something you want to add?",
            ),
        ),
        order=30,
        tests=(
            *fires(
                "Please tell me in your own words what happened.",
                "Can you give me a brief description of the incident?",
                "Okay, what happened?",
                "Would you walk me through how it happened?",
            ),
            *silent(
                "In which state did it happen?",
                "What would you like me to pass on?",
                "What would you like me to note for the lawyer?",
                _WAIT,
            ),
        ),
    )


def matter_rules(who: Client) -> tuple[Rule, ...]:
    """All that is told of a new matter."""
    return (
        who_rule(who),
        not_represented(),
        against(who),
        kind(who),
        where(who),
        *((on_day(who),) if who.day else ()),
        *((story(who),) if who.story else ()),
    )
