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
    GO_AHEAD,
    OFFERS_PERSON,
    OFFERS_TIMES,
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
    "ASKS_STATE",
    "ASKS_STORY",
    "ASKS_WHO",
    "BOOKED_IT",
    "CLEAR",
    "DECLINED",
    "DIAL_911",
    "HANDS_OVER",
    "MESSAGE_TAKEN",
    "NOTED",
    "NOT_FOUND",
    "NOT_YET",
    "OFFERS_EVALUATION",
    "OFFERS_NOTE",
    "OFFERS_PACKET",
    "OFFERS_RECORDS",
    "OFFERS_SLOTS",
    "PACKET_SENT",
    "READS_SLOT",
    "RECORDED",
    "RELEASE_SENT",
    "STATUS_TOLD",
    "STOPS_STORY",
]

# --- what is asked --------------------------------------------------------------------------------------

ASKS_ADVERSE: Final = any_of(
    r"\bagainst (?:who|whom|which|what)\b",
    r"\b(?:who|whom|which|what)\b[^.?!]{0,60}\b(?:against|sue|suing|at fault|responsible|blame|opposing"
    r"|adverse)\b",
    r"\b(?:other|opposing|adverse|responsible) (?:side|party|parties|driver|person|company|business)\b"
    r"(?![^.?!]{0,30}\b(?:insur|adjuster))",
    r"\b(?:name|names) of (?:the |that |your )?(?:\w+ ){0,2}(?:company|business|person|employer|driver|party"
    r"|insurer|insurance company|store|owner|defendant|facility|dealer|landlord|doctor|practice|theater)\b",
    r"\b(?:which|what) (?:person|insurance company|insurer|company|business|employer|store|facility|dealer"
    r"|surgeon|hotel|entity)\b(?![^.?!]{0,40}\brecords\b)",
    r"\bwho (?:hit|hurt|caused|did this|is it|was it|was the|was driving|owns|employed|injured|fired|sold"
    r"|treated|operated|denied|is the)\b",
    r"\bwho(?:'s| is| was) (?:this|that|it|the claim|the case|the matter)\b[^.?!]{0,30}\b(?:with|about"
    r"|against|regarding)\b",
    r"\bwho (?:would|will|should|do|does|did) (?:this|that|it|the|your|you|we)\b[^.?!]{0,40}\b(?:against"
    r"|be|claim|case|with|blame|work|involve)\b",
    r"\bwho else (?:is|was) involved\b",
    r"\bparties? (?:involved|on the other|you|that|would)\b",
    r"\b(?:company|person|party|name|business) (?:again|one more time|once more)\b(?<!your name again)"
    r"(?=.*\b(?:other|company|person|party|business)\b)",
)
ASKS_REPRESENTED: Final = any_of(
    r"\b(?:do|does|did|have|has|are|is|already|currently|any|another|other) (?:\w+ ){0,6}(?:lawyer|attorney"
    r"|law firm|counsel|represent\w*)\b(?=.*\b(?:represent|hired?|retain|sign|have|working|matter|case|this"
    r"|already|currently|speaking|spoken|consult))",
    r"\brepresented\b",
    r"\brepresent(?:s|ing)? you\b",
    r"\b(?:hired|retained|signed (?:anything |up )?with|working with|spoken (?:to|with)|talked to"
    r"|consulted(?: with)?|engaged) (?:\w+ ){0,3}(?:lawyer|attorney|firm|counsel)\b",
)
ASKS_MATTER: Final = any_of(
    r"\b(?:kind|type|sort|nature|area) of (?:\w+ ){0,2}(?:matter|case|claim|issue|legal|problem|law"
    r"|accident|injury|incident|situation)\b",
    r"\bwhat(?:'s| is| are|'s this| was)? (?:\w+ ){0,3}(?:matter|case|claim|issue|this|call|it) (?:about"
    r"|regarding|concern\w*|involv\w*|related)\b",
    r"\bwhat (?:does|would|is) (?:it|this|that|your) (?:\w+ ){0,2}(?:involve|concern|about|regarding)\b",
    r"\b(?:is|was) (?:it|this|that) (?:a|an|about|related to|for) (?:\w+ ){0,2}(?:car|auto|work|injury"
    r"|employment|medical|slip|accident|consumer|malpractice|premises)\b",
    r"\bwhat legal (?:matter|issue|problem|question)\b",
    r"\bbriefly\b[^.?!]{0,40}\b(?:matter|case|about|kind|type|calling)\b",
)
ASKS_STATE: Final = any_of(
    r"\b(?:which|what|in what|in which) (?:u\.?s\.? |other )?state\b(?! of)",
    r"\bstate (?:did|was|were|are|is|do|it|this|that|where|in which|the)\b(?=.*\b(?:happen|occur|took|take"
    r"|place|accident|incident|in|injur\w*|work\w*))",
    r"\bwhere (?:did|was|were|has|exactly did)\b[^.?!]{0,40}\b(?:happen|occur|take place|accident|incident"
    r"|injur\w*|hurt|located|fall|it|this|crash|work)\b",
    r"\bwhere (?:it|this|that|the accident|the incident) (?:happened|occurred|took place)\b",
    r"\b(?:location|place|city|county|state) (?:of the|where (?:it|this|that|the|you)|it|this|that)\b",
)
ASKS_DATE: Final = any_of(
    ASKS_INCIDENT_DATE,
    r"\bwhen (?:it|this|that|the \w+) (?:happened|occurred|took place)\b",
    r"\bon (?:what|which) (?:day|date)\b",
    r"\b(?:the|exact|approximate|what) date\b",
)
ASKS_STORY: Final = any_of(
    r"\bwhat happened\b",
    r"\b(?:own|your) words\b",
    r"\b(?:tell|give|walk|share) (?:me|us) (?:\w+ ){0,4}(?:about (?:what|the|your|it|how)|how it|more"
    r"|through|account|details|the story|your story|your account|summary|description)\b",
    r"\b(?:describe|explain|summari[sz]e)\b(?![^.?!]{0,30}\b(?:matter type|kind)\b)",
    r"\bhow (?:did|were|was) (?:it|this|that|you|the)\b[^.?!]{0,30}\b(?:happen|occur|hurt|injured|accident"
    r"|come about)\b",
    r"\b(?:brief|short|quick) (?:account|summary|description|overview)\b",
    r"\b(?:written )?(?:account|statement) of (?:what|the|how|events)\b",
)
ASKS_WHO: Final = any_of(ASKS_NAME, ASKS_PHONE, r"\bnumber (?:to|we|i|where|for|in case)\b", r"\breach you\b")
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
    r"\b(?:anything|something|details?|more)\b[^.?!]{0,40}\b(?:note|noted|add|added|write|file|mention"
    r"|lawyer (?:should|to) know|attorney (?:should|to) know)\b",
    r"\b(?:tell|give) me\b[^.?!]{0,30}\b(?:note|witness|name)\b",
    r"\b(?:any|were there|was there|did (?:anyone|anybody|somebody|someone))\b[^.?!]{0,20}\b(?:witness\w*"
    r"|see it|saw it|see what)\b",
    r"\bwitness(?:'s|es)? (?:name|names)\b",
)
ASKS_PROVIDER: Final = any_of(
    r"\b(?:hospital|practice|provider|doctor|clinic|facility|who|where)\b[^.?!]{0,40}\brecords?\b",
    r"\brecords?\b[^.?!]{0,40}\b(?:hospital|practice|provider|doctor|clinic|facility|from (?:which|where)"
    r"|held|kept|from)\b",
    r"\b(?:which|what|name of the) (?:hospital|practice|provider|doctor|clinic)\b",
    r"\bwhere (?:were you|did you get|are you being) treated\b",
    r"\bwho treated you\b",
)
ASKS_RECIPIENT: Final = any_of(
    r"\bwho (?:is|should|would|do|did|can|shall|was|else|'s)\b[^.?!]{0,40}\b(?:message|for|leave|reach|speak"
    r"|talk|trying|go to|calling|to)\b",
    r"\b(?:whom|which (?:attorney|lawyer|person|member))\b",
    r"\bwho's (?:it|the message|that|this) for\b",
    r"\bfor whom\b",
    r"\bname of (?:the |your )?(?:attorney|lawyer|person)\b",
)
ASKS_MESSAGE: Final = any_of(
    r"\bwhat(?:'s| is| should| would| shall| can| do|'d)?\b[^.?!]{0,40}\b(?:message|pass (?:on|along|it)|say"
    r"|tell (?:him|her|them|mr|ms|the)|let (?:him|her|them) know|relay|leave|regarding|about)\b",
    r"\b(?:your|the|leave (?:a|the|your)) message\b[^.?!]{0,30}(?:\?|$|\bplease\b|\bbe\b|\bsay\b)",
    r"\bgo ahead with (?:your|the) message\b",
    r"\bmessage (?:would|should|do|can|to)\b",
)
ASKS_MATTER_NUMBER: Final = any_of(
    r"\b(?:matter|case|file|reference|claim)(?:'s)? (?:number|no|id)\b",
    r"\bsix[- ]digit\b",
    r"\bnumber (?:of|for|on) (?:your|the) (?:matter|case|file)\b",
)
ASKS_RELATION: Final = any_of(
    r"\b(?:relationship|related|relation) to\b",
    r"\b(?:power of attorney|guardian|authori[sz]\w*|legal(?:ly)? (?:able|authority))\b",
    r"\b(?:can|could|is) (?:he|she|they|your (?:brother|sister|relative)) (?:\w+ )?(?:come|speak|talk|able"
    r"|call|available)\b",
    r"\bare you calling (?:for|on behalf)\b",
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
HANDS_OVER: Final = any_of(
    OFFERS_PERSON,
    r"\b(?:person|someone|somebody|colleague|team member|human|staff member|one of our (?:people|team))"
    r"\b[^.?!]{0,40}\b(?:take|takes|taking|pick|picks|help|assist|handle|speak|talk|with you|from here"
    r"|follow|on the line)\b",
    r"\b(?:transferring|connecting|transfer|connect|handing|putting) you\b",
    r"\b(?:referral|intake|front) desk\b",
)
DECLINED: Final = any_of(
    r"\b(?:firm|we|i)(?:'re| are|'m| am)? (?:can't|cannot|can not|don't|do not|doesn't|does not|unable|not"
    r" able|won't)\b[^.?!]{0,60}\b(?:take|handle|help|represent|accept|assist|practice|go (?:any )?further"
    r"|proceed|move forward|work on|licensed|cover|do)\b",
    r"\b(?:not|no (?:lawyer|attorney)s?|isn't|aren't)\b[^.?!]{0,30}\b(?:licensed|handled?|something (?:we|the"
    r" firm)|a (?:matter|case|kind|type)|an area|free to)\b",
    r"\b(?:conflict)\b[^.?!]{0,30}\b(?:found|there is|exists|came|of interest)\b",
    r"\bthere(?:'s| is| may be| appears to be) a (?:potential )?conflict\b",
    r"\bunable to (?:take|help|assist|represent|go|proceed|accept|continue|move)\b",
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
    r"\b(?:account|intake|statement|information|details|story|everything|it|that|summary"
    r"|matter)\b[^.?!]{0,20}"
    r"\b(?:is|has been|have been|was|'s|been|are|now|'s been|'ve been) (?:now |all |been |safely |just )*"
    r"(?:recorded|logged|on file|submitted|saved|entered|taken down|in our system|complete|completed"
    r"|received|in the system|opened|documented|filed)\b",
    r"\b(?:i've|i have|we've|we have)(?: now| just| got| gone ahead and)* (?:recorded|logged|saved|submitted"
    r"|entered|taken down|completed|opened|documented|filed|created|put)\b",
    r"\bintake (?:is|number|has been|was) (?:\w+ )?(?:complete|done|recorded|finished|opened|created|[0-9])",
    r"\bthat's (?:all )?(?:recorded|logged|on file|in)\b",
)
_PACKET: Final = r"\b(?:packet|packets|paperwork|forms|documents|welcome kit|materials)\b"
PACKET_SENT: Final = both(
    _PACKET,
    r"\b(?:has been|have been|been|was|were|is|are|'s|i've|i have|we've|just|now|it's) "
    r"(?:now |just |been |all )*(?:sent|emailed|e-mailed|texted|mailed|on its way|on the way|going out"
    r"|coming|headed|dispatched)\b",
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
    r"|passed|left|delivered|noted|logged|on its way|saved|in)\b",
    r"\b(?:i've|i have|we've) (?:\w+ )?(?:taken|sent|left|passed|recorded|written|noted|given|delivered"
    r"|relayed|got)\b[^.?!]{0,30}\b(?:message|that|it|down|along|on)\b",
    r"\b(?:call|calls|get back|return|returns|reach|back) (?:\w+ ){0,4}by\b",
    r"\b(?:expect|hear|callback|call back|call)\b[^.?!]{0,40}\b(?:business day|tomorrow|tuesday|august"
    r"|end of)\b",
    r"\bwill (?:have|get|receive|see) (?:your|the|that) message\b",
)
BOOKED_IT: Final = any_of(BOOKED, r"\b(?:you're|you are|that's|it's) (?:all )?(?:booked|set|confirmed)\b")
DIAL_911: Final = any_of(
    r"\b911\b", r"\b9[- ]?1[- ]?1\b", r"\bnine[- ]one[- ]one\b", r"\bhang up and (?:dial|call)\b"
)
STOPS_STORY: Final = any_of(
    r"\bbefore (?:you|we|i) (?:tell|say|go|get|share|hear|can|go on|continue|discuss)\b",
    r"\b(?:have|need|got) to (?:first )?(?:check|stop you|make sure|run|screen)\b",
    r"\b(?:stop|pause|interrupt|hold on|hold off|wait)\b[^.?!]{0,40}\b(?:you|there|moment|second|details"
    r"|story)\b",
    r"\bplease (?:don't|do not) (?:tell|share|go|give)\b",
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
)

# --- what is offered ------------------------------------------------------------------------------------

_EVALUATION: Final = (
    r"\b(?:evaluation|consultation|consult|appointment|meeting|time with|sit down"
    r"|speak with (?:a|an|one of our) (?:lawyer|attorney))s?\b"
)
_OFFERING: Final = (
    r"\b(?:would you like|do you want|did you want|want|like|shall|should|may|can|could|interested|ready|care"
    r"|happy to|set up|schedule|book|arrange|next step|look (?:at|for)|find)\b"
)
OFFERS_EVALUATION: Final = both(_OFFERING, _EVALUATION)
OFFERS_PACKET: Final = both(
    any_of(_PACKET, r"\bnew client\b"),
    any_of(r"\b(?:would|do|shall|should|can|could|may|want|like|send|get)\b", ASKS),
)
OFFERS_NOTE: Final = ASKS_NOTE
OFFERS_RECORDS: Final = both(r"\brecords?\b", any_of(ASKS, _OFFERING))
OFFERS_SLOTS: Final = OFFERS_TIMES
READS_SLOT: Final = both(
    DAY,
    any_of(GO_AHEAD, ASKS_IF_RIGHT, r"\bterms\b", r"\b(?:book|confirm|reserve)\b"),
)
