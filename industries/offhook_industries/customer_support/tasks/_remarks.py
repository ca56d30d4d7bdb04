"""What an agent says about a topic, or says back, without wanting an answer: the rules of every task that
answer a question leave it alone.
"""

from __future__ import annotations

from typing import Final

import attrs

from offhook.packs import Cues, Rule, Task, Topic
from offhook_industries.customer_support.tasks._cues import ELSE, any_of

__all__ = ["REMARKS", "leaves_remarks_alone"]

# Anything that may ask for an answer, with or without a question mark.
_WANTS: Final = any_of(
    r"\?|\b(?:please|may i|can i|could i|might i|shall i|should i|shall we|should we|can we|could we)\b",
    r"\b(?:could|can|would|will|do|does|did|have|has|are|were|was|is) (?:you|it|that|this|there|they"
    r"|theirs|your|the)\b",
    r"\b(?:are we|am i|have i|do i|did i)\b|\b(?:is|are|be|was)\W*$|\bleft\b[^.?!]*\bis\b",
    r"\b(?:want|like|need|you'd like|allow) (?:me|us) to\b|\b(?:tell|give|read|remind|send) me (?!your"
    r"|the)\b",
    r"(?<!to )\b(?:tell|give|read|confirm|verify|share|spell)\b(?! (?:us|you|it)\b)",
    r"\b(?:i|we)(?:'ll|'d| will| would| do| also| just| still|'m| am)* (?:need|needing|want|missing|after"
    r"|lacking|like to know|like your|going to need|asking you|wondering|hoping)\b",
    r"\b(?:let me|let's|let us) (?:have|get|take|hear|know|start|begin)\b|\b(?:looking|waiting) for your\b",
    r"\bif you(?:'d| would)? (?:like|want|prefer|wish|could|can|don't mind)\b|\bi (?:can|could|might) \w+",
    r"\b(?:right|correct|yes|yeah|is it|is that it|is that so|okay|ok|then|am i)\W*$|\b(?:this|that) the \w",
    r"^(?:(?:and|so|okay|ok|now|then|great|thanks|thank you|alright|right|good|perfect|but)[ ,.]+)*"
    r"(?:which|witch|what(?! counts| matters)|when(?! (?:an?|the|we|i|it's|it is|somebody|someone|people"
    r"|orders|your)\b)|where|who|whose|whom|why|how)\b",
    r"\b(?:just|only|but|instead|except) (?:the |your |a |how |what |who |which |your )*(?:last|final|four|4"
    r"|name|zip|phone|number|ending|end|e-?mail|order)\b(?! (?:are|is) only\b)|\bwill do\b|\bis enough\b",
)
# What nobody has to give or do.
_NEEDLESS: Final = (
    r"\b(?:(?:don't|do not|won't|will not|needn't|wouldn't|never|doesn't|does not|isn't|aren't) "
    r"(?:\w+ )?(?:have to|need|needs|needed|ask|asks|require|required|requires|want|necessary)"
    r"|no need|without (?:needing|having)|not (?:needed|necessary|required))\b"
)
# How things are done, for anybody.
_EXPLAINS: Final = any_of(
    r"\b(?:we|it) (?:always |only |just )*(?:go|goes|work|works) (?:by|off) (?:the|your|a)\b",
    r"\b(?:is|are|it's|they're) (?:only |just |simply )*(?:so (?:that )?(?:i|we|nobody|no one)|there to"
    r"|how we"
    r"|how i|to (?:make sure|keep|protect))\b",
    r"\b(?:depends?|depending|comes? down to|hinges?) (?:\w+ )?on\b|\bcomes? down to\b",
    r"\b(?:is|are) (?:all|everything) (?:you|one|anyone|anybody|they|people|we|i) (?:needs?|do|does|would)\b"
    r"|\ball (?:i|we) do\b|^(?:\w+ )?(?:that's|that is|it's|it is|this is) (?:an?|quite|pretty|very|rather) "
    r"(?:\w+ )?(?:typical|usual|common|normal|ordinary|classic|familiar)\b",
    r"\bwhat (?:counts|matters)\b|\b(?:is|are) what (?:counts|matters|decides)\b",
    r"\b(?:tells?|shows?|show|lets?) (?:us|you|them|me|the technician) (?:see |know )?(?:what|which|how|where"
    r"|when|who|whether)\b",
    r"^(?:(?:well|okay|ok|so|and|now|yes|sure|right|actually)[ ,]+)*(?:(?:most|some|every|each|many|other)"
    r"(?: \w+){1,4}|our (?:\w+ )?\w+s) (?:is|are|has|have|can|may|might|comes?|goes|gets?|needs?|depends?"
    r"|runs?|starts?"
    r"|works?|do|does|see|sees|stays?)\b",
    r"^(?:(?:well|okay|ok|so|and|now|yes|sure|right|actually)[ ,]+)*(?:orders|deliveries|returns|refunds"
    r"|plans|repairs|matches|memberships|visits|labels|technicians|people|folks|customers|stores|items"
    r"|purchases|upgrades|renewals|cancellations|cards|phones|devices|batteries|agents|members)\b",
    r"^(?:(?:well|okay|ok|so|and|now|yes|sure|right|actually)[ ,]+)*(?:with|in|on|for|at|after|during) (?:an?"
    r"|any|every|each|our|most) (?:\w+ ){1,3}(?:you|we|they|the|a|it)\b",
    r"^(?:(?:well|okay|ok|so|and|now|yes|sure|right|actually)[ ,]+)*(?:once|when|if|whenever|as soon as) "
    r"(?:an?|somebody|someone|people|orders|customers|things|your|the|we|it's|it is|that's)\b"
    r"(?=[^.!?]*(?:,|\b(?:we|you|it|they|the \w+) (?:\w+ )?(?:go|goes|get|gets|is|are|will|can|can't|see"
    r"|comes?|send|have|has)\b))",
)
# "Which one you have decides the date": what looks like a question and is none.
_SO: Final = r"^(?!.*\?)(?:(?:well|okay|ok|so|and|now|yes|sure|right|actually)[ ,]+)*"
_FUSED: Final = any_of(
    rf"{_SO}what (?:really |only )?(?:counts|matters) (?:here |for us |then )?(?:is|are) \w",
    rf"{_SO}(?:what|which|who|where|how|when|whether|whichever|whoever|whatever|wherever) (?!is\b|are\b|was\b"
    r"|do\b|does\b|did\b|would\b|will\b|can\b|could\b|should\b|else\b)(?:[\w'-]+ ){1,8}?(?:decides|matters"
    r"|counts|varies|depends|changes (?:the|what|how|a)|is (?:really |entirely |all )?(?:up to|not|hard to)"
    r"|isn't|doesn't|makes (?:a|no|the|all|some) (?:\w+ )?difference|(?:can|may|might) (?:\w+ )?(?:matter"
    r"|change|make|decide))\b",
    rf"{_SO}(?:what|where|how|when) (?:you|we|they|people|folks|customers|happens|the technicians?) "
    r"(?:[\w'-]+ ){0,6}?(?:is|are|gets?) (?:a|an|the|what|where|how|when|one|usually|always|just|then)\b",
)
# What was just heard, said back.
_NOTED: Final = any_of(
    r"^(?:(?:okay|ok|alright|all right|and|well|yes|great|perfect|sure|right|oh)[ ,.]+)*(?:got it|gotcha"
    r"|understood|noted|i see(?=[,.])|i understand(?=[,.])|i hear you|that's clear|makes sense"
    r"|thanks for (?:telling|letting"
    r"|explaining|sharing|clearing))\b",
    r"[, ](?:got it|gotcha|understood|noted|i see|that's clear|thanks for (?:telling|letting)(?: \w+)*)\W*$",
    r"\b(?:thanks|thank you|thanks so much) for (?:the|your|that|those|both|all|being|waiting|holding"
    r"|confirming|verifying|giving|providing)\b",
    r"\b(?:name|number|phone|zip|card|digits) (?:works?\b(?! (?:phone|number))|(?:pulled|brought"
    r"|found|got|took|gave) (?:you|me|us|it|your)\b)"
    r"|\b(?:name|number|phone|zip|card|digits|order|details|both|everything|they|it|that)\b[^.?!]{0,30}"
    r"\b(?:match(?:es|ed)?|checks? out|checked out|lines? up|line up|went through|came (?:right )?up"
    r"|(?:is|are|look|looks) (?:good|fine|right|clear|correct|in order))\b",
    r"\b(?:a match|good match|match) (?:on|for|with)\b|^(?:i've |i have )?(?:got|have) (?:the|your|both)\b"
    r"[^.?!]*\b(?:thanks|thank you|thanks so much|appreciate it)\W*$",
)
# What is being done while it is said.
_ANNOUNCES: Final = (
    r"\b(?:i'm|i am|we're|we are) (?:just |now |also |already |only |still )*(?!going|asking|wondering|hoping"
    r"|missing|calling|needing|waiting|talking|speaking|thinking|guessing|assuming|having|afraid|wanting"
    r"|required|able|transferring|connecting|sending|putting|getting|showing|offering|closing)\w+ing\b"
)
REMARKS: Final = any_of(
    rf"^(?!.*(?:{_WANTS})).*(?:{any_of(_NEEDLESS, _EXPLAINS, _NOTED, _ANNOUNCES)})", _FUSED
)
# What happens to anything that is cancelled, booked or sent, and what is still under way.
_IN_GENERAL: Final = any_of(
    r"\b(?:orders|items|purchases|deliveries|visits|appointments|returns|memberships|reports|refunds) "
    r"(?:that|which|you|we)? ?(?:are|get|is)\b[^.?!]*\b(?:before|after|once|when|can|get|go|are|always"
    r"|usually|within)\b",
    r"\b(?:when|once|if|whenever|until|after) (?:an?|any|your|the) (?:\w+ )?(?:order|item|purchase|delivery"
    r"|visit|appointment|return|membership|report|refund|repair|label|date|change)(?: \w+)? "
    r"(?:is|gets|has been|'s)\b",
    r"\b(?:an|any|every|each) (?:\w+ )?(?:order|purchase|delivery|visit|appointment|return|membership|report)"
    r" (?:that(?:'s| is)? |which is )?(?:is|gets|can|cancelled|canceled|booked|moved|filed|started)\b",
)
_UNDER_WAY: Final = (
    r"\b(?:i'm|i am|we're|we are) (?:just |now |also |already |still )*(?:putting|sending|refunding"
    r"|cancell?ing"
    r"|moving|booking|starting|filing|issuing|ending|closing|taking|processing|making|setting|doing|entering"
    r"|submitting|crediting|writing|opening|arranging|adding|giving|returning|getting)\b"
)
# Who asks for more while at it takes it as done.
_STILL_DOING: Final = rf"^(?!.*(?:{ELSE})).*(?:{_UNDER_WAY})"
# Topics that are heard once the business is done, not when it is explained.
_DONE_TOPICS: Final = frozenset(
    {"cancelled", "moved", "booked", "started", "refunded", "reported", "label-sent"}
)
# The rules that answer a question, a request or an offer; the others answer what was told.
_ANSWERING: Final = frozenset(
    (
        *("all-details", "zip-and-card", "zip-only", "card-only", "name-and-phone", "phone-only"),
        *(
            "name-only",
            "the-one",
            "order-number",
            "no-number",
            "no-account",
            "that-is-it",
            "in-general",
            "whole-card",
        ),
        *("no-person", "no-extras", "no-text", "which-fee", "which-appliance", "why", "opened", "email"),
        *("which-day", "cost-first", "check-it", "if-possible", "no-return", "nothing-to-return", "no-label"),
        *("if-not-yet", "which-now", "which-one", "both-please", "what-happened", "no-booking", "near"),
        *("what-day", "day-and-place", "at-a-store", "competitor", "their-price", "the-offer", "the-same"),
        *("no-money", "how-contacted", "reached-at", "amount", "billed-as", "file-it", "what-they-said"),
        *("it-is-safe", "swollen", "refund-first", "no-reason", "not-joining", "not-ordering"),
    )
)
# Rules of some tasks only: others by that name answer what was told.
_ANSWERING_UNTOLD: Final = frozenset({"cancel-it", "how-much"})


def leaves_remarks_alone(task: Task) -> Task:
    """The task with its rules that answer a question kept off remarks."""
    return attrs.evolve(
        task,
        rules=tuple(_quieter(rule) for rule in task.rules),
        topics=tuple(_stricter(topic) for topic in task.topics),
    )


def _stricter(topic: Topic) -> Topic:
    if topic.name not in _DONE_TOPICS:
        return topic
    return attrs.evolve(topic, cues=_without(topic.cues, _IN_GENERAL))


def _without(cues: Cues, *patterns: str) -> Cues:
    return attrs.evolve(cues, none_of=(*cues.none_of, *patterns))


def _quieter(rule: Rule) -> Rule:
    untold = rule.id in _ANSWERING_UNTOLD and not rule.after and "whether" in rule.when
    if rule.id in _ANSWERING or untold:
        return attrs.evolve(rule, cues=_without(rule.cues, REMARKS))
    if rule.id == "how-much-back":
        return attrs.evolve(rule, cues=_without(rule.cues, _IN_GENERAL))
    if rule.id == "done" and "said:agree" in rule.after:
        return attrs.evolve(rule, cues=_without(rule.cues, _IN_GENERAL, _STILL_DOING))
    return rule
