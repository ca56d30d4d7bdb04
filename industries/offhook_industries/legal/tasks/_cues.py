"""Patterns for what a law firm's agent asks; the general ones are in ``common.cues``, what it says and
offers in ``_told``.
"""

from __future__ import annotations

from typing import Final

from offhook_industries.common import cues as common
from offhook_industries.common.cues import (
    ASKS_INCIDENT_DATE,
    ASKS_NAME,
    ASKS_PHONE,
    any_of,
    both,
)

__all__ = [
    "ASKING",
    "ASKS",
    "ASKS_ADVERSE",
    "ASKS_DATE",
    "ASKS_MATTER",
    "ASKS_OTHER_SIDE",
    "ASKS_REPRESENTED",
    "ASKS_SELF",
    "ASKS_STATE",
    "ASKS_STORY",
    "ASKS_WHO",
    "CHECKS",
    "CHECKS_AGAIN",
    "HELPED",
    "OTHERS_NAMES",
    "SEVERAL",
    "TELL",
]

# --- what is asked --------------------------------------------------------------------------------------

# A question by its word order, where no mark tells.
_INVERTED: Final = (
    r"(?<!t )(?<!which )(?<!there )(?<!\bi )(?<!we )\b(?:is|are|was|were|do|does|did|has|have) "
    r"(?:you|anyone|anybody|someone|somebody|there|they|he|she|any|another)\b(?!')"
)
# The ways of any agent, and those that are no question: "I'll take your name", "and your name is".
ASKS: Final = any_of(
    common.ASKS,
    _INVERTED,
    r"\bplease leave (?:me )?(?:your|the)\b",
    r"\b(?:your|a) (?:name|number)\b[^.?!]{0,25}\bwill do\b",
    r"\bwitch\b|\bwear (?:can|did|was|were|do|does|is)\b",
    r"\bif you (?:could |can |would |will )?(?:give|tell|read|share)\b|^(?:first things first|first off)\b",
    r"\b(?:i'll|i will|we'll|let's|let us) (?:just |also |only |now |first )*(?:take|have|hear|grab) "
    r"(?:your|the|that|a)\b",
    r"\b(?:names?|numbers?|date|day|state|digits|company),? please\b",
    r"(?:^|[,.?!] )(?:(?:and|so|okay|ok|now|then|great|thanks|alright|right|good)[ ,]+)*"
    r"(?:your|the|that|his|her|their|this|it) [^.?!,]*\b(?:is|was|are|were|would be|be|called|named)\W*$",
    r"\b(?:run|take|walk|talk) me through\b|\bhelp me (?:understand|see)\b|\bread (?:it|that|them) (?:to me"
    r"|out|off)\b",
    r"\b(?:just|please|then|now) (?:tell|say|give|read|spell)\b|^(?:now |and |then )*just your\b",
    r"^(?:(?:and|so|okay|ok|now|then|well|great)[ ,]+)*(?:any|anybody|anyone|somebody|got|you got"
    r"|you mind)\b",
)
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
    r"(?<!who )\bhave i (?:got|understood|heard)\b",
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
    r"|practice|hospital|outfit|people|folks|shop|agency|insurers|grocery|defendant)"
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
    r"\bwho (?:had |has )?(?:promised|offered|refused|denied|sold|withdrew|signed|agreed)\b",
    rf"\b(?:{_ROLE}|{_THING})\b[^.?!]{{0,40}}\b(?:called|named|known as)\W*(?:what|who)?(?: again)?\W*$",
    rf"\bwhat(?: name|'s the name)?\b[^.?!]{{0,15}}\b{_ROLE}\b[^.?!]{{0,15}}\b(?:go(?:es)? by|called"
    rf"|named)\b",
    rf"\b{_ROLE}\b[^.?!]{{0,12}}\bgo(?:es)? by (?:what|which)\b",
    r"\b(?:is|was) there (?:one|a|an|any|some) (?:\w+ ){0,2}(?:creditor|lender|bank|company|business"
    r"|defendant"
    r"|party)\b",
    rf"\b(?:need|give me|tell me|may i have|let me have|let's have|take|know) (?:just |only )?(?:the|that"
    rf"|your) "
    rf"(?:\w+ )?(?!person\b){_ROLE}(?:,? please\W*$|\W*$| (?:on the other|behind|you|that|who|whose|this|it"
    rf"|involved|at fault"
    rf"|responsible)\b)",
    r"\b(?:belongs?|belonged) to\W*(?:who|whom|which company)?\W*$|\bwho signs your (?:pay)?checks?\b"
    r"|\bwho (?:pays|paid) you\b",
    r"\bwho(?:'s| is| was)\b[^.?!]{0,25}\b(?:policy|coverage|plan|loan|warranty) (?:with|through|from)\b",
    rf"\bwho(?:'d| would)(?: it)? be (?:the |your )?(?:\w+ )?{_ROLE}\b|^and (?:the|your) {_ROLE} (?:that"
    rf"|who)\b",
    r"\bthe (?!witness|lawyer|attorney|client|caller|patient|state)\w+'s (?:full |legal )?name\b(?! (?:is"
    r"|was)\b)",
    r"\b(?:suing|sue|going after|up against|taking to court|take to court) (?:who|whom|what)\b",
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
# A question even where neither mark nor order tells.
HELPED: Final = (
    rf"\b(?:is|has|does) (?:a|an|any|another|some) {_LAWYER} (?:\w+ ){{0,3}}(?:helping|help|representing"
    rf"|represent"
    rf"|working|acting|handling|involved|on it|on this)\b"
)
ASKS_REPRESENTED: Final = any_of(
    r"\bdid you (?:\w+ )?(?:hire|retain) (?:him|her|them|anyone|anybody)\b",
    r"\b(?:another|a different|some other) (?:law )?firm\b[^.?!]{0,25}\b(?:handling|working|helping|on it"
    r"|acting)\b",
    r"\b(?:nobody|no one|any(?:one|body)|some(?:one|body))(?:'s| has)? (?:taken|picked) (?:this|it"
    r"|that) (?:on|up)\b",
    r"\bis (?:he|she) (?:\w+ )?(?:acting|working|representing|fighting)\b",
    rf"\b{_LAWYER}\b[^.?!]{{0,12}}\b(?:take you on|hired by you|helping)\b",
    rf"\b{_LAWYER}, is there (?:one|any)\b",
    r"\b(?:any(?:one|body)|some(?:one|body)|nobody) (?:else )?(?:\w+ ){0,2}(?:retained|hired|acting|act"
    r"|fighting"
    r" (?:this|it)) ?(?:for you|on your behalf|for this|on this|\W*$)",
    rf"\bno {_LAWYER} (?:is|has|are|have|on|yet|involved|hired|so far)\b",
    HELPED,
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
    r"(?:case|matter|claim|accident|crash|wreck|injury|malpractice|dispute|dismissal|bankruptcy|issue|fall"
    r"|law)"
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
    r"\b(?:kind|type|sort) of (?:policy|coverage|insurance|visa|loan|debt)\b",
    rf"\b(?:is|was) (?:it|this|that) (?:the|your) (?:\w+ )?{_MATTER}\b|\b(?:would|could) (?:this|that"
    rf"|it) be about\b",
    rf"\bwe're talking (?:about )?(?:a |an )?(?:{_CALLED}|workers)\b",
    rf"\b{_CALLED} (?:accident|case|matter|claim|issue|dispute)\W+(?:correct|right|is it|then|yes)\b",
    r"\bwhat (?:does|would|is) (?:it|this|that|your|the) (?:\w+ ){0,2}(?:involve|concern|about|regarding)\b",
    rf"\b(?:is|was) (?:it|this|that) (?:a|an|about|related to|for)[^.?!]{{0,20}}\b(?:{_CALLED}|{_MATTER})\b"
    r"(?![^.?!]*\b(?:new|existing|client)\b)",
    rf"\b(?:it|this|that)(?:'s|'d be| is| was| would be| would be about)? (?:be )?(?:about |for )?(?:a|an) "
    rf"(?:[\w']+ ){{0,4}}{_MATTER}\b[^.?!]{{0,25}}\?",
    rf"\b(?:is|would) (?:this|that|it) (?:be )?(?:a |an )?(?:[\w']+ ){{0,4}}{_MATTER}\b(?=\W*$|, (?:then"
    rf"|right|or)\b)",
    r"\b(?:it|this|that) (?:concerns|is about|involves)\b[^?!]{0,60}\?",
    rf"\ban? {_CALLED} (?:accident|case|matter|claim|issue|dispute)\W*\?",
    rf"\bwould you (?:call|describe|say)\b[^.?!]{{0,30}}\b{_MATTER}\b",
    r"\b(?:case|matter|claim) (?:was|is) (?:about|over) what\b",
    rf"\b(?:more of|rather) an? {_CALLED} \w+\b|\bput (?:it|this|that) (?:down )?(?:as"
    rf"|under) an? {_CALLED}\b",
    r"\bwhat legal (?:matter|issue|problem|question)\b",
    r"\bwhat are we (?:looking at|dealing with|talking about)\b|\bwhat(?:'s| is) the trouble\b",
    r"\b(?:falls?|comes?|goes|go) under\b[^.?!]{0,30}\blaw\b",
    r"\bwhat (?:would|should) i (?:put|file|list) (?:it|this|that) (?:down )?(?:as|under)\b",
    r"\bbriefly\b[^.?!]{0,40}\b(?:matter|case|about|kind|type|calling)\b",
)
ASKS_STATE: Final = any_of(
    r"\b(?:which|witch|what|in what|in which|another|a different|some other) (?:u\.?s\.? |other )?state\b"
    r"(?! of)",
    r"\bwhere ?(?:abouts)?(?:'d| did| was| were| is|'s) (?:\w+ ){1,4}(?:based|happen|located|at the time)\b",
    r"\bstate (?:did|was|were|are|is|do|it|this|that|where|in which|the)\b(?=.*\b(?:happen|occur|took|take"
    r"|place|accident|incident|in|injur\w*|work\w*))",
    r"\b(?:and|in) (?:the|what) state\W*$|\b(?:tell|give|need|know|have)\b[^.?!]{0,12}\bthe state\b(?! bar)",
    r"\bwhere ?(?:abouts)? (?:did|was|were|has|exactly did)\b(?![^.?!]*\b(?:treat\w*"
    r"|records?)\b)[^.?!]{0,40}\b(?:happen"
    r"|occur|take place|accident|incident|injur\w*|hurt|located|fall|it|this|that|crash|work|buy|bought"
    r"|operation"
    r"|surgery|loss)\b",
    r"\bwhere you were (?:when|at the time|hit|hurt|driving)\b",
    r"\bwhere(?:abouts)? (?:it|this|that|the accident|the incident) (?:happened|occurred|took place)\b",
    r"\b(?:or|happened) somewhere else\b",
    r"\b(?:location|place|city|county|state) (?:of the|where (?:it|this|that|the|you)|it|this|that)\b",
)
ASKS_DATE: Final = any_of(
    ASKS_INCIDENT_DATE,
    r"\bwhen (?:it|this|that|the \w+) (?:happened|occurred|took place)\b",
    r"\bon (?:what|which) (?:day|date)\b|\byour last day\b",
    r"\b(?:it|that|this) (?:was|happened|took place)(?: on)? (?:when|what (?:day|date))\b",
    r"\b(?:the|exact|approximate|what|which) (?:date|day)\b(?! (?:is|would|works|suits|after|before))",
    r"^(?:okay |ok |good |thanks |thank you |and |so |then |now )*when\W*$",
    r"\bwhen\b(?! (?:would|will|can|could|do|does)\b)[^.?!]{0,20}\b(?:was|did|were) (?:that|it|this|you)\b",
    r"\bwhen'd\b|\b(?:was|were|is|happened|took place|occurred|happen|fell|hit|hurt"
    r"|fired)\b[^.?!]{0,20}\bwhen"
    r"(?: exactly| roughly| about| was it)?\W*$",
    r"\b(?:need|include|including|with|tell me) the (?:year|month)\b",
)
ASKS_STORY: Final = any_of(
    r"\bwhat (?:made|caused)\b[^.?!]{0,20}\b(?:fall|slip|accident|crash|it|fell)\b|\bwhat was behind (?:it"
    r"|that|this)\b",
    r"\bhow (?:exactly |actually )?(?:were|did) you (?:get |come to get )?(?:let go|hurt|injured|fired"
    r"|fall)\b|\bwhat was said\b",
    r"\bwhy you (?:were|got|fell|lost)\b",
    r"\bsay it the way\b|\bgo ahead with (?:it|your story|the story)\b",
    r"\bwhat (?:exactly |actually |all )?(?:went|was going|took) (?:on|down|place)\b",
    r"\bhow (?:it|this|that|things|everything)(?: all)? (?:went down|came (?:about|to)|happened|played out"
    r"|went"
    r"|unfolded)\b",
    r"\bhow(?:'d| did| does)? (?:it|this|that|things|everything)(?: all)? (?:go|play out|unfold|come to"
    r"|start)\b",
    r"\bhow'd (?:you|the|it|this|that|he|she|they)\b|\bhow you (?:got|were|came|fell)\b",
    r"\b(?:take|run|walk|talk) me through\b|\btell it\b|\bstart to finish\b|\bown way\b",
    r"\bwhy (?:do you think |did |would )?(?:they|he|she|your (?:boss|employer))\b[^.?!]{0,20}\b(?:fire"
    r"|fired|let"
    r" you go|dismiss\w*|deny|denied)\b",
    r"\bwhat'd (?:they|he|she|the)\b|\bwhat reasons? (?:did|do)\b",
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
    r"\bready (?:for|to hear|to take|to write|to listen|when)\b",
    r"\bgo ahead\b|\bset to (?:record|take|write)\b|\bsay it\b",
    r"\blet's hear\b|\btell it\b|\bsay (?:it )?in your\b|\blike you to (?:tell|say|describe)\b",
    r"(?<!you )(?<!to )\b(?:tell me|walk me through|describe|explain|give me|go ahead and|i'm listening"
    r"|i am listening"
    r"|whenever"
    r" you're ready|when you're ready|i can listen|let me hear|let's hear)\b",
)
ASKS_SELF: Final = any_of(
    ASKS_NAME,
    r"\b(?:and )?(?:who are you|you are who(?: exactly)?|you are|you would be|who's this"
    r"|who is this)(?:,? please)?\W*$",
    r"\bwho i(?:'ve| have)(?: got)?\b|\bwho(?:'ve| have) i\b|\bcoming from who\b|\bwho (?:shall"
    r"|should) i say\b",
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
    r"\byour (?:\w+ )?(?:and )?digits\b",
    r"\bnumber\b[^.?!]{0,25}\b(?:ring|call|reach|text|phone|find|get) (?:you|hold of you|a hold of you)\b",
    r"\bnumber you'd like\b|\bnumber's best\b|\b(?:what|which) number\W*$|\bname,? and (?:a "
    r"|your )?(?:phone|wear|where)\b",
)
# Names and numbers that are not the caller's own.
OTHERS_NAMES: Final = (
    r"\bthe \w+(?:'s|s') (?:full |legal )?name\b|\bnames? for (?:the|that|your|this|his|her)\b"
    r"|\bnames? of (?:the|that|your|this|his|her|whoever)\b(?!"
    r" (?:caller|person (?:i'm|i am|calling)))"
    r"|\bnames? (?:was |is )?(?:on|painted on) (?:the|its|that) (?!phone|account|record|file|line)"
    r"|\b(?:company|business|employer|store|driver|party|person|hospital|witness|brother|insurer|dealer"
    r"|landlord)"
    r"(?:'s)? (?:full |first |last )?names?\b"
    r"|\b(?:his|her|their) (?:full |first |last )?names?\b"
    r"|\b(?:matter|case|file|claim|policy|reference) number\b|\bnumber (?:is|does) the (?:matter|case)\b"
    r"|\bnames? (?:came|comes|is clear|is fine|checked|checks|turned|isn't|doesn't)\b"
)

