"""Patterns for what a law firm's agent says, reports and offers."""

from __future__ import annotations

from typing import Final

from offhook_industries.common.cues import (
    BOOKED,
    ELSE,
    OFFERS_TIMES,
    any_of,
    both,
)
from offhook_industries.legal.tasks._cues import ASKS
from offhook_industries.legal.tasks._matters import ASKS_NOTE

__all__ = [
    "ANYTHING_MORE",
    "BOOKED_IT",
    "CLEAR",
    "DECLINED",
    "DIAL_911",
    "FREE_OF_CHARGE",
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
    "RECORDED",
    "REFUSED",
    "RELEASE_SENT",
    "STATUS_TOLD",
    "STOPS_STORY",
    "UNDECIDED",
]

# --- what is told ---------------------------------------------------------------------------------------

NOT_YET: Final = any_of(
    r"\b(?:will|would|to|can|could|must|should) (?:not |now |then |also )*be \w+(?:ed|t|d)\b",
    r"\b(?:if|once|when|as soon as|before|until|unless) (?:i|we|you|it|that|the|your)\b",
    r"\b(?:shall|should|may|can|could) (?:i|we)\b(?! (?:do|help|assist|be of)\b)",
    r"\b(?:want|like|need) (?:me|us) to\b",
    r"\b(?:not|hasn't|isn't|haven't|wasn't|never) (?:yet |been |be )*\w+(?:ed|t|n)\b",
    r"\b(?:ready|going|about) to\b",
)
_HUMAN: Final = (
    r"(?:(?:real |live |human )?persons?|human(?: being)?|people|someone|somebody|colleagues?|staff(?:"
    r" members?)?"
    r"|team members?|(?:members?|one|some) of (?:our|my|the) (?:\w+ )?(?:staff|team|people|colleagues|office)"
    r"|one of us|one of (?:our|the|my) \w+s"
    r"|(?:our|the) (?:team|office)|(?:referral|intake|front) desk|receptionist|operator|representative|agent"
    r"|specialist|supervisor|manager)"
)
HANDS_OVER: Final = any_of(
    r"\b(?:transfer(?:ring)?|connect(?:ing)?|forward(?:ing)?|patch(?:ing)?) (?:you|your call|this call"
    r"|the call|this|it)\b",
    r"^(?:okay |so |now |and |i'm |i am )*(?:transferring|connecting)\b",
    r"\b(?:(?<!are )you(?:'re|'ll| are| will| rather)?|to) (?:be )?(?:now |being )*(?:transferred"
    r"|connected|put"
    r" through|handed)\b"
    r"(?! with (?:this|the|that) (?:matter|case))",
    r"\bput(?:ting)? you (?:straight |right )?(?:through|in touch|on (?:to|with))\b",
    r"\b(?:hand|handing|pass|passing|turn|turning|send|sending|refer|referring) (?:you|your call|this|the"
    r" call|it)"
    rf"(?: over| on| along| off)* to\b[^.?!]{{0,25}}\b{_HUMAN}\b",
    r"\b(?:pass|passing|hand|handing) you (?:over|on|along)\b",
    rf"\b(?:get|getting|bring|bringing|take|taking|move|moving|switch\w*) you (?:straight |right |over "
    rf"|across"
    rf" |on )*(?:to|with)\b[^.?!]{{0,20}}\b{_HUMAN}\b",
    rf"\b(?:bring|bringing|call|calling|get|getting) in (?:an? |one of \w+ )?{_HUMAN}\b",
    rf"\bput(?:ting)? (?:an? )?{_HUMAN}\b[^.?!]{{0,25}}\bon\b",
    rf"\b{_HUMAN}\b(?! (?:who|that) (?:has|have|can't|cannot|can not)n?)[^.?!]{{0,40}}\b(?:(?:will )?join"
    r"|joins|joining|com(?:e|es"
    rf"|ing) (?:on|to the phone)|be (?:right )?with you)\b",
    rf"\bgiv(?:e|ing) you (?:over )?to\b[^.?!]{{0,20}}\b{_HUMAN}\b",
    rf"\b(?:get|getting|find|finding) you (?:an? |one of (?:our|my) )?(?:\w+ )?{_HUMAN}\b",
    rf"\b(?:get|getting|bring|bringing|find|have|having)(?: in)?(?: you)? (?:an? |another |one of (?:our"
    rf"|my) |in )*"
    rf"(?:\w+ )?{_HUMAN} (?:on|in|to|who|for|pick|take|help|deal|speak|talk|join|look)\b(?! call)",
    rf"\byou(?:'ll| will) (?:get|have|be (?:talking|speaking) (?:to|with)|speak (?:to|with)|talk to)"
    rf" [^.?!]{{0,20}}"
    rf"\b{_HUMAN}\b",
    rf"\b(?:speak|talk|speaking|talking|chat|rather talk)\b[^.?!]{{0,20}}\b(?:to"
    rf"|with)\b[^.?!]{{0,20}}\b{_HUMAN}\b",
    rf"\b{_HUMAN}\b(?! (?:who|that) (?:has|have|can't|cannot|can not)n?)[^.?!]{{0,40}}\b(?:take|takes"
    r"|taking|pick|picks|help"
    rf"|assist|handle"
    r"|deal|speak|talk|with you|from here|follow|follows|on the line|look into|take over)\b",
    r"\b(?:referral|intake|front) desk\b",
    r"\b(?:want|like|prefer|need)\b[^.?!]*\b(?:real |live |human |another )(?:person|human|representative"
    r"|agent)\b",
)
# A call back is no hand-over.
OFFERS_RING: Final = any_of(
    r"\ba call[- ]?back\b(?! number)",
    r"\bcall (?:you|them) back\b",
    r"\bcall-?backs?\b(?! number)",
    r"\bhave [^.?!]{0,30}\b(?:call|phone|ring) you\b",
    r"\bg(?:ive|ave|iving) you a (?:call|ring|buzz)\b",
    rf"\b(?:have|get|ask)\b[^.?!]{{0,25}}\b(?:{_HUMAN}|lawyer|attorney)\b[^.?!]{{0,30}}\b(?:call|phone|ring"
    rf"|contact"
    r"|reach out)\b",
    rf"\b{_HUMAN}\b[^.?!]{{0,20}}\b(?:call|phone|ring|contact)s? you\b",
)
_NEVER_TAKE: Final = (
    r"(?:can't|cannot|can not|don't|do not|doesn't|does not|unable to|not able to|won't be able to|isn't"
    r" able to"
    r"|aren't able to|is not able to|not in a position to|won't|will not|wouldn't be able to|not free to"
    r"|isn't free to"
    r"|aren't free to)"
)
_OURS: Final = r"(?:we|the firm|our firm|this firm|firm|our lawyers|our attorneys|our office|nobody|reed)"
DECLINED: Final = any_of(
    rf"\b{_NEVER_TAKE}\b(?![^.?!]*\b(?:opinion|advice|answer|tell you (?:if|whether)|go into"
    rf" it)\b)[^.?!]{{0,50}}"
    r"\b(?:take|handle|help|represent|accept|assist|practice|act for|go (?:any )?further|go on|continue"
    r"|proceed"
    r"|move forward|work on|cover|be your|be of (?:any )?help|go (?:up )?against|pursue|oppose"
    r"|get involved|step in|touch|bring|act"
    r"|do (?:that|this|it|them|those|bankrupt\w*|immigration"
    r"|\w+ (?:law|cases)))\b",
    r"\b(?:doesn't|does not|don't|do not|no longer) (?:handle|take|do|practice|cover|accept|offer|work in"
    r"|deal"
    r" with)\b",
    r"\b(?:isn't|aren't|not|n't|never|outside|beyond)\b[^.?!]{0,40}\b(?:licensed|admitted|handled?|covered"
    r"|something"
    r" (?:we|the firm|this firm|our)|a (?:matter|case|kind|type)|an area|areas?|one of (?:our|the)|free to"
    r"|things we"
    r"|what we do"
    r"|our (?:field|practice|work|areas|states)|we (?:take|do|handle|practice|cover|work))\b",
    r"\bnone of our \w+ (?:works?|does|do|covers?)\b",
    r"\b(?:nobody|no one|none of (?:us|our \w+)|no (?:lawyer|attorney)s?|(?:don't|do not) have (?:any )?"
    r"(?:lawyers?|attorneys?|anyone|anybody))\b[^.?!]{0,40}\b(?:licen[cs]ed|admitted|practice|practices"
    r"|take|takes"
    r"|handle|handles|there|in arizona)\b",
    rf"\b{_OURS}(?: here)? only (?:does|do|handles?|takes?|works?|represents?|practices?)\b",
    r"\b(?:have|has|need|going|must|had) (?:to )?(?:decline|turn (?:this|that|it|you|your \w+)? ?down|pass"
    r" on|say no)\b",
    r"\bconflicted\b|\b(?:have|has|had|must|need)(?: to)? turn (?:\w+ )?(?:away|down)\b|\bnot for us\b"
    r"|\bhands are tied\b|\b(?:isn't|aren't"
    r"|not) free\b",
    r"\b(?:isn't|aren't|not|n't)\b[^.?!]{0,20}\b(?:on|part of|among) (?:our|the) (?:list|areas|menu|books)\b",
    r"\bwe (?:have to|must) step (?:away|aside|back)\b|\bwe (?:already |also |do )?represent (?:her|him"
    r"|them|the other)\b",
    r"\bother firms? (?:do|does|handles?|takes?)\b",
    r"\bwon't be (?:taking|handling|representing|acting|accepting)\b",
    r"\b(?:nothing|not something|isn't one|not one|isn't something|isn't anything) (?:that )?(?:we|the firm"
    r"|our|halverson)\b"
    r"|\b(?:aren't|not) set up (?:for|to)\b",
    r"\b(?:stay|keep|steer|shy) (?:\w+ )?(?:out of|away from|clear of)\b|\banswer\b[^.?!]{0,25}\bno\b"
    r"|\bit's a no\b|\bnot"
    r" among\b"
    r"|\bonly (?:ever )?(?:take|handle|do|have)\b|\bleave (?:\w+ )?to (?:other|another"
    r"|someone)\b",
    r"\b(?:must|we) decline\b|\bdeclining\b|\brules? (?:us|that|it|this) out\b",
    r"\b(?:have|has|need) to (?:leave it there|leave it at that|stop (?:here|there)\b|stop\W*$|end (?:it"
    r"|this)"
    r" here)",
    r"\b(?:outside|beyond|falls outside)\b[^.?!]{0,15}\b(?:what|where|our) (?:we|the firm|our)\b",
    r"\b(?<!no )(?<!any )(?<!a )conflict\b[^.?!]{0,30}\b(?:found|exists|came)\b",
    r"\b(?:there(?:'s| is| may be| appears to be)|found|have|hit) a (?:potential |possible )?conflict\b",
)
# The firm does not know yet.
UNDECIDED: Final = any_of(
    r"\b(?:say|tell|know|see|sure|find out)\b(?: you)?(?: yet)? (?:if|whether)\b",
    r"\b(?:check(?:ing)?|make sure|see(?:ing)?|look(?:ing)?(?: up)?|until|unless|before"
    r"|once)\b(?! on)(?: \w+){0,3}? "
    r"(?:if|whether|that (?:we|i|the firm|our))\b",
    r"\b(?:until|unless|before|once) (?:i|we|the firm)\b",
    r"\byet\b",
    r"\bif (?:we|the firm|it|there)\b",
)
REFUSED: Final = any_of(
    r"\b(?:can't|cannot|can not|unable|not able|won't|not allowed|not permitted|may not|don't have|isn't"
    r" possible"
    r"|not possible|not something|not information|isn't something|isn't information|neither)\b",
    r"\b(?:nothing|no more|not much)\b[^.?!]{0,25}\b(?:i|we)(?:'m| am|'re| are)? (?:can|able)\b",
    r"\b(?:we|i|they|our office) (?:don't|do not|never|won't) (?:\w+ )?(?:discuss|give|share|release"
    r"|disclose|talk|hand"
    r"|tell|open|start|take|act|pass|find|see)\b",
    r"\b(?:confidential|private|privileged|off limits)\b",
    r"\bonly (?:he|she|they|him|her|the (?:client|person|injured)|your brother|our clients?)\b",
    r"\b(?:would|will|has|have|'d|must|needs?)(?: have)?(?: to)? (?:call|ask|contact|come to) us\b",
    r"\b(?:himself|herself|themselves|own (?:way|ways|channels|access))\b",
    r"\b(?:keep|keeps|kept) (?:\w+ ){1,4}to (?:ourselves|myself)\b",
    r"\bbetween us and\b",
    r"\b(?:have|has) to (?:say no|decline|refuse)\b|\b(?:answer (?:is|stays|remains)|it's"
    r"|sorry[^.?!]{0,12}) (?:still )?no\b",
    r"\bagainst (?:our|the) (?:rules?|policy)\b",
    r"\b(?:hear|have) (?:it |that |this )?from (?:him|her|your|the)\b|\bstays? (?:with|between|within"
    r"|private|in (?:the|our))\b",
    # Whatever else is denied, but for what is denied in passing.
    r"^(?!.*\b(?:worry|worries|problem|trouble|hurry|rush|hang up|heard?|catch|caught|yet|long|mind"
    r"|so (?:that )?(?:nobody|no one)|no (?:trouble|number))\b)"
    r"(?!.*\bthat's (?:okay|ok|all right|alright|fine)\b)"
    r".*\b(?:not|\w+n't|never|no|none|nobody|nothing|only|without|tied)\b",
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
    r"\ball clear\b|\b(?:firm|we) could (?:take|help)\b",
    r"\bwe can (?:take|consider|look at|go ahead|proceed|move forward)\b",
)
RECORDED: Final = any_of(
    r"\b(?:account|intake|statement|information|details|story|everything|it|that|this|summary"
    r"|matter|all)\b[^.?!]{0,20}"
    r"\b(?:is|has been|have been|was|'s|been|are|now|'s been|'ve been) (?:now |all |been |safely |just )*"
    r"(?:recorded|logged|on file|submitted|saved|entered|taken down|in our system|complete|completed"
    r"|received|in the system|opened|documented|filed|written down|down|typed in|stored|on record"
    r"|on the record)\b",
    r"\b(?:i've|i have|we've|we have)(?: now| just| got| gone ahead and)* (?:recorded|logged|saved|submitted"
    r"|entered|taken (?:it |that |everything |all that )?down|completed|opened|documented|filed|created"
    r"|put (?:it|that|everything|all)|typed|stored|written (?:it|that|everything|all that) down)\b",
    r"\b(?:got|have) (?:it|that|everything) (?:all )?(?:recorded|down|written down|saved)\b",
    r"\bintake (?:is|number|has been|was) (?:\w+ )?(?:complete|done|recorded|finished|opened|created|[0-9])",
    r"\b(?:account|intake|statement|story|everything) (?:all |now )?(?:recorded|logged|saved|on file"
    r"|stored)\b",
    r"\bthat's (?:all )?(?:recorded|logged|on file|in|typed in|saved|stored|on record)\b",
)
_PACKET: Final = (
    r"\b(?:packets?|paperwork|papers|forms|documents|welcome kit|materials)\b(?! (?:to add|you'd|you would))"
)
_SENT: Final = (
    r"\b(?:has been|have been|been|was|were|is|are|'s|i've|i have|we've|just|now|it's|has|have|both) "
    r"(?:now |just |been |all |already )*(?:sent|emailed|e-mailed|texted|mailed|gone|on its way|on the way"
    r"|going out"
    r"|out|coming|headed|dispatched)\b"
)
PACKET_SENT: Final = any_of(
    both(_PACKET, _SENT),
    r"\b(?:it|that|they)(?:'s| is| has| was| have| are|'ve)? (?:now |just |been |all |already )*(?:sent"
    r"|emailed"
    r"|e-mailed|texted|mailed|gone|on its way|on the way|going out|headed)\b(?=[^.?!]*\b(?:e-?mail|text"
    r"|mail|post"
    r"|inbox|phone|you)\b)",
    r"\bi(?:'ve| have)? (?:just )?(?:sent|emailed|e-mailed|texted|mailed) (?:it|that|them|you|the)\b",
    r"\b(?:packet|it|that) (?:just |now )?(?:goes|went) (?:out|in the mail|to)\b",
    r"\b(?:packet|papers|paperwork|forms|it)(?:'s| is| are) in the (?:mail|post)\b",
    r"\b(?:it|that)(?:'s| is| should be| will be)(?: there| now)? in your (?:inbox|e-?mail|messages)\b",
)
NOTED: Final = any_of(
    r"\b(?:i've|i have|we've|that's|that is|it's|has been|have been|been|is|was) (?:now |just |all |also "
    r"|been )*(?:noted|added|made a note|written (?:that |it )?down|put (?:that|it|this|her|him|them)"
    r"|attached|included"
    r"|passed)\b",
    r"\bi (?:also |just |now )*(?:noted|added|wrote)\b",
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
    r"\bhear(?: back)? from (?:him|her|them|m[rs]+\.? \w+|your (?:lawyer|attorney))\b[^.?!]{0,12}\bby\b",
    r"\b(?:he|she|they)(?:'ll| will) (?:have|get|see) (?:it|this|that) (?:within|by|today|shortly|right"
    r"|before|in)\b",
    r"\bmessage (?:has |have )?(?:gone|went) (?:out|over|off|through|to)\b",
    r"\b(?:expect|hear|callback|call back|calls? you(?: back)?|call|ring you)\b[^.?!]{0,40}\b(?:business"
    r" day|tomorrow"
    r"|tuesday|august"
    r"|end of)\b",
    r"\bhas (?:your|the|that) message\b",
    r"\bwill (?:have|get|receive|see) (?:your|the|that) message\b",
)
BOOKED_IT: Final = any_of(
    BOOKED,
    r"\b(?:you're|you are|that's|it's) (?:all )?(?:booked|set|confirmed)\b",
    r"(?:^|[.!,;] )(?:and |all |now )*booked\b|\byou're (?:all )?down for\b",
)
DIAL_911: Final = any_of(
    r"\b911\b",
    r"\b9[- ]?1[- ]?1\b",
    r"\bnine[- ]one[- ]one\b",
    r"\bhang up\b[^.?!]{0,20}\b(?:dial|call)\b",
    r"\b(?:called|call|calling|asked|sent) (?:\w+ )?for (?:help|an ambulance)\b",
)
STOPS_STORY: Final = any_of(
    r"\bhang on to (?:\w+ ){0,2}(?:details|story|that)\b",
    r"\bhold that thought\b|\b(?:break|cut|jump|step) in\b|\binterject\b",
    r"\b(?:can't|cannot|shouldn't|mustn't|not allowed to) (?:hear|take|listen"
    r"|know)\b[^.?!]{0,40}\b(?:until|before"
    r"|yet|till)\b",
    r"\bchecks? (?:that )?(?:to|i must|i have to) (?:run|make|do)\b",
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
    r"\b(?:comes?|came|coming|turn(?:s|ed)?|drew|draw(?:s|ing)?)(?: up| back)? (?:empty|blank|short|nothing"
    r"|with nothing|a blank)\b",
    r"\b(?:no|not (?:find|see|have|show)|don't (?:see|find|have|show)|can't (?:find|see|locate)"
    r"|cannot (?:find"
    r"|see|locate)|couldn't (?:find|see|locate)|unable to (?:find|locate)|doesn't (?:show|have|list))\b"
    r"[^.?!]{0,40}\b(?:matter|matters|case|cases|record|records|file|anything)\b",
    r"\b(?:nothing|no such)\b[^.?!]{0,20}\b(?:comes? up|came up|shows?|here|found|listed|under|on file"
    r"|matter|case"
    r"|for you|in your name)\b",
)

