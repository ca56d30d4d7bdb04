"""Patterns for what an agent of any company says: what it asks for, reads back, offers and reports.

They are tried on what was heard, lower-cased, on the same without punctuation, and on its normalised words,
in which $14.99 reads "1 4 9 9" and 9:30 AM reads "9 3 0 am". A pattern is found when one of these forms has
it, so none may count on a full stop or a question mark being there: recognisers leave both out. Where two
things must stand near each other, `near` says how near.
"""

from __future__ import annotations

from typing import Final

from offhook_industries.common.said import any_of, both, money, near, said_day, said_days

__all__ = [
    "ASKS",
    "ASKS_BIRTH",
    "ASKS_CALLBACK",
    "ASKS_CARD",
    "ASKS_EMAIL",
    "ASKS_IF_RIGHT",
    "ASKS_INCIDENT_DATE",
    "ASKS_INSURANCE",
    "ASKS_MEMBER_ID",
    "ASKS_NAME",
    "ASKS_OFFICE",
    "ASKS_PHONE",
    "ASKS_REASON",
    "ASKS_SPELLING",
    "ASKS_STATE",
    "ASKS_WHEN",
    "ASKS_ZIP",
    "BOOKED",
    "CANCELLED",
    "DAY",
    "DAY_OR_TIME",
    "ELSE",
    "FULL_CARD",
    "GOODBYE",
    "GO_AHEAD",
    "HOLD",
    "NOT_DONE",
    "OFFERS_CALLBACK",
    "OFFERS_PERSON",
    "OFFERS_TEXT",
    "OFFERS_TIMES",
    "OFFERS_WAITLIST",
    "PERSON",
    "READS_APPOINTMENT",
    "READS_BACK",
    "REFERS_BACK",
    "REPEATS",
    "STAY",
    "TIME",
    "any_of",
    "asks_for",
    "both",
    "money",
    "near",
    "said_day",
    "said_days",
]

# --- ways to ask ----------------------------------------------------------------------------------------

ASKS: Final = any_of(
    r"\?",
    r"\b(?:may|can|could|might) i (?:please |just |also |then |first )*(?:have|get|take|ask|grab|know"
    r"|see)\b",
    r"\b(?:can|could|would|will) you\b",
    r"\b(?:i|we)(?:'ll| will| also| just| still| do| would|'d)* (?:need|like|want)\b",
    r"\b(?:what|which|who|when|where|how|whose|whats)(?:'s|'re| is| was| are| were| would| do| did"
    r"| about| can"
    r"| may| time| day| date)?\b",
    r"\bplease (?:tell|give|say|provide|share|state|confirm|read|spell|let|go ahead)\b",
    r"\b(?:tell|give|share|provide|confirm|verify|read|state|say|spell|enter|remind) (?:me |us |out )*"
    r"(?:your|the|that|what|which|when|where|who)\b",
    r"\blet me (?:have|get|take|grab|know|ask)\b",
    r"\blet's (?:start|begin|get)\b",
    r"\b(?:looking for|i'd like|starting with|start with|begin with|need) (?:your|the)\b",
    r"^(?:and|also|then|next|now|okay|ok|great|thanks|thank you|perfect|sure|first|finally|lastly|just)?,? "
    r"?(?:and |then |also |now )?(?:your|the|for your|for the) (?!.*\b(?:is|are|was|were|has|have|had"
    r"|will|goes|costs?|can|would|comes?)\b)"
    r"\w+(?: \w+){0,5}\??$",
    r"\bplease\W*$",
)


def asks_for(noun: str) -> str:
    """Finds a turn that asks and names ``noun``."""
    return both(ASKS, noun)


PERSON: Final = (
    r"(?:persons?|people|humans?|human being|agents?|representatives?|"
    r"reps?|specialists?|advocates?|advisors?|advisers?|associates?|colleagues?|supervisors?|managers?"
    r"|coordinators?|experts?|"
    r"operators?|"
    r"someone|somebody|somebody else|team|department|desk|staff|front desk|member of (?:our"
    r"|the) (?:staff|team))"
)