# The other side's name, where the caller's own is not asked for as well.
ASKS_OTHER_SIDE: Final = both(ASKS_ADVERSE, r"^(?!.*\b(?:your|first|last) (?:\w+ )?(?:name|number))")
CHECKS_AGAIN: Final = (
    r"\blet me (?:\w+ )?(?:run|redo|repeat|do)\b[^.?!]{0,60}\bchecks?\b[^.?!]{0,12}\b(?:again|once more"
    r"|one more time)\b"
    r"|\b(?:need|have|want|like) to check for conflicts\b|"
    r"\b(?:need|needs|have|like|want|going|gonna|must|'ll)\b[^.?!]{0,40}\b(?:run|redo|do|repeat"
    r"|start)\b[^.?!]{0,30}"
    r"\b(?:conflicts?|checks?|screening)\b|\b(?:to|must|'ll) (?:re-?)?screen\b|"
    r"\b(?:need|needs|have|like|want|going|must)(?: to)?(?: \w+){0,4} (?:conflict check|conflict of"
    r" interest|checks again"
    r"|(?:screening|check) (?:again|first))\b"
)

# A turn that asks for any of the caller's facts.
ASKING: Final = both(
    ASKS,
    any_of(ASKS_NAME, ASKS_PHONE, ASKS_ADVERSE, ASKS_STATE, r"\bwhat happened\b", ASKS_MATTER),
)
