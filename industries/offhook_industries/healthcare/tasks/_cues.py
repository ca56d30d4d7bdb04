"""What an agent of a skin clinic says, as patterns: the values it asks for, its offers, and its answers.

They go with the patterns of `offhook_industries.common.cues`, which says on which forms of a turn patterns
are tried.
"""

from __future__ import annotations

from typing import Final

from offhook_industries.common.cues import ASKS_MEMBER_ID, DAY, DAY_OR_TIME, OFFERS_TEXT, any_of, both
from offhook_industries.healthcare.tasks._remarks import ASKING

__all__ = [
    "ASKED_BIRTH",
    "ASKED_MEMBER",
    "ASKED_NAME",
    "ASKED_PHONE",
    "ASKED_ZIP",
    "ASKING_IDENTITY",
    "BOOK_ASK",
    "CHECKING",
    "CHECK_IF",
    "FIGURE",
    "HELD",
    "HOURS_SAID",
    "LATER",
    "LOOKING",
    "NOT_YET",
    "OFFERS_MESSAGE",
    "OFFERS_TIMES",
    "ONLY_THANKS",
    "OPENS_QUESTION",
    "REACHED",
    "READS_BIRTH",
    "READS_VALUE",
    "SEVERAL",
    "STANDING",
    "TOLD_VALUE",
    "asked",
]

OPENS_QUESTION: Final = (
    r"^\W*(?:(?:and|so|okay|ok|now|um|uh|but|then|alright|all right|great|thanks|well|also|or)\b\W*)*"
    r"(?:is|are|was|were|do|does|did|has|have|had|should|shall|would|will|can|could|may|any|how|what"
    r"|which|when"
    r"|where|who|whose|why)(?:'s|'d|'ll|'re)?\b"
)
"""A question by its first word: recognisers leave the question mark out."""

# --- values that are asked for --------------------------------------------------------------------------

_ASK: Final = (
    r"(?:\b(?:(?:may|can|could|might) (?:i|we)|(?:can|could|would|will) you|what(?:'s|s| is| was| are|"
    r" would)?|whats|when's|when is"
    r"|need|tell me|give me|provide|confirm|verify|please|let me (?:have|get|take|grab|ask)|(?:start|begin"
    r"|beginning)"
    r"(?:ing)? with|i'd like|share|state|like to have|looking for|and|also|plus|then|under (?:which|what)"
    r"|which"
    r"|i'll take|enter|say|have|now|next|is there)\b|^(?!.{0,12}\bthank(?:s| you)(?: \w+){0,2} for\b))"
)


def asked(noun: str, within: int = 80) -> str:
    """Finds a request for ``noun``: the words that ask stand before it, in the same sentence."""
    return rf"{_ASK}[^.?!]{{0,{within}}}?(?:{noun})"


