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
    "HOLDING",
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
    r"|\bname of the (?:other )?(?:shop|store|retailer|place|competitor|website)\b"
    r"|(?<!i )(?<!you )(?<!you've )\bgot (?:the|your|that) (?:full |first |last )*name\b"
    r"|\b(?:thanks|thank you) for (?:the|your|that) (?:full )?name\b",
    any_of(
        common.ASKS_NAME,
        r"(?<!verify )(?<!confirm )(?<!sure )\bwho you (?:are|might be)\b(?! (?:talking|speaking))",
        r"\byou(?:'re| are) who\b|(?:^|[.,!?] )(?:and |so |okay |alright )*you(?:'d| would) be\W*$",
        r"\b(?:belongs?|listed|registered|under) (?:to |under )?whom?\b|\bwho've i\b",
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
    r"(?:gave|left|used)\b|\b(?:see|found|spot|seeing) (?:the|a|your|that|one|this) (?:\w+ )?phone\b(?! "
    r"number)"
    r"|\bphone (?:is |here )?(?:on|in|from) your (?:orders?|order history)\b",
    any_of(
        common.ASKS_PHONE,
        r"\bnumber (?:that )?(?:we'd|we would|we|you'd|i'd|i can|i could|i would|do we|we might)"
        r" (?:\w+ ){0,2}(?:have|find|got|reach|look|use)\b",
        r"\bnames?\b(?: and|,| plus| with|, and|, plus) (?:a|the|your|one) (?:\w+ )?number\b",
        r"\bnumber to (?:look|find|pull|go|match|put|bring)\b",
        r"\bnumber\b[^.?!]*\b(?:on|under|for|with) (?:the|your|that) (?:account|profile|membership)\b",
        r"\b(?:the|your|a|what|which|whatever|and) (?:mobile|cell|landline|telephone)\b"
        r"(?! (?:phone|app|plan|case|repair))",
        r"\b(?:the|what|which|whatever) phone (?:number )?(?:that |did |it |do )*(?:you(?:'re)? )?"
        r"(?:signed? up|goes with|(?:is )?registered|gave us when|go by)\b",
        r"\bnumber you (?:gave us (?:when|at)|signed up|registered|go by)\b",
    ),
)
_CARD_GOT: Final = (
    r"(?<!you )(?<!you've )(?<!have )\bgot (?:the|those|your|that|all) (?:last |final )?"
    r"(?:four|4|card|digits)\b"
)
ASKS_CARD: Final = _but_not(
    _CARD_GOT,
    any_of(
        common.ASKS_CARD,
        r"\b(?:tail|tail end|back end|end|ending) (?:of|off|on) (?:the|your|that) (?:\w+ )?card\b",
        r"\b(?:four|4)(?: \w+){0,2} (?:at|on|from|off) the (?:end|back|tail) of (?:the|your|that) "
        r"(?:\w+ )?card\b",
        r"\b(?:last|lost|final) (?:four|for|4) (?:digits|numbers|off|on|of)\b",
        r"\blast (?:for|four|4) (?:on|of|off|from|numbers?)\b",
        r"\b(?:four|4) (?:last |final )?(?:numbers|digits)\b",
        r"\bcard\b[^.?!]*\bfinish\w*\b",
        r"\bhow (?:it|that|that one|the card) ends\b",
        r"\b(?:only|just) the (?:ending|end|last four|last 4|tail)\b",
    ),
)
IDENTITY: Final = (ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD)
ASKS_ORDER: Final = any_of(
    r"\border (?:number|id|confirmation|reference|#)",
    r"\bnumber (?:of|for|on) (?:the|your|that|this) (?:order|purchase|receipt|confirmation)\b",
    r"\b(?:which|witch|what) (?:recent |was the |is the |of your |of the |of these |\w+ )?"
    r"(?:order|orders|item|items|purchase|product|device)\b",
    r"\bwhich of (?:our|your|the|these|those) (?:\w+ )?(?:orders|deliveries|purchases|items)\b",
    r"\bhave (?:the|your|that|an) order\b[^.?!]{0,15}\b(?:in front of you|to hand|handy|there|nearby)\b",
    r"\bwhich delivery\b(?! (?:day|date|window|time|option|fee))",
    r"\b(?:order|purchase|item|phone|one)\b[^.?!]*\b(?:is|was|be) (?:which|what|witch)(?: one)?\b",
    r"\btell me (?:the one|which)\b|\bis it the \w+ or the \w+\b[^.?!]*\b(?:you|we)\b",
    r"\bwhat(?:'s| is| was) it (?:that )?(?:we're|we are|we|i'm|i am) (?:\w+ )?(?:deliver|mov|cancel"
    r"|return|fix|match"
    r"|look|bring|talk)\w*\b",
    r"\bwhat(?:'s| is| was)? (?:the|that) (?:machine|item|device|product)(?=\W*(?:$|[,.?]| and | you | "
    r"that ))"
    r"(?!'s)",
    r"\bwhat (?:did|does) (?:the|that|your) order (?:consist|include|have)\b",
    r"\bwhat (?:is|was) it (?:that )?you(?:'d| had|'ve)? (?:bought|ordered|got|had|have|were getting)\b",
    r"\b(?:bought|ordered|purchased|got it|got that|placed)(?: it| that)?,? (?:on )?(?:when|what day"
    r"|which day)\b",
    r"\bwhich (?:one|of (?:them|these|those|the two|your orders))\b(?! of our)"
    r"(?![^.?!]*\b(?:plus|total|signed? up|joined|membership|memberships)\b)",
    r"\bwhat (?:did|have|was it) (?:it )?(?:that )?you (?:buy|bought|order|ordered|purchase)",
    r"\bwhen(?: did| was| were| had|'d) (?:you|it|that|this|the \w+)\b[^.?!]*"
    r"\b(?:buy|bought|order|ordered|purchased?|placed?)\b",
    r"\bwhen (?:you|it was|that was|the \w+ was) (?:\w+ )?(?:bought|ordered|purchased|placed|buy|order)\b",
    r"(?<!by the )(?<!from the )(?<!on the )\b(?:day|date|month) (?:did you|you|of (?:the|your)) "
    r"(?:buy|bought|order|ordered|purchased?)\b",
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
# "Which order is it that we're moving?" asks, for all that it sounds like work going on.
HOLDING: Final = (
    r"^(?!(?:and |so |okay,? |now |alright,? )*(?:which|witch|what|when|where|who|how|tell me|give me)\b)"
    rf".*(?:{HOLD})"
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
    r"^(?:and |so |okay,? |now )?(?:is it )?(?:okay|ok|all right|alright|fine)(?: with you)? if (?:i|we) \w+",
    r"\bsay (?:the word|so|when)\b|\bneed (?:a|your|the) (?:yes|word|say[- ]so)\b",
    r"\bi (?:can|could|will)\b[^.?!]*\bif (?:you(?:'d)? (?:like|want|wish|say so|prefer"
    r"|give me (?:the|your) \w+)|that's what you(?:'d)? (?:want|like)|that's (?:okay|ok|all right))\b",
    r"(?:^|[.,!?] )(?:are we |is it |we |you |so |and )*(?:okay|ok|good|all right|alright|fine) "
    r"(?:to|for me to) (?!know|hear|see|wait|have|be\b|tell|talk|meet)\w+",
    r"\bhappy for me to\b|\bare we (?:\w+ )?(?:ending|cancelling|canceling|moving|doing|going|booking)\b",
    r"\bwant (?:it|that|this)(?: one)?(?: (?:done|sent|booked|moved|cancell?ed|stopped|ended|gone))?\W*$",
    r"\b(?:i'll|we'll)\b(?![^.?!]*\b(?:look|check|see|pull|find|verify|need|bump|pass)\b)[^.?!]*"
    r"[, ](?:yes|yeah|okay|ok|alright|all right)\W*$",
)
OFFERS_PERSON: Final = _but_not(
    r"\b(?:come|comes|coming|sent|send someone) (?:out )?to your\b"
    r"|\b(?:that|this|the|your) (?:cancel\w+|refund|return|change|report|order|booking|payment)"
    r" (?:through|in|up)\b"
    r"|\bget(?:ting)? you (?:in|on|into)\b[^.?!]*\b(?:schedule|calendar|bench|list|books|visit|slot|repair"
    r"|appointment|techcrew)\b",
    any_of(
        common.OFFERS_PERSON,
        r"\b(?:put|pass|hand|send|get|bring|transfer|connect|switch|move)(?:ting|ing)? you"
        r"(?: \w+){0,2} (?:over|on|through|across|to) (?:to )?(?:(?:a|an|one of|our|my|the|someone|somebody"
        r"|them|her|him|another)\b)",
        r"\b(?:ring|phone|call|get back to) you (?:back|later)\b",
        r"\b(?:patch|send|sent|pass|hand|bump|kick)(?:ing|ed)? you (?:\w+ )?(?:over|along|off"
        r"|across"
        r"|through)\b(?! to (?:kestrel )?(?:plus|total))",
        r"\b(?:bump|kick|pass|take|send|escalate|hand)\w* (?:this|that|it)(?: (?:up|over|off|on|along))? to "
        rf"(?:my|our|a|an|the|one of)(?: \w+){{0,3}} (?:{PERSON}|boss)\b",
        r"\b(?:speak|spoke|talk|chat)\b[^.?!]*\b(?:to|with)\b[^.?!]*\b(?:one of (?:our|the)|our|a live"
        r"|a real) (?:\w+ )?(?:folks|people|guys)\b",
        r"\b(?:get|put|bring)(?: you)? (?:someone|somebody|a \w+) (?:\w+ ){0,4}on the (?:line|phone)\b",
        r"\b(?:want|need|like|get you|grab you|find you|grab|get) a (?:\w+ )?(?:person|human)\b",
        r"\b(?:speak|talk|chat)\w* (?:to|with) (?:an?|one of (?:our|the|my)|our|the) (?:\w+ ){0,2}"
        r"(?:technicians?|techs?|experts?)\b",
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
    r"\b(?:e-?mail|text|send|message) (?:you )?(?:those|these|the|that|this|it|them)\b[^.?!]{0,30}"
    r"\b(?:over so|in writing|across)\b",
    r"\b(?:a|an) (?:text|e-?mail|message|sms)\b[^.?!]*\b(?:any use|help\w*|handy|useful|nice to have)\b",
    r"\b(?:texted|e-?mailed|messaged) (?:over )?to you\b",
    r"\b(?:e-?mail|text|message|drop|shoot) you (?:something|a (?:note|line|copy|message|text|quick \w+)"
    r"|one|all)\b",
    r"\b(?:send|mail|get|give|have|want|like)\b[^.?!]{0,45}\b(?:in|by|via|as|through|over|with) (?:an? "
    r"|your )?"
    r"(?:e-?mail|text|sms)\b",
    r"\b(?:summary|details|link|confirmation|reminder|copy|receipt)\b[^.?!]{0,20}\b(?:e-?mail|text|sms)\b",
    r"\b(?:e-?mail|text|sms)\b[^.?!]{0,30}\b(?:summary|details|confirmation|reminder|receipt)\b",
)
STAY: Final = any_of(
    common.STAY,
    r"\b(?:tempt|convince|persuade|win you) (?:you|back)\b|\btalk you (?:into|out of)\b",
    r"\b(?:to|we could|would) (?:keep|hold on to|get) you\b(?! (?:a|an|the|on|up|posted|in)\b)",
    r"\b(?:what if|if) (?:we|i) (?:brought|bring|took|take|knocked|cut|dropped|drop|lower\w*)\b",
    r"\bhang on to (?:that|it|those|them)\b|\bleaving us\b",
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
    r"\b(?:look at|have|need|see|want) (?:to (?:look at|have|see) )?your (?:account|order)\b(?! (?:is|was"
    r"|has))",
)
CONFIRMING: Final = any_of(
    r"\?",
    r"\b(?:would|do|did|should|shall|can|could|may|want|like|where|which|what|i can|i could|i'll"
    r"|happy to)\b",
)
_WARES: Final = (
    r"(?:screen protectors?|protectors?|(?:phone |keyboard |laptop )?(?:case|covers?)|wall mounts?"
    r"|mounts?|sleeve|bag"
    r"|stand|accessor\w+|(?:protection|protect) plans?|techcrew protect|extended warranty|gift card"
    r"|survey|bundle)"
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
    r"\brenew\b[^.?!]*\b(?:plan|membership|plus|total|another year|now)\b[^.!]*\?",
    r"\b(?:can|could|i'll|i'd|let me) (?:i )?(?:sign|get|enroll?) you (?:up|signed up|enrolled)\b",
    r"\b(?:upgrade|trade[- ]in|credit card|gift card|newsletter)\b[^.?!]*\?",
    rf"\b(?:can i|could i|may i|shall i|would you|do you|fancy|how about|how's about|why not|you could"
    rf"|you can|folks|people|customers)\b[^.?!]*\b(?:set you up with|show you|throw in|pick(?:ing)? up"
    rf"|grab\w*"
    rf"|add(?:ing)?|go(?:ing)? for|buy(?:ing)?)\b[^.?!]*\b{_WARES}\b",
    rf"\b(?:fancy|any interest in|care for|how about|how's about|what about)\b[^.?!]{{0,30}}\b{_WARES}\b",
    rf"\bthought (?:about|of) (?:getting|adding|buying|a|an|the)\b[^.?!]*\b(?:{_WARES}|warranty|plan)\b",
    rf"\b(?:deal|special|sale|discount)s? on (?:\w+ ){{0,2}}{_WARES}\b",
    r"\byou (?:could|can) (?:pick up|grab) (?:plus|total|a membership)\b",
)
NOT_YET: Final = any_of(
    r"\b(?:will|would|to|can|could|can't|cannot) (?:not |then |now |also )*be "
    r"(?!refunded|charged|e-?mailed|billed|credited|contacted|notified)\w+ed\b",
    r"\bif (?:i|we|you|it|that)\b(?! (?:don't|do not) (?:see|get|have|find))",
    r"\b(?:once|when|as soon as) (?:i|we|you|it|that)\b",
    r"\b(?:shall|should|may|can) (?:i|we)\b[^.?!]*\b(?:cancel|proceed|go ahead|finish|complete|finali[sz]e"
    r"|book|move|start|file|report|process|submit|change|reschedule|set)",
    r"\b(?:want|like) (?:me|us) to\b",
    r"\b(?:not|hasn't|isn't|haven't|wasn't) (?:yet |been )*\w+ed\b",
    r"\bneed (?:a|your|the) (?:yes|ok|okay|go[- ]ahead|word|say[- ]so)\b|\bsay (?:yes|so|the word)\b",
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
