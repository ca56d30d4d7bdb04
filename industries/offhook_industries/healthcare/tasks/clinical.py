"""R-H2 and R-M4: refills, one that is never given by phone and one that waits at the pharmacy."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Task
from offhook_industries.common.cues import any_of
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._build import build, identified, verified
from offhook_industries.healthcare.tasks._cues import ASKING_IDENTITY, CHECKING, HELD, LATER, OPENS_QUESTION
from offhook_industries.healthcare.tasks._known import known_rules
from offhook_industries.healthcare.tasks._people import patient, traits_of

__all__ = ["MESSAGE_OFFER", "MESSAGE_SENT", "tasks"]

_TEAM: Final = (
    r"(?:clinical |care |medical |nursing )?(?:team|nurse|nurses|doctor|provider|staff|clinician"
    r"|dermatologist|office)"
)
MESSAGE_OFFER: Final = any_of(
    r"\bgive you a (?:ring|call|buzz|shout)\b",
    r"\b(?:send|leave|write|pass|get|file|put in|take|forward|give)\b[^.?!]{0,40}\b(?:message|note|word"
    r"|request|question)\b",
    rf"\b(?:message|notify|alert|ask|let|inform|tell)\b[^.?!]{{0,15}}\b(?:the|our|your) {_TEAM}\b",
    rf"\b{_TEAM}\b[^.?!]{{0,30}}\b(?:call|phone|contact|reach|get back)\b[^.?!]{{0,20}}\byou\b",
    r"\bcall(?:s|ed)? you back\b|\bcall-?back\b(?! number)",
)
MESSAGE_SENT: Final = any_of(
    r"\b(?:message|note|request|question)\b[^?]*\b(?:sent|gone|went|filed|passed|delivered|submitted|placed"
    r"|in|with the)\b",
    r"\b(?:i've|i have|we've|i|has been|have been)(?: now| just)? (?:sent|messaged|notified|alerted|passed"
    r"|filed|let|told"
    r"|submitted|asked|forwarded|flagged|informed)\b",
    rf"\b{_TEAM}\b[^?]*\b(?:will|'ll|calls|has|have|is going to)\b[^?]*\b(?:your message|the message|it now"
    rf"|call|calls|answer|contact|reach|get back|reply|respond|be in"
    rf" touch)\b",
    r"\byou(?:'ll| will) (?:hear|get (?:a|an) (?:call|answer))\b",
    rf"\b(?:it's|that's|that is|it is) (?:now |all )?with (?:the|your|our) {_TEAM}\b",
    r"\bthey(?:'ve| have) (?:got|received)\b|\bexpect (?:a|their|to get a) (?:call|ring)\b",
    r"\b(?:marked|flagged|passed|handed|forwarded|sent|put) (?:it|that|this|your"
    r" \w+)\b[^.?!]{0,30}\b(?:urgent|along|on|over|off|through|in)\b",
    rf"\b{_TEAM}\b[^?]*\b(?:has|have|'s got|got|received)\b[^?]*\b(?:message|note|request|it)\b",
)


def tasks(pack: str) -> tuple[Task, ...]:
    return (_accutane(pack), _cream(pack))


def _accutane(pack: str) -> Task:
    who = patient("Jason Miller")
    closing = "Thank you, I'll wait for their call. Goodbye."
    return build(
        pack,
        "R-H2",
        "Accutane refill",
        "clinical",
        (4, 10, 1),
        Intent(
            opening="Hi, I need my Accutane refilled, I only have two days left.",
            conduct=(
                "You want your Accutane refilled. You have two days left, so it is urgent.",
                "When they can't do it by phone, have them send the clinical team an urgent message, with "
                "your phone "
                "number for the callback.",
                "When the message has been sent, thank them and hang up. You want no person now and no "
                "visit.",
            ),
            closing=closing,
            satisfied=("said:message-please",),
        ),
        (
            _sent(closing),
            _message_please(),
            _how_urgent(),
            _which_medicine("Accutane, that's isotretinoin. I have two days left."),
            _feel_fine(),
            *known_rules(who, office="East Brunswick.", person=True),
        ),
        (
            identified(who),
            verified(who),
            ExpectedCall(
                "request_rx_refill", arguments={"patient_id": who.patient_id, "medication": "isotretinoin"}
            ),
            ExpectedCall(
                "create_clinical_message",
                arguments={
                    "patient_id": who.patient_id,
                    "topic": "refill",
                    "urgency": "urgent",
                    "callback_phone": who.phone,
                    "medication": "isotretinoin",
                },
                free_text={"message": "Accutane runs out in two days; asks for the monthly check and refill"},
            ),
        ),
        traits=traits_of(who),
    )


def _sent(line: str) -> Rule:
    asked = ("said:message-please",)
    return Rule(
        id="done",
        when="After the caller has asked for it, the agent says that the message to the clinical team has "
        "been sent, or when "
        "the team will answer",
        not_when=("when it only offers to send it, asks something, or says that it will",),
        line=line,
        cues=Cues(all_of=(MESSAGE_SENT,), none_of=(LATER,)),
        after=asked,
        order=5,
        ends_call=True,
        tests=(
            *fires(
                "I've sent the clinical team an urgent message. They'll call you today by 11 AM.",
                "Your message is with the team now. Is there anything else?",
                "The nurse will call you back within two hours.",
                given=asked,
            ),
            *silent("Shall I send the message now?", "What number can they reach you at?", given=asked),
            *silent("I've sent the clinical team an urgent message."),
        ),
    )


_REFUSED: Final = any_of(
    r"\b(?:can't|cannot|can not|unable|not able|isn't possible|not possible|won't|not allowed|never|couldn't"
    r"|don't|doesn't)\b"
    r"[^.?!]*\b(?:refill\w*|fill|accutane|isotretinoin|phone|file|request|renew\w*|here|line|do that)\b",
    r"\b(?:program\w*|ipledge|monthly (?:check|visit|test)|each month|every month|safety)\b",
    r"\b(?:accutane|isotretinoin|refill\w*)\b[^.?!]*\b(?:can't|cannot|isn't|not|never|only)\b",
)


def _message_please() -> Rule:
    return Rule(
        id="message-please",
        when="The agent says that Accutane can't be refilled by phone, or offers to send the clinical team a "
        "message or have "
        "them call back",
        not_when=(
            "when it says that the message has been sent",
            "when it only says that it will check",
            "when it asks for identity details",
        ),
        line="Then please send the clinical team a message about the refill. It's urgent, I have two days "
        "left.",
        cues=Cues(
            all_of=(any_of(_REFUSED, MESSAGE_OFFER),),
            none_of=(
                CHECKING,
                HELD,
                r"\b(?:i'll|i will|i'm going to|let me)\b[^.?!]*\b(?:right now|now|right away|straight away"
                r"|for you)\b",
                r"\b(?:text|sms|portal|activation)\b",
                ASKING_IDENTITY,
                r"\b(?:i've|i have) (?:sent|messaged|notified|passed)\b",
                r"\b(?:what|which|best) (?:\w+ )?number\b",
                r"\b(?:urgent|routine)\b[^.!]*\?",
                r"\b(?:pharmacy|which medic\w+|what medic\w+)\b[^.!]*\?",
            ),
        ),
        order=20,
        first_n=3,
        tests=(
            *fires(
                "I'm sorry, Accutane can't be refilled over the phone.",
                "Isotretinoin needs a check every month, so I can't file that here.",
                "I can send the clinical team a message for you. Would you like that?",
            ),
            *silent(
                "Let me check that prescription.",
                "May I have your full name and date of birth?",
                "What phone number is on the chart?",
            ),
        ),
    )


def _how_urgent() -> Rule:
    return Rule(
        id="its-urgent",
        when="The agent asks how urgent it is, when the caller runs out, or how much is left",
        line="It's urgent. I run out in two days.",
        cues=Cues(
            like=(
                "How soon do you run out?",
                "How many pills do you have left?",
            ),
            all_of=(
                any_of(
                    r"\b(?:urgent|urgency|routine|emergency|how soon)\b",
                    r"\benough (?:left|to|for|until)\b|\bhow long\b[^.?!]*\blast\b|\bwhen(?:'s"
                    r"| is)\b[^.?!]*\b(?:last|gone)\b",
                    r"\b(?:about to|going to|when do you|will you|do you) (?:run out|be out)\b|\brunning"
                    r" (?:low|out)\b[^.!]*\?",
                    r"\b(?:how (?:much|many|long)|when)\b[^.?!]*\b(?:left|(?:it|they|that) last|run out"
                    r"|running out|pills|capsules|doses|days)\b",
                ),
                r"\?|\b(?:how|when|should|enough)\b",
            ),
            none_of=(HELD, ASKING_IDENTITY, r"\b(?:i've|i have) (?:sent|messaged|marked|flagged)\b"),
            threshold=0.75,
        ),
        order=12,
        tests=(
            *fires(
                "Is it urgent, or can it wait?",
                "How many capsules do you have left?",
                "When do you run out?",
            ),
            *silent(
                "I've sent an urgent message to the team.",
                "May I have your full name and date of birth?",
                "Which pharmacy do you use?",
            ),
        ),
    )


def _which_medicine(line: str) -> Rule:
    return Rule(
        id="which-medicine",
        when="The agent asks which medication it is about",
        not_when=("when it asks about other medicines, or about the pharmacy",),
        line=line,
        cues=Cues(
            like=(
                "Which medication do you need refilled?",
                "What is the name of the cream?",
            ),
            all_of=(
                r"\brefill(?:ed)? (?:of|for) what\b|\bwhat\b[^.?!]{0,25}\b(?:refilled|filled)\b"
                r"|^(?:and )?the (?:med|name|drug)\b[^.!]{0,15}\bis\W*$|"
                r"\b(?:which|what|tell me|give me|name of (?:the|your)|repeat|say|confirm"
                r"|spell)\b[^.?!]{0,40}\b(?:medication|medicine|prescription"
                r"|drug|cream|meds?|refill\w*)\b",
            ),
            none_of=(ASKING_IDENTITY, r"\b(?:other|else|pharmacy|strength|dose)\b", CHECKING),
            threshold=0.78,
        ),
        order=28,
        tests=(
            *fires(
                "Which medication do you need?",
                "What's the name of the medicine?",
                "Which prescription would you like refilled?",
                "Sorry, could you say only the name of the medication again?",
                "I didn't catch the name of the medication. Could you repeat it?",
                "Which medication was that? Please say it again.",
                "Could you tell me the medication once more?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "Are you taking any other medications?",
                "Let me check your prescription.",
            ),
        ),
    )


def _feel_fine() -> Rule:
    return Rule(
        id="feel-fine",
        when="The agent asks about side effects, symptoms, other medicines, the last check or visit, or the "
        "pharmacy",
        line="I'm fine, nothing has changed. I only need the refill.",
        cues=Cues(
            like=(
                "Have you had any side effects?",
                "How is your skin doing?",
                "Which pharmacy do you use?",
                "When did you last see the doctor?",
                "Are you taking any other medicines?",
            ),
            all_of=(
                any_of(
                    r"\b(?:burning|irritation|irritated|itch\w*|redness|stinging|dryness|reactions?|rash"
                    r"|peeling)\b[^.!]*\?",
                    r"\b(?:working|helping|agreeing with you|tolerating)\b[^.!]*\?",
                    r"\bdoing (?:the|its) job\b|\bdoing any good\b",
                    r"\bany (?:\w+ )?(?:issues?|problems?|trouble|changes)\b",
                    r"\bhow(?:'s| is| are| has)\b[^.?!]{0,30}\b(?:skin|rash|it going|doing|working)\b",
                    r"\bwhen (?:did|have|were|was) (?:you|your)\b[^.?!]*\blast\b",
                    r"\b(?:side effects?|symptoms|feeling|other medic\w+|allerg\w+|changes?|problems with)\b",
                    r"\b(?:last|latest) (?:\w+ )?(?:visit|check|test|blood|appointment|dose)\b",
                    r"\b(?:blood|labs?)\b[^.?!]*\b(?:checked|drawn|taken|test)\b",
                    r"\b(?:which|what|your) (?:\w+ )?pharmacy\b",
                ),
                rf"\?|\b(?:what|which|when)\b|{OPENS_QUESTION}",
            ),
            none_of=(
                HELD,
                ASKING_IDENTITY,
                r"\byour pharmacy (?:has|can|will)\b",
                r"\b(?:call|contact|ask) your pharmacy\b",
            ),
            threshold=0.75,
        ),
        order=44,
        tests=(
            *fires(
                "Have you had any side effects?",
                "Which pharmacy do you use?",
                "When was your last visit?",
            ),
            *silent(
                "Which medication do you need?",
                "May I have your full name and date of birth?",
                "Let me check that.",
            ),
        ),
    )


def _cream(pack: str) -> Task:
    who = patient("Brian Cooper")
    closing = "Good, then I'll ask the pharmacy. Thank you, goodbye."
    return build(
        pack,
        "R-M4",
        "Triamcinolone refill",
        "clinical",
        (2, 3, 0),
        Intent(
            opening="Hello, I need a refill of my triamcinolone cream.",
            conduct=(
                "You want your triamcinolone cream refilled, nothing else.",
                "When you hear how it goes on, that refills are left at the pharmacy or that it has been "
                "requested, thank "
                "them and hang up. You want no message, no callback and no person.",
            ),
            closing=closing,
            satisfied=("said:at-pharmacy",),
        ),
        (
            _at_pharmacy(closing),
            _which_medicine("It's triamcinolone cream, also called Kenalog."),
            _feel_fine(),
            *known_rules(who, office="Cherry Hill."),
        ),
        (
            verified(who),
            ExpectedCall(
                "request_rx_refill",
                arguments={"medication": "triamcinolone"},
                carry={"patient_id": "verify_identity.patient_id"},
            ),
        ),
        traits=traits_of(who),
    )


def _at_pharmacy(line: str) -> Rule:
    return Rule(
        id="at-pharmacy",
        when="The agent says that refills are left at the pharmacy, that the caller can get it there, or "
        "that the refill has "
        "been requested",
        not_when=("when it asks which pharmacy", "when it only says that it will check"),
        line=line,
        cues=Cues(
            all_of=(
                any_of(
                    r"\b(?:re)?fills?\b[^.?!]*\b(?:left|remaining|remain|available|on file|waiting|still"
                    r"|there)\b",
                    r"\b(?:have|has|are|still|got) (?:\w+ ){0,2}(?:refills?|2|two)\b",
                    r"\bpharmacy\b[^.?!]*\b(?:has|have|can|will|fill|refill|ready|directly|ask|call)\b",
                    r"\b(?:ask|call|contact|check with|go to|through) (?:the|your"
                    r"|harbor)\b[^.?!]*\b(?:pharmacy|lane)\b",
                    r"\brefill\b[^.?!]*\b(?:requested|sent|filed|submitted|approved)\b",
                    r"\bharbor lane\b",
                    r"(?:'s been|\b(?:has been|i've|i have|just|i|was|is))(?: \w+)? (?:sent|called in|put"
                    r"|faxed|phoned"
                    r"|filed|submitted)\b[^.?!]{0,25}\b(?:pharmacy|request|refill|it in)\b",
                ),
            ),
            none_of=(
                CHECKING,
                ASKING_IDENTITY,
                r"\b(?:which|what) (?:\w+ )?pharmacy\b",
                r"\bdo you (?:have|still)\b",
            ),
        ),
        order=6,
        ends_call=True,
        tests=(
            *fires(
                "You still have two refills at Harbor Lane Pharmacy, so just ask them to fill it.",
                "There are two refills left on file at your pharmacy.",
                "No request is needed, your pharmacy can refill it directly. Anything else?",
            ),
            *silent(
                "Which pharmacy do you use?",
                "Let me check your prescription.",
                "May I have your full name and date of birth?",
            ),
        ),
    )
