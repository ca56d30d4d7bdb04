"""Patterns for what a law firm's agent asks, says and offers; the general ones are in ``common.cues``."""

from __future__ import annotations

from typing import Final

from offhook_industries.common.cues import (
    ASKS,
    ASKS_IF_RIGHT,
    ASKS_INCIDENT_DATE,
    ASKS_NAME,
    ASKS_PHONE,
    BOOKED,
    DAY,
    ELSE,
    GO_AHEAD,
    OFFERS_TIMES,
    any_of,
    both,
)

__all__ = [
    "ANYTHING_MORE",
    "ASKING",
    "ASKS_ADVERSE",
    "ASKS_CHANNEL",
    "ASKS_DATE",
    "ASKS_MATTER",
    "ASKS_MATTER_NUMBER",
    "ASKS_MESSAGE",
    "ASKS_NOTE",
    "ASKS_PROVIDER",
    "ASKS_RECIPIENT",
    "ASKS_RELATION",
    "ASKS_REPRESENTED",
    "ASKS_STATE",
    "ASKS_STORY",
    "ASKS_WHO",
    "BOOKED_IT",
    "CHECKS",
    "CLEAR",
    "DECLINED",
    "DIAL_911",
    "GO_ON",
    "HANDS_OVER",
    "MESSAGE_TAKEN",
    "NOTED",
    "NOT_FOUND",
    "NOT_YET",
    "OFFERS_EVALUATION",
    "OFFERS_NOTE",
    "OFFERS_PACKET",
    "OFFERS_RECORDS",
    "OFFERS_RING",
    "OFFERS_SLOTS",
    "PACKET_SENT",
    "READS_SLOT",
    "RECORDED",
    "REFUSED",
    "RELEASE_SENT",
    "SEVERAL",
    "STATUS_TOLD",
    "STOPS_STORY",
    "TELL",
    "UNDECIDED",
]

# --- what is asked --------------------------------------------------------------------------------------