ASKS_NAME: Final = any_of(
    r"\b(?:your|the|a|full|first|last|complete|legal|patient's|caller's)(?: \w+){0,2} names?\b"
    r"(?! of (?:the|that|a|this|your) (?:\w+ )?(?:store|shop|retailer|competitor|product|item|brand"
    r"|company))",
    r"\b(?:first|last|full) (?:and|&) (?:first|last|full)\b",
    r"\bname (?:and|on|under|that|please|for|again|as)\b",
    r"\bnames?,? please\b",
    r"\b(?:who|whom) (?:am i|i'm|i am|do i have|is this|is it|is calling|'s calling)\b",
    r"\bwho's (?:calling|this|on the line)\b",
    r"\b(?:who|whom)(?:'ve| have)? (?:i |am i )?(?:got |have )?(?:the pleasure|helping|assisting)\b",
    r"\bwho (?:i'm|i am|am i) (?:speaking|talking|chatting)\b",
    r"\bwhat(?:'s| is) your name\b",
    rf"^(?=.*(?:{ASKS})).*(?<!store )(?<!product )(?<!brand )(?<!item )(?<!my )(?<!'s )\bname\b"
    r"(?! (?:of|the|a|is wren|is robin)\b)",
    r"\bwhat (?:should|may|can) i call you\b",
)
_PHONE: Final = r"(?:phone|telephone|mobile|cell|cell ?phone|landline)"
# A phone may also be what somebody bought: the word alone asks for no number.
ASKS_PHONE: Final = any_of(
    rf"\b{_PHONE}(?: phone)? (?:number|digits|no\b|#)",
    r"\b(?:call ?back|contact|best|account|daytime|good) number\b",
    r"(?<!order )(?<!rma )(?<!report )(?<!card )(?<!confirmation )(?<!serial )(?<!model )(?<!reference )"
    r"(?<!tracking )\bnumber (?:on|for|linked|tied|associated|attached|registered|connected|under"
    r"|we have)\b",
    r"\bnumber (?:to|we can|i can|where) (?:reach|call|use|you)\b",
    r"\barea code\b",
    r"\b(?:what|which) number (?:is|do|did|are|should|can|were|was)\b",
    r"\b(?:name|your)(?: and)? number\b",
    rf"\b(?:names?|e-?mail|address|zip(?: code)?|digits)(?:,| and| or| plus| with| &)+"
    rf"(?: your| the| a| an| best| good| account| contact)* {_PHONE}\b",
    rf"\b{_PHONE}(?:,| and| &)+ (?:your |the |full )*(?:names?|zip|e-?mail|postal)\b",
    rf"\b{_PHONE} (?:(?:do )?you have )?(?:on|linked|associated|tied|under|in) (?:file|record"
    rf"|the account|your|our|to)\b",
    rf"\b{_PHONE} (?:to|where|that|we) (?:\w+ ){{0,2}}(?:reach|call)\b",
    rf"^(?:and |okay,? |great,? |thanks,? |thank you,? )*(?:what's |what is )?(?:your "
    rf"|the )?{_PHONE}(?:,? please)?\W*$",
)
ASKS_CALLBACK: Final = any_of(
    r"\b(?:call ?back|contact|daytime|best|good|phone|telephone|mobile|cell) (?:phone )?number\b",
    r"\bnumber (?:to|we can|i can|where|they can|in case)\b",
    near(r"\b(?:reach|call|contact|phone)", r"(?:you|back)\b", 1) + r".{0,25}\b(?:at|on|if)\b",
    r"\bwhat number\b",
    r"\b(?:name|your)(?: and)? number\b",
    r"\barea code\b",
)
ASKS_ZIP: Final = r"\b(?:zip|zipcode|postal|post ?code)\b"
ASKS_CARD: Final = any_of(
    r"\b(?:last|final|ending|lost) (?:four|4)\b",
    r"\b(?:four|4) digits\b",
    r"\bdigits (?:of|on|from) (?:the|your|that) (?:\w+ )?card\b",
    r"\bcard(?:'s)? (?:number|digits|ending|ends)\b",
    rf"^(?=.*(?:{ASKS})).*(?:\bcard\b[^.?!]*\b(?:ends?|ending|last|final|digits|number)\b"
    r"|\b(?:ends?|ending|last|final|digits|number)\b[^.?!]*\bcard\b)",
)
ASKS_EMAIL: Final = r"\be-?mail(?: address)?\b"
ASKS_BIRTH: Final = any_of(
    r"\b(?:date|day|month|year) (?:of|and year of) birth\b",
    r"\bbirth ?(?:date|day)s?\b",
    r"\bd\.? ?o\.? ?b\b",
    r"\b(?:when|what day|what year) (?:were|was|are) (?:you|they|the patient|she|he) born\b",
    r"\bborn\b",
)
ASKS_SPELLING: Final = any_of(
    r"\bspell(?:ing|ed|t)?\b",
    r"\bletter by letter\b",
    r"\bhow (?:do you|is that|is it) (?:write|written)\b",
)
_FULL: Final = (
    r"(?:\b(?:full|whole|entire|complete|sixteen|16|1 6)(?:[ -](?:digit|digits|debit|credit))* card\b"
    r"|\b(?:full|whole|entire|complete) (?:debit |credit )?(?:card )?number (?:on|of) (?:the|your) card\b"
    r"|\ball (?:the |sixteen |16 |1 6 )+digits\b)"
)
_REFUSING: Final = r"\b(?:don't|not|never|no need|stop|without|instead|rather|avoid)\b"
# Who says not to read it out is not asking for it.
FULL_CARD: Final = rf"^(?!.*{_REFUSING}.{{0,40}}{_FULL}).*{_FULL}"