_OTHERS_NAME: Final = (
    r"(?! of (?:the|your|that) (?:plan|insurance|carrier|insurer|medication|medicine|drug|doctor|provider"
    r"|pharmacy"
    r"|office|prescription|cream|treatment))"
    # The verb ("I can't name any figure"), and the plan's name as it stands on the card.
    r"(?! (?:any|a|no|the) (?:\w+ )?(?:figure|price|amount|cost|sum|number)\b)"
    r"(?! (?:as it (?:stands|appears|is)|that's|that is|as written|(?:printed|written|shown))?"
    r" ?on (?:the|your) (?:insurance |member )?card\b)"
)
_NAME: Final = (
    rf"(?<!my )(?<!plan )(?<!drug )(?<!plan's )(?<!medication )(?<!office )(?<!own )(?<!in your )"
    rf"\bnames?\b{_OTHERS_NAME}"
)
_WHO: Final = any_of(
    r"\b(?:who|whom) (?:am i|i'm|i am|do i have|is this|is it|is calling|'s calling|are we)\b"
    r"(?! (?:with|through)\b)",
    r"\bwho's (?:calling|this|on the line|the patient)\b",
    r"\bwhose (?:appointment|visit|chart|name|booking)\b|\b(?:your|the) first and last\b(?! (?:visit|time"
    r"|day|appointment))",
    r"\bwho (?:do|should|shall|can|would|am) i (?:put|book|make|have|file|schedule|reserve|list)\b"
    r"|\bwho i(?:'ve| have)? (?:got|have)\b|\bdo you go by\b",
    r"\bwho (?:is|are) (?:the patient|you)\b(?! (?:to|insured|with|covered|calling about)\b)",
    r"\bwho(?:'s| is| will) (?:it|this|that|(?:the|this|that|your) (?:\w+ )?\w+) (?:for|be for)\b",
    r"\bwho (?:the|this|your) \w+ (?:is|will be)\b(?! with)",
    r"\band you are\W*$",
    r"\bfor (?:who|whom)\b(?! (?:is|are|do|did|you)\b)",
    r"\bwho(?:'s| is|'ll be| will be) (?:being seen|coming in|the (?:visit|appointment|booking) for)\b",
    r"\bwhat (?:should|may|can) i call you\b",
    r"\bwho (?:should|shall|do|can) (?:we|they|i) ask for\b",
)
_BIRTH: Final = (
    r"\b(?:(?:date|day|month|year) (?:of|and year of) birth|birth ?(?:date|day)s?|d\.? ?o\.? ?b)\b"
)
_CALLERS: Final = r"(?:we|i|they|somebody|someone|the (?:\w+ )?(?:team|nurse|doctor|office))"
_GET: Final = r"(?:reach|get|call|contact|ring|phone|telephone)"
_PHONE: Final = any_of(
    r"\b(?:phone|telephone|mobile|cell|cell ?phone|call ?back|contact|best|daytime|good)(?: phone| contact|"
    r" call"
    r" ?back)? number\b",
    r"(?<!the )(?<!by )(?<!over )(?<!this )\b(?:phone|telephone|mobile|cell|cell ?phone)\b(?! (?:line|call"
    r"|system|you|us|him|her|back)\b)",
    r"\bthe (?:phone|telephone|mobile|cell) (?:number|on|for|we|that's|that is|you)\b",
    r"\bnumber (?:(?:that |where )?(?:we|they|i|the team|the nurse|somebody|someone) (?:can(?!'t| ?not)"
    r"|could(?!n't)|should"
    r"|may|have|has|'d)"
    r"|for (?:the|a|your|that) (?:call ?back|call|chart|team|nurse|account|booking|record))\b",
    r"\b(?:a|the|your) (?:good|best) (?:number|phone|cell|line)\b",
    r"\bnumber (?:on (?:file|record|(?:the|your|his|her|\w+'s) (?:chart|account|file))|to reach"
    r"|we can(?!'t| ?not)|i can(?!'t| ?not)|should|to call"
    r"|for (?:you|the chart|your chart)|where|linked"
    r"|you're calling|that's on|you (?:want|would|use))\b",
    r"\barea code\b",
    r"\byour number\b",
    r"\b(?:what|which) number\b",
    r"\breach you (?:at|on|by)\b",
    rf"\bwhere (?:can|could|should|do|may|might|would) {_CALLERS} (?:best )?{_GET}(?: (?:a )?hold of"
    rf"| ahold of)? you\b",
    r"\bgood for (?:a|the) call ?back\b|\b(?:name|birth\w*) and a call ?back\b",
    r"\bthe number and\b|\b(?:a|another) (?:good |best |contact |phone )?number\b(?! (?:of|for it)\b)",
    rf"\bhow (?:can|could|should|do|may) {_CALLERS} (?:best )?{_GET}(?: (?:a )?hold of"
    rf"| ahold of)? you\b(?! (?:today|with))",
    r"\bwhat(?:'s|s| is| was) the number\b(?! (?:on|of|for) (?:the|your) (?:\w+ )?(?:card|bill|order))\W*$",
)
ASKED_NAME: Final = any_of(asked(_NAME), _WHO)
_BORN: Final = (
    r"\b(?:when|(?:what|which|the|and) (?:day|year|date))\b[^.?!]{0,40}\bborn\b"
    r"|^\W*(?:and )?born (?:on|in|when)\W*$"
)
ASKED_BIRTH: Final = any_of(asked(_BIRTH), _BORN)
ASKED_PHONE: Final = asked(_PHONE)
ASKED_MEMBER: Final = asked(
    any_of(
        ASKS_MEMBER_ID,
        r"\b(?:your|the) (?:(?!photo|picture|government|driver)\w+ )?i\.?d\.?(?: number)?(?=$|\W*$|[,.?!]|"
        r" (?:number|on|from|off|too|as|and|please|with)\b)",
        r"(?<!card )(?<!phone )\b(?:i\.?d\.?|number)(?: number)? (?:(?:that's|that is|which is) )?(?:on"
        r"|from|off|of|printed on|written on)"
        r" (?:your|the|that|it|there|this)\b(?! (?:line|call|phone|chart|file|account|bill|statement|phone"
        r"|record))",
    )
)
ASKED_ZIP: Final = asked(r"\b(?:zip|zipcode|postal|post ?code)\b")
ASKING_IDENTITY: Final = any_of(
    r"\b(?:(?:may|can|could|might) i|(?:can|could|would|will) you (?:please )?(?:tell|give|share|provide"
    r"|spell|say)"
    r"|(?:what|which)(?:'s|s| is)?|i(?:'ll| will| would)? (?:just |also |still )?need|(?:once|after|when) i"
    r" have|tell me|give me|let me"
    r" (?:have"
    r"|get|take))\b"
    rf"[^.?!]{{0,60}}(?:{_NAME}|{_BIRTH}|{_PHONE})",
    _WHO,
    _BORN,
)
"""A plain request for identity details."""

