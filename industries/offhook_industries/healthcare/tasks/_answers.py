"""Answers to public questions: whether a plan is taken, floors, parking, hours, prices. What the caller says
then differs from task to task, what counts as the answer does not.
"""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule, Topic
from offhook_industries.common.cues import TIME, any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._cues import ASKING_IDENTITY, CHECK_IF, FIGURE, HOURS_SAID

__all__ = [
    "ASKS_BACK",
    "HOURS",
    "IN_GENERAL",
    "OF_CALLER",
    "PLAN_ANSWER",
    "floor_topic",
    "parking_topic",
    "plan_told",
    "price_told",
    "price_topic",
    "when_floor_told",
    "when_parking_told",
]

ASKS_BACK: Final = any_of(
    r"\b(?:which|what) (?:plan|type|kind|office|insurance|product|location|aetna|medicare|service|treatment"
    r"|area)\b",
    r"\bdo you (?:have|know|happen)\b",
    r"\bare you (?:asking|calling|looking)\b|\byou(?:'re| are) (?:asking|calling) about\b",
    r"\bis (?:that|this|it) (?:right|correct)\b|\bcorrect\?",
)
_TAKEN: Final = (
    r"(?:take|takes|taken|taking|accept|accepts|accepted|accepting|participat\w+|honou?rs?|cover|covers"
    r"|covered|contracted"
    r"|in[- ]network|out[- ]of[- ]network|in the network|part of the network|(?:work|works|deal|deals) with"
    r"|(?:see|sees|treat|treats) (?:\w+ )?(?:patients|members)|says? (?:yes|no)|said (?:yes|no)|a (?:yes"
    r"|no)|on (?:\w+'?s? ){1,6}list"
    r"|good (?:with|there|at)|fine (?:with|there|at)|okay (?:with|there|at)|works? (?:at|there)|signed up"
    r" with|a go|dropped|one of (?:the|their) (?!bus|big|old|new|small)\w+ (?:offices|locations|sites)"
    r"|have \w+ on (?:there|the list|file))"
)
PLAN_ANSWER: Final = any_of(
    rf"\b(?:we|they|it|that|this|there|plan|insurance|office|location|practice|straus|aetna|cigna|medicare"
    rf"|oscar|blue cross"
    rf"|blue shield|choice|united|healthcare|health|avenue|square|heights|hills|plains|windermere|is|are"
    rf"|isn't|aren't)\b"
    rf"[^?!]{{0,60}}\b{_TAKEN}\b",
    r"\b(?:is|are|you're) (?:fine|good|okay|welcome|covered) (?:at|there|with)\b",
    r"^(?:\w+,? ){0,3}(?:it|they|we|that(?: one| office| location)?) (?:do|does|don't|doesn't|did"
    r"|didn't)\b(?! (?:you|have|need))",
    r"^(?:\w+,? )?not (?:at|in|there|that)\b",
    r"\b(?:members|patients) (?:can|are|may)\b",
    r"^(?:\w+,? ){0,2}(?:yes|yep|yeah|no(?! problem| worries)|absolutely|correct|unfortunately|i'm"
    r" afraid|sorry)\b[^?]{0,60}\b(?:do|does"
    r"|don't|doesn't"
    r"|do not|does not|is|isn't|is not)\b",
)
_POLARITY: Final = (
    r"\b(?:yes|yep|yeah|no|not|fine|good|okay|great|luck\w*|sadly|unfortunately|afraid|sorry|happy|welcome"
    r"|absolutely|certainly"
    r"|covered|listed|match|works?|together|isn't|doesn't|don't|aren't|stopped|longer|only)\b"
)
OF_CALLER: Final = (
    r"\b(?:are|do|have|can|will|would) you (?:\w+ )?(?:take|taking|accept|taken|have)\b"
    r"|\b(?:you'd|you would|you'll|you) (?:like|want|wanted|wish|asked) (?:me )?(?:to know )?(?:if|whether"
    r"|about)\b"
    r"|\blet me\b|\b(?:looking|checking)\b(?![^.?!]*\b(?:and|yes)\b)"
)
IN_GENERAL: Final = any_of(
    r"\b(?:some|most|many|all|each|every|certain|a lot|lots|nearly all|almost all|not all|none)(?: of)?(?:"
    r" our| the)?"
    r" (?:\w+ ){0,2}(?:practices|offices|locations|sites|clinics|doctors|providers|carriers|insurers"
    r"|insurances?|plans)\b",
    r"\b(?:usually|generally|typically|normally|everywhere|elsewhere|office to office|our offices|in"
    r" general)\b",
    r"\b(?:not|don't|doesn't) (?:all|always|the same)\b",
    r"\b(?:quite a few|several|plenty of|a few|many|other|various|lots of) (?:of )?(?:\w+ )?(?:places|offices"
    r"|locations|sites)\b",
    r"\b(?:most|many|a lot of|lots of|various|different|several|a number of|plenty of|wide (?:range|variety)"
    r"|(?:good|broad|large|big|full) (?:range|number|mix|selection)|variety|all major"
    r"|major) (?:of )?"
    r"(?:\w+ )*(?:plans|insurances?|insurers|carriers|offices|locations|products)\b",
    r"\b(?:depends|varies|vary|differs?|different)\b",
    r"\bnew patients\b",
)
FLOOR: Final = any_of(
    r"\b(?:ground|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|lower"
    r"|top|main"
    r"|[0-9]+(?:st|nd|rd|th)?|[0-9] [0-9]|one|two|three|four|five|six|seven|eight|nine|ten|twelve) (?:floor"
    r"|level|story|storey)\b|\b(?:one|two|three|a|1|2|3) flights?\b(?! \d)",
    r"\bfloor (?:number )?(?:[0-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)",
    r"\b(?:elevator|stairs|lift)\b[^.?!]{0,20}\bto (?:the )?(?:one|two|three|four|five|six|seven|eight"
    r"|nine|ten|[0-9])\b",
    r"\b(?:street|ground) level\b",
    r"\b(?:they're|we're|you're|it's|office is|is|up) (?:up )?on (?:one|two|three|four|five|six|seven|eight"
    r"|nine|ten|[0-9]{1,2})\b(?! \w+)",
    r"\b(?:lobby|\bsuite [0-9])",
)
PARKING: Final = (
    r"\b(?:park|parking|parked|garage|car park|valet|(?:parking|our|a|the|free|back|front|public|shared|no"
    r"|own) lot"
    r"|meters?|metered|(?:dedicated|private|separate) lot|(?:room|space)\b[^.?!]{0,25}\b(?:cars?"
    r"|vehicles?)|(?:free|reserved|visitor|patient|car|marked|few|some) (?:\w+ )?(?:spaces|spots"
    r"|stalls|bays)"
    r"|(?:leave|bring|put) (?:your|the) (?:car|vehicle))\b"
)
_PARKING_LATER: Final = (
    r"\b(?:look(?:ing)? (?:up|at)|check\w*|(?<!you'll )(?<!you can )(?<!you will )find|see|about|into) (?:\w+"
    r" ){0,3}parking\b|\b(?:where|whether|if) you"
    r" can park\b"
)
_HOUR: Final = r"(?:six|seven|eight|nine|ten|noon|one|two|three|four|five|[0-9]{1,2})"
HOURS: Final = any_of(
    HOURS_SAID,
    both(TIME, r"\b(?:to|until|till|through|and|open|opens|close|closes|closed|hours)\b|-|–"),
    r"\b[0-9]{1,2}(?::[0-9]{2})? ?(?:am|a\.m\.|in the morning)? (?:to|until|till|through) [0-9]{1,2}\b"
    r"(?! (?:weeks?|days?|hours?|minutes?|months?|business|times|sessions?))",
    r"\bclosed (?:on )?(?:mondays?|all day|that day)\b",
    rf"\b{_HOUR}(?: thirty)? (?:to|two|too|till|til|until|through) {_HOUR}\b(?! (?:weeks?|days?|hours?"
    rf"|minutes?|months?|business|times|sessions?))"
    rf"|\bbetween {_HOUR}(?: thirty)? and {_HOUR}\b",
)
_SUM: Final = (
    r"(?:\b(?:[a-z]+ )?(?:hundred|thousand)(?: (?:and )?[a-z]+)?\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine) (?:fifty|twenty|thirty|forty|sixty|seventy|eighty"
    r"|ninety)(?:[- ][a-z]+)?\b"
    r"|\b(?:fourteen|fifteen|twelve)\b)(?! (?:minutes?|weeks?|months?|days?|hours?|sessions?|treatments?"
    r"|units?|years?))"
)
"""An amount in words, without its dollars."""
PRICE: Final = any_of(
    both(
        FIGURE,
        r"\b(?:unit|session|syringe|treatment|vial|area|starts?|starting|costs?|priced?|prices|runs?|ranges?"
        r"|typically"
        r"|average|botox|peels?|microneedling|filler|each|per|is|it's|that's|between|begins?|beginning|from"
        r"|pay)\b",
    ),
    rf"\b(?:unit|session|syringe|peel|vial|botox|filler|microneedling)s?\b[^.?!]*{_SUM}",
    rf"{_SUM}[^.?!]*\b(?:units?|sessions?|syringes?|vials?)\b",
    # "Peels begin at one hundred fifty."
    rf"\b(?:botox|peels?|microneedling|fillers?|it|that|they|those|ours|one|session|you)(?:'s"
    rf"|'re|'d)?\b[^.?!]{{0,40}}\b(?:costs?|runs?|is|are|be|at"
    rf"|begins?|starts?|from|about|around|for)\b[^.?!]{{0,15}}{_SUM}",
    rf"^(?:\w+,? ){{0,3}}{_SUM}(?:,)? (?:a|per|each|for (?:a|one|each)) (?:\w+ )?(?:unit|session|syringe"
    rf"|treatment|visit|peel|vial|time)\b",
)
_TREATMENTS: Final = {
    "botox": r"\b(?:botox|units?)\b",
    "filler": r"\b(?:fillers?|syringes?)\b",
    "peel": r"\bpeels?\b",
    "microneedling": r"\b(?:micro ?needling|needling)\b",
}
_ONLY_TERMS: Final = (
    r"^(?!.*\b(?:unit|session|syringe|botox|peel|microneedling|filler)\b).*\b(?:deposit|fee|balance)\b"
)


