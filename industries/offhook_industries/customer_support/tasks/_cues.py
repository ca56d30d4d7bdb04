"""Patterns that several rules share.

They are tried on what was heard, lower-cased, and on its normalised words, in which $14.99 reads "1 4 9 9".
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "ASKS_CARD",
    "ASKS_IF_RIGHT",
    "ASKS_NAME",
    "ASKS_PHONE",
    "ASKS_ZIP",
    "CANCELLED",
    "ELSE",
    "GO_AHEAD",
    "OFFERS_PERSON",
    "READS_BACK",
    "REPEATS",
    "STAY",
    "any_of",
    "money",
]


def any_of(*patterns: str) -> str:
    """One pattern that is found where any of the given ones is."""
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def money(dollars: str) -> str:
    """Finds ``"14.99"`` however it was said: $14.99, 14 99, fourteen dollars and ninety-nine cents."""
    whole, cents = dollars.split(".")
    return rf"(?<![0-9.]){' ?'.join(whole)}(?:\.| and )? ?{' ?'.join(cents)}(?![0-9])(?! [0-9](?![0-9]))"


_PERSON: Final = (
    r"(?:person|human|human being|agent|representative|"
    r"rep|specialist|advocate|advisor|adviser|associate|colleague|supervisor|manager|"
    r"someone|somebody|team|department|desk|member of (?:our|the) (?:staff|team))"
)

ASKS_NAME: Final = any_of(
    r"\b(?:your|the|a|full|first|last|complete|legal)(?: \w+){0,2} names?\b",
    r"\bname (?:and|on|under|that|please|for|again)\b",
    r"\bwho (?:am i|i'm|i am|do i have|is this|is calling|'s calling)\b",
    r"\bwho's (?:calling|this)\b",
)
ASKS_PHONE: Final = any_of(
    r"\b(?:phone|telephone|mobile|cell|cell ?phone)\b",
    r"\b(?:call ?back|contact|best|account) number\b",
    r"\bnumber (?:on|for|linked|tied|associated|attached|registered)\b",
    r"\barea code\b",
    r"\b(?:name|your)(?: and)? number\b",
)
ASKS_ZIP: Final = r"\b(?:zip|postal|post ?code)\b"
ASKS_CARD: Final = any_of(
    r"\b(?:last|final) (?:four|4)\b",
    r"\b(?:four|4) digits\b",
    r"\bdigits (?:of|on) (?:the|your|that) (?:\w+ )?card\b",
    r"\bcard(?:'s)? (?:number|digits|ending)\b",
)
ASKS_IF_RIGHT: Final = any_of(
    r"\b(?:is|was|are) (?:that|this|those|it|everything)(?: all)? (?:right|correct)\b",
    r"\b(?:right|correct|yes)\?",
    r"\bdid i (?:get|hear|catch)\b",
    r"(?<!can )(?<!could )(?<!may )(?<!might )(?<!should )\bi(?:'ve| have| heard| got| "
    r"see)(?: got| heard| you| down| the| your| a| as)* "
    r"(?:zip|postal|card|number|name|phone|order|[0-9])",
)
REFERS_BACK: Final = any_of(
    r"(?<!can )(?<!could )(?<!may )(?<!might )(?<!should )\bi(?:'ve| have)? (?:found|located|pulled up)\b",
    r"\bthank(?:s| you) for (?:that|your|the|confirming|providing|giving|verifying|spelling)\b",
)
REPEATS: Final = r"\b(?:again|repeat|once more|slow(?:ly|er)?|at a time|spell|catch|digit by digit)\b"
READS_BACK: Final = any_of(ASKS_IF_RIGHT, REFERS_BACK)
OFFERS_PERSON: Final = any_of(
    rf"\b(?:transfer|connect|put|pass|hand|send|route|refer|bring)\w*\b[^.?!]*\b{_PERSON}\b",
    rf"\b(?:speak|talk|chat|speaking|talking)\b[^.?!]*\b(?:to|with)\b[^.?!]*\b{_PERSON}\b",
    rf"\b(?:have|get|ask)\b[^.?!]*\b{_PERSON}\b[^.?!]*\b(?:call|help|take|contact|reach|join)\b",
    r"\b(?:want|like|prefer|need|get you|find you)\b[^.?!]*\b(?:real |live |human |another "
    r")?(?:person|human|representative|agent|specialist)\b",
    r"\b(?:call you back|callback|call back from)\b",
)
ELSE: Final = any_of(
    r"\b(?:anything|something|what) else\b",
    r"\bany(?:thing)? (?:other|more|further)\b",
    r"\bhelp (?:you )?(?:further|with (?:another|other))\b",
)
CANCELLED: Final = any_of(
    r"\b(?:is|are|was|been|it's|that's|'ve|have|just|successfully|officially|now) (?:now "
    r"|just |successfully |officially |been |all |fully )*cancell?ed\b",
    r"\bcancell?ed (?:it|your|the)\b",
    r"\bcancell?ation (?:is|has|was|went|just)\b[^?]*\b(?:complete|"
    r"completed|confirmed|processed|done|through|final)\b",
    r"\b(?:no longer|not) (?:a|an|on|have)\b[^?]*\b(?:member|membership|plus|total)\b",
    r"\b(?:membership|plus|total) (?:has|is|was)(?: now| just)? (?:ended|over|closed|terminated)\b",
)
STAY: Final = any_of(
    r"\b(?:keep|keeping|stay|staying|remain|stick|continue|hold on to|hang on "
    r"to)\b[^?!]*\b(?:plus|total|membership|member|benefits|it|us|kestrel|tier|perks)\b",
    r"\b(?:discount|special offer|free month|half price|percent "
    r"off|reduced|promotion|credit|pause|switch(?:ing)? to plus|downgrade|make you an "
    r"offer|one offer)\b",
    r"\b(?:reconsider|change your mind|think (?:it )?over|give (?:it|us) another)\b",
    r"\binstead of cancel",
)
GO_AHEAD: Final = any_of(
    r"\b(?:shall|should|may|can|could|do you want me to|want me to|like me to) (?:i |we "
    r")?(?:now )?(?:go ahead|proceed|cancel|continue|process|do "
    r"(?:that|it|this)|submit|finali[sz]e|complete)\b",
    r"\b(?:go ahead|proceed|move forward|going ahead|okay with (?:that|this)|all right with (?:that|this))\b",
    r"\b(?:do you|can you|could you|please|you)\b[^.?!]*\b(?:confirm|"
    r"agree|acknowledge|accept|approve|want to cancel|wish to cancel|like to cancel|ready)\b",
    r"\b(?:are you sure|(?:is|are|does|sounds?) (?:that|this|everything|all)(?: \w+)? "
    r"(?:ok|okay|right|correct|good|fine|alright|acceptable))\b",
)