# --- checking back --------------------------------------------------------------------------------------

_NOT_ASKING: Final = r"(?<!can )(?<!could )(?<!may )(?<!might )(?<!should )"

ASKS_IF_RIGHT: Final = any_of(
    r"\b(?:is|was|are) (?:that|this|those|it|everything)(?: all)? (?:right|correct|accurate)\b",
    r"\b(?:right|correct|yes)\?",
    r"\bdid i (?:get|hear|catch)\b",
    rf"{_NOT_ASKING}\bi(?:'ve| have| heard| got| "
    r"see)(?: got| heard| you| down| the| your| a| as)* "
    r"(?:zip|postal|card|number|name|phone|order|[0-9])",
)
REFERS_BACK: Final = any_of(
    rf"{_NOT_ASKING}\bi(?:'ve| have)? (?:found|located|pulled up)\b",
    r"\bthank(?:s| you) for (?:that|your|the|confirming|providing|giving|verifying|spelling)\b",
)
REPEATS: Final = (
    r"\b(?:again|repeat|once more|one more time|slow(?:ly|er)?|at a time|spell|catch|digit by digit)\b"
)
READS_BACK: Final = any_of(ASKS_IF_RIGHT, REFERS_BACK)
GO_AHEAD: Final = any_of(
    r"\b(?:shall|should|may|can|could|do you want me to|want me to|like me to|like us to) (?:i |we )?"
    r"(?:now |just )?(?:go ahead|proceed|cancel|continue|process|book|schedule|place|lock|put|start|set"
    r"|move"
    r"|make|file|send|submit|apply|do (?:that|it|this)|finali[sz]e|complete|confirm|finish|get (?:that"
    r"|this|it))\b",
    r"\b(?:go ahead|proceed|move forward|going ahead|okay with (?:that|this)|ok with (?:that|this)"
    r"|all right with (?:that|this)|happy with (?:that|this)|fine with (?:that|this))\b",
    r"\b(?:do you|can you|could you|please|you)\b[^.?!]*\b(?:confirm|"
    r"agree|acknowledge|accept|approve|want to cancel|wish to cancel|like to cancel|ready)\b",
    r"\b(?:are you sure|(?:is|are|does|sounds?|will|would) (?:that|this|everything|all)(?: \w+)? "
    r"(?:ok|okay|all right|good|fine|alright|acceptable|work))\b",
    r"\b(?:do i have|have i got|i (?:just )?need) your (?:ok|okay|go-ahead|go ahead|approval|permission|yes"
    r"|confirmation|consent)\b",
    r"\b(?:just )?say yes\b|\byes or no\b",
    r"\b(?:want|like|need|prefer|ready for) (?:me|us) to (?!look|check|pull|find|verify|see|bring|text"
    r"|e-?mail|send)",
    r"\b(?:are you|you're|you are|if you're|is everyone) (?:okay|ok|good|fine|happy|comfortable"
    r"|all right|alright) (?:with|to)\b",
    r"\b(?:shall|should) (?:i|we)\?|\bhow would you like to proceed\b|\bis that what you(?:'d"
    r"| would)? (?:like|want)\b",
    r"\b(?:that|this|it) (?:okay|ok|good|fine|all right|work) (?:with|for|by) you\b",
    r"\bsound (?:good|okay|ok|right|fine|all right)\b",
    r"\b(?:do you want|would you like|want|like) me to\W*$|\b(?:should|shall) (?:i|we)\W*$",
    r"\bwould you (?:like|want) that\b|\bhow (?:about|does) that\b|\bwhat do you (?:say|think)\b"
    r"|\bstill want\b",
    r"\bgo through with (?:it|that|this)\b",
    r"(?:^|[.,!?] )(?:are you |you )?ready (?:to|for)\b",
    r"(?:^|[.,!?] )(?:is that )?(?:okay|ok|good|alright|all right|deal|agreed)\?",
    r"\b(?:can|may) i (?:now )?(?:start|get|go|process|cancel|book|move|set|do)\b",
)
HOLD: Final = any_of(
    r"\b(?:one|1|just a|give me a|a) (?:moment|second|sec|minute|2nd)\b",
    r"\b1 2 (?:while|please|as)\b",  # the normalised words of "one second while"
    r"\b(?:hold on|hang on|bear with me|please hold|please wait)\b",
    r"\blet me (?:just )?(?:check|look|pull|see|find|verify|take a look|bring|calculate|work)\b",
    r"\bi(?:'m| am)(?: just| now)? (?:checking|looking|pulling|verifying|working|searching)\b",
    r"\bi(?:'ll| will)(?: just)? (?:check|look|pull|see)\b",
)
ELSE: Final = any_of(
    r"\b(?:anything|something|what) else\b",
    r"(?<!it )(?<!them )(?<!that )(?<!one )\bany(?:thing)? (?:other|more|further)\b",
    r"\bany (?:additional |more )?questions\b",
    r"\bhelp (?:you )?(?:further|with (?:another|other))\b",
    r"\b(?:is that|will that be|would that be|that be|is this) (?:all|everything)\b(?! (?:right|correct))",
    r"\b(?:all|everything) (?:that )?you (?:needed|need|wanted)\b",
    r"\bother (?:questions|requests)\b",
)
GOODBYE: Final = any_of(
    r"\b(?:good ?bye|bye|take care(?! of))\b",
    r"\bhave (?:a|an) (?:\w+ ){0,2}(?:day|evening|afternoon|night|weekend|one)\b",
    r"\b(?:thanks|thank you) for calling\b",
)

