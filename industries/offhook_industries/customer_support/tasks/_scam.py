"""What callers say who were contacted by an impostor, apart from their values."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Rule, Topic
from offhook_industries.customer_support.tasks._cues import (
    ASKS_IF_RIGHT,
    ASKS_NAME,
    ASKS_ORDER,
    GO_AHEAD,
    NOT_YET,
    OFFERS_TEXT,
    any_of,
)
from offhook_industries.customer_support.tasks._examples import WAIT, fires, silent

__all__ = ["REPORTED", "reported_topic", "scam_calls", "scam_rules"]

REPORTED: Final = any_of(
    r"\b(?:passed|forwarded|handed|sent|gone|went) (?:on )?to (?:our|the) (?:fraud|security|scam|safety)\b",
    r"\b(?:i've|i have|we've|just) (?:now |just )?(?:passed|forwarded|handed|sent|flagged|logged) (?:that"
    r"|it|this)"
    r" (?:on |over |along )?(?:to|with)\b|\b(?:it's|that's) all been (?:reported|filed|logged)\b",
    r"\b(?:logged|filed|recorded) with (?:our|the)\b",
    r"\breport(?:'s| is) in\b|\b(?:that's|it's|now) (?:now )?(?:on (?:file|record)|with our)\b",
    r"^(?:okay,? |all right,? )?(?:reported|filed|logged)\b",
    r"\b(?:it|this|that|scam|contact|call|message|text|charge|case|everything|incident)(?: has been"
    r"|'s been| have been| is now| was"
    r"| is) (?:now |just |all )*(?:reported|filed|logged|recorded|documented|on file|submitted)\b",
    r"\breport(?:ed)?\b[^.?!]*\b(?:is|has been|was|been|'s)(?: now| just| all)* (?:filed|made|submitted"
    r"|on file|in|logged|"
    r"recorded|taken|noted|created|complete|done|received)\b",
    r"\b(?:filed|submitted|logged|made|recorded|created|taken|put in|sent in)(?: \w+){0,3} report\b",
    r"\breport (?:number|id|reference)\b",
    r"\b(?:i've|i have|we've|we have|just|now)(?: now| just)* (?:reported|filed|logged|recorded) (?:it"
    r"|that|this|the)\b",
    r"\b(?:it|that|this)(?: has been|'s been| is|'s| was) (?:now )?(?:reported|filed|logged|recorded"
    r"|on file)\b",
    r"\b(?:you're|that's|all) (?:all )?(?:set|done|taken care of)\b",
    r"\bthank(?:s| you) for (?:reporting|letting us know|telling us)\b",
)
_AMOUNT: Final = any_of(
    r"\bwhat (?:did|do) (?:they|he|she|it) (?:say|claim|tell you)\b(?!.*\bfor\W*$)[^.!]*\b(?:costs?|price"
    r"|came to|pay|was worth)\b",
    r"\b(?:figure|amount|sum|total|charge) (?:was|is|being|they (?:said|gave))(?: what)?\W*$",
    r"\b(?:need|know|give me|tell me|take) the (?:dollar )?(?:amount|figure|sum)\b",
    r"\bwhat (?:did|do) (?:they|he|she) (?:say|claim|tell you) you(?:'d)? (?:owed?|had to pay|were "
    r"charged)\b",
    r"\bhow (?:high|big|large)\b[^.!]*\b(?:charge|amount|sum|bill|it|that)\b",
    r"\b(?:what|which) (?:sum|figure|number of dollars)\b",
    r"\bfor how much\b",
    r"\bhow much\b(?![^.!]*\b(?:sent|pay|paid|send|lose|lost)\b)",
    r"\b(?:which|what)(?:'s| is| was)? (?:\w+ ){0,3}(?:amount|sum|price|charge amount)\b",
    r"\bamount\b[^.!]*\b(?:they|was|did|you|mentioned|claimed|of)\b",
    r"\bwhat (?:did|do) they (?:want|charge|ask)\w*\b[^.!]*\b(?:pay|owe|charge)\b",
)
_BILLED: Final = any_of(
    r"\bfor (?:what|which \w+)\W*$|\bwhat (?:was|is) it (?:that )?(?:they|he|she) (?:said|claimed"
    r"|say)\b[^.!]*"
    r"\b(?:bought|buy|for|renew\w*|owed|signed up)\b",
    r"\b(?:which|what) (?:service|product|plan|membership|subscription|thing)\b[^.!]*\bfor\b",
    r"\b(?:supposed|meant) to be for\b|^(?:and |okay,? |so )*(?:what for|for what)\W*$",
    r"\bwhat (?:did|do) (?:they|it|he|she)\b[^.!]*\b(?:was|is|be) for\b",
    r"\bwhat (?:was|is|were|did|for|kind|type|sort)\b[^.!]*\b(?:for|charge|bill\w*|renew\w*|subscription"
    r"|service|product|"
    r"membership|called|as)\b",
    r"\b(?:billed|charged|described) (?:as|for)\b",
    r"\b(?:is|was) (?:it|that|this|the charge)\b[^.!]*\b(?:plus|total|techcrew|renewal|plan|subscription"
    r"|membership|order)\b"
    r"[^.!]*\?",
)
_CHANNEL: Final = any_of(
    r"\b(?:it|that|this|they) (?:came|come|arrived|got to you|reached you) how\b|\bby (?:what|which) "
    r"(?:route|way)\b",
    r"\bthey (?:rang|called|texted|phoned|e-?mailed|wrote)(?: to)? you\b[^.!]*\b(?:did they|right|yes"
    r"|correct)\W*$",
    r"\b(?:get|got) (?:to|hold of|in touch with) you\b[^.!]*\?",
    r"\bin (?:what|which) way\b|\bby what means\b|\bwhat (?:kind|sort|type|form) of (?:contact|message"
    r"|communication)\b",
    r"\bhow (?:they|it|he|she|this|that|you) (?:were |was |first )?(?:contact\w*|reach\w*|got|came|found"
    r"|heard)\b",
    r"\bhow (?:did|were|was|have|has)\b[^.!]*\b(?:get hold|got hold|find you|get to you|contact\w*"
    r"|approach\w*"
    r"|message you|get through|in touch)\b",
    r"^(?:so |and |okay,? )*(?:that was |it was )?(?:by|over|via|through|on) (?:the |a )?(?:phone|text"
    r"|e-?mail|call|mail"
    r")\b[^.!]*(?:\?|\bright\b|\byes\b)",
    r"\b(?:did|does|was|has) (?:it|that|this|they)\b[^.!]*\b(?:come|arrive|reach|sent|write|text|call"
    r"|ring|phone)\w*"
    r"\b[^.!]*\b(?:as|by|via|on|over|through|in) (?:an? |the )?(?:text|call|phone|e-?mail|letter|message"
    r"|pop-?up)\b",
    r"\b(?:did|have) they (?:call|text|e-?mail|write|ring|phone)\w*(?: you)?\W*$",
    r"\b(?:by|over|via|through) (?:a |the )?(?:phone|text|e-?mail|letter|mail|call|message"
    r"|pop-?up)\b[^.!]*\?",
    r"\bhow (?:did|were|was|have)\b[^.!]*\b(?:contact\w*|reach\w*|get in touch|receive\w*|come|you hear"
    r"|get (?:it|this|that))\b",
    r"\b(?:phone|call|text|e-?mail|letter|pop-?up|message)\b[^.!]*\bor\b[^.!]*"
    r"\b(?:phone|call|text|e-?mail|letter|pop-?up|message|something)\b",
    r"\bwas (?:it|that|this) (?:by |a |an |through |over )*(?:the )?(?:phone|call|text|e-?mail|letter"
    r"|message|pop-?up)\b",
)
_NUMBER: Final = any_of(
    r"\b(?:your|the) number (?:is|was|being) (?:what|which)\b|\byour number\W*$",
    r"\b(?:which|what) of your (?:phones|numbers|lines)\b|\b(?:which|what) (?:line|phone)\b[^.!]*\b(?:call\w*"
    r"|text\w*|reach\w*|ring|rang|contact\w*)\b",
    r"\b(?:on|to|at) (?:this|that|the same) (?:line|phone|number)\b[^.!]*\?",
    r"\b(?:call|text|reach|contact)\w* you\b[^.!]*\b(?:this|that|which|what) (?:line|number|phone)\b",
    r"\b(?:which|what)(?:'s| is| was)? (?:\w+ ){0,4}number\b",
    r"\bnumber\b[^.!]*\b(?:text\w*|call\w*|sent|received|contacted|reached|got|used|came)\b",
    r"\b(?:your|the) (?:phone|cell|mobile|telephone)(?: phone)?(?: number)?\b",
    r"\bphone number\b",
    r"\bnumber (?:we|i) (?:can|should|could)\b",
)
# The impostor's own number.
_THEIRS: Final = (
    r"\bnumber\b[^.?!]*\b(?:from|they (?:gave|left|used|were|called from))\b"
    r"|\b(?:their|his|her|the caller's|the sender's) (?:phone )?number\b|\b(?:caller id|sender)\b"
)
_HOW_ASKED: Final = rf"\bhow\b.*|^(?!.*\bwhat did\b).*(?:{_CHANNEL})"
_MONEY_SENT: Final = any_of(
    r"\b(?:any|some|did) (?:cash|money) (?:change|go|leave)\w*\b|\bhold of your (?:card|details|account"
    r"|money)\b",
    r"\bout (?:any|of) (?:money|cash|pocket)\b[^.!]*\?|\bhand(?:ed)? over\b",
    r"\b(?:did|have) they (?:get|take|have|obtain|talk you)\b[^.!]*\b(?:you|your|card|money|details"
    r"|access|info\w*"
    r"|number|password)\b",
    r"\b(?:nothing|no money|anything) (?:was |has been |been |is )?(?:paid|sent|lost|given|shared"
    r"|transferred)\b",
    r"\bdid you\b[^.!]*\b(?:tap|follow|install|download|tell them|answer|reply|respond|open (?:the|any|a)"
    r" (?:link|message|attachment|page))\b",
    r"\b(?:are you|were you|is anything|you) out (?:any|of) (?:money|pocket)\b|\bmoney (?:lost|gone)\b",
    r"\b(?:fall|fell) for it\b",
    r"\byou (?:didn't|haven't|did not|have not)\b[^.!]*\b(?:send|sent|pay|paid|give|gave|given|share\w*"
    r"|click\w*|call\w*)\b",
    r"\b(?:did|have|has|were|are) you\b[^.!]*\b(?:pay\w*|paid|send|sent|transfer\w*|money|gift cards?|give"
    r"|given|gave|lose|lost|"
    r"payment|share\w*|provide\w*|details|click\w*|access|call(?:ed)? (?:them|the number|it)? ?back)\b",
    r"\b(?:money|payment) (?:was|has been|were) (?:sent|paid|made|transferred)\b[^.!]*\?",
    r"\b(?:any|has|was|did) (?:money|payment|you)\b[^.!]*\b(?:sent|paid|made|changed hands|lost|pay|send)\b",
)
_DETAILS: Final = any_of(
    r"\bwhat(?:'d| did) (?:the|that|it|they|he|she)\b[^.!]*\b(?:say|tell|want|ask|claim)\b",
    r"\bwalk me through\b|\bthe gist\b|\bwhat was said\b",
    r"^(?:and |okay,? |so )*then what\b|\bwhat (?:came|happened) (?:next|then|after)\b",
    r"\bword for word\b",
    r"\bwhat did (?:the|that|this) (?:\w+ )?(?:person|caller|man|woman|message|text|e-?mail|voice)\b[^.!]*"
    r"\b(?:say|tell|want|ask|claim)\b",
    r"\bwhat (?:the|that|this|your) (?:\w+ )?(?:message|text|caller|call|voicemail|person) (?:said|says"
    r"|was|wanted)\b",
    r"\b(?:read|repeat) (?:me|it|out|the (?:message|text))\b",
    r"\bwhat (?:exactly |else )?(?:did|does|do|was|were|happened|happens|is) (?:it|they|the|he|she|this"
    r"|that|said|in)?\b[^.!]*"
    r"\b(?:say|said|tell|told|want\w*|ask\w*|claim\w*|message|text|call(?:er)?|happen\w*)\b",
    r"\bwhat happened\b",
    r"\b(?:tell me|describe|walk me through|share)\b[^.!]*\b(?:happened|said|more|about|message|text"
    r"|call|details|what|contact)\b",
    r"\bin (?:a few words|your own words)\b",
    r"\bdetails\b",
)
_FILE: Final = any_of(
    r"\b(?:if you (?:like|want|wish|agree)|with your okay|happy to|i'd|i would)\b[^.!]*\b(?:report|file"
    r"|record|log)\b",
    r"\b(?:let me|i'll|i will|we'll)\b[^.!]*\b(?:report|file|record|log)\b[^.!]*\b(?:okay|ok|all right"
    r"|fine|good|if you"
    r" (?:like|want|agree))\W*$",
    r"\b(?:okay|ok|fine|all right|good)\b[^.!]*\bif i (?:filed?|report(?:ed)?|log(?:ged)?|put)\b",
    r"\b(?:want|like|need) (?:it|that|this) (?:reported|filed|on record|logged)\b",
    r"\b(?:let's|we should|i should|you should|worth|want to|like to)\b[^.!]*\b(?:report\w*|fil(?:e|ing))\b",
    r"\b(?:shall|should|may|can|could|would you like|do you want|want me|like me|okay if"
    r"|ok if)\b[^.!]*\b(?:report\w*|file|log|flag)\b",
    r"\b(?:i can|i could|i'd like to|i recommend)\b[^.!]*\b(?:report|file)\b",
)
_VERDICT: Final = any_of(
    r"\bnone of ours\b|\b(?:nobody|no one|none of us)\b[^.?!]*\b(?:here|kestrel|sent|called|texted|rang"
    r"|wrote)\b",
    r"\b(?:pretending|pretends?|posing|poses) (?:to be|as)\b|\busing our name\b",
    r"\bwe (?:don't|do not|never|didn't|did not|would never|wouldn't)\b[^.?!]*\b(?:phone|call|text|ring"
    r"|renew\w*|send"
    r"|ask|do|bill|charge|contact)\b",
    r"\b(?:didn't|did not|doesn't|does not) come from\b|\bnothing to do with (?:us|kestrel)\b|\bsomebody "
    r"else\b",
    r"\b(?:not|n't|never|no)\b[^.?!]*\b(?:from us|from kestrel|ours|from techcrew|us|real|legitimate"
    r"|genuine|bill\w*|charge\w*|"
    r"contact\w*|call(?:ed)?|text(?:ed)?|sent|record)\b",
    r"\b(?:scam|fake|fraud\w*|impostor|imposter|impersonat\w*|phishing)\b",
)


def scam_calls(
    phone: str, channel: str, amount: int, billed_as: str, details: str
) -> tuple[ExpectedCall, ...]:
    """Charge, contact, report. ``amount`` in cents."""
    return (
        ExpectedCall("check_subscription_charge", arguments={"amount": amount, "billed_as": billed_as}),
        ExpectedCall("check_outbound_contact", arguments={"phone": phone, "channel": channel}),
        ExpectedCall(
            "report_scam_contact",
            arguments={"channel": channel, "amount": amount, "money_sent": False},
            free_text={"details": details},
        ),
    )


def reported_topic() -> Topic:
    return Topic("reported", Cues(all_of=(REPORTED,), none_of=(NOT_YET, r"\?")))


def scam_rules(phone: str, amount: str, billed: str, channel: str, said: str) -> tuple[Rule, ...]:
    """``amount`` with its sign, ``billed`` what was renewed, ``channel`` the line that names how they were
    reached, ``said`` what they were told.
    """
    return (
        _no_money(),
        _how(channel),
        _reached_at(phone),
        _amount(amount),
        _billed(billed),
        _file_it(),
        _what_they_said(said),
        _not_real(),
    )


def _silent(*sentences: str) -> tuple[str, ...]:
    return (WAIT, "Is there anything else I can do for you?", *sentences)


def _no_money() -> Rule:
    return Rule(
        id="no-money",
        when="The agent asks whether the caller paid, sent money, called back, or gave away card details "
        "or access",
        not_when=("when it only warns not to",),
        line="No, I sent no money and I gave them nothing.",
        cues=Cues(
            all_of=(_MONEY_SENT, r"\?|\b(?:did|have|has|was|didn't|haven't) (?:you|any|money)\b"),
            none_of=(_CHANNEL, r"\b(?:please )?(?:don't|do not|never) (?:pay|send|call|give|share)\b"),
        ),
        unless=("heard:reported",),
        order=14,
        tests=(
            *fires(
                "Did you send them any money?",
                "Have you paid anything or given them your card details?",
                "Was any money sent?",
                "Did you call them back or click on anything?",
            ),
            *silent(
                *_silent("Please don't pay them.", "How did they contact you?", "How much did they ask for?")
            ),
        ),
    )


def _how(line: str) -> Rule:
    return Rule(
        id="how-contacted",
        when="The agent asks how the caller was contacted: a call, a text message, an e-mail or another way",
        not_when=("when it asks to which number",),
        line=line,
        cues=Cues(
            all_of=(_CHANNEL, r"\?|\bhow\b|\bwas (?:it|that|this)\b"),
            none_of=(r"\bnumbers?\b|\bwhich line\b",),
        ),
        unless=("heard:reported",),
        order=16,
        tests=(
            *fires(
                "How did they contact you?",
                "Was it a phone call, a text message, or an e-mail?",
                "How did you receive this message?",
            ),
            *silent(*_silent("Which number was it sent to?", "Did you send them any money?")),
        ),
    )


def _reached_at(phone: str) -> Rule:
    return Rule(
        id="reached-at",
        when="The agent asks for the phone number that was called or texted, or for the caller's number",
        not_when=("when it asks for the impostor's number", "when it asks for the caller's name as well"),
        line=f"My number is {phone}.",
        cues=Cues(
            all_of=(_NUMBER,),
            none_of=(
                ASKS_NAME,
                ASKS_ORDER,
                r"\b(?:report|card|account) number\b",
                r"^(?!.*\?).*\b(?:looking|checking|running|searching)\b",
                r"\b(?:asked|told|wanted|gave|want) you to call\b",
                r"\b(?:don't|do not|never) call\b",
                r"\b(?:zip|card)\b",
                r"\bis that (?:right|correct)\b|\b(?:right|correct)\?",
                _THEIRS,
                r"\b(?:on|over) the phone\b",
            ),
        ),
        unless=("heard:reported",),
        order=18,
        tests=(
            *fires(
                "Which phone number did they use to reach you?",
                "What number was the message sent to?",
                "May I have your phone number so I can check our records?",
            ),
            *silent(
                *_silent("Please don't call that number.", "How did they contact you?", "What amount was it?")
            ),
        ),
    )


def _amount(amount: str) -> Rule:
    return Rule(
        id="amount",
        when="The agent asks how much the charge was said to be",
        not_when=("when it asks what the charge was for as well", "when it asks whether money was sent"),
        line=f"They said {amount}.",
        cues=Cues(all_of=(_AMOUNT,), none_of=(r"\bdid you\b[^.!]*\b(?:send|pay)\b", r"\$")),
        unless=("heard:reported",),
        order=20,
        tests=(
            *fires(
                "How much did they say it was?",
                "What was the amount of the charge?",
                "What amount did they mention?",
            ),
            *silent(*_silent("Did you send them any money?", "What was it billed as?")),
        ),
    )


def _billed(billed: str) -> Rule:
    return Rule(
        id="billed-as",
        when="The agent asks what the charge was said to be for",
        not_when=("when it asks only for the amount",),
        line=f"They said it was for {billed}.",
        cues=Cues(
            all_of=(_BILLED,),
            none_of=(
                r"\b(?:happened|number|word for word)\b",
                r"^(?!.*\b(?:renew\w*|charg\w*|bill\w*|for)\b).*\bwhat did the (?:text|message|caller)\b",
                r"\bdid you\b[^.!]*\b(?:send|pay)\b",
                r"\bcontact\w*\b",
            ),
        ),
        unless=("heard:reported",),
        order=22,
        tests=(
            *fires(
                "What was the charge for?",
                "What did they say it was billed as?",
                "Was that for a membership renewal, a TechCrew plan, or an order?",
            ),
            *silent(*_silent("How much was it?", "How did they contact you?")),
        ),
    )


def _file_it() -> Rule:
    return Rule(
        id="file-it",
        when="The agent offers to file a report, or asks whether to",
        not_when=(
            "when it says that the report has been filed",
            "when it asks for something it needs for it",
        ),
        line="Yes, please report it.",
        cues=Cues(
            all_of=(any_of(_FILE, GO_AHEAD),),
            none_of=(
                r"\b(?:what|how|which|did you|have you)\b",
                r"\b(?:check|look up|pull up|verify)\b",
                ASKS_NAME,
                r"\b(?:zip|card|phone) (?:code|number|digits)?\b",
                OFFERS_TEXT,
                ASKS_IF_RIGHT,
            ),
        ),
        unless=("heard:reported",),
        order=24,
        tests=(
            *fires(
                "Would you like me to file a report about it?",
                "I can report this to our fraud team if you want.",
                "That's a scam. Shall I go ahead and report it?",
            ),
            *silent(*_silent("I've filed a report.", "What did they say?")),
        ),
    )


def _what_they_said(said: str) -> Rule:
    return Rule(
        id="what-they-said",
        when="The agent asks what the impostor said or wanted, what happened, or for the details of the "
        "contact",
        not_when=("when it asks only for the amount, the number, the way or the money",),
        line=said,
        cues=Cues(
            all_of=(_DETAILS,),
            none_of=(
                _HOW_ASKED,
                r"\bcard details\b",
                r"\bdid you\b",
                r"\b(?:bought|owed?|had to pay|it (?:cost|came to))\b",
                OFFERS_TEXT,
            ),
        ),
        unless=("heard:reported",),
        order=26,
        tests=(
            *fires(
                "What exactly did they say?",
                "Can you tell me what happened?",
                "Please describe the contact in a few words.",
            ),
            *silent(*_silent("How did they contact you?", "Did you send them any money?")),
        ),
    )


def _not_real() -> Rule:
    return Rule(
        id="not-yours",
        when="The agent says that the charge or the contact was not Kestrel's, or that it is a scam, and "
        "asks nothing "
        "and has filed no report",
        not_when=("when it asks for something or offers a report", "when it only warns in general"),
        line="I thought so. Can you report that for me?",
        cues=Cues(
            all_of=(_VERDICT,),
            none_of=(
                REPORTED,
                r"\?",
                r"\b(?:let me|one moment|i'll|i will|don't (?:call|pay|send|give)|do not (?:call|pay"
                r"|send|give)|need|tell me"
                r"|if|whether)\b",
            ),
        ),
        unless=("heard:reported",),
        first_n=1,
        order=40,
        tests=(
            *fires(
                "That isn't a charge from Kestrel.",
                "We have no record of contacting you. This looks like a scam.",
                "Kestrel does not bill anything like that, so it's fraud.",
            ),
            *silent(*_silent("That's a scam. Shall I report it?", "Did you send them any money?")),
        ),
    )
