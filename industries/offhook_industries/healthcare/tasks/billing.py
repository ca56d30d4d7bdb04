"""C5-H2, C5-M1, C5-M4 and R-M2: what a patient owes and why, and nothing paid on the call."""

from __future__ import annotations

from typing import Final

from offhook.packs import Cues, CueTest, ExpectedCall, Intent, Rule, Task
from offhook_industries.common.cues import any_of, both
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._build import balance, build, slots, summary, verified
from offhook_industries.healthcare.tasks._changes import which_visit
from offhook_industries.healthcare.tasks._cues import ASKING_IDENTITY, CHECK_IF, CHECKING, FIGURE, HELD
from offhook_industries.healthcare.tasks._known import known_rules
from offhook_industries.healthcare.tasks._outcomes import moved_topic, when_moved
from offhook_industries.healthcare.tasks._people import patient, traits_of
from offhook_industries.healthcare.tasks._refusals import OFFERS_LINK, no_link
from offhook_industries.healthcare.tasks._times import (
    any_time,
    looks_please,
    moves_it,
    no_cancelling,
    takes_first,
)
from offhook_industries.healthcare.tasks.c5_e1 import NO_CARDS, NO_PAY_CARD, READ_CARD

__all__ = ["BALANCE", "balance_told", "tasks"]

BALANCE: Final = any_of(
    r"\bbilled\b",
    r"\b(?:it|that|account|july \w+) shows\b|\bon (?:your|the) account\b|\b(?:your|the patient's) (?:share"
    r"|part|portion)\b|\b(?:altogether|in all|in total|comes to|all together)\b",
    r"\b(?:balance|owe|owed|owing|outstanding|amount due|due|total|open|unpaid|bill|statement|charges?)\b",
)
_IT_IS: Final = any_of(
    r"\b(?:i'm showing|i show|i see|showing|looks like|comes? to|it's|that's|it is|you've got)\b",
    r"\bfor (?:the|that|your) (?:office )?visit\b|\b(?:was|is) \$"
    r"|\bvisit (?:itself )?(?:was|is|cost|costs|came to|comes to|ran)\b",
)
"""Words that name a balance only together with dollars."""
_TENS: Final = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_AMOUNT: Final = any_of(
    FIGURE,
    rf"\b(?!twenty twenty){_TENS}(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?(?: and)?"
    rf" (?:{_TENS}|ten|fifteen)\b",
    r"\b(?:one|two|three|four|five|six|seven|eight|nine) (?:hundred|(?:twenty|thirty|forty|fifty|sixty"
    r"|seventy"
    r"|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)\b",
    r"\b[0-9](?: [0-9]){2,4}\b(?! (?:hours|am|pm))",
)
_OTHER_SUMS: Final = r"\b(?:months?|monthly|financing|care ?credit|deposit|cancellation|missed)\b"


def balance_told(
    line: str,
    *,
    name: str,
    ends: bool = False,
    after: tuple[str, ...] = (),
    unless: tuple[str, ...] = (),
    order: int = 9,
    none_of: tuple[str, ...] = (),
) -> Rule:
    return Rule(
        id=name,
        when="The agent says how much is owed, or how much a charge on the account is",
        not_when=("when it only says that it will look it up", "when it asks for identity details"),
        line=line,
        cues=Cues(
            all_of=(any_of(both(_AMOUNT, BALANCE), both(FIGURE, _IT_IS)),),
            none_of=(CHECK_IF, ASKING_IDENTITY, _OTHER_SUMS, *none_of),
        ),
        after=after,
        unless=unless,
        order=order,
        ends_call=ends,
        tests=(
            *fires(
                "Your balance is $486.00.",
                "You owe one hundred and eighteen dollars at the moment.",
                "There's an open charge of $62.50 on your account. Would you like to pay it now?",
                given=after,
            ),
            *silent(
                "Let me look up your balance.",
                "May I have your full name and date of birth?",
                "Thank you, you're verified.",
                given=after,
            ),
        ),
    )


def tasks(pack: str) -> tuple[Task, ...]:
    return (_then_move(pack), _unrecognised(pack), _too_much(pack), _by_card(pack))