# --- people and messages --------------------------------------------------------------------------------

OFFERS_CALLBACK: Final = any_of(
    r"\b(?:call|phone|ring) you back\b",
    r"\bcall-?backs?\b(?! number)",
    r"\bcall back (?:from|request|to)\b",
    near(r"\b(?:have|get|ask)", rf"{PERSON}\b", 4) + r"[^?!]{0,30}\b(?:call|contact|reach out|follow up)\b",
    r"\b(?:return your call|reach out to you|get back to you|follow up with you)\b",
)
OFFERS_PERSON: Final = any_of(
    rf"\b(?:transfer|connect|rout|forward|escalat)\w*\b[^.?!]*\b{PERSON}\b",
    rf"\b(?:put|pass|hand|send|refer|bring|get|point)(?:ing|ring)? (?:you|your (?:call|case)|this|that"
    rf"|them|the call|"
    rf"(?:a|an|one of our|our|the) (?:\w+ ){{0,3}}{PERSON} (?:on|in|involved)|on)\b[^.?!]*\b(?:{PERSON}"
    rf"|line|phone)\b",
    rf"\b(?:speak|spoke|talk|chat|speaking|talking)\b[^.?!]*\b(?:to|with)\b[^.?!]*\b{PERSON}\b",
    rf"\b(?:have|get|ask)\b[^.?!]*\b{PERSON}\b[^.?!]*\b(?:call|help|take|contact|reach|join)\b",
    r"\b(?:want|like|prefer|need|get you|find you)\b[^.?!]*\b(?:real |live |human |another "
    r")?(?:person|human|representative|agent|specialist)\b",
    r"\b(?:call you back|callback|call back from)\b",
    rf"\b(?:get|find) (?:you )?(?:a|an|one of our|our|the) (?:\w+ ){{0,2}}{PERSON}\b",
    r"\btransfer (?:you|your call|this call|the call)\b",
)
OFFERS_TEXT: Final = any_of(
    r"\b(?:text|sms|message|e-?mail) (?:you |that |it |this |them )*(?:a |an |the |to )*(?:\w+ )?"
    r"(?:confirmation|copy|summary|receipt|details|reminder|reminders|directions|link|to you|over)\b",
    r"\b(?:confirmation|reminder|appointment|follow-?up) (?:text|sms|message|e-?mail)s?\b",
    r"\b(?:confirmation|copy|summary|details|reminder|reminders|that|this|it) (?:sent )?(?:by|via|as a"
    r"|in a|over|through) "
    r"(?:text|sms|e-?mail)\b",
    r"\b(?:send|get|receive|like|want|shoot|have)\b[^.?!]{0,30}\b(?:a |an |the )?(?:text|sms"
    r"|text message)\b",
    r"\btext (?:you|it|that|this|the)\b",
    r"\b(?:want|like|get|receive|expect) (?:an |that in an |a copy by )e-?mail\b",
    r"\b(?:confirmed|in writing|sent|notified) (?:by|via|through|over|to your) (?:an? )?(?:e-?mail|text"
    r"|sms|phone)\b",
)
OFFERS_WAITLIST: Final = any_of(
    r"\bwait(?:ing)?[- ]?list\b",
    r"\b(?:cancellation|standby|stand-by|short[- ]notice) list\b",
    r"\b(?:put|add|place) you on (?:a|the|our) (?:\w+ )?list\b",
    r"\b(?:if|when|should) (?:something|anything|a (?:spot|slot)|an (?:earlier"
    r"|opening)[^.?!]{0,20}) (?:sooner |earlier )?"
    r"(?:opens?|comes?|frees?)(?: up)?\b",
)