def _both_named(plan: str, office: str) -> str:
    """A statement that names the plan and the office and holds a yes or a no, in whatever words."""
    asked = (
        r"\?|(?<!re )(?<!is )(?<!be )\b(?:okay|ok|alright|perfect)\W*$|\b(?:is that|right|correct|do"
        r" you|would you|is it|shall|whether|if)\b"
    )
    named = rf"(?=.*\b{plan.split()[0][:6].lower()})(?=.*\b{office.lower()}\b)"
    return rf"^(?!.*(?:{asked})){named}(?=.*(?:{_POLARITY}))"


def _another_price(service: str) -> str:
    """A sentence that gives an amount for another treatment and none for ``service``."""
    own = next(words for name, words in _TREATMENTS.items() if name in service.lower())
    others = "|".join(words for words in _TREATMENTS.values() if words != own)
    figure = rf"{FIGURE}|{_SUM}|\b[0-9]"
    amount = rf"(?:(?:{own})[^.,;?!]{{0,60}}(?:{figure})|(?:{figure})[^.,;?!]{{0,30}}(?:{own}))"
    return rf"^(?!.*{amount}).*(?:{others})"


def plan_told(
    plan: str,
    office: str,
    line: str,
    *,
    name: str = "answer",
    ends: bool = False,
    after: tuple[str, ...] = (),
    unless: tuple[str, ...] = (),
    order: int = 9,
) -> Rule:
    """Fires on a yes and on a no alike."""
    return Rule(
        id=name,
        when=f"The agent says whether the {office} office takes {plan}, be it yes or no",
        not_when=(
            "when it only says that it will check, or asks something",
            "when it speaks of plans or offices in general",
        ),
        line=line,
        cues=Cues(
            all_of=(any_of(PLAN_ANSWER, _both_named(plan, office)),),
            none_of=(CHECK_IF, ASKS_BACK, IN_GENERAL, OF_CALLER, ASKING_IDENTITY),
        ),
        after=after,
        unless=unless,
        order=order,
        ends_call=ends,
        tests=(
            *fires(
                f"Yes, our {office} office takes {plan}.",
                f"Good news, {plan} is accepted at {office}. Would you like to book a visit?",
                f"I'm sorry, {office} doesn't accept {plan}.",
                f"{plan} is in network there.",
                given=after,
            ),
            *silent(
                f"Let me check whether {office} takes {plan}.",
                "Which plan do you have, exactly?",
                f"You'd like to know about {plan} at {office}, is that right?",
                f"{plan}, sure, we see that one a lot.",
                "We accept most major plans, but it depends on the office.",
                "May I have your full name and date of birth?",
                given=after,
            ),
        ),
    )