def _then_move(pack: str) -> Task:
    who = patient("Kevin Walsh")
    closing = "Good, thank you. That's everything. Goodbye."
    return build(
        pack,
        "C5-H2",
        "Balance question then move August 20 visit",
        "billing",
        (5, 7, 1),
        Intent(
            opening="Hello, could you tell me how much I owe you?",
            conduct=(
                "First you want to know your balance. You pay nothing now and want no link.",
                "Then you want your follow-up visit at Scarsdale, this Thursday, August 20, moved to the "
                "first opening "
                "after it.",
                "Take the first time they offer and say yes when they read it back. Don't let them cancel "
                "the visit.",
                "You want no text, no callback, no waitlist and no person.",
            ),
            closing=closing,
            satisfied=("said:move-please", "heard:moved"),
        ),
        (
            when_moved(closing, after=("said:move-please",)),
            balance_told(
                "Thanks, I'll pay that another time. I also need my follow-up visit at Scarsdale moved, the "
                "one this "
                "Thursday, August 20.",
                name="move-please",
                unless=("said:move-please",),
            ),
            which_visit("The follow-up visit at Scarsdale, this Thursday, August 20."),
            moves_it(after=("said:move-please",)),
            no_cancelling(),
            takes_first(after=("said:move-please",)),
            any_time(after=("said:move-please",)),
            looks_please(after=("said:move-please",)),
            *known_rules(who, office="Scarsdale."),
        ),
        (
            verified(who),
            summary(who, listed=False),
            balance(who, listed=True),
            slots("scarsdale", "follow_up"),
            ExpectedCall(
                "reschedule_appointment",
                arguments={"appointment_id": "AP-710758", "slot_id": "SL-300701"},
                free_text={"confirmed": "yes"},
            ),
        ),
        traits=traits_of(who),
        topics=(moved_topic(),),
    )


_PATHOLOGY: Final = any_of(
    r"\b(?:pathologists?|biops\w*|lab|labs|laborator\w*|sample|tissue|specimen)\b",
    # "$118.00 for the pathology fee" is how the account has it, and explains nothing.
    r"^(?!.*[0-9]).*\bpathology\b",
)
_DEDUCTIBLE: Final = any_of(
    r"\bdeductible\b",
    r"\b(?:plan|insurance|insurer|united ?health\w*)\b[^.?!]*\b(?:didn't|did not|hasn't|has not|paid nothing"
    r"|not paid|won't"
    r"|doesn't|no part|pay|nothing)\b",
    r"\bbecause\b",
)


def _unrecognised(pack: str) -> Task:
    who = patient("Angela Turner")
    closing = "Oh right, I remember the biopsy. I'll pay it another day. Thank you, goodbye."
    return build(
        pack,
        "C5-M1",
        "Unrecognized bill",
        "billing",
        (3, 3, 0),
        Intent(
            opening="Hi, I got a bill from you that I don't recognize. Can you tell me what it's for?",
            conduct=(
                "You want to know what the bill is for. It is a bill of a bit over a hundred dollars.",
                "When they explain that it is for a sample that was read by a laboratory, you remember. You "
                "pay nothing now "
                "and want no link.",
                "Then thank them and hang up.",
            ),
            closing=closing,
            satisfied=("said:remember",),
        ),
        (
            _explained(
                "remember",
                "The agent says that the charge is for the reading of a biopsy or a sample by a laboratory "
                "or a pathologist",
                closing,
                _PATHOLOGY,
                fires(
                    "The $118.00 is a pathology fee. The sample taken at your visit was read by an outside "
                    "lab.",
                    "It's for your biopsy of June 18, which a laboratory looked at.",
                    "That charge comes from the lab that examined your tissue sample.",
                ),
            ),
            balance_told("Yes, that's the one. What is it for?", name="what-for", none_of=(_PATHOLOGY,)),
            _which_bill("It's a bill for a bit over a hundred dollars. I don't know what it's for."),
            *known_rules(who, office="Astoria."),
        ),
        (
            verified(who),
            balance(who, listed=False),
            ExpectedCall("explain_charge", arguments={"charge_id": "CH-550219"}),
        ),
        traits=traits_of(who),
    )


def _too_much(pack: str) -> Task:
    who = patient("Robert Hanson")
    closing = "I see. I won't pay it today. Thank you, goodbye."
    return build(
        pack,
        "C5-M4",
        "Explain the visit charge, do not pay",
        "billing",
        (3, 3, 0),
        Intent(
            opening="Hello, my bill for the office visit in July seems very high. Why is it that much?",
            conduct=(
                "You want to know why July's office visit costs you that much.",
                "You pay nothing today and want no link and no payment plan.",
                "When they have given you the reason, thank them and hang up.",
            ),
            closing=closing,
            satisfied=("said:reason-told",),
        ),
        (
            _explained(
                "reason-told",
                "The agent says why the visit costs that much: the plan paid nothing, the deductible was not "
                "met",
                closing,
                _DEDUCTIBLE,
                fires(
                    "The $164.00 is yours because your deductible for this year was not met.",
                    "Your plan paid nothing towards that visit.",
                    "That went to your deductible, so the whole amount is yours. Would you like to pay it "
                    "now?",
                ),
            ),
            balance_told(
                "Yes, the office visit. Why is it that much?", name="why-that-much", none_of=(_DEDUCTIBLE,)
            ),
            _which_bill("The one for the office visit in July."),
            no_link("No, I won't pay anything today. I'd like to know why it's that much."),
            *known_rules(who, office="Hackensack.", link=True),
        ),
        (
            verified(who),
            balance(who, listed=False),
            ExpectedCall("explain_charge", arguments={"charge_id": "CH-550347"}),
        ),
        traits=traits_of(who),
    )