# --- days, times, appointments --------------------------------------------------------------------------

_WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTH: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|apr|jun|jul|aug|sept|sep|oct|nov|dec)"
)
DAY: Final = any_of(
    rf"\b{_WEEKDAY}\b",
    rf"\b{_MONTH}\.? (?:the )?[0-9]",
    rf"\b(?:[0-9]{{1,2}}(?:st|nd|rd|th)?|[0-9] [0-9]) of {_MONTH}\b",
    rf"\b{_MONTH} (?:the )?(?:first|second|third|\w+th|\w+-first|twenty \w+|thirtieth)\b",
    r"\btomorrow\b",
    r"\b[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{2,4})?\b",
)
TIME: Final = any_of(
    r"\b[0-9]{1,2}(?::[0-9]{2}| [0-9]{2}| [0-9] [0-9])? ?(?:a\.? ?m|p\.? ?m)\b",
    r"\b[0-9]{1,2}:[0-9]{2}\b",
    r"\b(?:noon|o'clock|midday)\b",
    r"\bat (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[0-9]{1,2})\b(?! (?:digit"
    r"|time))",
    r"\bin the (?:morning|afternoon|evening)\b",
)
DAY_OR_TIME: Final = any_of(DAY, TIME)
_SLOT: Final = (
    r"\b(?:have|has|available|availability|openings?|open|slots?|earliest|soonest|first|next|offer|times?"
    r"|options?|free|opens|spots?)\b"
)
OFFERS_TIMES: Final = any_of(
    near(_SLOT, DAY_OR_TIME, 10),
    near(DAY_OR_TIME, r"\b(?:available|open|free|is open|works?|work for you)\b", 10),
    near(DAY_OR_TIME, rf"\bor\b(?: \S+){{0,6}}? (?:{DAY_OR_TIME})", 10),
    r"\b(?:which|what) (?:one|of (?:those|these|them)|slot|time|option|opening)\b",
    r"\b(?:do|does|would|will) (?:any|either|one|that|those|this)(?: of (?:those|these|them))?(?: \w+)? "
    r"(?:work|suit|fit)\b",
)
ASKS_WHEN: Final = any_of(
    r"\b(?:what|which) (?:\w+ ){0,3}(?:day|date|time|days|dates|times|week|month)\b",
    r"\bwhen (?:would|do|did|should|can|could|are|works?|is good)\b",
    r"\bhow soon\b",
    r"\b(?:preferred|prefer|preference|convenient|particular|specific) (?:\w+ ){0,2}(?:day|date|time"
    r"|days|times)\b",
    r"\b(?:day|date|time)s? (?:or time |and time |and day )?(?:do you|would you|works?|would work|suits?"
    r"|were you"
    r"|are you|did you|you'd|you would|that works)\b",
    r"\bmornings? or (?:an |the )?afternoons?\b",
)
READS_APPOINTMENT: Final = both(
    DAY_OR_TIME,
    any_of(
        GO_AHEAD,
        ASKS_IF_RIGHT,
        r"\b(?:book|schedule|reserve|move|confirm)\b[^.]{0,80}\?",
        r"\b(?:does|do|will|would) (?:that|this|it) (?:work|sound|suit|be)\b",
    ),
)
BOOKED: Final = any_of(
    r"\b(?:is|are|was|been|it's|that's|'ve|have|just|successfully|officially|now|you're|all) (?:now |just "
    r"|successfully |officially |been |all |set |fully |got you )*(?:booked|re-?booked|scheduled"
    r"|re-?scheduled"
    r"|confirmed|reserved|moved)\b",
    r"\b(?:booked|scheduled|rescheduled|reserved|moved) (?:it|your|the|you|that)\b",
    r"\b(?:you're|you are|that's|it's|all) (?:all )?set (?:for|on|to)\b",
    r"\bsee you (?:on|at|then|in)\b",
    r"\b(?:appointment|visit|booking|consult|evaluation|consultation) (?:is|has been) (?:now )?"
    r"(?:booked|set|confirmed|made|complete|scheduled|moved)\b",
)
CANCELLED: Final = any_of(
    r"\b(?:is|are|was|been|it's|that's|'ve|have|just|successfully|officially|now) (?:now "
    r"|just |successfully |officially |been |all |fully )*cancell?ed\b",
    r"\bcancell?ed (?:it|your|the|that|for you)\b",
    r"\w's (?:now |just |been |all |successfully )*cancell?ed\b",
    r"\b(?:able to|managed to|went ahead and|gone ahead and) cancel\w*\b",
    r"\bconsider it cancell?ed\b|\boff (?:the|our) (?:calendar|books|schedule)\b",
    r"\bcancell?ed out\b|\b(?:i've|i have|we've|we have) got (?:it|that|the|your)(?: \w+){0,2} cancell?ed\b",
    r"\bcancell?ation(?:'s| is| has| was| went| just)\b[^?]*\b(?:complete|"
    r"completed|confirmed|processed|done|through|final)\b",
    r"\b(?:no longer|not) (?:a|an|on|have)\b[^?]*\b(?:member|membership|plus|total)\b",
    r"\b(?:membership|plus|total) (?:has|is|was)(?: now| just)? (?:ended|over|closed|terminated)\b",
)
NOT_DONE: Final = any_of(
    r"\b(?:will|would|to|can|could|can't|cannot|must|should) (?:not |now |then |also )*be \w+ed\b",
    r"\b(?:if|once|when|as soon as|before|until|unless|after) (?:i|we|you|it|that|the|your)\b",
    r"\b(?:shall|should|may|can|could) (?:i|we)\b",
    r"\b(?:want|like|need) (?:me|us) to\b",
    r"\b(?:not|hasn't|isn't|haven't|wasn't|never)\b",
    r"\b(?:ready|going|about|able) to\b",
    r"\bi(?:'ll| will|'m going to| can| could)\b",
)