_NOT_ASKING: Final = (
    r"(?<!can )(?<!could )(?<!may )(?<!might )(?<!once )(?<!when )(?<!if )(?<!until )(?<!soon as )(?<!after )"
)
_DIGITS: Final = r"\b(?:[0-9][- .]?){6,}[0-9]\b"
"""A number that is read out, in one of a scope's forms whatever way it is spoken."""
READS_VALUE: Final = any_of(
    r"\b(?:is|was|are) (?:that|this|those|it|everything|all of that|all that)(?: all)? (?:right|correct"
    r"|accurate)\b",
    r"\b(?:right|correct|yes)\?",
    r"\bdid i (?:get|hear|catch|have)\b",
    rf"{_NOT_ASKING}\bi(?:'ve got| have| heard| got| see|'m showing| show)(?: got| heard| you| down| the|"
    rf" your| a| as"
    r"| it| here)* (?:zip|number|name|phone|birth|date|member|[0-9])(?![^?]*\b(?:so|now) (?:just|i need"
    r"|all i need)\b)",
    r"\b(?:is|was) (?:that|this) (?:still )?(?:your|the)(?: \w+){0,3} (?:number|name|birthday|phone|address"
    r"|one)\b",
    rf"\b(?:use|reach you (?:at|on)|call you (?:at|on)|under)\b.*{_DIGITS}",
    rf"{_DIGITS}[^.?!]*\?",
)

READS_BIRTH: Final = (
    r"^(?!.*\b(?:book|schedul|reserv|mov|cancel|opening|availab)\w*)"
    r".*(?:\b(?:19[0-9]{2}|200[0-9]|201[0-9])\b|\bnineteen (?:forty|fifty|sixty|seventy|eighty|ninety"
    r"|hundred)\b"
    r"|\btwenty (?:oh \w+|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)\b"
    r"|\btwo thousand (?!and twenty|twenty)|\bborn\b|\bbirth)"
)
"""A date of birth, which is a day but no appointment."""

# --- times and bookings ---------------------------------------------------------------------------------