def when_floor_told(
    line: str,
    office: str,
    *,
    name: str,
    after: tuple[str, ...],
    unless: tuple[str, ...] = (),
    order: int = 9,
) -> Rule:
    return Rule(
        id=name,
        when=f"The agent says which floor the {office} office is on",
        not_when=("when it reads a time back for a yes or a no",),
        line=line,
        cues=Cues(all_of=(FLOOR,), none_of=(CHECK_IF, r"\b(?:which|what) (?:floor|level)\b")),
        after=after,
        unless=unless,
        order=order,
        tests=(
            *fires(
                f"The {office} office is on the fourth floor.",
                f"It's at 450 {office}, 3rd floor, suite 310. Anything else?",
                "You'll find us on the ground floor.",
                given=after,
            ),
            *silent(
                "Let me check the floor for you.",
                "May I have your full name and date of birth?",
                "Which day works best for you?",
                given=after,
            ),
        ),
    )


def when_parking_told(
    line: str,
    office: str,
    *,
    name: str,
    after: tuple[str, ...],
    unless: tuple[str, ...] = (),
    ends: bool = False,
    order: int = 9,
) -> Rule:
    return Rule(
        id=name,
        when=f"The agent says where one can park at the {office} office, or whether one can",
        not_when=("when it only says that it will look it up",),
        line=line,
        cues=Cues(all_of=(PARKING,), none_of=(_PARKING_LATER, r"\bpark avenue\b")),
        after=after,
        unless=unless,
        ends_call=ends,
        order=order,
        tests=(
            *fires(
                "There's a free lot behind the building.",
                f"Parking at {office} is in the garage next door. Anything else I can help with?",
                "You can park on the street, it's metered.",
                given=after,
            ),
            *silent(
                "Let me look up the parking for you.",
                "May I have your full name and date of birth?",
                "Which day works best for you?",
                given=after,
            ),
        ),
    )


