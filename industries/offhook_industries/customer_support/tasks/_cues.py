"""Patterns that several rules of this pack share: the general ones, and Kestrel's own."""

from __future__ import annotations

from typing import Final

from offhook_industries.common.cues import (
    ASKS_CARD,
    ASKS_EMAIL,
    ASKS_IF_RIGHT,
    ASKS_NAME,
    ASKS_PHONE,
    ASKS_WHEN,
    ASKS_ZIP,
    BOOKED,
    CANCELLED,
    ELSE,
    FULL_CARD,
    GO_AHEAD,
    GOODBYE,
    HOLD,
    OFFERS_PERSON,
    OFFERS_TEXT,
    PERSON,
    READS_BACK,
    REPEATS,
    STAY,
    any_of,
    both,
    money,
    near,
    said_day,
    said_days,
)

__all__ = [
    "ACCOUNT",
    "AFTERWARDS",
    "ANYTHING",
    "ASKS_CARD",
    "ASKS_EMAIL",
    "ASKS_IF_RIGHT",
    "ASKS_NAME",
    "ASKS_ORDER",
    "ASKS_PHONE",
    "ASKS_WHEN",
    "ASKS_ZIP",
    "BOOKED",
    "BUYING",
    "CANCELLED",
    "CONFIRMING",
    "ELSE",
    "FULL_CARD",
    "GOODBYE",
    "GO_AHEAD",
    "HOLD",
    "IDENTITY",
    "NOT_YET",
    "OFFERS_PERSON",
    "OFFERS_TEXT",
    "OUTCOME",
    "PERSON",
    "READS_BACK",
    "REPEATS",
    "STAY",
    "any_of",
    "both",
    "money",
    "near",
    "said_day",
    "said_days",
]

IDENTITY: Final = (ASKS_NAME, ASKS_PHONE, ASKS_ZIP, ASKS_CARD)
ASKS_ORDER: Final = any_of(
    r"\border (?:number|id|confirmation|reference|#)",
    r"\bnumber (?:of|for) (?:the|your|that|this) (?:order|purchase)\b",
    r"\b(?:which|what) (?:recent |was the |is the |of your |of the |of these |\w+ )?"
    r"(?:order|orders|item|items|purchase|product|device)\b",
    r"\bwhich (?:one|of (?:them|these|those|the two|your orders))\b(?! of our)",
    r"\bwhat (?:did|have|was it) (?:it )?(?:that )?you (?:buy|bought|order|ordered|purchase)",
    r"\bwhen (?:did|was|were|had) (?:you|it|that|this|the order)\b[^.?!]*"
    r"\b(?:buy|bought|order|ordered|purchased?|placed?)\b",
)
ACCOUNT: Final = any_of(
    r"\b(?:verify|confirm|validate)\b[^.?!]*\b(?:you|your identity|identity|who you are|account)\b(?!'d"
    r"| would| want)",
    r"\bcheck\b[^.?!]*\b(?:your identity|identity|who you are|account)\b",
    r"\b(?:pull|bring|look|call) up\b[^.?!]*\b(?:your|the|an) (?:account|profile|order|record)\b",
    r"\b(?:find|access|open|locate|get into)\b[^.?!]*\b(?:your|the|an) (?:account|profile|record)\b",
    r"\bdo you have\b[^.?!]*\baccount\b",
)
CONFIRMING: Final = any_of(
    r"\?",
    r"\b(?:would|do|did|should|shall|can|could|may|want|like|where|which|what|i can|i could|i'll"
    r"|happy to)\b",
)
BUYING: Final = any_of(
    r"\b(?:interest|interested)\b[^.?!]*\b(?:in|you)\b",
    r"\b(?:would you|do you|want to|like to|care to|can i|could i|may i|shall i|you could|you can|"
    r"have you considered|how about)\b[^.?!]*\b(?:add|join|sign(?:ing)? (?:you )?up|enroll?|upgrade|"
    r"purchase|buy(?:ing)?|try|become a)\b[^.?!]*"
    r"\b(?:plus|total|membership|member|plan|protection|warranty|accessor\w+|case|one|card|newsletter)\b",
    r"\bhave you (?:ever )?(?:thought|considered|looked)\b[^.?!]*\b(?:plus|total|membership|member|plan"
    r"|protection|upgrad\w+)\b",
    r"\b(?:like|want|interested in|care)(?: to)? (?:join|joining|sign up|signing up|enroll\w*"
    r"|become a member|"
    r"becoming a member|upgrad\w+)\b",
    r"\bsurvey\b",
    r"\b(?:upgrade|trade[- ]in|credit card|gift card|newsletter)\b[^.?!]*\?",
)
NOT_YET: Final = any_of(
    r"\b(?:will|would|to|can|could|can't|cannot) (?:not |then |now |also )*be "
    r"(?!refunded|charged|e-?mailed|billed|credited|contacted|notified)\w+ed\b",
    r"\bif (?:i|we|you|it|that)\b",
    r"\b(?:once|when|as soon as) (?:i|we|you|it|that)\b",
    r"\b(?:shall|should|may|can) (?:i|we)\b[^.?!]*\b(?:cancel|proceed|go ahead|finish|complete|finali[sz]e"
    r"|book|move|start|file|report|process|submit|change|reschedule|set)",
    r"\b(?:want|like) (?:me|us) to\b",
    r"\b(?:not|hasn't|isn't|haven't|wasn't) (?:yet |been )*\w+ed\b",
    r"\bready to\b",
    r"\bbefore (?:i|we)\b",
    r"\b(?:i'll|i will|i'm going to|let me|about to)\b",
)
# What comes once the business is done: an offer to send or sell something, a goodbye.
AFTERWARDS: Final = any_of(OFFERS_TEXT, BUYING, GOODBYE)
# For rules that speak on whatever is said after an event, but for "one moment".
ANYTHING: Final = r"\w"
# A statement of four words or more that neither asks nor promises: what an agent says once it has done
# something that was agreed on.
OUTCOME: Final = (
    rf"^(?!.*(?:{NOT_YET}))(?!.*(?:{HOLD}))(?!.*\?)"
    r"(?!.*\b(?:shall|should|would you|do you|did you|want|may i|can i|could i|which|what|when|where)\b)"
    r"(?!.*\b(?:now|just|currently|am|i'm|and) \w+ing\b(?! (?:on|your way)))(?!.*\b\w+ing\b.*\bnow\b)"
    r"(?=(?:\S+ ){3,})(?!.*\b(?:sorry|afraid|unfortunately|can't|cannot|unable|problem|error)\b)"
    r"(?!.*\b(?:thank you for|appreciate|patience|understand|noted|happy to|glad to|of course)\b)"
)