_WEEKDAY: Final = r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
SEVERAL: Final = any_of(
    rf"(?:{DAY_OR_TIME})[^?]{{0,70}}?\bor\b(?! (?:move|cancel|later|sooner)\b)[^?]{{0,50}}?(?:{DAY_OR_TIME})",
    r"\b(?:which|what) (?:one|of (?:those|these|them|the)|time|slot|option|opening|appointment|would you|do"
    r" you)\b",
    r"\b(?:two|three|four|several|a few|couple of|2|3|4|some|multiple) (?:\w+ ){0,2}(?:openings|times"
    r"|options|slots"
    r"|appointments|choices)\b",
    r"\b(?:any|either|one) of (?:those|these|them|the)\b",
    r"\bdo(?:es)? (?:either|any)\b",
    r"\b[0-9]{1,2}:[0-9]{2}\b(?:(?!arrive|early|check in|there by|\bto\b).){3,90}\b[0-9]{1,2}:[0-9]{2}\b",
    rf"{_WEEKDAY}(?:(?!\bto\b|instead|in place|rather than|\bfrom\b).){{4,90}}{_WEEKDAY}",
)
OFFERS_TIMES: Final = any_of(
    r"^(?!.*\bat (?:one|1) of\b)"
    + both(
        DAY_OR_TIME,
        r"\b(?:have|has|available|availability|openings?|open|slots?|earliest|soonest|first|next|offer|times"
        r"|options?"
        r"|free|opens|spots?|room|only (?:thing|one)|could be|(?:next|one|first)(?: \w+){0,3} would be"
        r"|how about|what about|get you in|fit you in|works?)\b",
    ),
    rf"\b(?:i'm seeing|i'm showing|it's showing|they're showing|i see|i can see|i've got|we've got"
    rf"|there's|have)\b[^?!]*{_WEEKDAY}(?:(?!\bto\b"
    rf"|instead|\bfrom\b).){{4,60}}{_WEEKDAY}",
    rf"\bbetween\b[^?!]*(?:{DAY_OR_TIME})[^?!]*\band\b[^?!]*(?:{DAY_OR_TIME})",
    rf"\bthere(?:'s| is| are) (?:one|two|three|some|something|a \w+)\b[^?!]*(?:{DAY})",
    rf"\b(?:could|can) (?:do|offer|give you|see you|take you|get (?:you|him|her|them)"
    rf"|squeeze you)\b[^?!]*(?:{DAY_OR_TIME})",
    rf"\b(?:that'd|that would|that) (?:be|put us at)\b[^?!]*(?:{DAY})",
    r"\bi (?:can )?see\b.*\b[0-9]{1,2}:[0-9]{2}\b(?:(?!\bto\b).){3,90}\b[0-9]{1,2}:[0-9]{2}\b",
    both(
        DAY_OR_TIME,
        r"\b(?:just cancell?ed|a cancell?ation|came (?:free|open|up)|opened up|whichever|take your pick"
        r"|how(?:'s| is))\b",
    ),
    rf"(?:{DAY_OR_TIME})[^?]{{0,70}}?\bor\b[^?]{{0,50}}?(?:{DAY_OR_TIME})",
    r"\b(?:which|what) (?:one|of (?:those|these|them)|slot|option|opening)\b",
    r"\b(?:any|either|one) of (?:those|these|them)\b",
)
HOURS_SAID: Final = any_of(
    rf"{_WEEKDAY}s?,? (?:to|through|thru|till|until|-|–) {_WEEKDAY}(?!,? (?:the\b|at\b|august|september"
    rf"|[0-9]))",
    r"\b(?:open|closed) (?!is\b|are\b)(?:\w+ )?(?:on |from |until |till |daily|weekdays|at |all )*(?:mon"
    r"|tues|wednes|thurs"
    r"|fri|satur|sun)days?\b",
    r"\b(?:opening|office|business) hours\b|\bhours (?:are|on|there)\b",
    r"\bopen (?:from|between|daily|weekdays)\b",
    r"\b(?:opens?|closes?|closed)(?: up)? (?:at|from|until|till|by) (?:[0-9]|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|noon)"
    r"(?!.*\b(?:available|opening)\b)",
    r"^(?!.*(?:\?|\b(?:which|what|prefer|better|easier|do you|would you)\b)).*\bweek(?:days|ends?)\b",
)
"""When an office is open, which is no offer of a time."""
HELD: Final = any_of(
    r"^(?!.*\b(?:i have|i've got|i got|there's|there is|there are|how about|what about)\b)"
    r".*(?:\blet me (?:\w+ )?(?:see|look|check|make sure|verify|double|note|find|pull|try|hold|book|set|get"
    r"|hunt|dig)\b"
    r"|\bi'm (?:just |now |still )?(?:looking|checking|searching|pulling|finding|opening|putting|booking"
    r"|holding|moving|setting)\b"
    r"|\b(?:one|just a|a) (?:moment|second|sec|minute)\b|\b(?:bear with me|hang on|hold on)\b"
    r"|^(?!(?:\w+,? ){0,2}(?:what|which|who|where|when|are|is|do|did)\b)(?:\w+,? ){0,3}(?:looking|checking"
    r"|searching|finding|booking|moving|putting you|pulling)\b)",
)
"""A hold, which may well name a day or a slot."""
_KIND: Final = r"(?:appointment|visit|consult(?:ation)?|follow-?up|booking|shot|test|check|one)"
STANDING: Final = any_of(
    rf"\b(?:have|see|show|showing|found|got|find) (?:your|the|his|her|that|this) (?:\w+ ){{0,3}}{_KIND}\b"
    r"(?! (?:opening|slot|time|available))",
    r"(?<!can )(?<!could )(?<!would )\byou(?: currently| already| still)? have (?:an? |your )?(?:\w+ )?"
    rf"(?:{_KIND}\b|{DAY_OR_TIME})",
    rf"\byour (?:\w+ ){{0,2}}{_KIND} (?:is|was)\b(?! (?:now|moved|changed))",
    r"\b(?:at the moment|right now you|so far|originally|currently (?:down|booked|set))\b",
)
"""A visit that is there already, which is no offer of a time."""
_COMMIT: Final = (
    r"(?:book|schedule|reserve|lock|put|grab|take|confirm|set|hold|go ahead|proceed|place|finali[sz]e|move"
    r"|make|sign"
    r"|get|secure|switch|change|do|reschedule|add|save|file|send|submit|complete|process)"
)
BOOK_ASK: Final = any_of(
    rf"\b(?:shall|should|may|can|could) (?:i|we) (?:\w+ ){{0,3}}{_COMMIT}\b",
    rf"\b(?:want|like|need) (?:me|us) to (?:\w+ ){{0,3}}{_COMMIT}\b",
    r"\b(?:book|schedule|reserve|move|confirm|take|grab|lock) (?:in )?(?:it|that|this|you|your"
    r"|the)\b[^.!]{0,80}\?",
    r"\b(?:does|do|will|would|is|are|how's|sounds?)\b[^.!?]{0,40}\b(?:work|works|suit|okay|ok|good|fine"
    r"|alright"
    r"|all right|acceptable)\b",
    r"\b(?:go ahead|proceed)\b[^.!]{0,60}\?|\bdo i (?:\w+ )?(?:go ahead|proceed|book|move|take)\b",
    # Asked at the end, with no question mark heard: "thursday at nine then, all good".
    r"(?:[,;]|\bthen,?|\bthere,?) (?:all |we |are we |that |you |is that )?(?:good|okay|ok|alright|fine"
    r"|yeah|yes|right)\W*$",
    r"\b(?:wanna|want to|like to) (?:go with|take|grab)\b|\bis that a (?:go|yes|deal)\b",
    r"\byeah\?|\bif (?:you're|that's|you are|that is|it's|that|it|this) (?:\w+ )?"
    r"(?:happy|okay|ok|good|fine|alright|suits?|works?)\b",
    r"\b(?:need|give me|have) (?:a|an|your) (?:yes|okay|ok|go[- ]ahead)\b|\bshall we say\b"
    r"|\b(?:are )?(?:you|we) good\b|\byou (?:okay|ok|fine|alright) with (?:that|this|it)\b"
    r"|\bam i (?:putting|booking|moving|setting|taking)\b|\b(?:would|will|does)\b[^.!?]{0,60}\bdo\W*$"
    r"|\bconfirm\W*$|\bgood with (?:me|us|you)\b",
    r"\b(?:would|do) you (?:like|want)(?: to (?:take|book|have|go with|confirm|grab|reserve|schedule|move"
    r"|switch))?"
    r" (?:that|this|it|the)\b",
    r"\b(?:is|are|was) (?:that|this|it|you|everything)(?: \w+){0,2} (?:ok|okay|good|fine|alright|happy"
    r"|acceptable"
    r"|correct|right)\b",
    r"\b(?:shall|should|may) i\W*$",
    r"\b(?:yes|right|correct|okay|ok|alright|all right|good|deal|fine)\?",
    r"\bhow (?:does|do|is)\b[^.?!]{0,60}\b(?:sound|work|look)\b",
    r"\b(?:everything|that|this|it|all) (?:looks?|sounds?) (?:right|good|okay|ok|correct|fine)\b",
    r"\byes or no\b|\bsay yes\b",
    r"\b(?:need|have|get) your (?:yes|ok|okay|confirmation|go-ahead|go ahead|approval|permission|consent)\b",
    r"\b(?:can|could|do|will|would) you (?:please |just )?(?:confirm|agree|accept)\b",
    r"\b(?:good|okay|ok|fine|all right|alright) (?:with|for|by) you\b",
    r"\bis (?:that|this|it) (?:the (?:one|time)|what) you(?:'d| would|'re)? (?:want|like|mean|meant|after)\b",
    r"\b(?:are we|we|all|is it|that|it) (?:good|okay|ok|agreed)\b[^.!]{0,12}\?",
    r"\b(?:do|would) you want (?:it|that)\b|\bready for me to\b|\bjust say (?:the word|yes)\b|\bif you say"
    r" yes\b",
)
NOT_YET: Final = any_of(
    r"\bsay (?:the word|yes)\b|^\W*(?:want|wanna|care)\b",
    r"\b(?:i|we)(?:'ll| will)\b[^.?!]{0,20}\b(?:put|book|set|place|move|schedule|reserve)\b",
    r"\b(?:i|we)(?:'d| would| could| can| might)\b[^.?!]{0,30}\b(?:book|put|schedule|have you|get you|move"
    r"|set|place|reserve)\b",
    r"\b(?:shall|should|may|can|could|might) (?:i|we)\b",
    r"\b(?:want|like|need) (?:me|us) to\b",
    r"\b(?:would|do) you (?:like|want|prefer)\b[^.?!]{0,40}\b(?:book|schedul|mov|cancel|reschedul|switch"
    r"|chang)\w*",
    r"\b(?:once|before|until|unless|as soon as) (?:i|we|you|it|that|the|your)\b",
    r"\bif (?:you|i|we|that|it)\b[^.?!]{0,40}\b(?:book|schedul|mov|cancel|reschedul|ok|okay|works?|like"
    r"|want)\w*",
    r"\b(?:will|would|can|could|to|must|should) (?:then |now |also )?be (?:\w+ )?(?:booked|scheduled|moved"
    r"|cancell?ed"
    r"|rescheduled|confirmed|sent|saved|added)\b",
    r"\b(?:not|hasn't|isn't|haven't|wasn't|nothing)\b[^.?!]{0,30}\b(?:booked|scheduled|moved|cancell?ed"
    r"|rescheduled"
    r"|confirmed|changed)\b",
    r"\b(?:ready|going|about|try|trying|happy|(?<!was )(?<!were )able) to (?:\w+ )?(?:book|schedule|move"
    r"|cancel|reschedule"
    r"|confirm)\b",
    r"\bi(?:'ll| will|'m going to| can| could) (?:\w+ ){0,2}(?:book|schedule|move|cancel|reschedule|get"
    r" you)\b",
    r"\b(?:already|currently|i see|i show|i'm showing|looks like|you have an? )\b[^.?!]{0,60}\b(?:booked"
    r"|scheduled"
    r"|set|confirmed)\b",
    r"\blet me (?:\w+ ){0,2}(?:book|schedule|move|cancel|reschedule|get)\b",
    r"\b(?:once|when|whenever|after|if) (?:an?|any|something|someone)\b[^.?!]{0,30}\b(?:booked|scheduled"
    r"|moved"
    r"|cancell?ed)\b",
    r"\b(?:is|'s) (?:just |now )?going through\b",
)