def price_told(
    service: str,
    price: str,
    line: str,
    *,
    name: str,
    other: str = "",
    ends: bool = False,
    after: tuple[str, ...] = (),
    unless: tuple[str, ...] = (),
    order: int = 9,
) -> Rule:
    """``price`` is how it may be said, for the example sentences; ``other`` is a pattern of a treatment
    that is not meant.
    """
    return Rule(
        id=name,
        when=f"The agent says what {service} costs",
        not_when=("when it only names a deposit or a fee", "when it only says that it will look it up"),
        line=line,
        cues=Cues(
            all_of=(PRICE,),
            none_of=(
                CHECK_IF,
                _ONLY_TERMS,
                ASKING_IDENTITY,
                _another_price(service),
                *((other,) if other else ()),
            ),
        ),
        after=after,
        unless=unless,
        ends_call=ends,
        order=order,
        tests=(
            *fires(
                f"{service} is {price}.",
                f"For {service} the price is {price}. Would you like to book a consult?",
                f"It starts at {price}, depending on what you need.",
                given=after,
            ),
            *silent(
                "Let me look up that price.",
                "There is a $50.00 deposit for a consult.",
                "What it costs depends on how much of it you need.",
                "May I have your full name and date of birth?",
                given=after,
            ),
        ),
    )


def floor_topic() -> Topic:
    return Topic("floor", Cues(all_of=(FLOOR,), none_of=(r"\b(?:which|what) (?:floor|level)\b",)))


def parking_topic() -> Topic:
    return Topic("parking", Cues(all_of=(PARKING,), none_of=(_PARKING_LATER, r"\bpark avenue\b")))


def price_topic() -> Topic:
    return Topic("price", Cues(all_of=(PRICE,), none_of=(CHECK_IF, _ONLY_TERMS)))