# Found in a turn of several sentences, so that a rule which has it as an exception is tried on each alone:
# a statement and a question about something else do not add up to a question about the first.
SEVERAL: Final = (
    r"(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bdr)(?<!\bst)(?<!\bjr)(?<!\bsr)(?<!\bvs)(?<!^no)(?<![ap]\.m)"
    r"(?<!\b[a-z])[.?!]['\")]*\s+\S"
)
# A number that is said, which nobody asks for, and questions whether something was heard rightly.
CHECKS: Final = any_of(
    r"\b(?:[0-9] ){5,}[0-9]\b",
    r"\b(?:is|was) (?:that|this|it) (?:still )?(?:your|the|her|his|their) (?:right |correct |full |own |best )*"
    r"(?:name|number|hospital|practice|company|person|spelling)\b",
    r"\bis (?:that|this|it) (?:what|how|who) (?:you|it)\b",
    r"\bhave i (?:got|understood|heard)\b",
    r"\bdid you say\b",
)
_ROLE: Final = (
    r"(?:employer|company|business|firm you work\w*|dealer(?:ship)?|seller|store|shop|market|supermarket|theat(?:er|re)"
    r"|cinema|clinic|medical group|surgical center|center|surgeon|doctor|physician|landlord|(?:apartment )?complex"
    r"|building|property|management company|manager|insurer|insurance(?: company| carrier)?|carrier|warranty"
    r"|warranty company|trucking company|hauler|courier|delivery (?:company|service)|driver|person|party|side|woman"
    r"|man|lady|guy|owner|bank|creditor|lender|boss|defendant|entity|manufacturer|contractor|facility"
    r"|practice|hospital)"
)
_THING: Final = (
    r"(?:truck|van|car|vehicle|policy|warranty|store|building|property|place|theat(?:er|re)|complex|apartments?"
    r"|practice|clinic|market|dealership|plan|stairwell|premises|loan|debt)"
)
_DEED: Final = (
    r"(?:hit|hurt|caused|injured|ran into|struck|own(?:s|ed)?|run(?:s)?|ran|operate[sd]?|manage[sd]?|employ(?:s|ed)?|fired"
    r"|let you go|dismissed|sold|sell|issue[sd]?|sponsor(?:s|ed)?|treated|did|perform(?:s|ed)?|den(?:y|ied|ies)|turned"
    r"|insure[sd]?|rent(?:s|ed)?|hire[sd]?|wrote|made|backed out|cheated|was driving|drove|is behind|was behind"
    r"|is it|was it|was the|is the|is liable|was liable|cut)"
)
ASKS_ADVERSE: Final = any_of(
    r"\bagainst (?:who|whom|which|what)\b",
    r"\b(?:who|whom|which|what)\b[^.?!]{0,60}\b(?:against|sue|suing|at fault|responsible|blame|opposing"
    r"|adverse|going after|go after|liable)\b",
    r"\b(?:other|opposing|adverse|responsible) (?:side|party|parties|driver|person|company|business|car)\b"
    r"(?![^.?!]{0,30}\b(?:insur|adjuster))",
    rf"\b(?:name|names) (?:of|for) (?:the |that |this |your |their |whichever )?(?:\w+ ){{0,3}}{_ROLE}\b",
    rf"\b{_ROLE}(?:'?s)?(?: full| legal)? name\b(?!\s+(?:is|was)\b)",
    rf"\bname (?:was |is |printed |written )?(?:on|painted on) (?:the |its |that )?(?:side of )?(?:the )?{_THING}\b",
    rf"\b(?:what|how)(?:'s| is| was| are| do you call)? (?:the |your |that |this )(?:\w+ ){{0,3}}{_ROLE}"
    r"(?: was| is)?(?: called| named|'s called)?\b(?=[^.?!]*\b(?:called|named|name|again)\b|\W*$)",
    rf"\b(?:which|what) (?:(?!state|kind|type|sort|court)\w+ ){{0,3}}{_ROLE}\b(?![^.?!]{{0,40}}\b(?:records?|treat\w*"
    r"|located|in mind)\b)",
    r"\b(?:which|what) (?:person|insurance company|insurer|company|business|employer|store|facility|dealer"
    r"|surgeon|hotel|entity)\b(?![^.?!]{0,40}\brecords\b)",
    rf"\b(?:who|what company)(?:'s|'d| is| was| were| are)? (?:it |that |this )?(?:that )?(?:would )?{_DEED}\b"
    r"(?![^.?!]{0,40}\brecords\b)",
    rf"\bwho(?:'s| is| was| are| were)? (?:the |your |that |this |these )(?:\w+ ){{0,4}}{_ROLE}\b",
    r"\bwho (?:is|was|'s)? ?(?:in|behind) the (?:other|car|truck|van)\b",
    rf"\bwhose (?:\w+ ){{0,2}}{_THING}\b",
    r"\bwho (?:did|do|were|are|was|would|had) you\b[^.?!]{0,30}\b(?:work\w*|bought|buy|rent\w*|owe|employed|insured"
    r"|sue|claim|blame|hold|lease|sign\w* with|deal\w*)\b",
    rf"\b(?:who|whom|which company)\b[^.?!]{{0,30}}\b(?:belong|belongs|belonged)\b",
    rf"\bwhat (?:\w+ )?company\b[^.?!]{{0,30}}\b(?:belong|work|own|from|was|is)\w*\b",
    r"\byour (?:former |old |last |current |previous )?(?:employer|landlord|boss|insurer|dealer)"
    r"(?: was| is|'s name)?\W*$",
    r"\bthe (?:employer|dealer|insurer|landlord|owner|company|driver|store|theater)"
    r"(?: was| is| would be)?\W*$(?<=\?)",
    r"\bthe (?:employer|dealer|insurer|landlord|owner|driver) (?:was|is)\W*$",
    r"\bwho(?:'s| is| was) (?:this|that|it|the claim|the case|the matter)\b[^.?!]{0,30}\b(?:with|about"
    r"|against|regarding)\b",
    r"\bwho (?:would|will|should|do|does|did) (?:this|that|it|the|your|you|we)\b[^.?!]{0,40}\b(?:against"
    r"|be|claim|case|with|blame|involve)\b(?! for\b)",
    r"\bwho else (?:is|was) involved\b",
    r"\bparties? (?:involved|on the other|you|that|would)\b",
    r"\b(?:company|person|party|name|business) (?:again|one more time|once more)\b(?<!your name again)"
    r"(?=.*\b(?:other|company|person|party|business)\b)",
)
_LAWYER: Final = r"(?:lawyers?|attorneys?|law (?:firm|office)s?|counsel)"
ASKS_REPRESENTED: Final = any_of(
    r"\b(?:do|does|did|have|has|are|is|already|currently|any|another|other) (?:\w+ ){0,6}(?:lawyer|attorney"
    r"|law firm|counsel|represent\w*)\b(?=.*\b(?:represent|hired?|retain|sign|have|working|matter|case|this"
    r"|already|currently|speaking|spoken|consult))",
    r"\brepresented\b",
    r"\brepresent(?:s|ing)? you\b",
    r"\b(?:any(?:one|body)|some(?:one|body)|nobody) (?:\w+ )?represent\w*\b",
    rf"\b(?:do|did|have|has|is|are|were|was) (?:you|anybody|anyone|someone|somebody|there|a|an|any|another)\b"
    rf"(?![^.?!]*\b(?:want|like|know|mind|prefer|meet|see|talk to|speak with|one of our|our|leave|handl\w+)\b)"
    rf"[^.?!]{{0,60}}\b{_LAWYER}\b",
    rf"\b(?:hire|hired|hiring|retain|retained|retaining|engage|engaged|signed up) (?:\w+ ){{0,3}}{_LAWYER}\b",
    r"\b(?:hired|retained|signed (?:anything |up )?with|working with|spoken (?:to|with)|talked to"
    r"|consulted(?: with)?|engaged) (?:\w+ ){0,3}(?:lawyer|attorney|firm|law office|counsel)\b",
)
_MATTER: Final = r"(?:case|matter|claim|accident|crash|injury|malpractice|dispute|dismissal|bankruptcy|issue|fall)"
_CALLED: Final = (
    r"(?:car|auto|traffic|work|injury|employment|medical|slip|accident|consumer|malpractice|premises|immigration"
    r"|bankruptcy|insurance|personal|wrongful)"
)
ASKS_MATTER: Final = any_of(
    r"\b(?:kind|type|sort|nature|area) of (?:\w+ ){0,2}(?:matter|case|claim|issue|legal|problem|law"
    r"|accident|injury|incident|situation|dispute)\b",
    r"\b(?:what|which) (?:kind|type|sort|area)(?: is| was| would)?(?: it| that| this)?(?: be)?\W*$",
    r"\bwhat(?:'s| is| are|'s this| was)? (?:\w+ ){0,3}(?:matter|case|claim|issue|this|call|it|dispute|problem"
    r"|trouble) (?:mainly |all |really )?(?:about|regarding|concern\w*|involv\w*|related|over)\b",
    r"\bwhat (?:does|would|is) (?:it|this|that|your) (?:\w+ ){0,2}(?:involve|concern|about|regarding)\b",
    rf"\b(?:is|was) (?:it|this|that) (?:a|an|about|related to|for)[^.?!]{{0,20}}\b(?:{_CALLED}|{_MATTER})\b"
    r"(?![^.?!]*\b(?:new|existing|client)\b)",
    rf"\b(?:it|this|that)(?:'s|'d be| is| was| would be| would be about)? (?:be )?(?:about |for )?(?:a|an) "
    rf"(?:[\w']+ ){{0,4}}{_MATTER}\b[^.?!]{{0,25}}\?",
    rf"\b(?:is|would) (?:this|that|it) (?:be )?(?:a |an )?(?:[\w']+ ){{0,4}}{_MATTER}\b(?=\W*$|, (?:then|right|or)\b)",
    rf"\bwould you (?:call|describe|say)\b[^.?!]{{0,30}}\b{_MATTER}\b",
    r"\bwhat legal (?:matter|issue|problem|question)\b",
    r"\bwhat (?:would|should) i (?:put|file|list) (?:it|this|that) (?:down )?(?:as|under)\b",
    r"\bbriefly\b[^.?!]{0,40}\b(?:matter|case|about|kind|type|calling)\b",
)
ASKS_STATE: Final = any_of(
    r"\b(?:which|what|in what|in which|another|a different|some other) (?:u\.?s\.? |other )?state\b(?! of)",
    r"\bstate (?:did|was|were|are|is|do|it|this|that|where|in which|the)\b(?=.*\b(?:happen|occur|took|take"
    r"|place|accident|incident|in|injur\w*|work\w*))",
    r"\b(?:and|in) (?:the|what) state\W*$",
    r"\bwhere(?:abouts)? (?:did|was|were|has|exactly did)\b(?![^.?!]*\b(?:treat\w*|records?)\b)[^.?!]{0,40}\b(?:happen"
    r"|occur|take place|accident|incident|injur\w*|hurt|located|fall|it|this|that|crash|work|buy|bought|operation"
    r"|surgery|loss)\b",
    r"\bwhere(?:abouts)? (?:it|this|that|the accident|the incident) (?:happened|occurred|took place)\b",
    r"\b(?:location|place|city|county|state) (?:of the|where (?:it|this|that|the|you)|it|this|that)\b",
)
ASKS_DATE: Final = any_of(
    ASKS_INCIDENT_DATE,
    r"\bwhen (?:it|this|that|the \w+) (?:happened|occurred|took place)\b",
    r"\bon (?:what|which) (?:day|date)\b",
    r"\b(?:the|exact|approximate|what|which) (?:date|day)\b(?! (?:is|would|works|suits|after|before))",
    r"^(?:okay |ok |good |thanks |thank you |and |so |then |now )*when\W*$",
    r"\b(?:need|include|including|with|tell me) the (?:year|month)\b",
)
ASKS_STORY: Final = any_of(
    r"\bwhat happened\b",
    r"\b(?:own|your) words\b",
    r"\b(?:tell|give|walk|share) (?:me|us|it) (?:\w+ ){0,4}(?:about (?:what|the|your|it|how)|how|more"
    r"|through|account|details|the (?:whole )?(?:story|thing)|your story|your account|summary|description|what)\b",
    r"\b(?:describe|explain|summari[sz]e)\b(?![^.?!]{0,30}\b(?:matter type|kind|matter|case)\b)",
    r"\bhow (?:did|were|was|had) (?:it|this|that|you|the|he|she)\b[^.?!]{0,30}\b(?:happen|occur|hurt|injured|accident"
    r"|come about|came about|fall|fell|come to|get)\b",
    r"\bwhat (?:exactly |actually )?(?:went|has gone|was) wrong\b",
    r"\bwhat (?:exactly |actually )?did (?:they|he|she|the \w+) do\b",
    r"\bwhat led (?:up )?to\b",
    r"\b(?:brief|short|quick) (?:account|summary|description|overview)\b",
    r"\b(?:your|written|own) (?:account|statement|side|version)(?: of (?:what|the|how|events|it))?\b",
    r"\bfrom the (?:start|beginning)\b",
)
# Ways to ask for an account that is no question.
TELL: Final = any_of(
    ASKS,
    r"\b(?:tell me|walk me through|describe|explain|give me|go ahead and|i'm listening|i am listening|whenever"
    r" you're ready|when you're ready|i can listen|let me hear|let's hear)\b",
)
ASKS_WHO: Final = any_of(
    ASKS_NAME,
    ASKS_PHONE,
    r"\bnumber (?:to|we|i|where|for|in case|it would|you're on|are you)\b",
    r"\breach you\b",
    r"\b(?:name|who)\b[^.?!]{0,25}\bnumber\b",
    r"\b(?:and )?(?:who are you|you are|you would be|who's this|who is this)\W*$",
    r"\bwho (?:do|have) i (?:have|got)\b",
    r"\b(?:what|which) name\b",
    r"\bwhat(?:'s| is) the name\W*$",
    r"^name(?: and \w+)?(?: number)?\W*$",
)
ASKS_CHANNEL: Final = any_of(
    r"\b(?:e-?mail|text|post|mail)\b[^.?!]{0,40}\b(?:or|text|post|mail|message)\b(?=.*(?:\bor\b))",
    r"\bhow (?:would|should|shall|do|can|may)\b[^.?!]{0,40}\b(?:packet|send|sent|receive|get it|deliver\w*"
    r"|documents|paperwork|forms)\b",
    r"\b(?:which|what) (?:way|method|address|format)\b[^.?!]{0,40}\b(?:packet|send|receive|prefer"
    r"|documents)\b",
    r"\b(?:prefer|like|want|have)\b[^.?!]{0,40}\b(?:by|via|through) (?:e-?mail|text|post|mail|regular"
    r"|u\.?s\.?)\b",
)
ASKS_NOTE: Final = any_of(
    r"\b(?:what|which)\b[^.?!]{0,40}\b(?:note|noted|add|write down|written down)\b",
    r"\b(?:anything|something|details?|more|photos?|pictures?|documents?|witness(?:es)?)\b[^.?!]{0,50}\b(?:note|noted"
    r"|add|added|write|file|mention|us to know|lawyer (?:should|to) know|attorney (?:should|to) know)\b",
    r"\b(?:note|add|write down) (?:\w+ )?(?:anything|something)\b|\bnote of (?:anything|something)\b",
    r"\b(?:tell|give) me\b[^.?!]{0,30}\b(?:note|witness|name)\b",
    r"\b(?:any|were there|was there|did (?:anyone|anybody|somebody|someone))\b[^.?!]{0,20}\b(?:witness\w*"
    r"|see it|saw it|see (?:what|the)|photos?|pictures?)\b",
    r"\bwitness(?:'s|es)? (?:name|names)\b",
)
ASKS_PROVIDER: Final = any_of(
    r"\b(?:hospital|practice|provider|doctor|clinic|facility|who|where)\b[^.?!]{0,40}\brecords?\b",
    r"\brecords?\b[^.?!]{0,40}\b(?:hospital|practice|provider|doctor|clinic|facility|from (?:which|where)"
    r"|held|kept|from)\b",
    r"\b(?:which|what|name of the) (?:hospital|practice|provider|doctor|clinic)\b(?![^.?!]*\b(?:surgery|operat\w*"
    r"|responsible|against|blame|sue|claim|performed)\b)",
    r"\bwhere (?:were you|did you get|are you being) treated\b",
    r"\bwho treated you\b",
)
ASKS_RECIPIENT: Final = any_of(
    r"\bwho (?!(?:is|'s) (?:calling|this)\b|am i\b|i'm\b|i am\b|do i\b|have i\b|would i be\b)(?:is|should|would|do|did"
    r"|can|shall|was|else|'s)\b[^.?!]{0,40}\b(?:message|for|leave|reach|speak|talk|trying|go to|calling|to)\b",
    r"\b(?<!with )(?<!by )whom\b(?! (?:am i|do i)\b)",
    r"\bwhich (?:of (?:our|the|my) )?(?:\w+ ){0,2}(?:attorney|lawyer|person|member|partner|colleague)s?\b",
    r"\bwho's (?:it|the message|that|this) for\b",
    r"\bwho(?:'s| is)(?: it)? (?:that )?(?:your|the) (?:attorney|lawyer)\b",
    r"\b(?:attorney|lawyer)'s name\b",
    r"\byour (?:attorney|lawyer) (?:is|would be|was)\W*$",
    r"\bname of (?:the |your )?(?:attorney|lawyer|person)\b",
)
_THEM: Final = r"(?:him|her|them|mr|ms|mrs|the (?:lawyer|attorney)|your (?:lawyer|attorney))"
ASKS_MESSAGE: Final = any_of(
    r"\bwhat(?:'s| is| should| would| shall| can| do|'d)?\b[^.?!]{0,40}\b(?:message|pass (?:on|along|it)|say"
    rf"|tell {_THEM}|let {_THEM} know|relay|leave|regarding|about)\b",
    rf"\bwhat\b[^.?!]{{0,30}}\b{_THEM}(?: \w+)? to know\b|\bwhat\b[^.?!]{{0,20}}\b(?:should|shall|must) (?:he|she"
    r"|they) know\b",
    r"\b(?:your|the|leave (?:a|the|your)) message\b[^.?!]{0,30}(?:\?|$|\bplease\b|\bbe\b|\bsay\b)",
    r"\bmessage\b.*\bwhat is it\b",
    r"\bmessage (?:would|should|do|can|to)\b",
)
# Said to let the caller begin.
GO_ON: Final = any_of(
    r"(?<!to )(?<!i )(?<!i'll )(?<!will )(?<!can )(?<!shall i )(?<!should i )(?<!let me )\bgo (?:right )?ahead"
    r"(?! and (?:tell me|say|give me) your)\b",
    r"\bready (?:for|to take|to write) (?:it|that|the message|your message|down)\b|\b(?:whenever|when) you(?:'re"
    r"| are) ready\b|\bready when you are\b",
    r"\b(?:the|your) message,? (?:now,? )?please\b",
)
ASKS_MATTER_NUMBER: Final = any_of(
    r"\b(?:matter|case|file|reference|claim)(?:'s)? (?:number|no|id)\b",
    r"\bsix[- ]digit\b|\bhas (?:six|6) digits\b|\b(?:six|6) digit\b",
    r"\bnumber (?:of|for|on|under) (?:your|the|that) (?:matter|case|file|letter)\b",
    r"\bnumber (?:is|does) (?:the|your|that) (?:matter|case|file)\b",
    r"\b(?:which|what) (?:client or )?(?:matter|case)\b(?=[^.?!]*\b(?:number|is it|is this|calling|about)\b|\W*$)",
)
ASKS_RELATION: Final = any_of(
    r"\b(?:relationship|related|relation|connection|connected) (?:to|with)\b",
    r"\b(?:power of attorney|guardian|authori[sz]\w*|legal(?:ly)? (?:able|authority))\b",
    r"\b(?:can|could|would|will|is) (?:he|she|they|your (?:brother|sister|relative)) (?:\w+ ){0,3}(?:come|speak|talk"
    r"|able|call|available)\b",
    r"\b(?:are you|you're|you are) calling (?:for|on behalf|in|from)\b",
    r"\bon (?:whose|(?:\w+ )?(?:brother's )?)behalf\b",
    r"\bwho (?:you are|are you|you're) to (?:him|her|them|the)\b",
    r"\bhow (?:are you|do you) (?:related|connected|know|fit)\b",
    r"\bwhat (?:are you|is he|is she) to (?:him|her|you|them)\b",
    r"\bwho (?:are you|is it you're|is it you are) (?:calling|speaking) for\b",
)

