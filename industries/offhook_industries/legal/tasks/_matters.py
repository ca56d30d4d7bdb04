"""Patterns for what a law firm's agent asks about messages, papers and matters on file; about the caller and
a new matter, see ``_cues``.
"""

from __future__ import annotations

from typing import Final

from offhook_industries.common.cues import any_of

__all__ = [
    "ASKS_CHANNEL",
    "ASKS_MATTER_NUMBER",
    "ASKS_MESSAGE",
    "ASKS_NOTE",
    "ASKS_PROVIDER",
    "ASKS_RECIPIENT",
    "ASKS_RELATION",
    "GO_ON",
]

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
    r"\b(?:any|some)(?:one|body)(?: else)?(?: who)? (?:\w+ ){0,2}\b(?:see|saw|seen|witness\w*)\b",
    r"\bmake (?:a )?note of\b|\badd (?:a|any|some|another) (?:\w+ )?(?:detail|remark|note|point|comment)s?\b",
    r"\b(?:details?|thing|anything|something|else)\b[^.?!]{0,25}\b(?:lawyers?|attorneys?) (?:ought|should"
    r"|needs?"
    r"|must|wants?)\b",
    r"\bbystanders?\b|\b(?:you'd like|you want|to have) noted\b",
    r"\bremarks? (?:on|in|to|for) (?:the|your)\b",
)
ASKS_PROVIDER: Final = any_of(
    r"\b(?:hospital|doctor|practice|clinic)\b[^.?!]{0,12}\bwe (?:should|can|could) (?:write|ask|send|call"
    r"|contact)\b",
    r"\b(?:which|what(?! about)|who|where|whose|name of the)\b[^.?!]{0,60}\brecords?\b",
    r"\brecords?\b[^.?!]{0,40}\b(?:which|what|who|where|held|kept)\b",
    r"\b(?:which|what|name of the) (?:hospital|practice|provider|doctor|clinic)\b(?![^.?!]*\b(?:surgery"
    r"|operat\w*"
    r"|responsible|against|blame|sue|claim|performed)\b)",
    r"\bwhere (?:were you|did you get|are you being) treated\b",
    r"\bwho treated you\b",
)
ASKS_RECIPIENT: Final = any_of(
    r"\bwho you(?:'re| are)? (?:trying|calling|want|would like|wish)\b[^.?!]{0,15}\b(?:reach|for|leave"
    r"|get)\b",
    r"\b(?:message|it|this|that|note|word)\b[^.?!]{0,15}\b(?:to|for|with) (?:who|whom|which (?:attorney"
    r"|lawyer"
    r"|person))\W*$",
    r"\bwho\b(?! (?:can|could|may)\b)[^.?!]{0,35}\b(?:leave|left|hand|pass|send) (?:it|this|that|word"
    r"|a message"
    r"|the message)\b",
    r"\bwhich of our (?:people|folks|staff)\b|\bor (?:another (?:attorney|lawyer)|one of the others"
    r"|another (?:one )?of (?:our|the) (?:lawyers|attorneys)|somebody else|someone else)\b"
    r"|\bwhat (?:attorney|lawyer)\b|\bwho do you (?:work|deal) with\b",
    r"\bwho your (?:attorney|lawyer) is\b|\byour (?:attorney|lawyer)(?: here| with us| at the firm)? (?:is"
    r"|would"
    r" be|was)\W*$",
    r"\bwho (?!(?:is|'s) (?:calling|this|speaking|talking|on the line)\b|am i\b|i'm\b|i am\b|do i\b|have"
    r" i\b|would i be\b)(?:is|should"
    r"|would|do|did"
    r"|can|shall|was|else|'s)\b[^.?!]{0,40}\b(?:message|for|leave|reach|speak|talk|trying|go to|calling"
    r"|to)\b",
    r"\b(?<!with )(?<!by )whom\b(?! (?:am i|do i)\b)",
    r"\bwhich (?:one )?(?:of (?:our|the|my) )?(?:\w+ ){0,2}(?:attorney|lawyer|person|member|partner"
    r"|colleague)s?\b",
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
    r"\bwhat\b[^.?!]{0,30}\b(?:i|me|i'm)\b(?: to| gonna| going to)? (?:write|put|tell|say|pass|type|jot|relay"
    r"|take down|get across)\b",
    r"\bwhat (?:to|do i|should i|shall i|must i) (?:write|put|tell|say|pass|type|jot)\b",
    r"\bwhat you(?:'d like| would like| want)\b[^.?!]{0,15}\b(?:him|her|them|to (?:know|hear)|said|told"
    r"|passed)\b",
    r"\bregarding what\b|\breason for your call to\b|\bgive me the gist\b|\b(?:word|phrase|put) it\W*$"
    r"|\bpast (?:it )?(?:on|along)\b",
    r"\bwhat (?:did|do|would) you (?:want|like|need)\b[^.?!]{0,30}\b(?:to (?:hear|know)|told|said)\b"
    r"|\bwhat are we telling\b",
    r"\bwhat(?:'s| is) (?:the word|on your mind) for\b|\b(?:message|note)\b[^.?!]{0,12}\b(?:say|read)\b",
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
    r"\bdictate (?:it|that|the message|away)\b",
    r"\b(?:fire away|go for it|i'm all ears|i am all ears|pen (?:out|ready|in hand)|shoot(?=\W|$))",
    r"\blet's (?:have|hear|get) (?:the|your|that) message\b|\blet's (?:have|hear) it\b",
)
ASKS_MATTER_NUMBER: Final = any_of(
    r"\b(?:mat+er|case|file|reference|claim)(?:'s)? (?:number|no|id)\b|\breference on (?:your"
    r"|the) (?:letter|paper\w*)\b",
    r"\bsix[- ]digits?\b|\bhas (?:six|6) digits\b|\b(?:six|6) digits?\b",
    r"\bnumber\b[^.?!]{0,12}\b(?:give|gave|given|assign\w*|put on)\b[^.?!]{0,10}\b(?:case|matter|file)\b",
    r"(?<!phone )\bnumber (?:is )?(?:of|for|on|under) (?:your|the|that) (?:matter|case|file|letter)\b",
    r"\bnumber (?:is|does) (?:the|your|that) (?:matter|case|file)\b",
    r"\b(?:which|what) (?:client or )?(?:matter|case)\b(?=[^.?!]*\b(?:number|is it|is this|calling|about)\b"
    r"|\W*$)",
)
ASKS_RELATION: Final = any_of(
    r"\bwhat (?:he|she) is to you\b",
    r"\bare you (?:his|her|the patient's|a) (?:wife|sister|mother|cousin|sibling|spouse|partner|relative"
    r"|next of kin)\b",
    r"\b(?:you are|are you|you're) what to (?:him|her)\b",
    r"\b(?:signed|given you|authority|permission|papers?)\b[^.?!]{0,35}\b(?:for (?:him|her)|to act|act for"
    r"|speak for)\b",
    r"\b(?:can|could|can't|couldn't|would|will|is|isn't)\b[^.?!]{0,15}\b(?:he|him"
    r"|your brother)\b[^.?!]{0,30}\b"
    r"(?:on the (?:line|phone)|to the phone|himself|awake)\b",
    r"\b(?:he|your brother) can't (?:come|get) (?:on|to) the (?:phone|line)(?: himself)?\W*\?",
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
