"""Patterns for what a law firm's agent asks; the general ones are in ``common.cues``, what it says and
offers in ``_told``.
"""

from __future__ import annotations

from typing import Final

from offhook_industries.common.cues import (
    ASKS,
    ASKS_INCIDENT_DATE,
    ASKS_NAME,
    ASKS_PHONE,
    any_of,
    both,
)

__all__ = [
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
    "ASKS_SELF",
    "ASKS_STATE",
    "ASKS_STORY",
    "ASKS_WHO",
    "CHECKS",
    "GO_ON",
    "SEVERAL",
    "TELL",
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
    r"\b(?:is|was) (?:that|this|it) (?:still )?(?:your|the|her|his|their) (?:right |correct |full |own "
    r"|best )*"
    r"(?:name|number|hospital|practice|company|person|spelling)\b",
    r"\bis (?:that|this|it) (?:what|how|who) (?:you|it)\b",
    r"\bhave i (?:got|understood|heard)\b",
    r"\bdid you say\b",
)
_ROLE: Final = (
    r"(?:employer|company|business|firm you work\w*|dealer(?:ship)?|seller|store|shop|market|supermarket"
    r"|theat(?:er|re)"
    r"|cinema|clinic|medical group|surgical center|center|surgeon|doctor|physician|landlord|(?:apartment"
    r" )?complex"
    r"|building|property|management company|manager|insurer|insurance(?: company| carrier)?|carrier|warranty"
    r"|warranty company|trucking company|hauler|courier|delivery (?:company|service)|driver|person|party"
    r"|side|woman"
    r"|man|lady|guy|owner|bank|creditor|lender|boss|defendant|entity|manufacturer|contractor|facility"
    r"|practice|hospital)"
)
_NO_ROLE: Final = r"(?:state|kind|type|sort|court|did|do|does|is|happened|went|about|time|day|date|made)\b"
_THING: Final = (
    r"(?:truck|van|car|vehicle|policy|warranty|store|building|property|place|theat(?:er|re)|complex"
    r"|apartments?"
    r"|practice|clinic|market|dealership|plan|stairwell|premises|loan|debt)"
)
_DEED: Final = (
    r"(?:hit|hurt|caused|injured|ran into|struck|own(?:s|ed)?|run(?:s)?|ran|operate[sd]?|manage[sd]?"
    r"|employ(?:s|ed)?|fired"
    r"|let you go|dismissed|sold|sell|issue[sd]?|sponsor(?:s|ed)?|treated|did|perform(?:s|ed)?|den(?:y|ied"
    r"|ies)|turned"
    r"|insure[sd]?|rent(?:s|ed)?|hire[sd]?|wrote|made|backed out|cheated|was driving|drove|is behind|was"
    r" behind"
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
    rf"\bname (?:was |is |printed |written )?(?:on|painted on) (?:the |its |that )?(?:side of )?(?:the"
    rf" )?{_THING}\b",
    rf"\b(?:what|how)(?:'s| is| was| are| do you call)? (?:the |your |that |this )(?:\w+ ){{0,3}}{_ROLE}"
    r"(?: was| is)?(?: called| named|'s called)?\b(?=[^.?!]*\b(?:called|named|name|again)\b|\W*$)",
    rf"\b(?:which|what) (?!{_NO_ROLE})(?:(?!{_NO_ROLE})\w+ ){{0,3}}{_ROLE}\b(?![^.?!]{{0,40}}\b(?:records?"
    rf"|treat\w*"
    r"|located|in mind)\b)",
    r"\b(?:which|what) (?:person|insurance company|insurer|company|business|employer|store|facility|dealer"
    r"|surgeon|hotel|entity)\b(?![^.?!]{0,40}\brecords\b)",
    rf"\b(?:who|what company)(?:'s|'d| is| was| were| are)? (?:it |that |this )?(?:that )?(?:would"
    rf" )?{_DEED}\b"
    r"(?![^.?!]{0,40}\brecords\b)",
    r"\bwho (?:had |has )?(?:promised|offered|refused|denied|sold|withdrew|signed)\b",
    rf"\bwho(?:'s| is| was| are| were)? (?:the |your |that |this |these )(?:\w+ ){{0,4}}{_ROLE}\b",
    r"\bwho (?:is|was|'s)? ?(?:in|behind) the (?:other|car|truck|van)\b",
    rf"\bwhose (?:\w+ ){{0,2}}{_THING}\b",
    r"\bwho (?:did|do|were|are|was|would|had) you\b[^.?!]{0,30}\b(?:work\w*|bought|buy|rent\w*|owe|employed"
    r"|insured"
    r"|sue|claim|blame|hold|lease|sign\w* with|deal\w*)\b",
    r"\b(?:who|whom|which company)\b[^.?!]{0,30}\b(?:belong|belongs|belonged)\b",
    rf"\b(?:{_ROLE}|{_THING})\b[^.?!]{{0,25}}, (?:who|what|which)(?:'s| is| was) (?:that|it|called|the"
    rf" name)\b",
    r"\bplace (?:is |was )?called\b|\bname of (?:the|that) place\b",
    r"\bwhat (?:\w+ )?company\b[^.?!]{0,30}\b(?:belong|work|own|from|was|is)\w*\b",
    r"^(?:(?:okay|ok|alright|right|good|thanks|thank you|great|and|so|then|now|but|sorry)[ ,.]*)*(?:the"
    r"|your) "
    rf"(?:\w+ ){{0,2}}{_ROLE}(?: was| is| would be)?(?: called| named)?(?:,? please)?\W*$",
    r"\bwho(?:'s| is| was) (?:this|that|it|the claim|the case|the matter)\b[^.?!]{0,30}\b(?:with|about"
    r"|against|regarding)\b",
    r"\bwho (?:would|will|should|do|does|did) (?:this|that|it|the|your|you|we)\b[^.?!]{0,40}\b(?:against"
    r"|be|claim|case|with|blame|involve)\b(?! for\b)",
    r"\bwho else (?:is|was) involved\b|\bwho (?:were|was) you\b[^.?!]{0,30}\b(?:accident|crash|fight"
    r"|dispute)\b",
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
    r"\bwith (?:another|a different|any other) (?:law )?(?:firm|office)\b",
    r"\brepresent(?:s|ing)? you\b|\blegal (?:representation|help|advice from)\b",
    r"\b(?:any(?:one|body)|some(?:one|body)|nobody) (?:\w+ )?represent\w*\b",
    rf"\b(?:do|did|have|has|is|are|were|was) (?:you|anybody|anyone|someone|somebody|there|a|an|any|another)\b"
    rf"(?![^.?!]*\b(?:want|like|know|mind|prefer|meet|see|talk to|speak with|one of our|our|leave"
    rf"|handl\w+)\b)"
    rf"[^.?!]{{0,60}}\b{_LAWYER}\b",
    rf"\b(?:hire|hired|hiring|retain|retained|retaining|engage|engaged|signed up) (?:\w+ ){{0,3}}{_LAWYER}\b",
    r"\b(?:hired|retained|signed (?:anything |up )?with|working with|spoken (?:to|with)|talked to"
    r"|consulted(?: with)?|engaged) (?:\w+ ){0,3}(?:lawyer|attorney|firm|law office|counsel)\b",
)
_MATTER: Final = (
    r"(?:case|matter|claim|accident|crash|injury|malpractice|dispute|dismissal|bankruptcy|issue|fall)"
)
_CALLED: Final = (
    r"(?:car|auto|traffic|work|injury|employment|medical|slip|accident|consumer|malpractice|premises"
    r"|immigration"
    r"|bankruptcy|insurance|personal|wrongful)"
)
ASKS_MATTER: Final = any_of(
    r"\b(?:kind|type|sort|nature|area) of (?:\w+ ){0,2}(?:matter|case|claim|issue|legal|problem|law"
    r"|accident|injury|incident|situation|dispute)\b",
    r"\b(?:what|which) (?:kind|type|sort|area)(?: is| was| would)?(?: it| that| this)?(?: be)?\W*$",
    r"\bwhat(?:'s| is| are|'s this| was)? (?:\w+ ){0,3}(?:matter|case|claim|issue|this|call|it|dispute"
    r"|problem"
    r"|trouble) (?:mainly |all |really )?(?:about|regarding|concern\w*|involv\w*|related|over)\b",
    r"\bwhat (?:the|your|this|it) (?:(?:matter|case|claim) )?(?:is|was) (?:all )?about\b",
    r"\bwhat (?:does|would|is) (?:it|this|that|your) (?:\w+ ){0,2}(?:involve|concern|about|regarding)\b",
    rf"\b(?:is|was) (?:it|this|that) (?:a|an|about|related to|for)[^.?!]{{0,20}}\b(?:{_CALLED}|{_MATTER})\b"
    r"(?![^.?!]*\b(?:new|existing|client)\b)",
    rf"\b(?:it|this|that)(?:'s|'d be| is| was| would be| would be about)? (?:be )?(?:about |for )?(?:a|an) "
    rf"(?:[\w']+ ){{0,4}}{_MATTER}\b[^.?!]{{0,25}}\?",
    rf"\b(?:is|would) (?:this|that|it) (?:be )?(?:a |an )?(?:[\w']+ ){{0,4}}{_MATTER}\b(?=\W*$|, (?:then"
    rf"|right|or)\b)",
    r"\b(?:it|this|that) (?:concerns|is about|involves)\b[^?!]{0,60}\?",
    rf"\ban? {_CALLED} (?:accident|case|matter|claim|issue|dispute)\W*\?",
    rf"\bwould you (?:call|describe|say)\b[^.?!]{{0,30}}\b{_MATTER}\b",
    r"\bwhat legal (?:matter|issue|problem|question)\b",
    r"\bwhat (?:would|should) i (?:put|file|list) (?:it|this|that) (?:down )?(?:as|under)\b",
    r"\bbriefly\b[^.?!]{0,40}\b(?:matter|case|about|kind|type|calling)\b",
)
ASKS_STATE: Final = any_of(
    r"\b(?:which|what|in what|in which|another|a different|some other) (?:u\.?s\.? |other )?state\b(?! of)",
    r"\bstate (?:did|was|were|are|is|do|it|this|that|where|in which|the)\b(?=.*\b(?:happen|occur|took|take"
    r"|place|accident|incident|in|injur\w*|work\w*))",
    r"\b(?:and|in) (?:the|what) state\W*$|\b(?:tell|give|need|know|have)\b[^.?!]{0,12}\bthe state\b(?! bar)",
    r"\bwhere(?:abouts)? (?:did|was|were|has|exactly did)\b(?![^.?!]*\b(?:treat\w*"
    r"|records?)\b)[^.?!]{0,40}\b(?:happen"
    r"|occur|take place|accident|incident|injur\w*|hurt|located|fall|it|this|that|crash|work|buy|bought"
    r"|operation"
    r"|surgery|loss)\b",
    r"\bwhere(?:abouts)? (?:it|this|that|the accident|the incident) (?:happened|occurred|took place)\b",
    r"\b(?:location|place|city|county|state) (?:of the|where (?:it|this|that|the|you)|it|this|that)\b",
)
ASKS_DATE: Final = any_of(
    ASKS_INCIDENT_DATE,
    r"\bwhen (?:it|this|that|the \w+) (?:happened|occurred|took place)\b",
    r"\bon (?:what|which) (?:day|date)\b",
    r"\b(?:it|that|this) (?:was|happened|took place)(?: on)? (?:when|what (?:day|date))\b",
    r"\b(?:the|exact|approximate|what|which) (?:date|day)\b(?! (?:is|would|works|suits|after|before))",
    r"^(?:okay |ok |good |thanks |thank you |and |so |then |now )*when\W*$",
    r"\bwhen\b(?! (?:would|will|can|could|do|does)\b)[^.?!]{0,20}\b(?:was|did|were) (?:that|it|this|you)\b",
    r"\b(?:need|include|including|with|tell me) the (?:year|month)\b",
)
ASKS_STORY: Final = any_of(
    r"\bwhat (?:exactly |actually |really )?happened\b|\b(?:the|your|whole) story\b",
    r"\bhow did (?:they|he|she|the (?!accident|crash)\w+)\b",
    r"\b(?:own|your) words\b",
    r"\b(?:tell|give|walk|share) (?:me|us|it) (?:\w+ ){0,4}(?:about (?:what|the|your|it|how)|how|more"
    r"|through|account|details|the (?:whole )?(?:story|thing)|your story|your account|summary|description"
    r"|what)\b",
    r"\b(?:describe|explain|summari[sz]e)\b(?![^.?!]{0,30}\b(?:matter type|kind|matter|case)\b)",
    r"\bhow (?:did|were|was|had) (?:it|this|that|you|the|he|she)\b[^.?!]{0,30}\b(?:happen|occur|hurt"
    r"|injured|accident"
    r"|come about|came about|fall|fell|come to|get)\b",
    r"\bwhat (?:exactly |actually )?(?:went|has gone|was) wrong\b",
    r"\bwhat (?:exactly |actually )?did (?:they|he|she|the \w+) do\b",
    r"\bwhat led (?:up )?to\b|\bwhat (?:was|is|were) the (?:mistake|mistakes|error|problem)\b",
    r"\b(?:brief|short|quick) (?:account|summary|description|overview)\b",
    r"\b(?:your|written|own) (?:story|account|statement|side|version)(?: of (?:what|the|how|events|it))?\b",
    r"\bfrom the (?:start|beginning)\b",
)
# Ways to ask for an account that is no question.
TELL: Final = any_of(
    ASKS,
    r"\bready (?:for|to hear|when)\b",
    r"\b(?:tell me|walk me through|describe|explain|give me|go ahead and|i'm listening|i am listening"
    r"|whenever"
    r" you're ready|when you're ready|i can listen|let me hear|let's hear)\b",
)
ASKS_SELF: Final = any_of(
    ASKS_NAME,
    r"\b(?:and )?(?:who are you|you are|you would be|who's this|who is this)(?:,? please)?\W*$",
    r"\bwho (?:do|have) i (?:have|got)\b",
    r"\b(?:what|which) name\b",
    r"\bwhat(?:'s| is) the name\W*$",
    r"^name(?: and \w+)?(?: number)?\W*$",
)
ASKS_WHO: Final = any_of(
    ASKS_SELF,
    ASKS_PHONE,
    r"\bnumber (?:to|we|i|where|for|in case|it would|you're on|are you)\b",
    r"\breach you\b",
    r"\b(?:name|who)\b[^.?!]{0,25}\bnumber\b",
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
    r"\b(?:anything|something|details?|more|photos?|pictures?|documents?"
    r"|witness(?:es)?)\b[^.?!]{0,50}\b(?:note|noted"
    r"|add|added|write|file|mention|us to know|lawyer (?:should|to) know|attorney (?:should|to) know)\b",
    r"\b(?:a|any) notes? (?:added|to|in|on)\b|\b(?:note|add|write down) (?:\w+ )?(?:anything|something)\b"
    r"|\bnote of (?:anything|something)\b",
    r"\b(?:tell|give) me\b[^.?!]{0,30}\b(?:note|witness|name)\b",
    r"\b(?:any|were there|was there|did (?:anyone|anybody|somebody|someone))\b[^.?!]{0,20}\b(?:witness\w*"
    r"|see it|saw it|see (?:what|the)|photos?|pictures?)\b",
    r"\bwitness(?:'s|es)? (?:name|names)\b",
)
ASKS_PROVIDER: Final = any_of(
    r"\b(?:which|what(?! about)|who|where|whose|name of the)\b[^.?!]{0,60}\brecords?\b",
    r"\brecords?\b[^.?!]{0,40}\b(?:which|what|who|where|held|kept)\b",
    r"\b(?:which|what|name of the) (?:hospital|practice|provider|doctor|clinic)\b(?![^.?!]*\b(?:surgery"
    r"|operat\w*"
    r"|responsible|against|blame|sue|claim|performed)\b)",
    r"\bwhere (?:were you|did you get|are you being) treated\b",
    r"\bwho treated you\b",
)
ASKS_RECIPIENT: Final = any_of(
    r"\bwho (?!(?:is|'s) (?:calling|this|speaking|talking|on the line)\b|am i\b|i'm\b|i am\b|do i\b|have"
    r" i\b|would i be\b)(?:is|should"
    r"|would|do|did"
    r"|can|shall|was|else|'s)\b[^.?!]{0,40}\b(?:message|for|leave|reach|speak|talk|trying|go to|calling"
    r"|to)\b",
    r"\b(?<!with )(?<!by )whom\b(?! (?:am i|do i)\b)",
    r"\bwhich (?:of (?:our|the|my) )?(?:\w+ ){0,2}(?:attorney|lawyer|person|member|partner|colleague)s?\b",
    r"\bwho's (?:it|the message|that|this) for\b|\bwho (?:it|that|this|the message)(?:'s| is| was) for\b"
    r"|\bwho (?:was|is) it\W*$",
    r"\bwho(?:'s| is)(?: it)? (?:that )?(?:your|the) (?:attorney|lawyer)\b",
    r"\b(?:person|attorney|lawyer)\b[^.?!]{0,20}\b(?:leave (?:this|it|that|a message)|message) (?:for|to)\b",
    r"\b(?:attorney|lawyer),? who\b|\bto whom\b|\b(?:attorney|lawyer)'s name\b|\b(?:particular|certain"
    r"|specific) (?:attorney|lawyer|person)\b",
    r"\byour (?:attorney|lawyer) (?:is|would be|was)\W*$",
    r"\bname of (?:the |your )?(?:attorney|lawyer|person)\b",
    r"\bwho(?:'s| is| has)\b[^.?!]{0,12}\b(?:handling|working on|in charge of|doing|looking after)\b",
    r"\bwho\b[^.?!]{0,20}\b(?:should|shall|would|will|is to)\b[^.?!]{0,15}\b(?:receive|get|have|see|read) "
    r"(?:it|this|that|the message)\b",
)
_THEM: Final = r"(?:him|her|them|mr|ms|mrs|the (?:lawyer|attorney)|your (?:lawyer|attorney))"
ASKS_MESSAGE: Final = any_of(
    r"\bwhat(?:'s| is| should| would| shall| can| do|'d)?\b[^.?!]{0,40}\b(?:message|pass (?:on|along|it)|say"
    rf"|tell {_THEM}|let {_THEM} know|relay|leave|regarding|about)\b",
    r"\b(?:tell|give) me (?:what|the message|your message)\b|\bwhat (?:may|can|should|shall) i (?:write|put"
    r"|note|take) down\b",
    rf"\bwhat\b[^.?!]{{0,30}}\b{_THEM}(?: \w+)? to know\b|\bwhat\b[^.?!]{{0,20}}\b(?:should|shall|must)"
    rf" (?:he|she"
    r"|they) know\b",
    r"\b(?:your|the|leave (?:a|the|your)) message\b[^.?!]{0,30}(?:\?|$|\bplease\b|\bbe\b|\bsay\b)",
    r"\bmessage\b.*\bwhat is it\b",
    rf"\bwhat\b[^.?!]{{0,25}}\b(?:ask|tell|say to|let|give) {_THEM}\b",
    r"\bmessage (?:would|should|do|can|to)\b",
)
# Said to let the caller begin.
GO_ON: Final = any_of(
    r"(?<!to )(?<!i )(?<!i'll )(?<!will )(?<!can )(?<!shall i )(?<!should i )(?<!let me )\bgo (?:right"
    r" )?ahead"
    r"(?! and (?:tell me|say|give me) your)\b",
    r"\bready (?:for|to take|to write) (?:it|that|the message|your message|down)\b|\b(?:whenever|when)"
    r" you(?:'re"
    r"| are) ready\b|\bready when you are\b",
    r"\b(?:the|your) message,? (?:now,? )?please\b",
)
ASKS_MATTER_NUMBER: Final = any_of(
    r"\b(?:matter|case|file|reference|claim)(?:'s)? (?:number|no|id)\b",
    r"\bsix[- ]digit\b|\bhas (?:six|6) digits\b|\b(?:six|6) digit\b",
    r"\bnumber (?:of|for|on|under) (?:your|the|that) (?:matter|case|file|letter)\b",
    r"\bnumber (?:is|does) (?:the|your|that) (?:matter|case|file)\b",
    r"\b(?:which|what) (?:client or )?(?:matter|case)\b(?=[^.?!]*\b(?:number|is it|is this|calling|about)\b"
    r"|\W*$)",
)
ASKS_RELATION: Final = any_of(
    r"\b(?:relationship|related|relation|connection|connected) (?:to|with)\b",
    r"\b(?:power of attorney|guardian|authori[sz]\w*|legal(?:ly)? (?:able|authority))\b",
    r"\b(?:can|could|would|will|is) (?:he|she|they|your (?:brother|sister|relative)) (?:\w+ ){0,3}(?:come"
    r"|speak|talk"
    r"|able|call|available)\b",
    r"\b(?:are you|you're|you are) calling (?:for|on behalf|in|from)\b",
    r"\bon (?:whose|(?:\w+ )?(?:brother's )?)behalf\b",
    r"\bwho (?:you are|are you|you're) to (?:him|her|them|the)\b",
    r"\bhow (?:are you|do you) (?:related|connected|know|fit)\b",
    r"\bwhat (?:are you|is he|is she) to (?:him|her|you|them)\b",
    r"\bwhose (?:case|claim|matter)\b|\byou two\b|\bfor (?:yourself|someone else|somebody else)\b",
    r"\bwho (?:are you|is it you're|is it you are) (?:calling|speaking) for\b",
)

# A turn that asks for any of the caller's facts.
ASKING: Final = both(
    ASKS,
    any_of(ASKS_NAME, ASKS_PHONE, ASKS_ADVERSE, ASKS_STATE, r"\bwhat happened\b", ASKS_MATTER),
)
