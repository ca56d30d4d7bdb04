"""What a law firm's agent says about a topic without asking for it: how the firm goes about things, what it
has just heard, what it is doing now.
"""

from __future__ import annotations

from typing import Final

from offhook_industries.common.cues import any_of

__all__ = ["MEASURES", "REMARKS"]

# A remark that goes on to ask: "what counts is the state, so which state was it?"
_ASKS_NOTHING: Final = (
    r"(?!.*\?)"
    r"(?!.*\b(?:what|who|whom|which|whose|when|where|how)(?:'s|'d| is| was| are| were| did| do| does| would"
    r"| should)+ (?:you|your|the|it|that|this|he|she|they|him|her|i|we)\b)"
    r"(?!.*\b(?:can|could|may|would|will) (?:you|i have|i get|i take|i ask)\b)(?!.*\bplease (?!don't"
    r"|do not)\w)"
    r"(?!.*\b(?:i|we)(?:'ll|'d| will| would)? (?:also |just |still |only )*(?:need|take your|(?:have"
    r"|got) to (?:ask|know|have)|start|begin)\b)"
    r"(?!.*\b(?:(?:i'd|we'd|i would) (?:like|love)|ready|let's|go ahead|let me (?:have|hear|know)"
    r"|listening)\b)"
    r"(?!.*(?<!don't )(?<!not )(?<!needn't )\b(?:tell|give) me\b(?! an?\b))(?!.*\bwhich (?:one|state"
    r"|company|day)(?: is| was| did|\W*$))"
    r"(?!.*\b(?:do|did|have|were|are) you\b)(?!.*\b(?:is|was) (?:it|that|this) (?:an?|the|in)\b)"
    r"(?!.*\b(?:what|which|whose|who) (?:one|(?:\w+ )?(?:is|was|did|does|were|are|do) (?:he|she|it|that"
    r"|they|you))\b)"
)
_ASKED: Final = r"(?:what|who|whom|which|whose|when|where|how)"
_STATES: Final = any_of(
    # "What counts for us is where it happened", "where it happened decides who can help".
    rf"^{_ASKS_NOTHING}.*\b{_ASKED}\b[^.?!]{{0,50}}\b(?:decides?|determines?|counts|matters|settles"
    r"|makes? (?:the|a) difference|goes (?:in|into)|is what (?:we|the|i|our)|is the (?:one|thing))\b",
    rf"^{_ASKS_NOTHING}.*\b(?:depends?|hinges?|comes? down|turns?|rests?|based)(?: \w+)? (?:on|to|upon)"
    rf" (?:\w+ ){{0,3}}(?:{_ASKED}|date|day|state|name)\b",
    rf"^{_ASKS_NOTHING}.*\b(?:we|i|they) (?:always |usually |only )*go by\b",
    rf"^{_ASKS_NOTHING}.*\b(?:date|day|state|place|name|names)\b[^.?!]{{0,40}}\b(?:is|are) (?:what (?:we|i"
    r"|the|our|it|counts|matters|decides)|the (?:one|thing) that|the (?:one|thing) (?:we|i)\b|something"
    r"|important)\b",
    rf"^{_ASKS_NOTHING}(?:\W*\w+,)?\W*(?:\w+ ){{0,3}}{_ASKED}\b(?!'s| is| are)[^.?!]{{4,45}}\b(?:isn't"
    r"|is not|(?:is|are) (?:something|nothing|in|on|now|here|known|clear)"
    r"|depends|(?:i'll|we'll|i will) (?:enter|put|write|note|see|come to|get to|look)"
    r"|i have (?:here|already|down))\b",
    # A clause within a statement: "your account has what you told me", "the center is where it happened".
    rf"^{_ASKS_NOTHING}.*\b(?:is|are|was|has|have|got|had|look(?:s|ing)? at|says?|match(?:es)?|save|keep"
    r"|kept|read"
    rf"|use|see) (?:\w+ and )?(?:\w+ \w+ and )?(?:what|who|where|when|how) (?:it|the|you|he|she|they|we|i"
    r"|your|may|happened|was said)\b",
    # What stands somewhere, or what somebody does: "it says here which cinema you mean".
    rf"^{_ASKS_NOTHING}(?:(?:okay|ok|so|and|well|thanks|thank you|good|right|got it|yes|now)\W+)*(?:i've"
    r"|i have"
    r"|i (?:can )?see|(?:it|this) (?:says|shows)|(?:your|the) (?:record|file|account|system|screen) (?:has"
    r"|says|shows)"
    r"|(?:he|she|they)(?:'ll|'s|'ve)|my \w+|our records?)\b"
    rf".*\b{_ASKED} \w",
    rf"^{_ASKS_NOTHING}.*\bthe \w+ (?:who|that) [^.?!]*\b(?:has|have|is|was) (?:no|not|nothing|in|clear"
    r"|already|never)\b",
    r"\bare one thing\b",
    # What has just been heard.
    rf"^{_ASKS_NOTHING}.*\b(?:that's|that is|that was|he's|she's|it's|they're) the (?:\w+ ){{0,3}}(?:who"
    r"|whose"
    r"|that|which|where|when)\b",
    rf"^{_ASKS_NOTHING}.*\b(?:that's|that is|that was|it's|here's) (?:where|when|what|who|how|why) (?:you"
    r"|it|he"
    r"|she|they|we|the|your|happened)\b",
    rf"^{_ASKS_NOTHING}.*(?<!have )(?<!did )(?<!could )(?<!can )\b(?:i|we|you|he|she|they|colleague"
    r"|team)(?:'ve| have|'d"
    r"| had)? (?:already |just |also )*(?:noted|told|mentioned|explained|said)\b"
    rf"[^.?!]{{0,30}}\b{_ASKED} \w",
    # What is being done.
    rf"^{_ASKS_NOTHING}.*\bi(?:'m| am) (?:just |now |also )*(?:adding|noting|writing|putting|typing"
    r"|entering|recording|checking"
    r"|running|sending|booking|saving|searching|looking(?! for))\b",
    # What is left for later, or unasked.
    rf"^{_ASKS_NOTHING}(?!.*\b(?:just (?!yet)|only|until (?:i|we) know)\b).*\b(?:won't|don't|do not"
    r"|will not|needn't|mustn't|shouldn't|no need to) (?:\w+ )?"
    r"(?:go into|get into|tell|ask|share|talk about|explain)\b",
    rf"^{_ASKS_NOTHING}.*\bif the (?:\w+ )?(?:check|name|screening|search)\b",
    rf"^{_ASKS_NOTHING}.*\b(?:once|after|when) (?:the|that|your|it|a) (?:\w+ ){{0,3}}(?:is|comes|came|has"
    r"|clears"
    r"|are)\b",
)
# How much there is of something.
MEASURES: Final = r"\bhow (?:fast|high|far|many|much|bad|big|old)\b|\bhow long\b(?! ago)"
# What is said about a topic and asks for nothing.
REMARKS: Final = any_of(
    _STATES,
    r"\b(?:makes? no difference|doesn't (?:matter|count)|does not (?:matter|count)|(?:is|it's) up to)\b",
    r"\b(?:that's|that is|it's|it is|one|question|something) for (?:the|your|a) (?:lawyer|attorney)\b",
    r"\bonly the \w+\b[^.?!]*\b(?:matters|counts)\b|\bwe (?:have to|must) (?:step|decline|stop|pass|say"
    r"|turn)\b",
    r"\b(?:companies|drivers?|employers?|insurers?|dealers?|stores?|trucks?|hospitals?|bankruptcy|people"
    r"|falls)"
    r" (?:may|might|must|often|usually|have to|always|can be|carry)\b(?! (?:i|we)\b)",
    r"\b(?:can't|cannot|couldn't|won't|not able to|unable to) (?:really |quite )?(?:judge|say|tell you"
    r"|comment"
    r"(?: on)?|promise|advise(?: you)?(?: on)?|weigh in on) (?:who|what|which|if|whether|how|where|when)\b",
    r"\b(?:thanks|thank you) for (?:being|telling|letting|saying|explaining|clarifying|sharing)\b"
    r"(?![^.?!]*(?:,|\band\b|\bnow\b) (?:and |now |so )*(?:what|who|which|when|where|how|can|could|may)\b)",
)
