"""C2-M2 and C2-M4: patients who cancel a follow-up or have it moved."""

from __future__ import annotations

from offhook.packs import ExpectedCall, Intent, Task
from offhook_industries.healthcare.tasks._build import build, slots, verified
from offhook_industries.healthcare.tasks._changes import cancel_it, no_move, which_visit, why_cancel
from offhook_industries.healthcare.tasks._known import known_rules
from offhook_industries.healthcare.tasks._outcomes import (
    cancelled_topic,
    moved_topic,
    when_cancelled,
    when_moved,
)
from offhook_industries.healthcare.tasks._people import patient, traits_of
from offhook_industries.healthcare.tasks._times import (
    any_time,
    looks_please,
    moves_it,
    no_cancelling,
    takes_first,
)

__all__ = ["tasks"]


def tasks(pack: str) -> tuple[Task, ...]:
    return (_follow_up_off(pack), _follow_up_sooner(pack))


def _follow_up_off(pack: str) -> Task:
    who = patient("Steven Harper")
    closing = "Good, thank you. That's all. Goodbye."
    return build(
        pack,
        "C2-M2",
        "Cancel a September follow-up",
        "scheduling",
        (2, 4, 1),
        Intent(
            opening="Good morning. I have to cancel my follow-up visit at Montclair, the one in September.",
            conduct=(
                "You want your September follow-up visit at Montclair cancelled, not moved. Your other visit "
                "stays.",
                "Turn down every offer to move it. Say yes when they ask whether to cancel it.",
                "When it is cancelled, thank them and hang up.",
            ),
            closing=closing,
            satisfied=("heard:cancelled",),
        ),
        (
            when_cancelled(closing),
            which_visit("The follow-up visit at Montclair, in September."),
            no_move("No, I don't want another day. Please just cancel it."),
            cancel_it("Yes, please cancel it."),
            why_cancel(),
            *known_rules(who, office="Montclair."),
        ),
        (
            verified(who),
            ExpectedCall("cancel_appointment", arguments={"appointment_id": "AP-710245", "confirmed": True}),
        ),
        traits=traits_of(who),
        topics=(cancelled_topic(),),
    )


def _follow_up_sooner(pack: str) -> Task:
    who = patient("Laura Jensen")
    closing = "Perfect, thank you. That's all I needed. Goodbye."
    return build(
        pack,
        "C2-M4",
        "Move the September Windermere follow-up",
        "scheduling",
        (3, 6, 1),
        Intent(
            opening="Hi, I'd like to move my September follow-up visit at Windermere to an earlier day.",
            conduct=(
                "You want your September follow-up visit at Windermere moved to the first opening. Don't let "
                "them cancel it.",
                "Take the first time they offer and say yes when they read it back.",
                "You want no waitlist, no text, no callback and no person.",
            ),
            closing=closing,
            satisfied=("heard:moved",),
        ),
        (
            when_moved(closing),
            which_visit("The follow-up visit at Windermere, in September."),
            moves_it(),
            no_cancelling(),
            takes_first(),
            why_cancel(),
            any_time(),
            looks_please(),
            *known_rules(who, office="Windermere."),
        ),
        (
            verified(who),
            slots("windermere", "follow_up"),
            ExpectedCall(
                "reschedule_appointment",
                arguments={"appointment_id": "AP-710418", "slot_id": "SL-300401"},
                free_text={"confirmed": "yes"},
            ),
        ),
        traits=traits_of(who),
        topics=(moved_topic(),),
    )