# --- what is offered ------------------------------------------------------------------------------------

_LAW: Final = r"(?:lawyers?|attorneys?)"
_EVALUATION: Final = (
    rf"\b(?:(?:in front of|in to see|hour|time|slot|spot|openings?|calendar|chat|sit-? ?down)\b[^.?!]{{0,25}}"
    rf"\b{_LAW}\b|in with (?:\w+ ){{1,3}}{_LAW}|{_LAW}(?:'s|s')? (?:calendar|schedule|diary)"
    rf"|{_LAW} (?:has|have|is|could|can) (?:time|free|see you|meet you)"
    r"|evaluations?|consultations?|consult|appointments?|meetings?|time with|sit down|slot with|times? to"
    r" (?:meet|see|talk)|(?:meet|see|speak|talk|meet with|visit)(?: with| to)? (?:a|an|one of (?:our|the))"
    r" (?:lawyers?|attorneys?)|in with (?:a|an|one of our) (?:lawyers?|attorneys?)"
    r"|(?:find|look for|look at|pick|set up) (?:you )?(?:a |some )?times?\b|(?:lawyer|attorney) (?:has|is)"
    r" (?:time|free)|talk with (?:a|an|one of our) (?:lawyer|attorney)|book you in|book (?:one|that)\W*$)"
)
_OFFERING: Final = (
    r"\b(?:get you|put you|you're after|how (?:does|about)|if that's|would you like|do you want"
    r"|did you want|want|like"
    r"|shall|should|may|can|could|interested|ready|care"
    r"|happy to|set up|set you up|schedule|book|arrange|next step|look (?:at|for)|find|would|work for|if"
    r" you)\b"
)
OFFERS_EVALUATION: Final = both(_OFFERING, _EVALUATION)
# What a talk costs, told and not offered.
FREE_OF_CHARGE: Final = (
    r"^(?!.*\?)(?!.*\b(?:would you|do you|shall|should|can i|could i|want|interested|care|if you|set up"
    r"|book)\b)"
    r".*\b(?:costs?|is|are|takes?|lasts?)\b[^.?!]{0,25}\b(?:nothing|free|dollars|minutes|hours?|no charge)\b"
)
OFFERS_PACKET: Final = both(
    any_of(_PACKET, r"\bnew client\b"),
    any_of(r"\b(?:would|do|shall|should|can|could|may|want|like|send|get)\b", ASKS),
)
OFFERS_NOTE: Final = ASKS_NOTE
OFFERS_RECORDS: Final = any_of(
    both(r"\brecords?\b", any_of(ASKS, _OFFERING)),
    both(
        r"\b(?:release|authori[sz]ation)(?: form)?\b",
        any_of(r"\bwould you like\b", r"\b(?:shall|should|can|may) (?:i|we)\b", r"\bdo you want\b"),
    ),
)
# Asks for what else there is; a "no ... any more" does not.
ANYTHING_MORE: Final = any_of(
    r"(?:^|[.?!] |\b(?:so|and|then|well|okay|ok|now|alright),? )(?:is|was|will|would) (?:that"
    r"|this) (?:be )?(?:about |pretty much )?(?:it|all|everything"
    r"|the lot)\b(?! (?:right"
    r"|correct|happened|was|is|when|where))",
    r"^(?:(?:so|and|then|okay|ok|well|alright)[ ,]+)*(?:that|this)(?:'s| is)? (?:about )?(?:it|all"
    r"|everything) (?:then"
    r"|for (?:today|now|you))\W*$",
    r"\b(?:does|did|would) that (?:about )?(?:cover (?:it|everything)|do it|answer (?:it|that|everything"
    r"|your)|settle"
    r" (?:it|that|everything)|take care of (?:it|everything))\b",
    r"\b(?:are|is) (?:we|you|everything)(?: all)? (?:set|done|good|through|finished|taken care of"
    r"|sorted)\b(?! (?:to|with"
    r" (?:that|those|these))\b)",
    r"\b(?:did|do|have|had|is there|was there|any) (?:you |there )?(?:\w+ ){0,2}(?:another|further|other"
    r"|more|some other)"
    r" (?:questions?|things?|requests?)\b",
    r"\bdoes that help\b|^(?:so |and |then )*you (?:are )?all set\b(?! (?:for|on|to|with|now)\b)"
    r"|\banything (?:left|outstanding)\b",
    r"\b(?:anything|something) (?:besides|apart|aside|further)\b|\banything more\b",
    r"\bwhat (?:would you like|do you want|should (?:i|we)|can (?:i|we))\b[^.?!]{0,20}\bnext\b"
    r"|\bwhat's next\W*$",
    rf"^(?!.*\b(?:don't|won't|not|no need|needn't|have to)\b[^.?!]*\bany ?more\b)(?=.*(?:{ELSE}))",
    r"\bwhat\b[^.?!]{0,12}\b(?:shall|should|can|may|could) (?:i|we) do\b|\bsomething (?:i|we) can do\b",
    r"\bwhat more\b|\b(?:there|something|anything) (?:any )?more\b|\bmore (?:that )?(?:i|we) can\b|\bdo"
    r" (?:any(?:thing)? )?more\b",
    r"\b(?:anything|something|something different|what)(?: is it that is| is)? (?:that )?(?:you )?(?:you"
    r" )?(?:is )?still "
    r"(?:need\w*|want|open|missing|would like)\b",
    r"\b(?:anything|something) (?:you(?:'d| would)? (?:still )?(?:need|want|like)(?![^.?!]*\b(?:add\w*"
    r"|noted?|file|mention|write)\b)|on your mind|different)\b",
    r"\b(?:are we (?:all )?(?:set|done|good)|are you (?:all )?set)\b",
)
OFFERS_SLOTS: Final = OFFERS_TIMES