# --- offices, cover, reasons ----------------------------------------------------------------------------

_OFFICE: Final = r"(?:offices?|locations?|clinics?|branch|branches|site|practice)"
ASKS_OFFICE: Final = any_of(
    rf"\b(?:which|what) (?:of our |of the |one of our |\w+ ){{0,3}}{_OFFICE}\b",
    rf"\b{_OFFICE} (?:do|would|did|were|are|is|works?|should|can|you)\b[^.]{{0,40}}\b(?:you|best|closest"
    rf"|nearest"
    r"|visit|prefer|like|want|convenient)\b",
    rf"\b(?:preferred|prefer|preference|particular|specific|nearest|closest"
    rf"|convenient)\b[^.?!]{{0,30}}\b{_OFFICE}\b",
    rf"\b{_OFFICE}\b[^.?!]{{0,30}}\b(?:in mind|you'd prefer|you prefer|preference|nearest you|near you"
    rf"|closest)\b",
    r"\bwhere (?:would|do|did|are|were) you (?:like|want|prefer|thinking|hoping|wish)\b",
    r"\bwhich (?:one|area|part of town|neighbou?rhood|borough|city) (?:is|would|are|do)\b",
)
ASKS_REASON: Final = any_of(
    r"\breasons? (?:for|of|you|why)\b",
    r"\b(?:what|why)(?:'s| is| are|'re| was| did| do| does| would| brings| brought| has|'d)?\b[^.?!]{0,40}"
    r"\b(?:about|regarding|concern(?:ing)?|going on|happened|visit|calling|bring|brings|see|seen|looked at"
    r"|help|wrong|problem|issue|matter|appointment|come in|bothering)\b",
    r"\b(?:tell|give) (?:me|us) (?:a bit|a little|more|what|why|about|briefly)\b",
    r"\b(?:describe|explain)\b",
    r"\bhow (?:can|may|could) (?:i|we) (?:\w+ )?(?:help|assist)\b",
    r"\bwhat can (?:i|we) (?:do|help)\b",
)
ASKS_INSURANCE: Final = any_of(
    r"\b(?:what|which|who|your|the|any|name of|have|using|carry|on) (?:\w+ ){0,3}(?:insurance|insurer"
    r"|carrier|health plan"
    r"|coverage|plan)\b",
    r"\b(?:insurance|insurer|carrier|health plan) (?:company|carrier|plan|do|are|provider|will|would"
    r"|name|you)\b",
    r"\binsured\b",
    r"\bself[- ]?pay\b",
)
ASKS_MEMBER_ID: Final = any_of(
    r"\b(?:member|membership|subscriber|policy|insurance|group|plan)(?:'s)? ?(?:i\.?d\.?|identification"
    r"|number|no)\b",
    r"\b(?:i\.?d\.?|number) (?:on|from|printed on) (?:your|the|that) (?:insurance |member )?card\b",
    r"\b(?:insurance|member) card\b",
)
ASKS_STATE: Final = any_of(
    r"\b(?:which|what) (?:u\.?s\.? |other )?state\b(?! of)",
    r"\bstate (?:did|was|were|are|is|do|you|it|this|that|where|in which)\b",
    r"\bwhere (?:did|was|were|has) (?:this|that|it|the|your|all)(?: \w+){0,4} (?:happen|occur|take place"
    r"|injured|hurt|located)",
    r"\bwhere (?:did|were|was) (?:this|that|it|you|the)\b",
    r"\b(?:location|place|city|county|state) (?:of the|where|it|this)\b",
)
ASKS_INCIDENT_DATE: Final = any_of(
    r"\bwhen (?:did|was|were|exactly|abouts?)\b",
    r"\b(?:date|day|month|year) (?:of|when|that|on which|it|did|was)\b(?! birth)(?! and year of birth)",
    r"\bhow long ago\b",
    r"\b(?:what|which) (?:\w+ ){0,2}(?:date|day|month|year) (?:did|was|were|that|of)\b(?! birth)",
    r"\b(?:accident|incident|injury|event|loss|termination) date\b",
)
STAY: Final = any_of(
    r"\b(?:keep|keeping|stay|staying|remain|stick|continue|hold on to|hang on "
    r"to)\b[^?!]*\b(?:plus|total|membership|member|benefits|it|us|kestrel|tier|perks)\b",
    r"\b(?:discount|special offer|free month|half price|percent "
    r"off|reduced|promotion|credit|pause|switch(?:ing)? to plus|downgrade|make you an "
    r"offer|one offer)\b",
    r"\b(?:reconsider|change your mind|think (?:it )?over|give (?:it|us) another)\b",
    r"\b(?:want|like|prefer|rather|choose|love (?:for )?(?:you )?)(?: you)? to (?:stay|keep)\b",
    r"\bsorry to (?:see|lose) you\b|\bleave us\b|\byou(?:'d| would|'ll| will) (?:lose|give up|miss"
    r"|no longer have)\b"
    r"|\blosing\b[^.?!]*\bbenefits\b",
    r"\b(?:why|reason)\b[^.?!]*\b(?:leav\w+|cancel\w*|go|unhappy)\b",
    r"\binstead of cancel",
)
