"""Facts that an agent may ask any caller for, besides who they are."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, Rule
from offhook_industries.common.cues import ASKS_OFFICE, GOODBYE, any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._cues import (
    ASKED_MEMBER,
    ASKING_IDENTITY,
    HELD,
    OFFERS_TIMES,
    ONLY_THANKS,
    OPENS_QUESTION,
    READS_VALUE,
)
from offhook_industries.healthcare.tasks._remarks import STATEMENT

__all__ = [
    "ASKED_PLAN",
    "asks_detail",
    "asks_how_urgent",
    "asks_if_new",
    "asks_member",
    "asks_office",
    "asks_plan",
    "asks_reason",
]

_QUESTION: Final = (
    rf"\?|{OPENS_QUESTION}|,? (?:right|correct)\W*$|"
    r"\b(?:are|have|has|is|were|was|do|did|does|will|would|can|could) you\b"
    r"|(?:[,;] |\b(?:and|or|so|but) )(?:are|have|has|is|was|do|did|does|will|would|can|could)"
    r" (?:this|it|that|the|they|we|your)\b"
)
ASKED_PLAN: Final = any_of(
    r"\bname of (?:the|your|that) (?:insurance )?(?:plan|insurance)\b",
    r"\b(?:insured|covered) (?:with|by|through)\b",
    r"\b(?:medicare|ppo|hmo|epo|advantage|plan)\b[^.!]{0,30}\bor\b[^.!]{0,30}\b(?:medicare|ppo|hmo|epo"
    r"|advantage|plan)\b",
    r"\b(?:through|from) (?:an employer|work|a job|your (?:job|work|employer))\b[^.!]{0,12}\bor\b",
    r"\b(?:know|remember|sure|tell me) which\b(?: (?:plan|one|kind|type|product|of (?:them|those)))?\W*$",
    r"\bwhich (?:one|plan|kind|type|version|product) (?:is|do|are|would)\b[^.?!]{0,15}\b(?:yours|you have"
    r"|you on|you got)\b",
    r"\b(?:insurance|carrier|insurer|insurance company)(?:'s)? name\b",
    r"\b(?:what|which|whose|who(?:'s| is)?)\b[^.?!]{0,40}\b(?:insurance|insurer|carrier|health plan|plan"
    r"|coverage"
    r"|payer|aetna|medicare|cigna|blue cross|united ?health\w*|united|oscar|product)\b",
    r"\binsurance\b[^.!]{0,20}\bor\b[^.!]{0,25}\b(?:pay\w*|cash|out of pocket|self|yourself|own)\b",
    r"\bwhich (?:one|plan|kind|type|product)\b[^.?!]{0,20}\b(?:on (?:your|the) card|you've got"
    r"|do you have)\b",
    r"\b(?:plans?|ppo|hmo|choice|advantage|medicare)\b[^.!]{0,40}\bor\b[^.!]{0,40}\b(?:plans?|ppo|hmo|choice"
    r"|advantage|medicare|plus)\b",
    r"^\W*(?:and |okay |then )*(?:your |the )?(?:insurance|plan|carrier)(?: is| would be)?\W*$",
    r"\b(?:regular|original|straight|plain|traditional) (?:medicare|aetna|united\w*)\b[^.!]*\?",
    r"\bwho (?:is it|do you have it|is your insurance|is that) (?:with|through)\b",
    r"\b(?:may i|can i|could i|could you|can you|need|tell me|give me|have|get|please|(?:and"
    r"|about) (?:your|the"
    r"|any))\b[^.?!]{0,30}"
    r"\b(?:name of (?:your|the) (?:plan|insurance)|insurance|plan name|plan's name|carrier)\b",
    r"\b(?:are you|will you be|would you be)\b[^.?!]{0,30}\b(?:insured|using (?:your )?insurance"
    r"|self[- ]?pay\w*)\b",
    r"\b(?:is it|is that|do you have|are you on|if it's|if it is|know if|would that"
    r" be)\b[^.?!]{0,30}\b(?:ppo|hmo|advantage|original medicare"
    r"|medicare|a plan)\b",
)
_NOT_A_PLAN: Final = (
    r"\binsurance (?:team|desk|department|specialist|people)\b|\b(?:reach out|transfer|connect)\b"
    r"|\b(?:payment|treatment|monthly|financing) plans?\b"
)
_REASON: Final = any_of(
    r"\bfor what\b|\bwhat condition\b",
    r"\bsee(?:ing)? you for\b",
    r"\bwhat (?:would|should|do|can|shall|is it|will)\b[^.?!]{0,50}\b(?:look at|checked|examine"
    r"|treat(?:ed)?|looked at|seen for|see us about|examined)\b",
    r"\b(?:which|what) (?:treatment|service|procedure|skin (?:problem|issue|concern)|concern)\b",
    r"\b(?:is (?:it|this|that)|this is|it's|that's|that'd be) (?:for|about) [^.!]{3,60}\bor\b",
    r"\bwhat are we\b|\bwhat(?:'ll| will| would| should| is|'s)\b[^.?!]{0,30}\b(?:looking at|look at)\b",
    r"\bwhat\b[^.?!]{0,25}\b(?:coming in|come in|you're here|be here)\b[^.?!]{0,12}\b(?:about|for|with)\b",
    r"\bwhat\b[^.?!]{0,25}\b(?:as|for) (?:the|your) (?:concern|reason|problem|issue|complaint)\b",
    r"\bwhat(?:'s| is) (?:it|this|that)(?: all)? (?:about|for|regarding)\b|\b(?:visit|appointment|this"
    r"|it)(?:'s| is| would be"
    r"| will be) for\W*$",
    r"\bwhy (?:you|are you|do you|you're)\b[^.?!]{0,20}\b(?:com\w+|need|want|here|see)\b",
    r"\bwhat (?:can|could)\b[^.?!]{0,30}\bhelp (?:you )?with\b|\bwhat\b[^.?!]{0,25}\b(?:have|get|getting"
    r"|having) done\b",
    r"\bis (?:it|this|that) (?:a |an |for )?(?:\w+,? (?:or )?(?:a |an )?){1,5}something else\b",
    r"\bwhat you(?:'d| would)? (?:like|want|need)\b[^.?!]{0,20}\b(?:checked|looked at|seen|examined"
    r"|treated)\b",
    r"\bwhat(?:'s| is| are)? (?:\w+ )?(?:bringing|brings|troubling|bothering|wrong)\b",
    r"\b(?:medical|cosmetic)\b[^.!]*\bor\b[^.!]*\b(?:medical|cosmetic)\b",
    r"\b(?:us|(?<!want )(?<!like )me|someone|them|the doctor) to (?:look at|check|see|examine|treat)\b",
    r"\b(?:particular|specific|main|certain) (?:skin )?(?:issue|concern|problem|condition)\b",
    r"\breasons? (?:for|of|you|why|to)\b",
    r"\bwhat(?:'s|s| is| are| will| would| should| do| did| brings| kind| type| sort| can|"
    r" seems)?\b[^.?!]{0,50}"
    r"\b(?:seen for|see (?:us|someone|the (?:doctor|dermatologist|provider))|visit (?:for|about)|appointment"
    r" (?:for|about)"
    r"|concerns?|looked at|treated|brings? you|going on|bothering|problem|issue|coming in for|come in for"
    r"|like to discuss"
    r"|condition|skin (?:issue|problem|concern)|trouble|help with|visit)\b",
    r"\b(?:tell me|describe|explain|share)\b[^.?!]{0,40}\b(?:concern|problem|symptoms?|condition|reason"
    r"|going on"
    r"|issue|rash|skin|visit|happening|matter)\b",
    r"\b(?:visit|appointment|this) (?:is )?(?:for|about|regarding)\?",
    r"\bwhat (?:is it|is this|is that|would it be|will it be|for)\b[^.?!]{0,10}(?:for|about)?\?",
)
_DETAIL: Final = any_of(
    r"\b(?:has|have|did|is|are)\b[^.?!]{0,25}\b(?:chang\w+|grown|growing|(?:gotten|getting|got) (?:bigger"
    r"|darker|larger|worse))\b",
    r"\bhave you (?:been|gotten|got|taken|put|applied)\b[^.?!]{0,12}\b(?:anything|something|on (?:a|any"
    r"|some))\b",
    r"\bwhen(?:'d| did) (?:it|this|that|they|the|your|you (?:first|notice|start))\b",
    r"\b(?:family|relatives?)\b[^.!]*\b(?:history|ever|had|cancer|melanoma)\b",
    r"\bhow (?:long|bad|often|many|large|big|severe)\b",
    r"\bsince when\b",
    r"\b(?:on|in) (?:your|the) (?:face|back|chest|arms?|legs?|hands?|scalp|neck|skin|body)\b",
    r"\bwhen did (?:it|this|that|they|the|your|you (?:first|notice))\b",
    r"\bwhere (?:is|are|on your|on the) (?:it|the|your|body|they)\b",
    r"\bhave you (?:ever )?(?:tried|used|seen (?:a|another|any)|had|noticed|treated|been diagnosed|been"
    r" treated)\b",
    r"\b(?:any|other) (?:allergies|medications?|medicines?|history|other symptoms|symptoms|conditions)\b",
    r"\bare you (?:currently )?(?:taking|using|allergic|pregnant|on any)\b",
    r"\bwhich (?:part|parts|area|areas) of\b",
)
_TOLD_HOW: Final = (
    r"^(?!.*(?:\?|\byou (?:had|have|tried|been)\b)).*\b(?:tell|tells|show|shows|decide|decides|say|says"
    r"|see|sees) (?:you |how |to )*how"
    r" (?:many|much|long|often)\b"
)
"""What somebody else will say of it."""
_URGENT: Final = any_of(
    r"\b(?:urgent|urgency|urgently|emergency|right away|how soon|fever|bleeding|bleed|infected|worse"
    r"|worsening|spreading"
    r"|painful|in pain|wait a (?:week|bit|while|few)|(?:you|it|that|this) wait|(?:can't|cannot) wait"
    r"|temperature|pain|trouble breathing|breathing|swelling|can (?:it|this) wait|routine)\b",
)


def asks_office(
    line: str, unless: tuple[str, ...] = (), after: tuple[str, ...] = (), name: str = "office"
) -> Rule:
    return Rule(
        id=name,
        when="The agent asks which office or location the caller means or wants",
        not_when=("when it asks for identity details", "when it asks for a day or a time"),
        line=line,
        cues=Cues(
            all_of=(
                any_of(
                    ASKS_OFFICE,
                    r"\bname of (?:the|your|that) (?:office|location)\b|\b(?:which|what) (?:office|location)"
                    r" was\b",
                    r"\bor (?:a |at )?(?:\w+ )?(?:different|another|other) (?:office|location)\b",
                    r"\bor (?:at |in )?(?:somewhere|someplace) else\b|\b(?:which|what) (?:place|spot)\b",
                    r"\bwhere(?:abouts)? (?:would|do|did|are|were) you (?:\w+ ){0,2}(?:like|want|prefer"
                    r"|come|go|hop\w+)\b",
                    r"\b(?:which|what|one) of (?:our|the) (?:\w+ )?(?:places|spots|branches|sites|clinics)\b",
                ),
            ),
            none_of=(ASKING_IDENTITY, OFFERS_TIMES, r"\b(?:doctor|provider|pharmacy|card)\b"),
        ),
        after=after,
        unless=unless,
        order=40,
        tests=(
            *fires("Which office would you like?", "Which of our locations is that?", given=after),
            *fires(
                "What location works best for you?",
                "Sorry, could you say only the name of the office again?",
                "I didn't catch the name of the office. Could you repeat it?",
                "Which office was that? Please say it again.",
                "Sorry, at which office was that? Could you say it once more?",
                given=after,
            ),
            *silent(
                "May I have your full name?",
                "Let me look up that office for you.",
                "Which day works best for you?",
                given=after,
            ),
        ),
    )


def asks_plan(line: str) -> Rule:
    return Rule(
        id="plan",
        when="The agent asks which insurance or plan the caller has, or which kind of that plan",
        not_when=("when it asks for the member number", "when it speaks of a payment plan"),
        line=line,
        cues=Cues(
            like=(
                "What insurance do you have?",
                "Who is your insurance with?",
                "Which plan are you on?",
            ),
            all_of=(ASKED_PLAN,),
            none_of=(
                ASKED_MEMBER,
                _NOT_A_PLAN,
                r"\b(?:let me|i'll|i will|i can|i'm)\b(?! (?:\w+ )?(?:need|have to know|gonna need"
                r"|going to need)\b)",
                READS_VALUE,
                r"\bon here\b",
            ),
            threshold=0.78,
        ),
        order=42,
        tests=(
            *fires(
                "What insurance do you have?",
                "Which plan is that, exactly?",
                "Can I get the name of your insurance, please?",
                "Sorry, could you say only the name of the plan again?",
                "I didn't catch the name of the plan. Could you repeat it?",
                "Which plan was that? Please say it again.",
                "Could you tell me the name of your plan once more?",
            ),
            *silent(
                "What's your member number?",
                "May I have your full name and date of birth?",
                "Let me check whether we take that plan.",
            ),
        ),
    )


def asks_member(line: str, unless: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id="member-number",
        when="The agent asks for the member number, or for what is on the insurance card",
        not_when=("when it reads a number back", "when it asks to hear the number again"),
        line=line,
        cues=Cues(
            all_of=(ASKED_MEMBER,),
            none_of=(
                READS_VALUE,
                r"\b(?:again|repeat|slowly|at a time|without|bring)\b",
                r"[0-9]{6,}|(?:[0-9][- ]){6,}",
                ONLY_THANKS,
                rf"^(?=.*(?:{STATEMENT})).*\bnumber\b[^,?]* (?:starts|is only|is just)\b",
                r"\b(?:thanks|thank you|okay|great|perfect),? (?:\w+,? )?i(?:'ve got| have)\b(?!.*\?)",
                r"^(?!.*(?:\?|\b(?:what|read|tell|give|need|could|can|may|please)\b)).*"
                r"\bnumber(?:'s| is) (?:\w+ )?(?:usually|always|often|printed|right|on|under|at|the one)\b",
            ),
        ),
        unless=unless,
        order=33,
        tests=(
            *fires(
                "What's the member number on your card?",
                "Could you read me your member ID?",
                "I'd need the ID number from your insurance card.",
            ),
            *silent(
                "What's your date of birth?",
                "I have member number 123456789. Is that right?",
                "Which office would you like?",
            ),
        ),
    )


def asks_reason(line: str, unless: tuple[str, ...] = ()) -> Rule:
    return Rule(
        id="reason",
        when="The agent asks what the visit is for",
        not_when=("when it asks for a day, a time, an office, an insurance or identity details",),
        line=line,
        cues=Cues(
            like=("What would you like to be seen for?", "What's the reason for your visit?"),
            all_of=(_REASON,),
            none_of=(
                HELD,
                ASKING_IDENTITY,
                ASKS_OFFICE,
                GOODBYE,
                ASKED_PLAN,
                r"\b(?:(?:anything|what) else|day|time|date|when|how soon|hours|price|cost|doctor you)\b",
                r"\b(?:which|what|particular|preferred|any|see an?|certain) (?:\w+ )?provider\b",
                r"\b(?:financing|payments?|deposit|balance|link|message)\b",
            ),
            threshold=0.7,
        ),
        unless=unless,
        order=43,
        tests=(
            *fires(
                "What's the reason for the visit?",
                "Sure. What would you like to be seen for?",
                "Can you tell me a bit about what's going on with your skin?",
            ),
            *silent(
                "What day works best for your visit?",
                "May I have your full name and date of birth?",
                "One moment, please.",
            ),
        ),
    )


def asks_detail() -> Rule:
    return Rule(
        id="details-later",
        when="The agent asks for particulars of the complaint: since when, where on the body, how bad, what "
        "was tried, "
        "which medicines or allergies",
        line="I'd rather go over that with the doctor.",
        cues=Cues(
            like=(
                "How long have you had it?",
                "Where on your body is it?",
                "Have you tried any creams for it?",
                "Has it changed lately?",
            ),
            all_of=(_DETAIL,),
            none_of=(HELD, ASKING_IDENTITY, OFFERS_TIMES, STATEMENT, _TOLD_HOW),
            threshold=0.78,
        ),
        order=44,
        tests=(
            *fires(
                "How long have you had it?",
                "Have you tried any treatment for that?",
                "Are you taking any medications at the moment?",
            ),
            *silent(
                "What's the reason for the visit?",
                "May I have your full name?",
                "Which office would you like?",
            ),
        ),
    )


def asks_how_urgent(line: str = "No, it can wait for a routine visit. It's nothing dangerous.") -> Rule:
    return Rule(
        id="how-urgent",
        when="The agent asks whether it is urgent or an emergency, or about warning signs such as fever, "
        "bleeding, pain "
        "or spreading",
        line=line,
        cues=Cues(
            all_of=(_URGENT, _QUESTION),
            none_of=(
                HELD,
                r"\breason\b",
                ASKING_IDENTITY,
                OFFERS_TIMES,
                r"\b(?:hang up|call 911|dial 911)\b(?![^?]*\?)",
            ),
        ),
        order=39,
        tests=(
            *fires(
                "Is it urgent, or can it wait for a routine visit?",
                "Do you have a fever, or is it bleeding?",
                "Is this an emergency?",
            ),
            *silent(
                "May I have your full name?",
                "What's the reason for the visit?",
                "Let me look at the schedule.",
            ),
        ),
    )


def asks_if_new(line: str = "I'm a new patient, I haven't been to you before.") -> Rule:
    return Rule(
        id="new-or-not",
        when="The agent asks whether the caller has been there before, or is a new patient",
        not_when=("when it also asks for identity details",),
        line=line,
        cues=Cues(
            like=(
                "Are you a new patient?",
                "Have you been to us before?",
                "Do you already have a chart with us?",
            ),
            all_of=(
                any_of(
                    r"\b(?:new|existing|established|returning|current) patients?\b",
                    r"\bnew to (?:us|the practice|our|straus|the clinic)\b",
                    r"\b(?:been|come|came|seen|visited|treated|a patient)\b[^.?!]{0,40}\b(?:before"
                    r"|previously|with us|by us"
                    r"|here|past|at straus|our (?:offices?|clinics?|practice))\b",
                    r"\bfirst (?:visit|time|appointment)\b",
                    r"\b(?:have|got|is there) a chart\b|\bin our system\b",
                    r"\bhave you (?:on file|in (?:our|the) (?:system|computer|records))\b",
                    r"\bhave we (?:ever )?(?:seen|treated|met)\b",
                ),
                _QUESTION,
            ),
            none_of=(
                HELD,
                ASKING_IDENTITY,
                OFFERS_TIMES,
                r"\breason\b",
                r"\b(?:welcome|as a new patient|for what|would you like|set up|book|schedule|check|look)\b",
            ),
            threshold=0.78,
        ),
        order=37,
        tests=(
            *fires(
                "Are you a new patient, or have you been here before?",
                "Have you been seen at Straus before?",
                "Is this your first visit with us?",
            ),
            *silent(
                "As a new patient you should arrive fifteen minutes early.",
                "Do you recall that visit?",
                "May I have your full name and date of birth?",
                "What's the reason for the visit?",
            ),
        ),
    )