# --- answers --------------------------------------------------------------------------------------------

OFFERS_MESSAGE: Final = any_of(
    OFFERS_TEXT,
    r"\b(?:confirmation|reminder|directions|details|copy|address|instructions"
    r"|information)\b[^.?!]{0,40}\b(?:text|texted|sms|e-?mail"
    r"|e-?mailed|to your (?:phone|mobile|cell))\b",
    r"\b(?:text|texted|sms|e-?mail)\b[^.?!]{0,30}\b(?:confirmation|directions|reminders?|details|copy)\b",
    r"\b(?:want|like|would|send|get)\b[^.?!]{0,20}\breminders?\b|\bremind you\b[^.!]*\?",
)
CHECK_IF: Final = (
    r"\b(?:check|see|find out|verify|confirm|know|ask|look up|tell you) (?:if|whether|when|what|where|how)\b"
)
CHECKING: Final = any_of(
    r"\b(?:let me|i'll|i will|i can|i could|happy to|going to|want me to|like me to|need to|allow me to|i'm"
    r"|i am"
    r"|shall i|should i|able to) (?:(?!not\b)\w+ ){0,3}(?:check|look|see|find|verify|confirm|pull|make"
    r" sure|checking"
    r"|looking"
    r"|explain)\b(?!,? and (?:it|your|the|yes|no|they)\b)",
    CHECK_IF,
    r"\b(?:one|just a|a) (?:moment|second|sec|minute)\b",
)
TOLD_VALUE: Final = (
    r"^(?!.*(?:\?|\b(?:what|which|who|whose|when|may|can|could|need|please|tell|give|also|spell)\b))"
    r"(?:.*\b(?:names?|numbers?|birthday|birth)\b (?:will|is|was|goes|stays|both|helps|has|match\w*"
    r"|checks?|on every)\b"
    r"(?! *(?:what\b|\W*$))|.*\b(?:names?|birthdays?) (?:have|has|need) to\b|(?:\w+,? ){0,2}(?:we|they"
    r"|i) (?:do |always |only |just )?(?:keep|use|store|print|see)\b)"
    r"|^(?!.*\?).*\b(?:they|the desk|somebody there)(?:'ll| will| may| might)? (?:check|ask|verify|confirm)\b"
    rf"|^(?!.*(?:{ASKING})).*\b(?:has an?|have an?|is such|opens?|works? (?:on|with)|any (?:phone"
    rf"|name))\b.*[.!]$"
    rf"|^(?!.*(?:{ASKING}|\b(?:missing|left|last|next|only)\b))\W*the (?:\w+(?:'s)? ){{0,2}}(?:name"
    rf"|number)\b[^,?]*"
    r"\b(?:is|are|aren't|isn't|starts?|goes|comes)\b (?!what).*[.!]$"
)
"""A statement about a name, a number or a date of birth, which asks for none."""
ONLY_THANKS: Final = (
    r"^(?!.*(?:\?|\bwhat|\bmay i\b|\bcan i\b|\bcould\b|\bneed\b|\bplease\b)).*\b(?:thanks|thank you)(?:"
    r" \w+){0,2} for\b"
)
LATER: Final = any_of(
    r"\b(?:shall|should|may|could) (?:i|we)\b",
    r"\bcan (?:i|we)\b(?! (?:help|do|assist|get you anything|answer))",
    r"\b(?:i|we) (?:can|could)\b(?!'t| not\b)(?! (?:help|do|assist|be of|answer))",
    r"\bi(?:'ll| will|'m going to| am going to| need to| have to)\b",
    r"\blet me\b(?! know if)",
    r"\b(?:want|like|need) (?:me|us) to\b",
    r"\b(?:would you (?:like|want|prefer)|do you want)\b(?! (?:anything|something|any|help|to (?:know|ask"
    r"|do) anything))",
    r"\b(?:once|before|as soon as|after) (?:i|we|you|it|that|the|your)\b",
    r"\b(?:can|will|would|could|to|must|should) be (?:\w+ )?(?:sent|texted|added|saved|put|booked|arranged"
    r"|set|e-?mailed)\b",
    r"\b(?:not|hasn't|haven't|isn't|wasn't)\b[^.?!]{0,25}\b(?:sent|texted|added|saved|on (?:file|the list)"
    r"|gone|arranged)\b",
    r"\b(?:one|just a|a) (?:moment|second|sec|minute)\b",
    r"\b(?:which|what) (?:\w+ )?(?:number|address|channel|time|kind|phone|mobile|e-?mail)\b",
)
"""What has not been done, only offered, announced or prepared."""
_THING: Final = r"(?:phone|cell|mobile|inbox|messages|e-?mail|texts|screen)"
REACHED: Final = any_of(
    rf"\b(?:went|gone|going|goes) (?:out|off|over|through|to (?:your|the) (?:\w+ )?(?:{_THING}|number)|to"
    rf" you\b"
    rf"|to [0-9]|to (?:two|three|four|five|six|seven|eight|nine))",
    rf"\b(?:is|are|was|'s|should be|should now be|should|will be|now|been delivered) (?:now |already |there"
    rf" )?"
    rf"(?:on|in|at) your (?:\w+ )?{_THING}\b",
    rf"\bcheck your (?:\w+ )?{_THING}\b|\bpop(?:ped|ping|s)? up on your\b",
    r"\byou (?:should|'ll|will) (?:now )?(?:see|find|have|get|be getting) (?:a|an|our|the) (?:\w+ )?"
    r"(?:text|link|message|e-?mail|invitation)\b (?:from us|with|on|in|pop|now|any|shortly|com)",
    r"\byou(?:'ll| should| will) (?:now )?(?:see|find|have|get) (?:a|an|our|the) (?:\w+ )?"
    r"(?:text|link|message|e-?mail|invitation)\b (?:from us|with|on|in|pop|now|any|shortly|com)",
    r"\b(?:is|'s) (?:out|over) to you\b",
    r"\b(?:you should|you'll|you will|you) (?:now )?(?:have|see|find|have got|get|be getting) (?:it|that"
    r"|the (?:\w+ )?"
    r"(?:link|text|message|invitation|activation|confirmation))(?: (?:on|in) your \w+)?(?: now| there|"
    r" already| in a (?:moment|second|minute)"
    r"| any second| shortly)",
    r"\b(?:is|'s|are) on (?:its|the|their) way\b",
    r"\b(?:text|link|message|invitation|invite|activation|confirmation|e-?mail)(?:'s| is| was| has| been|"
    r" now| all| just)* (?:sent|out|delivered)\b",
)
"""A text, link or e-mail that has reached the caller or is under way, in other words than "sent"."""
LOOKING: Final = r"\b(?:let me|i'll|i will|one moment|just a moment|i'm (?:checking|looking))\b"
FIGURE: Final = any_of(
    r"\$ ?[0-9]",
    r"\b(?:dollars|bucks|cents)\b",
    r"\b[0-9][0-9 ]* (?:a|per|each|for a) (?:unit|session|syringe|treatment|area|vial)\b",
)