# A turn that asks for any of the caller's facts.
ASKING: Final = both(
    ASKS,
    any_of(ASKS_NAME, ASKS_PHONE, ASKS_ADVERSE, ASKS_STATE, r"\bwhat happened\b", ASKS_MATTER),
)

# --- what is told ---------------------------------------------------------------------------------------

NOT_YET: Final = any_of(
    r"\b(?:will|would|to|can|could|must|should) (?:not |now |then |also )*be \w+(?:ed|t|d)\b",
    r"\b(?:if|once|when|as soon as|before|until|unless) (?:i|we|you|it|that|the|your)\b",
    r"\b(?:shall|should|may|can|could) (?:i|we)\b",
    r"\b(?:want|like|need) (?:me|us) to\b",
    r"\b(?:not|hasn't|isn't|haven't|wasn't|never) (?:yet |been |be )*\w+(?:ed|t|n)\b",
    r"\b(?:ready|going|about) to\b",
)
_HUMAN: Final = (
    r"(?:(?:real |live |human )?persons?|human(?: being)?|people|someone|somebody|colleagues?|staff(?: members?)?"
    r"|team members?|(?:members?|one|some) of (?:our|my|the) (?:\w+ )?(?:staff|team|people|colleagues|office)"
    r"|(?:our|the) (?:team|office)|(?:referral|intake|front) desk|receptionist|operator|representative|agent"
    r"|specialist|supervisor|manager)"
)
HANDS_OVER: Final = any_of(
    r"\b(?:transfer(?:ring)?|connect(?:ing)?|forward(?:ing)?) (?:you|your call|this call|the call|this|it)\b",
    r"^(?:okay |so |now |and |i'm |i am )*(?:transferring|connecting)\b",
    r"\byou(?:'re|'ll| are| will)? (?:be )?(?:now |being )*(?:transferred|connected|put through|handed)\b"
    r"(?! with (?:this|the|that) (?:matter|case))",
    r"\bput(?:ting)? you (?:straight |right )?(?:through|in touch|on (?:to|with))\b",
    r"\b(?:hand|handing|pass|passing|turn|turning|send|sending|refer|referring) (?:you|your call|this|the call|it)"
    rf"(?: over| on| along| off)* to\b[^.?!]{{0,25}}\b{_HUMAN}\b",
    r"\b(?:pass|passing|hand|handing) you (?:over|on|along)\b",
    rf"\b(?:get|getting|bring|bringing|find|have|having)(?: in)?(?: you)? (?:an? |another |one of (?:our|my) |in )*"
    rf"(?:\w+ )?{_HUMAN} (?:on|in|to|who|for|pick|take|help|deal|speak|talk|join|look)\b(?! call)",
    rf"\byou(?:'ll| will) (?:get|have|be (?:talking|speaking) (?:to|with)|speak (?:to|with)|talk to) [^.?!]{{0,20}}"
    rf"\b{_HUMAN}\b",
    rf"\b(?:speak|talk|speaking|talking|chat|rather talk)\b[^.?!]{{0,20}}\b(?:to|with)\b[^.?!]{{0,20}}\b{_HUMAN}\b",
    rf"\b{_HUMAN}\b(?! (?:who|that) (?:has|have)n?)[^.?!]{{0,40}}\b(?:take|takes|taking|pick|picks|help|assist|handle"
    r"|deal|speak|talk|with you|from here|follow|follows|on the line|look into|take over)\b",
    r"\b(?:referral|intake|front) desk\b",
    rf"\b(?:want|like|prefer|need)\b[^.?!]*\b(?:real |live |human |another )(?:person|human|representative|agent)\b",
)
# A call back is no hand-over.
OFFERS_RING: Final = any_of(
    r"\bcall (?:you|them) back\b",
    r"\bcall-?backs?\b(?! number)",
    rf"\b(?:have|get|ask)\b[^.?!]{{0,25}}\b(?:{_HUMAN}|lawyer|attorney)\b[^.?!]{{0,30}}\b(?:call|phone|ring|contact"
    r"|reach out)\b",
    rf"\b{_HUMAN}\b[^.?!]{{0,20}}\b(?:call|phone|ring|contact)s? you\b",
)
_NEVER_TAKE: Final = (
    r"(?:can't|cannot|can not|don't|do not|doesn't|does not|unable to|not able to|won't be able to|isn't able to"
    r"|aren't able to|is not able to|not in a position to|won't|will not|wouldn't be able to|not free to|isn't free to"
    r"|aren't free to)"
)
_OURS: Final = r"(?:we|the firm|our firm|this firm|firm|our lawyers|our attorneys|our office|nobody|reed)"
DECLINED: Final = any_of(
    rf"\b{_NEVER_TAKE}\b(?![^.?!]*\b(?:opinion|advice|answer|tell you (?:if|whether)|go into it)\b)[^.?!]{{0,50}}"
    r"\b(?:take|handle|help|represent|accept|assist|practice|act for|go (?:any )?further|go on|continue|proceed"
    r"|move forward|work on|cover|do (?:that|this|it|them|those|bankrupt\w*|immigration|\w+ (?:law|cases)))\b",
    r"\b(?:doesn't|does not|don't|do not|no longer) (?:handle|take|do|practice|cover|accept|work in|deal with)\b",
    r"\b(?:isn't|aren't|not|n't|never|outside|beyond)\b[^.?!]{0,40}\b(?:licensed|admitted|handled?|covered|something"
    r" (?:we|the firm|our)|a (?:matter|case|kind|type)|an area|areas?|one of (?:our|the)|free to|things we|what we do"
    r"|our (?:field|practice|work|areas|states)|we (?:take|do|handle|practice|cover|work))\b",
    r"\b(?:nobody|no one|none of (?:us|our \w+)|no (?:lawyer|attorney)s?|(?:don't|do not) have (?:any )?"
    r"(?:lawyers?|attorneys?|anyone|anybody))\b[^.?!]{0,40}\b(?:licen[cs]ed|admitted|practice|practices|take|takes"
    r"|handle|handles|there|in arizona)\b",
    rf"\b{_OURS}(?: here)? only (?:does|do|handles?|takes?|works?|represents?|practices?)\b",
    r"\b(?:have|has|need|going|must|had) (?:to )?(?:decline|turn (?:this|that|it|you|your \w+)? ?down|pass on|say no)\b",
    r"\b(?:must|we) decline\b|\bdeclining\b|\brules? (?:us|that|it|this) out\b",
    r"\bhave to (?:leave it there|leave it at that|stop here)\b",
    r"\b(?<!no )(?<!any )(?<!a )conflict\b[^.?!]{0,30}\b(?:found|exists|came)\b",
    r"\b(?:there(?:'s| is| may be| appears to be)|found|have|hit) a (?:potential |possible )?conflict\b",
)
# The firm does not know yet.
UNDECIDED: Final = any_of(
    r"\b(?:say|tell|know|see|sure|find out)\b(?: you)?(?: yet)? (?:if|whether)\b",
    r"\b(?:check(?:ing)?|make sure|see|look(?:ing)?(?: up)?|until|unless|before|once)\b(?! on)(?: \w+){0,3}? "
    r"(?:if|whether|that|we|i|the firm)\b",
    r"\byet\b",
    r"\bif (?:we|the firm|it|there)\b",
)
REFUSED: Final = any_of(
    r"\b(?:can't|cannot|can not|unable|not able|won't|not allowed|not permitted|may not|don't have|isn't possible"
    r"|not possible|not something)\b",
    r"\b(?:nothing|no more|not much)\b[^.?!]{0,25}\b(?:i|we)(?:'m| am|'re| are)? (?:can|able)\b",
    r"\b(?:we|i|they|our office) (?:don't|do not|never|won't) (?:\w+ )?(?:discuss|give|share|release|disclose|talk|hand"
    r"|tell|open|start|take|act|pass|find|see)\b",
    r"\b(?:confidential|private|privileged|off limits)\b",
    r"\bonly (?:he|she|they|him|her|the (?:client|person|injured)|your brother|our clients?)\b",
    r"\b(?:would|will|has|have|'d|must|needs?)(?: have)?(?: to)? (?:call|ask|contact|come to) us\b",
    r"\b(?:himself|herself|themselves|own (?:way|ways|channels|access))\b",
    r"\b(?:have|has) to (?:say no|decline|refuse)\b|\b(?:answer (?:is|stays|remains)|it's|sorry[^.?!]{0,12}) (?:still )?no\b",
    r"\bagainst (?:our|the) (?:rules?|policy)\b",
)
CLEAR: Final = any_of(
    r"\b(?:nothing|no conflict|no conflicts|nothing (?:is )?in the way|no issue|no problem)\b[^.?!]{0,40}"
    r"(?:\b(?:way|found|showed|came|conflict|check|prevent|stop|against|interest)\b|$)",
    r"\b(?:no|not any|without|didn't find (?:a|any)|did not find (?:a|any)|don't (?:see|have) (?:a|any)"
    r"|isn't (?:a|any)) (?:\w+ )?conflicts?\b",
    r"\b(?:check|screening|conflict check)\b[^.?!]{0,30}\b(?:clear|cleared|clean|passed|fine|good|came back"
    r" clear)\b",
    r"\b(?:firm|we)(?:'re| is| are)? (?:\w+ )?(?:free|clear|able) to (?:hear|take|help|look|consider|go"
    r"|proceed|move|speak|represent)\b",
    r"\bwe can (?:take|consider|look at|go ahead|proceed|move forward)\b",
)
RECORDED: Final = any_of(
    r"\b(?:account|intake|statement|information|details|story|everything|it|that|this|summary"
    r"|matter|all)\b[^.?!]{0,20}"
    r"\b(?:is|has been|have been|was|'s|been|are|now|'s been|'ve been) (?:now |all |been |safely |just )*"
    r"(?:recorded|logged|on file|submitted|saved|entered|taken down|in our system|complete|completed"
    r"|received|in the system|opened|documented|filed|written down|down)\b",
    r"\b(?:i've|i have|we've|we have)(?: now| just| got| gone ahead and)* (?:recorded|logged|saved|submitted"
    r"|entered|taken (?:it |that |everything |all that )?down|completed|opened|documented|filed|created|put"
    r"|written (?:it|that|everything|all that) down)\b",
    r"\b(?:got|have) (?:it|that|everything) (?:all )?(?:recorded|down|written down|saved)\b",
    r"\bintake (?:is|number|has been|was) (?:\w+ )?(?:complete|done|recorded|finished|opened|created|[0-9])",
    r"\bthat's (?:all )?(?:recorded|logged|on file|in)\b",
)
_PACKET: Final = (
    r"\b(?:packet|packets|paperwork|papers|forms|documents|welcome kit|materials)\b(?! (?:to add|you'd|you would))"
)
_SENT: Final = (
    r"\b(?:has been|have been|been|was|were|is|are|'s|i've|i have|we've|just|now|it's|has|have|both) "
    r"(?:now |just |been |all |already )*(?:sent|emailed|e-mailed|texted|mailed|gone|on its way|on the way|going out"
    r"|out|coming|headed|dispatched)\b"
)
PACKET_SENT: Final = any_of(
    both(_PACKET, _SENT),
    r"\b(?:it|that|they)(?:'s| is| has| was| have| are|'ve)? (?:now |just |been |all |already )*(?:sent|emailed"
    r"|e-mailed|texted|mailed|gone|on its way|on the way|going out|headed)\b(?=[^.?!]*\b(?:e-?mail|text|mail|post"
    r"|inbox|phone|you)\b)",
    r"\bi(?:'ve| have)? (?:just )?(?:sent|emailed|e-mailed|texted|mailed) (?:it|that|them|you|the)\b",
    r"\b(?:packet|it|that) (?:goes|went) (?:out|in the mail|to)\b",
    r"\b(?:it|that)(?:'s| is| should be| will be)(?: there| now)? in your (?:inbox|e-?mail|messages)\b",
)
NOTED: Final = any_of(
    r"\b(?:i've|i have|we've|that's|that is|it's|has been|have been|been|is|was) (?:now |just |all |also "
    r"|been )*(?:noted|added|made a note|written (?:that |it )?down|put (?:that|it)|attached|included"
    r"|passed)\b",
    r"\b(?:made|added|put|attached) (?:a|the|that|this|your) note\b",
    r"\bnote (?:has been|is|was|added)\b",
)
RELEASE_SENT: Final = both(
    r"\b(?:release|authori[sz]ation|records? (?:request|form|release)|form|signature)\b",
    r"\b(?:sent|emailed|e-mailed|mailed|on its way|on the way|texted|coming|comes|requested|going out"
    r"|to (?:be signed|sign))\b",
)
MESSAGE_TAKEN: Final = any_of(
    r"\b(?:message|it|that)\b[^.?!]{0,20}\b(?:has been|is|was|'s|been)\b[^.?!]{0,12}\b(?:taken|sent|recorded"
    r"|passed|left|delivered|noted|logged|on its way|saved|with (?:him|her|them))\b",
    r"\bmessage\b[^.?!]{0,20}\b(?:has been|is|was|'s|been)\b[^.?!]{0,12}\b(?:in|with|there)\b",
    r"\b(?:i've|i have|we've) (?:\w+ )?(?:taken|sent|left|passed|recorded|written|noted|given|delivered"
    r"|relayed|got)\b[^.?!]{0,30}\b(?:message|that|it|down|along|on)\b",
    r"\b(?:call|calls|get back|return|returns|reach|back) (?:\w+ ){0,4}by\b",
    r"\b(?:expect|hear|callback|call back|calls? you(?: back)?|call|ring you)\b[^.?!]{0,40}\b(?:business day|tomorrow"
    r"|tuesday|august"
    r"|end of)\b",
    r"\bhas (?:your|the|that) message\b",
    r"\bwill (?:have|get|receive|see) (?:your|the|that) message\b",
)
BOOKED_IT: Final = any_of(
    BOOKED,
    r"\b(?:you're|you are|that's|it's) (?:all )?(?:booked|set|confirmed)\b",
    r"(?:^|[.!,;] )(?:and |all |now )*booked\b",
)
DIAL_911: Final = any_of(
    r"\b911\b",
    r"\b9[- ]?1[- ]?1\b",
    r"\bnine[- ]one[- ]one\b",
    r"\bhang up\b[^.?!]{0,20}\b(?:dial|call)\b",
    r"\b(?:called|call|calling|asked|sent) (?:\w+ )?for (?:help|an ambulance)\b",
)
STOPS_STORY: Final = any_of(
    r"\bbefore (?:you|we|i) (?:tell|say|go|get|share|hear|can|go on|continue|discuss)\b",
    r"\b(?:have|need|needs|has|got) to (?:first )?(?:check|stop you|make sure|run|screen)\b",
    r"\b(?:stop|pause|interrupt|hold on|hold off|wait|cut)\b[^.?!]{0,40}\b(?:you|there|moment|second|details"
    r"|story|off)\b",
    r"\bplease (?:don't|do not) (?:tell|share|go|give)\b",
    r"\b(?:keep|save|hold) (?:\w+ ){0,3}(?:details|story|rest) (?:for|back|until)\b",
)
STATUS_TOLD: Final = any_of(
    r"\b(?:stage|status|phase)\b[^.?!]{0,60}\b(?:is|are|it's|in|at)\b",
    r"\bnext (?:step|date|thing|event)\b",
    r"\b(?:your|the) (?:matter|case) is (?:in|at|currently|now|under|being|still|with)\b",
    r"\b(?:record collection|records are|settlement talks|under review|being collected)\b",
)
NOT_FOUND: Final = any_of(
    r"\b(?:no|not (?:find|see|have|show)|don't (?:see|find|have|show)|can't (?:find|see|locate)"
    r"|cannot (?:find"
    r"|see|locate)|couldn't (?:find|see|locate)|unable to (?:find|locate)|doesn't (?:show|have|list))\b"
    r"[^.?!]{0,40}\b(?:matter|matters|case|cases|record|records|file|anything)\b",
    r"\b(?:nothing|no such)\b[^.?!]{0,20}\b(?:comes? up|came up|shows?|here|found|listed|under|on file|matter|case"
    r"|for you|in your name)\b",
)

