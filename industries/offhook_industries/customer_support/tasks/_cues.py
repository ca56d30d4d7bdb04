"""Patterns that several rules of this pack share: the general ones, and Kestrel's own."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from offhook_industries.common import cues as common
from offhook_industries.common.cues import (
    ASKS_EMAIL,
    ASKS_IF_RIGHT,
    ASKS_WHEN,
    ASKS_ZIP,
    BOOKED,
    CANCELLED,
    ELSE,
    FULL_CARD,
    GOODBYE,
    PERSON,
    READS_BACK,
    REPEATS,
    any_of,
    both,
    money,
    near,
    said_days,
)

__all__ = [
    "ACCOUNT",
    "AFTERWARDS",
    "ANYTHING",
    "ASKS_CARD",
    "ASKS_EMAIL",
    "ASKS_IF_RIGHT",
    "ASKS_NAME",
    "ASKS_ORDER",
    "ASKS_PHONE",
    "ASKS_WHEN",
    "ASKS_ZIP",
    "BOOKED",
    "BUYING",
    "CANCELLED",
    "CONFIRMING",
    "ELSE",
    "FULL_CARD",
    "GOODBYE",
    "GO_AHEAD",
    "HOLD",
    "IDENTITY",
    "NOT_YET",
    "OFFERS_PERSON",
    "OFFERS_TEXT",
    "OUTCOME",
    "PERSON",
    "READS_BACK",
    "REPEATS",
    "STAY",
    "UNHEARD",
    "any_of",
    "both",
    "money",
    "near",
    "said_day",
    "said_days",
]
_ORDINALS: Final = MappingProxyType(
    {
        5: "fifth",
        13: "thirteenth",
        14: "fourteenth",
        15: "fifteenth",
        17: "seventeenth",
        18: "eighteenth",
        20: "twentieth",
    }
)


def said_day(month: str, day: int) -> str:
    """Finds a day however it was said, also as "the seventeenth" without its month."""
    said = common.said_day(month, day)
    return any_of(said, rf"\bthe {_ORDINALS[day]}\b") if day in _ORDINALS else said


def _but_not(exception: str, pattern: str) -> str:
    """``pattern`` where ``exception`` is nowhere in the same words."""
    return rf"^(?!.*(?:{exception})).*(?:{pattern})"


ASKS_NAME: Final = _but_not(
    r"\b(?:under|in|on|by|using) (?:your|our) name\b(?! and)|"
    r"\bwho\b[^.?!]*\b(?:sells?|selling|offers?|offering|has (?:it|them)|cheaper|retailer|store|competitor)\b"
    r"|\bname of the (?:other )?(?:shop|store|retailer|place|competitor|website)\b",
    any_of(
        common.ASKS_NAME,
        r"(?:^|[.,!?] )(?:and |so )?(?:you are|who are you)\b[^a-z]*(?:$|\?)",
        r"\bwho are you\b|\bwhom? (?:i'm|i am|am i|i have|have i|do i have)\b",
        r"\bwhose (?:order|account|name|membership|number)\b",
    ),
)
ASKS_PHONE: Final = _but_not(
    r"\border (?:number|confirmation)\b|(?<!phone )(?<!mobile )(?<!cell )\bnumber (?:on|of|from) (?:your"
    r"|the|that) (?:order|receipt"
    r"|confirmation|e-?mail|box|invoice)\b|\b(?:find|for|at|up|into) (?:that|the|this) phone on\b"
    r"|\b(?:call\w*|sent|text\w*|c[ao]me|ring\w*|reach\w*|phon\w*)(?: \w+){0,3} from\b|\bnumber they "
    r"(?:gave|left|used)\b",
    any_of(
        common.ASKS_PHONE,
        r"\bnumber (?:that )?(?:we'd|we would|we|you'd|i'd|i can|i could|i would|do we|we might)"
        r" (?:\w+ ){0,2}(?:have|find|got|reach|look|use)\b",
        r"\bnames?\b(?: and|,| plus| with|, and|, plus) (?:a|the|your|one) (?:\w+ )?number\b",
        r"\bnumber to (?:look|find|pull|go|match|put|bring)\b",
        r"\bnumber\b[^.?!]*\b(?:on|under|for|with) (?:the|your|that) (?:account|profile|membership)\b",
    ),
)
ASKS_CARD: Final = any_of(
    common.ASKS_CARD,
    r"\blast (?:for|four|4) (?:on|of|off|from|numbers?)\b",
    r"\b(?:four|4) (?:last |final )?(?:numbers|digits)\b",
    r"\bcard\b[^.?!]*\bfinish\w*\b",
    r"\bhow (?:it|that|that one|the card) ends\b",
    r"\b(?:only|just) the (?:ending|end|last four|last 4|tail)\b",
)
IDENTITY: Final = (ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD)
ASKS_ORDER: Final = any_of(
    r"\border (?:number|id|confirmation|reference|#)",
    r"\bnumber (?:of|for|on) (?:the|your|that|this) (?:order|purchase|receipt|confirmation)\b",
    r"\b(?:which|what) (?:recent |was the |is the |of your |of the |of these |\w+ )?"
    r"(?:order|orders|item|items|purchase|product|device)\b",
    r"\bwhich (?:one|of (?:them|these|those|the two|your orders))\b(?! of our)",
    r"\bwhat (?:did|have|was it) (?:it )?(?:that )?you (?:buy|bought|order|ordered|purchase)",
    r"\bwhen (?:did|was|were|had) (?:you|it|that|this|the \w+)\b[^.?!]*"
    r"\b(?:buy|bought|order|ordered|purchased?|placed?)\b",
    r"\bwhen (?:you|it was|that was|the \w+ was) (?:\w+ )?(?:bought|ordered|purchased|placed|buy|order)\b",
    r"\b(?:day|date|month) (?:did you|you|of (?:the|your)) (?:buy|bought|order|ordered|purchased?)\b",
)
# Work that is going on as the agent speaks.
_DOING: Final = (
    r"(?:putting|taking|setting|making|entering|writing|arranging|running|opening|fetching|finding|starting"
    r"|filing|cancell?ing|moving|booking|processing|doing|changing|reading|working|looking|checking|pulling"
    r"|seeing|searching|switching|ending|entering|typing|loading|calling (?:it |that )?up|preparing"
    r"|submitting|updating|logging|reviewing|calculating|reporting|creating|issuing|refunding|scheduling"
    r"|getting (?:that|it|the|this|your))"
)
HOLD: Final = any_of(
    common.HOLD,
    r"\b(?:as we speak|stay with me|won't be long|won't take long|one sec|just a tick|this'll take|hang tight"
    r"|let's see|give me (?:a|one|two|just|half)|while i (?:do|get|look|check|pull|see|find))\b",
    rf"\b(?:i'm|i am|we're)(?: now| just| still| already| only| also| going to be)* {_DOING}\b",
    r"\bi'm going to (?:look|check|see|pull|find|read)\b",
    rf"^(?:(?:okay|ok|right|all right|alright|sure|good|great|perfect|just|now|and|so|still|thanks|no "
    rf"worries)"
    rf"[,.]? )*{_DOING} (?:it|that|this|the|your|up|in|for|into|out|now|through)\b"
    r"(?!.*(?:\$|\b(?:runs?|costs?|is|would|can|will|comes|takes)\b))",
)
GO_AHEAD: Final = any_of(
    common.GO_AHEAD,
    r"\b(?:fine|okay|ok|good|all right|alright|acceptable) (?:by|with|for|like) (?:you|that|this|it)\b[^.!]*"
    r"(?:\?|$)",
    r"\b(?:all right|alright|okay|ok|good|fine|deal|agreed|sound fair|sounds fair|still good|okay like that"
    r"|shall we|right with you)\?",
    r"\b(?:okay|ok|good|all right|free|happy|fine) to (?:book|go|move|start|cancel|proceed|refund|file)\b",
    r"\b(?:shall|should|can|may|could) (?:i|we) (?:now |just |then )?(?:take|run|continue|go on|put|do|open"
    r"|grab|lock|pencil|reserve|end|close|stop|note|refund|arrange|sort|register|enter|switch)\b",
    r"\b(?:do i have|have i|can i have|could i have|may i have|i need|give me) your (?:okay|ok|permission"
    r"|go-ahead|go ahead|yes|approval|consent|agreement)\b",
    r"\b(?:do you|would you) (?:accept|agree|confirm|approve)\b",
    r"\bis that (?:something )?(?:you'd|you would|you) (?:accept|agree|want|like|be okay|take)\b",
    r"\b(?:would|will|does|do) (?:that|this|it) (?:be )?(?:okay|ok|fine|all right|work|suit|do)\b",
)
OFFERS_PERSON: Final = _but_not(
    r"\b(?:come|comes|coming|sent|send someone) (?:out )?to your\b",
    any_of(
        common.OFFERS_PERSON,
        r"\b(?:put|pass|hand|send|get|bring|transfer|connect|switch|move)(?:ting|ing)? you"
        r"(?: \w+){0,2} (?:over|on|through|across|to) (?:to )?(?:(?:a|an|one of|our|my|the|someone|somebody"
        r"|them|her|him|another)\b)",
        r"\b(?:ring|phone|call|get back to) you (?:back|later)\b",
        rf"\b(?:get|fetch|bring|find|grab|call)(?: in| over)?(?: you)? (?:a|an|one of|our|my|the|somebody"
        rf"|someone)(?: \w+){{0,4}} (?:{PERSON}|teammates?|technicians?)\b",
        r"\b(?:supervisor|manager|colleague|teammate|specialist|technician|someone|somebody|person|human"
        r"|expert)s?\b.*\b(?:shall i|shall we|should i|should we|want me to|like me to|can i|may i) "
        r"(?:get|fetch|bring|call|ask"
        r"|find|connect)\b",
        r"\b(?:i'll|i will|let me|i can|i could|have to|need to|shall i|shall we|should i|should we|can "
        r"i|may i) "
        r"(?:transfer|connect"
        r"|hand|pass) you\b|\bput you (?:through|over|on to)\b",
        r"\b(?:i'll|i will|let me|i can|i could|have to|need to) (?:transfer|hand|pass) (?:this|that|it)\b",
        r"\b(?:let me|i'll|i can|shall i|shall we|should i|should we|want me to) (?:bring|get|fetch|call"
        r"|ask|find) (?:her"
        r"|him|them)\b",
    ),
)
OFFERS_TEXT: Final = any_of(
    common.OFFERS_TEXT,
    r"\be-?mail with\b",
    r"\b(?:send|mail|get|give|have|want|like)\b[^.?!]{0,45}\b(?:in|by|via|as|through|over|with) (?:an? "
    r"|your )?"
    r"(?:e-?mail|text|sms)\b",
    r"\b(?:summary|details|link|confirmation|reminder|copy|receipt)\b[^.?!]{0,20}\b(?:e-?mail|text|sms)\b",
    r"\b(?:e-?mail|text|sms)\b[^.?!]{0,30}\b(?:summary|details|confirmation|reminder|receipt)\b",
)
STAY: Final = any_of(
    common.STAY,
    r"\b(?:tempt|convince|persuade|win you) (?:you|back)\b",
    r"\b(?:free|on the house|on us|half (?:off|price)|cheaper|less)\b[^.!]*\b(?:months?|year|stay|change"
    r"|instead)\b",
    r"\b(?:offer|give|do|get) you (?:a |an |some )?(?:\w+ )?(?:lower|better|cheaper|special|reduced"
    r"|price|rate|deal|credit)\b",
    r"\bmonths?\b[^.!]*\b(?:free|on the house|on us|at no)\b",
    r"\b(?:drop\w*|mov\w*|go(?:ing)?|switch\w*|step\w*) (?:you )?(?:down |back |over )?(?:to|down to) plus\b",
    r"\b(?:give up|giving up|lose|losing|miss|missing) (?:out on )?(?:the|your|all|on|those|that)\b",
    r"\bwhy\b[^.?!]*\b(?:out|end|stop|leav\w*|cancel\w*)\b",
    r"\b(?:put it|put that|your membership|it) on (?:hold|pause|ice)\b|\bpaus(?:e|ing)\b",
    r"\bmake you (?:stay|reconsider|change)\b|\bwhat (?:made you|would it take|could (?:i|we) do)\b",
)
ACCOUNT: Final = any_of(
    r"\b(?:verify|confirm|validate)\b[^.?!]*\b(?:you|your identity|identity|who you are|account)\b(?!'d"
    r"| would| want)",
    r"\bcheck\b[^.?!]*\b(?:your identity|identity|who you are|account)\b",
    r"\b(?:pull|bring|look|call) up\b[^.?!]*\b(?:your|the|an) (?:account|profile|order|record)\b",
    r"\b(?:find|access|open|locate|get into)\b[^.?!]*\b(?:your|the|an) (?:account|profile|record)\b",
    r"\bdo you have\b[^.?!]*\baccount\b",
)
CONFIRMING: Final = any_of(
    r"\?",
    r"\b(?:would|do|did|should|shall|can|could|may|want|like|where|which|what|i can|i could|i'll"
    r"|happy to)\b",
)
BUYING: Final = any_of(
    r"\b(?:interest|interested)\b[^.?!]*\b(?:in|you)\b",
    r"\b(?:would you|do you|want to|like to|care to|can i|could i|may i|shall i|you could|you can|"
    r"have you considered|how about)\b[^.?!]*\b(?:add|join|sign(?:ing)? (?:you )?up|enroll?|upgrade|"
    r"purchase|buy(?:ing)?|try|become a)\b[^.?!]*"
    r"\b(?:plus|total|membership|member|plan|protection|warranty|accessor\w+|case|one|card|newsletter)\b",
    r"\bhave you (?:ever )?(?:thought|considered|looked)\b[^.?!]*\b(?:plus|total|membership|member|plan"
    r"|protection|upgrad\w+)\b",
    r"\b(?:like|want|interested in|care)(?: to)? (?:join|joining|sign up|signing up|enroll\w*"
    r"|become a member|"
    r"becoming a member|upgrad\w+)\b",
    r"\bsurvey\b",
    r"\b(?:offer|sell|interest|recommend)(?: to)? you\b[^.?!]*\b(?:plan|protection|warranty|membership"
    r"|plus|total|case|card)\b",
    r"\b(?:would|how about|what about|want|like|need|care for|interested in|go with)\b[^.?!]{0,30}"
    r"\b(?:screen protector|protector|phone case|case|wall mount|mount|cables?|chargers?|sleeve|bag|stand"
    r"|accessor\w+|protection plan|extended warranty|subscription|bundle|gift card)\b",
    r"\brenew\b[^.?!]*\b(?:plan|membership|another year|now)\b[^.!]*\?",
    r"\b(?:can|could|i'll|i'd|let me) (?:i )?(?:sign|get|enroll?) you (?:up|signed up|enrolled)\b",
    r"\b(?:upgrade|trade[- ]in|credit card|gift card|newsletter)\b[^.?!]*\?",
)
NOT_YET: Final = any_of(
    r"\b(?:will|would|to|can|could|can't|cannot) (?:not |then |now |also )*be "
    r"(?!refunded|charged|e-?mailed|billed|credited|contacted|notified)\w+ed\b",
    r"\bif (?:i|we|you|it|that)\b",
    r"\b(?:once|when|as soon as) (?:i|we|you|it|that)\b",
    r"\b(?:shall|should|may|can) (?:i|we)\b[^.?!]*\b(?:cancel|proceed|go ahead|finish|complete|finali[sz]e"
    r"|book|move|start|file|report|process|submit|change|reschedule|set)",
    r"\b(?:want|like) (?:me|us) to\b",
    r"\b(?:not|hasn't|isn't|haven't|wasn't) (?:yet |been )*\w+ed\b",
    r"\bready to\b|\b(?:i'm|i am|we're|we are|be|not) able to\b|\bunable to\b",
    r"\bbefore (?:i|we)\b",
    r"\b(?:i'll|i will|i'm going to|let me|about to)\b",
)
# What comes once the business is done: an offer to send or sell something, a goodbye.
AFTERWARDS: Final = any_of(OFFERS_TEXT, BUYING, GOODBYE)
# For rules that speak on whatever is said after an event, but for "one moment".
ANYTHING: Final = r"\w"
# The agent did not hear the caller, or does not know whether the caller hears it.
UNHEARD: Final = any_of(
    r"\b(?:didn't|did not|couldn't|could not|can't|cannot) (?:quite |really |fully )?(?:catch|hear|get"
    r"|make out"
    r"|understand)\b",
    r"\b(?:missed|lost) (?:that|you|it|what)\b|\b(?:breaking up|cutting out|garbled|bad line|muffled)\b",
    r"\b(?:say|repeat|tell me) (?:that|it|this|them)?(?: for me)? ?(?:again|once more|one more time)\b"
    r"|\brepeat (?:that"
    r"|it)\b",
    r"\bwhat (?:was that|did you (?:just )?say)\b|\b(?:are you|you) (?:still )?there\b|\bcan you hear\b"
    r"|\bcome again\b"
    r"|\bpardon\b",
)
# A statement of four words or more that neither asks nor promises nor only takes note: what an agent says
# once it has done something that was agreed on.
OUTCOME: Final = (
    rf"^(?!.*(?:{NOT_YET}))(?!.*(?:{HOLD}))(?!.*\?)"
    r"(?!.*\b(?:shall|should|would you|do you|did you|want|may i|can i|could i|which|what|when|where)\b)"
    r"(?!.*\b(?:now|just|currently|am|i'm|and) \w+ing\b(?! (?:on|your way)))(?!.*\b\w+ing\b.*\bnow\b)"
    r"(?=(?:\S+ ){3,})(?!.*\b(?:sorry|afraid|unfortunately|can't|cannot|unable|problem|error)\b)"
    r"(?!.*\b(?:thank you for|thanks for|appreciate|patience|understand|noted|happy to|glad to|of course)\b)"
    r"(?!.*\b(?:have|got|hear|heard|take|took|note|received|with)(?: down)? (?:your|that as a|the) "
    r"(?:yes|okay"
    r"|ok|consent|agreement|approval|answer|go-ahead|card|confirmation|details|permission|account)\b)"
    r"(?!(?:\S+ ){0,2}(?:thanks|thank you)\b,?(?: \S+){0,2}$)"
    r"(?!.*\b(?:what|all|everything) i need\b)(?!.*\bconfirming\b)(?!.*\bas we speak\b)"
)