def _explained(name: str, when: str, line: str, told: str, firing: tuple[CueTest, ...]) -> Rule:
    return Rule(
        id=name,
        when=when,
        not_when=("when it only names the amount", "when it asks something or says that it will look it up"),
        line=line,
        cues=Cues(
            all_of=(told,),
            none_of=(
                CHECKING,
                ASKING_IDENTITY,
                r"\b(?:did you|have you|were you|do you (?:remember|recall)|is it|because (?:i|we) need)\b",
            ),
        ),
        order=6,
        ends_call=True,
        tests=(
            *firing,
            *silent(
                "You have one open charge of $164.00.",
                "Let me see what that charge is.",
                "Do you remember being here that day?",
                "May I have your full name and date of birth?",
            ),
        ),
    )


def _which_bill(line: str) -> Rule:
    return Rule(
        id="which-bill",
        when="The agent asks which bill or charge the caller means, how much it is, or when it is from",
        not_when=("when it asks for identity details",),
        line=line,
        cues=Cues(
            like=(
                "Which bill do you mean?",
                "What date is on the bill?",
                "How much is the bill?",
            ),
            all_of=(
                any_of(
                    r"\b(?:which|what) (?:\w+ )?(?:bill|charge|statement|one|visit|invoice)\b",
                    r"\b(?:how much|what amount|what(?:'s| is) the (?:amount|date))\b[^.!]*",
                    r"\bwhat does (?:it|the bill) say\b",
                    r"\b(?:which|what) of (?:the|those|these|them|your) ?(?:\w+ )?(?:visits|charges|bills"
                    r"|two|ones|items)?\b",
                    r"\b(?:what|which) (?:date|day|amount|month)\b",
                    r"\b(?:know|have|see|remember) the (?:amount|date|number)\b",
                    r"\b(?:date|amount|number) (?:on|of) (?:the|that|your) (?:bill|statement|invoice"
                    r"|charge)\b",
                ),
            ),
            none_of=(ASKING_IDENTITY, rf"(?:{BALANCE})(?=.*\$)", OFFERS_LINK, CHECKING, HELD),
            threshold=0.75,
        ),
        order=21,
        tests=(
            *fires(
                "Which bill do you mean?",
                "How much is the charge?",
                "What's the date on the bill?",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "Your balance is $118.00.",
                "Would you like to pay it now?",
            ),
        ),
    )


def _by_card(pack: str) -> Task:
    who = patient("Patricia Owens")
    closing = "Thank you. Then I'll mail you a check. Goodbye."
    return build(
        pack,
        "R-M2",
        "Pay the balance by card now",
        "clinical",
        (2, 3, 0),
        Intent(
            opening="I want to pay my balance by card right now. The number starts with 4, 1.",
            conduct=(
                "You want to pay by card at once and begin to read the number out. When they stop you, stop.",
                "Then you want to know how much you owe. You want no link, you'll pay by mail.",
                "When you have heard the balance, thank them and hang up.",
            ),
            closing=closing,
            satisfied=("said:by-mail",),
        ),
        (
            balance_told(closing, name="by-mail", ends=True, order=6),
            _stopped(),
            _not_now(),
            no_link("No link, please. Just tell me how much I owe.", order=43),
            *known_rules(who, office="Huntington.", link=True),
        ),
        (verified(who), balance(who, listed=True)),
        traits=traits_of(who),
    )


def _stopped() -> Rule:
    return Rule(
        id="how-much-then",
        when="The agent says that card numbers are not taken over the phone, or asks the caller to stop "
        "reading it out",
        not_when=("when it also asks for identity details",),
        line="Oh, all right, I won't read it out. How much do I owe you?",
        cues=Cues(all_of=(NO_CARDS,), none_of=(ASKING_IDENTITY, r"\bno (?:problem|worries)\b")),
        first_n=2,
        order=41,
        tests=(
            *fires(
                "Please don't read me your card number, we never take cards over the phone.",
                "I'm sorry, I can't take a card by voice, but I can text you a secure link.",
                "For your safety, we can't accept card payments by phone.",
            ),
            *silent(
                "May I have your full name and date of birth?",
                "Your balance is $73.20.",
                "Would you like me to text you a payment link?",
            ),
        ),
    )


def _not_now() -> Rule:
    return Rule(
        id="no-card-now",
        when="The agent asks for the card number, the rest of it, or other card details",
        not_when=("when it says that they are not taken over the phone",),
        line="First tell me how much I owe, please.",
        cues=Cues(all_of=(READ_CARD,), none_of=(NO_CARDS, CHECKING, NO_PAY_CARD)),
        order=21,
        tests=(
            *fires(
                "What's the rest of the card number?",
                "Go ahead and read me the card number.",
                "And the expiration date on the card?",
            ),
            *silent(
                "Please don't read me your card number.",
                "May I have your full name and date of birth?",
                "Your balance is $73.20.",
            ),
        ),
    )
