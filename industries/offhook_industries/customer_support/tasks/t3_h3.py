"""T3-H3: a bench visit is booked and then cancelled."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ANYTHING,
    CANCELLED,
    ELSE,
    GO_AHEAD,
    HOLD,
    IDENTITY,
    NOT_YET,
    any_of,
    money,
    said_day,
)
from offhook_industries.customer_support.tasks._declining import confirm_wish_rule, declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._service import (
    at_a_store_rule,
    book_it_rule,
    booked_topic,
    coverage_call,
    day_and_place_rule,
    near_rule,
    what_day_rule,
    what_happened_rule,
)

__all__ = ["task"]

_DAY = "Tuesday, August 18, 2026"
_SAID = any_of(said_day("August", 18), r"^(?!.*\b(?:or|but|nothing|not|no|full|taken|only)\b).*\btuesday\b")
_COST = money("39.99")
_CALLED_OFF = any_of(
    r"\b(?:don't|do not|no longer) have (?:an|the|that|any) (?:appointment|visit|booking)\b",
    r"\b(?:visit|appointment|booking)(?:'s| is| has been)(?: now| all)* (?:gone|off|dropped|removed"
    r"|scrapped)\b",
    CANCELLED,
    r"\b(?:been|is|it's|'s|all) (?:now )?called off\b|\b(?:taken|took) it off\b|\boff the calendar\b",
)


def task(pack: str) -> Task:
    who = person("Peter Lawson", "printer")
    return Task(
        pack=pack,
        id="T3-H3",
        title="Book a bench visit then cancel it",
        category="service",
        tier=Tier.HARD,
        structure=Structure(tool_calls=6, constrained_args=9, rows_written=1),
        intent=Intent(
            opening="Hi, my printer stopped working and I'd like to bring it to a store to have it "
            "looked at.",
            conduct=(
                f"You want a bench visit for your printer on {_DAY}, at a store near home.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                "The printer just stopped working. It was not dropped and did not get wet.",
                "Agree to the diagnostic fee of $39.99. Take no other day and no visit at home.",
                "Once the visit is booked, change your mind and have it cancelled.",
                "When it is cancelled, thank them and hang up.",
            ),
            closing="Thanks for your patience, that's all. Bye.",
            satisfied=("heard:booked", "said:cancel-it", "heard:cancelled"),
        ),
        traits=traits_of(who),
        rules=(
            _done(),
            _yes_cancel(),
            _keep_it_cancelled(),
            _cancel_it(),
            day_and_place_rule(_DAY, who.postal_code),
            near_rule(who.postal_code, _SAID),
            what_day_rule(_DAY, _SAID),
            at_a_store_rule(),
            book_it_rule(_SAID, "Tuesday, August 18", f"Yes, please book it for {_DAY}."),
            _fee_is_fine(),
            what_happened_rule("It just stopped working. It doesn't even turn on.", "printer"),
            confirm_wish_rule(
                r"\b(?:printer|store|bench|look\w*|repair\w*|working)\b",
                "Yes, that's right.",
                "So your printer stopped working and you want to bring it in, is that right?",
                "You're looking to have a printer repaired, correct?",
                "Just to be sure, you'd like someone at a store to look at your printer?",
                unless=("heard:booked",),
            ),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            coverage_call(who.order_number, "not_working"),
            ExpectedCall(
                "book_service_appointment",
                arguments={"service": "bench", "day": "2026-08-18", "postal_code": who.postal_code},
                carry={"order_number": "check_coverage.order_number"},
            ),
            ExpectedCall(
                "cancel_service_appointment",
                carry={"appointment_id": "book_service_appointment.appointment_id"},
            ),
        ),
        topics=(
            booked_topic(),
            Topic("cancelled", Cues(all_of=(_CALLED_OFF,), none_of=(NOT_YET, HOLD, r"\?"))),
        ),
    )


def _fee_is_fine() -> Rule:
    return Rule(
        id="fee-is-fine",
        when="The agent says that the diagnostic costs $39.99 or that no plan covers the printer, and "
        "does not read "
        "a booking back",
        not_when=(
            "when it asks for the day, the place or the kind of repair, or whether to book",
            "when it says that the visit is booked",
        ),
        line="That's fine, I'll pay the $39.99.",
        cues=Cues(
            all_of=(
                any_of(
                    _COST,
                    r"\b(?:not|isn't|no longer|nothing|nobody|no plan|out "
                    r"of|expired|ended)\b[^.?!]*\b(?:cover\w*|warranty|plan)\b",
                    r"\b(?:warranty|plan|coverage)\b[^.?!]*\b(?:over|ended|expired|ran out|not)\b",
                    r"\bno (?:\w+ )?(?:plan|cover|coverage|warranty)\b",
                ),
            ),
            none_of=(*IDENTITY, _SAID, r"\b(?:appointment|book\w*|schedul\w*)\b"),
        ),
        unless=("heard:booked",),
        order=21,
        tests=(
            *fires(
                "The warranty has ended, so the bench diagnostic is $39.99.",
                "It isn't covered by a plan. A diagnostic costs thirty-nine ninety-nine.",
                "That would be 39.99 for the diagnostic. Are you okay with the price?",
            ),
            *silent(*ROUTINE, "The diagnostic is $39.99. Which day would you like to come in?"),
        ),
    )


def _cancel_it() -> Rule:
    return Rule(
        id="cancel-it",
        when="The agent has said that the visit is booked, in this turn or before, whatever it asks or "
        "offers after "
        "that",
        not_when=("when the caller has already asked to cancel it", "when it asks whether to book it"),
        line="Sorry, I've just changed my mind. Please cancel that appointment again.",
        cues=Cues(all_of=(ANYTHING,), none_of=(HOLD,)),
        after=("heard:booked",),
        unless=("said:cancel-it",),
        order=8,
        tests=(
            *fires(
                f"You're booked for {_DAY}, between 10 and noon.",
                "I've scheduled the visit. Is there anything else?",
                "Your appointment is confirmed, and the diagnostic is $39.99.",
            ),
            *fires("Is there anything else?", given=("said:book-it", "heard:booked")),
            *silent(*ROUTINE, "Shall I book it for August 18?"),
            *silent("Your appointment is cancelled.", given=("heard:booked", "said:cancel-it")),
        ),
    )


def _yes_cancel() -> Rule:
    asked = ("said:book-it", "heard:booked", "said:cancel-it")
    return Rule(
        id="yes-cancel",
        when="After the caller asked to cancel, the agent asks whether to cancel the visit, which "
        "appointment is "
        "meant, or why",
        not_when=("when it says that the visit is cancelled", "when it offers another day or another way"),
        line="Yes, please cancel the printer appointment. I don't need it any more.",
        cues=Cues(
            all_of=(
                any_of(
                    GO_AHEAD,
                    r"\bcancel\w*\b[^.!]*\?",
                    r"\b(?:visit|appointment|one|printer)\b[^.!]*\b(?:want|like)\b[^.!]*\b(?:off"
                    r"|cancell?ed|gone|dropped"
                    r"|scrapped)\b|\b(?:off|from) the (?:calendar|books|schedule)\b[^.!]*\?",
                    r"\bhow come\b|\bwhat (?:happened|changed)\b|\bcancel\w*\b[^.!]*\b(?:yes|yeah|okay"
                    r"|ok)\W*$",
                    r"\b(?:which|what) (?:appointment|visit|one)\b",
                    r"\b(?:appointment|visit|one|booking|printer)\b[^.!]*\b(?:you mean|dropped|called "
                    r"off|gone)\b[^.!]*\?",
                    r"\b(?:call|take|get) it off\b|\bcall (?:that|the visit|this) off\b|\b(?:drop|scrap"
                    r"|scratch) (?:it|that|the)\b",
                    r"\bcancel\w*\b[^.!]*\b(?:right|correct|yes)\W*$",
                    r"\bwhy\b|\breason\b|\b(?:certain|sure) (?:you|about)\b",
                    r"\bappointment\b[^.!]*\b(?:right|correct|that one)\b",
                ),
            ),
            none_of=(
                *IDENTITY,
                rf"^(?!.*\b(?:you want|you mean|do you|is that|shall i)\b).*(?:{CANCELLED})",
                ELSE,
                rf"^(?!.*\b(?:right|correct|yes)\W*$).*(?:{HOLD})",
                r"\b(?:instead|rather|another|different|resched\w*|move|push|next week|later)\b",
            ),
        ),
        after=("said:cancel-it",),
        unless=("heard:cancelled",),
        order=6,
        tests=(
            *fires(
                "Shall I cancel the appointment on August 18?",
                "Are you sure you want to cancel it?",
                "Which appointment would you like to cancel?",
                "May I ask why?",
                given=asked,
            ),
            *silent("It's cancelled.", "One moment while I cancel that.", given=asked),
            *silent("Shall I cancel the appointment?"),
        ),
    )


def _keep_it_cancelled() -> Rule:
    asked = ("said:book-it", "heard:booked", "said:cancel-it")
    return Rule(
        id="no-other-day",
        when="After the caller asked to cancel, the agent offers another day, another store or another "
        "way instead",
        not_when=("when it says that the visit is cancelled",),
        line="No, no other appointment. Please just cancel it.",
        cues=Cues(
            all_of=(
                r"\b(?:instead|rather|another|different|other|later|earlier|resched\w*|move it|keep|push "
                r"(?:it|that)|next week"
                r"|week after|postpone|delay)\b|\b(?:would|could|how about|what about) (?:\w+ "
                r"){0,2}(?:monday|wednesday"
                r"|thursday|friday|saturday|sunday)\b",
                r"\?|\b(?:could|can|would|how about|what about|why don't|let's)\b",
            ),
            none_of=(*IDENTITY, CANCELLED, ELSE),
        ),
        after=("said:cancel-it",),
        unless=("heard:cancelled",),
        order=5,
        tests=(
            *fires(
                "Would you rather move it to another day?",
                "I could reschedule it instead.",
                "Would a different store suit you better?",
                given=asked,
            ),
            *silent("Shall I cancel it?", "It's cancelled. Would you like another day?", given=asked),
            *silent("Would another day suit you better?"),
        ),
    )


def _done() -> Rule:
    asked = ("said:book-it", "heard:booked", "said:cancel-it")
    return Rule(
        id="done",
        when="The caller has asked to cancel, and the agent has said that the visit is cancelled, in "
        "this turn or "
        "before, whatever it asks or offers after that",
        not_when=("when it says that it will cancel it, or asks whether it shall",),
        line="Thanks for your patience. That's all, bye.",
        cues=Cues(all_of=(ANYTHING,), none_of=(HOLD,)),
        after=("said:cancel-it", "heard:cancelled"),
        order=4,
        ends_call=True,
        tests=(
            *fires(
                "Your appointment on August 18 is cancelled, and nothing was charged.",
                "I've cancelled it for you. Anything else?",
                "The cancellation is complete.",
                given=asked,
            ),
            *fires("Can I help with anything else?", given=(*asked, "heard:cancelled")),
            *silent("One moment while I cancel that.", "Shall I cancel it?", given=asked),
            *silent("Your appointment is cancelled."),
        ),
    )
