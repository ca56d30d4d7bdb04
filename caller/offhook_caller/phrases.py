"""What kind of turn the agent took, by its words: a request to repeat, a read-back, a hold, a closing
question, a goodbye.

These are the turns any caller understands without a script. The patterns are broad on purpose and look at
lower-cased text; which of them a caller acts on, and in which order, is decided in
:mod:`offhook_caller.deterministic`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import attrs

from offhook.packs import Trait
from offhook.values import ValueKind
from offhook_caller.cues import AgentTurn, Scope

__all__ = [
    "TurnKind",
    "asked_traits",
    "asks_repeat",
    "asks_to_confirm",
    "kind_of",
    "named_traits",
    "only_holds",
]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_REPEAT: Final = _any(
    r"\b(?:say|said|give|tell)\b[^.?!]{0,40}\b(?:again|once more|one more time|slower|more slowly|slowly)\b",
    r"\b(?:can|could|would|will|please|you|to)\b[^.?!]{0,20}\b(?:repeat|re-?state)\b",
    r"^(?:please )?repeat\b",
    r"\bone (?:digit|number|letter|character) at a time\b",
    r"\b(?:digit by digit|letter by letter|number by number)\b",
    r"\b(?:did ?n[o']?t|could ?n[o']?t|can ?not|ca ?n't|did not|could not) (?:quite |really |fully )?"
    r"(?:catch|hear|get|understand|make out|follow)\b",
    r"\b(?:missed|lost) (?:that|you|it|what you)\b",
    r"\bspell\b",
    r"\bcome again\b",
    r"\bpardon(?: me)?\?",
    r"^(?:i'm )?sorry\?$",
    r"\bmore slowly\b",
)
_AGENT_REPEATS: Final = _any(
    r"\b(?:let me|i'll|i will|i can|i'd like to|to) (?:repeat|read|say) (?:that|this|it|those|them)\b"
)

_CONFIRM: Final = _any(
    r"\b(?:is|was|are) (?:that|this|it|those|these|all of that|everything|all that) (?:all )?"
    r"(?:right|correct|accurate|okay|ok)\b",
    r"\b(?:right|correct|yes)\?",
    r"\b(?:did|have|do) i (?:get|got|hear|have|understand) "
    r"(?:that|it|this|you|those|everything|your \w+(?: \w+)?) (?:right|correctly|correct)\b",
    r"\bdoes (?:that|this|it) (?:sound|look) (?:right|correct|good|okay)\b",
    r"(?<!can )(?<!may )(?<!could )\b(?:i have|i heard|i've got|i got|i have you (?:down )?as)\b[^.?!]*\?",
    r"\bcan you confirm (?:that'?s|that is|this is)\b",
    r"\bi have [^?!]*\. (?:is that )?(?:right|correct)\b",
)

_HOLD: Final = _any(
    r"\b(?:one|just a|just one|give me a|a) (?:moment|second|sec|minute)\b",
    r"\bhold on\b",
    r"\bhang on\b",
    r"\bbear with me\b",
    r"\b(?:please|can you|could you|mind) (?:hold|waiting|wait)\b",
    r"\blet me (?:check|look|pull|see|find|verify|take a look|bring|confirm|calculate|work)\b",
    r"\bi(?:'m| am)(?: just)? (?:checking|looking|pulling|verifying|working|searching)\b",
    r"\bi(?:'ll| will)(?: just)? (?:check|look|pull|be right back)\b",
    r"\bwhile i (?:check|look|pull|do)\b",
)

# What the agent is about to look at, told in a sentence that is nothing else: words to begin with, any number
# of them, then what it does.
_OPENERS: Final = (
    r"okay|ok|alright|alrighty|all right|sure|sure thing|great|thanks|thank you|perfect|so|and|now|well"
    r"|got it|right|right then|of course|certainly|absolutely|no problem|no worries|hm+|um+|uh|just|then"
    r"|please|(?:one|a|just a) (?:moment|second|sec|minute)|hold on|hang on|bear with me"
    r"|give me (?:a|one|just a) (?:moment|second|sec|minute)"
    r"|(?:please )?(?:hold|wait)(?: please)?|stay (?:on the line|with me)|for me"
)
_LOOK: Final = r"(?:look|check|pull|see|find|open|type|calculate|search|dig|glance|load|fetch|work|run)"
_LOOKS_AT: Final = "|".join(
    (
        rf"let me (?:\w+ly |just |go ahead and |go and )*(?:{_LOOK}|bring up|bring that|take a|have a)\b"
        r"(?! (?:if|whether|what) i can (?:help|do)\b)",
        rf"while i (?:\w+ly |just )*(?:{_LOOK}|bring|do)\b",
        r"i(?:'m| am|'m gonna| am going to|'m going to)(?: just| now| still| quickly)* (?:pull|check|look"
        r"|search|open|runn|work|fetch|load)(?:ing)?\b",
        rf"i(?:'ll| will)(?: just| now| quickly)* (?:{_LOOK}(?! to it| that| you\b)|be right back)\b",
    )
)
# Past a comma or a colon it says something after all.
_GOES_ON: Final = (
    r"[^,:;]*(?:[,:;] *(?:please|thanks|thank you|okay|sir|ma'am|one moment|just a moment"
    r"|so bear with me|bear with me)\b[^,:;]*)*$"
)
_SAYS_MORE: Final = r"\b(?:and|but),? (?:u[mh],? )*(?:the|it|it's|your|that|there|she|he|they|you|i see)\b"
_ONLY_HOLDS: Final = re.compile(
    rf"^(?!.*{_SAYS_MORE})\W*(?:(?:{_OPENERS})\W+)*+(?:{_LOOKS_AT}){_GOES_ON}", re.IGNORECASE
)

_CLOSING: Final = _any(
    r"\banything else\b",
    r"\bsomething else\b",
    r"\bany other (?:questions?|thing|way|help)\b",
    r"\b(?:any|all) (?:more )?(?:questions|that you needed|you needed)\b[^.]*\?",
    r"\bwhat else (?:can|may|could)\b",
    r"\bis (?:that|there) (?:all|everything)\b(?! (?:right|correct))",
)

_GOODBYE: Final = _any(
    r"\bgood ?bye\b",
    r"\bbye\b",
    r"\bhave (?:a|an) (?:\w+ )?(?:good|great|nice|wonderful|lovely|pleasant|excellent|fantastic)? ?"
    r"(?:day|evening|afternoon|night|weekend|one)\b",
    r"\btake care\b(?! of\b)",
    r"\b(?:thanks|thank you) for calling\b",
)

_PURPOSE: Final = _any(
    r"\bhow (?:can|may|could) (?:i|we) (?:\w+ )?(?:help|assist)\b",
    r"\bwhat can (?:i|we) (?:do|help)\b",
    r"\bhow (?:can|may) i direct\b",
    r"\bwhat (?:are you|you're) calling (?:about|for|in)\b",
    r"\bwhat (?:brings you|is this (?:call )?(?:about|regarding))\b",
    r"\breason for (?:your|the) call\b",
    r"\bwhat (?:would|do) you (?:like|need|want)(?: \w+)? (?:help with|to do|from us|done)\b",
)

_REQUEST: Final = _any(
    r"\?",
    r"\b(?:can|could|may|might) i (?:please )?(?:have|get|ask|take)\b",
    r"\b(?:can|could|would|will) you\b",
    r"\bplease (?:tell|give|say|provide|share|state|confirm|read|repeat|spell|enter|go ahead|let)\b",
    r"\b(?:tell|give) me\b",
    r"\b(?:i|we)(?:'ll| will| also|'d| would| just| still)* need\b",
    r"\b(?:what|which|when|where|who|how)(?:'s| is| was| are| would| do| did| about| can| may)\b",
    r"\blet me (?:know|get|take|grab|have) (?:your|the|some|a)\b",
    r"\blet me know\b",
    r"\b(?:to|i'd like to) (?:verify|confirm) your\b",
    r"\b(?:is|are|do|did|does|would|have|has|should|shall) (?:you|it|that|this|there|your|i|we)\b[^.]*$",
)

_KIND_WORDS: Final = {
    ValueKind.PHONE: r"phone|telephone|mobile|cell(?:phone)?|(?:call ?back|contact|best|good) number"
    r"|number to (?:reach|call)",
    ValueKind.ZIP: r"zip|postal|post ?code",
    ValueKind.EMAIL: r"e-?mail",
}
_NAME_WORDS: Final = {
    "birth": r"birth(?:day|date)?|born|d\.?o\.?b",
    "card": r"last four|last 4|final four|four digits|card(?:'s)? (?:number|digits?|ending|ends?)"
    r"|(?:digits?|numbers?) (?:of|on|from) (?:the|your|that) (?:\w+ )?card",
    "last4": r"last four|last 4|final four",
    "dob": r"birth(?:day|date)?|born|d\.?o\.?b",
    "order": r"order",
    "postal": r"zip|postal|post ?code",
    "zip": r"zip|postal|post ?code",
    "address": r"address",
    "email": r"e-?mail",
    "phone": _KIND_WORDS[ValueKind.PHONE],
}
_FILLER_WORDS: Final = frozenset(
    {"number", "code", "full", "of", "the", "id", "my", "date", "last4", "first", "last"}
)
_OTHER_PHONES: Final = _any(
    r"\b(?:come|get|back|talk|speak)(?: back)? (?:to|on) the phone\b",
    r"\b(?:on|over|by|via|through) (?:the |your )?(?:phone|telephone)\b",
    r"\b(?:phone|cell) (?:case|plan|order|call)\b",
    # The product: "You mean the phone of August 2?"
    r"\b(?:the|a|that|this|new|smart)(?: new)? ?phone\b(?! (?:number|on (?:file|the|your|record)|linked))",
)
_OTHER_NAMES: Final = _any(
    r"\b(?:product|item|store|brand|model|company|business|plan|office|doctor|provider)(?:'s)? name\b",
    r"\bnames? of (?:that|this|the|your) (?:other )?(?:person or|company|business|driver|party|side|store"
    r"|shop|hospital|practice|clinic|doctor|surgeon|lawyer|attorney|employer|landlord|bank|dealer|brand|product"
    r"|plan|insurance|insurer|carrier|medicine|medication)\b",
)


@attrs.frozen
class TurnKind:
    """Which of the familiar turns this is; several may hold."""

    repeat: bool
    confirm: bool
    hold: bool
    closing: bool
    goodbye: bool
    purpose: bool
    question: bool


def kind_of(turn: AgentTurn) -> TurnKind:
    """Classifies a turn of the agent."""
    text, last = turn.whole.forms[0], turn.sentences[-1].forms[0]
    question = _is_question(turn)
    closing = _CLOSING.search(text) is not None
    return TurnKind(
        repeat=asks_repeat(text),
        confirm=asks_to_confirm(text),
        hold=_HOLD.search(text) is not None and not _asks_after_hold(turn),
        closing=closing and question,
        goodbye=_GOODBYE.search(last) is not None and _REQUEST.search(last) is None,
        purpose=_PURPOSE.search(text) is not None and not closing,
        question=question,
    )


def only_holds(sentence: Scope) -> bool:
    """Whether a sentence says what the agent is about to look at, and asks for nothing."""
    text = sentence.forms[0]
    return _ONLY_HOLDS.search(text) is not None and _REQUEST.search(text) is None


def asks_repeat(text: str) -> bool:
    """Whether the words ask for something to be said again, slower or spelled."""
    return _REPEAT.search(_AGENT_REPEATS.sub(" ", text)) is not None


def asks_to_confirm(text: str) -> bool:
    """Whether the words ask for a yes or no to what they read back."""
    return _CONFIRM.search(text) is not None


def named_traits(text: str, traits: Sequence[Trait]) -> tuple[Trait, ...]:
    """The traits that the words name, in the traits' order, whether or not they ask for them."""
    lowered = text.lower()
    return tuple(trait for trait in traits if _names(trait, lowered))