# --- what is offered ------------------------------------------------------------------------------------

_EVALUATION: Final = (
    r"\b(?:evaluations?|consultations?|consult|appointments?|meetings?|time with|sit down|slot with|times? to"
    r" (?:meet|see|talk)|(?:meet|see|speak|talk|meet with|visit)(?: with| to)? (?:a|an|one of (?:our|the))"
    r" (?:lawyers?|attorneys?)|in with (?:a|an|one of our) (?:lawyers?|attorneys?)"
    r"|(?:find|look for|pick|set up) (?:you )?a time)\b"
)
_OFFERING: Final = (
    r"\b(?:would you like|do you want|did you want|want|like|shall|should|may|can|could|interested|ready|care"
    r"|happy to|set up|set you up|schedule|book|arrange|next step|look (?:at|for)|find|would|work for|if you)\b"
)
OFFERS_EVALUATION: Final = both(_OFFERING, _EVALUATION)
OFFERS_PACKET: Final = both(
    any_of(_PACKET, r"\bnew client\b"),
    any_of(r"\b(?:would|do|shall|should|can|could|may|want|like|send|get)\b", ASKS),
)
OFFERS_NOTE: Final = ASKS_NOTE
OFFERS_RECORDS: Final = any_of(
    both(r"\brecords?\b", any_of(ASKS, _OFFERING)),
    both(r"\b(?:release|authori[sz]ation)(?: form)?\b", any_of(r"\bwould you like\b", r"\b(?:shall|should|can|may) (?:i|we)\b", r"\bdo you want\b")),
)
# Asks for what else there is; a "no ... any more" does not.
ANYTHING_MORE: Final = any_of(
    rf"^(?!.*\b(?:don't|won't|not|no need|needn't|have to)\b[^.?!]*\bany ?more\b)(?=.*(?:{ELSE}))",
    r"\bwhat more\b|\b(?:there|something|anything) (?:any )?more\b|\bmore (?:that )?(?:i|we) can\b|\bdo (?:any(?:thing)? )?more\b",
    r"\b(?:anything|something|something different|what)(?: is it that is| is)? (?:that )?(?:you )?(?:you )?(?:is )?still "
    r"(?:need\w*|want|open|missing|would like)\b",
    r"\b(?:anything|something) (?:you(?:'d| would)? (?:still )?(?:need|want|like)|on your mind|different)\b",
    r"\b(?:is that it|will that do|are we (?:all )?(?:set|done|good)|are you (?:all )?set)\b",
)
OFFERS_SLOTS: Final = OFFERS_TIMES
READS_SLOT: Final = both(
    DAY,
    any_of(GO_AHEAD, ASKS_IF_RIGHT, r"\bterms\b", r"\b(?:book|confirm|reserve)\b"),
)