def asked_traits(turn: AgentTurn, traits: Sequence[Trait]) -> tuple[Trait, ...]:
    """The traits that the turn's questions ask for."""
    asking = " ".join(scope.text for scope in turn.sentences if _REQUEST.search(scope.forms[0]))
    return named_traits(asking, traits)


def _names(trait: Trait, text: str) -> bool:
    pattern = _KIND_WORDS.get(trait.kind)
    if pattern is not None:
        return re.search(rf"\b(?:{pattern})\b", _OTHER_PHONES.sub(" ", text)) is not None
    # A name that is no "name" (a witness, the other side) is somebody else's, asked for by what it is.
    if trait.kind is ValueKind.NAME and "name" in trait.name.lower():
        return (
            re.search(r"\b(?:name|who (?:am i|is this|i'm)|who's calling)\b", _OTHER_NAMES.sub(" ", text))
            is not None
        )
    words = [word for word in trait.name.lower().split("_") if word not in _FILLER_WORDS]
    if not words:
        words = trait.name.lower().split("_")
    return all(re.search(rf"\b(?:{_NAME_WORDS.get(word, re.escape(word))})s?\b", text) for word in words)


def _is_question(turn: AgentTurn) -> bool:
    return any(_REQUEST.search(scope.forms[0]) for scope in turn.sentences)


def _asks_after_hold(turn: AgentTurn) -> bool:
    """A request in a sentence that is not itself the hold line."""
    return any(
        _REQUEST.search(scope.forms[0]) and not _HOLD.search(scope.forms[0]) for scope in turn.sentences
    )
