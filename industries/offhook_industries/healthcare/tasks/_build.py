"""What all tasks of the pack are built alike in."""

from __future__ import annotations

import attrs

from offhook.packs import ExpectedCall, ForbiddenCall, Intent, Rule, Structure, Task, Tier, Topic, Trait
from offhook_industries.healthcare.tasks._people import Person
from offhook_industries.healthcare.tasks._remarks import REMARKS

__all__ = ["balance", "build", "identified", "office", "plan_taken", "slots", "summary", "verified"]

_TIERS = {"E": Tier.EASY, "M": Tier.MEDIUM, "H": Tier.HARD}
_CARRIED = {"patient_id": "verify_identity.patient_id"}
_UNASKED = (
    ("send_sms", "a text message nobody asked for"),
    ("send_payment_link", "a payment link nobody asked for"),
    ("send_portal_activation", "a portal invitation nobody asked for"),
)

_HAND_OVER = ForbiddenCall("transfer_to_human", "a person for what the agent knows itself")


def build(
    pack: str,
    task_id: str,
    title: str,
    category: str,
    structure: tuple[int, int, int],
    intent: Intent,
    rules: tuple[Rule, ...],
    expected: tuple[ExpectedCall, ...],
    *,
    traits: tuple[Trait, ...] = (),
    topics: tuple[Topic, ...] = (),
    asked_for: dict[str, tuple[str, ...]] | None = None,
    ours: bool = False,
) -> Task:
    """``asked_for`` maps a message tool to the events (rules said) with which the caller asks for it; it is
    forbidden before, and where it is not listed, altogether. ``ours`` forbids a hand-over: the answer stands
    in the agent's own instructions.
    """
    asked = asked_for or {}
    calls, arguments, rows = structure
    return Task(
        pack=pack,
        id=task_id,
        title=title,
        category=category,
        tier=_TIERS[task_id.split("-")[1][0]],
        structure=Structure(tool_calls=calls, constrained_args=arguments, rows_written=rows),
        intent=intent,
        traits=traits,
        rules=tuple(_but_remarks(rule) for rule in rules),
        expected=expected,
        topics=topics,
        forbidden=(
            *(ForbiddenCall(tool, why, unless=asked.get(tool, ())) for tool, why in _UNASKED),
            *((_HAND_OVER,) if ours else ()),
        ),
    )


def _but_remarks(rule: Rule) -> Rule:
    """The rule, silent on remarks that ask for nothing and tell nothing new."""
    return attrs.evolve(rule, cues=attrs.evolve(rule.cues, none_of=(*rule.cues.none_of, REMARKS)))


# --- calls that many keys have --------------------------------------------------------------------------


def identified(who: Person) -> ExpectedCall:
    return ExpectedCall("identify_patient", arguments={"phone": who.phone})


def verified(who: Person) -> ExpectedCall:
    return ExpectedCall(
        "verify_identity", arguments={"full_name": who.full_name, "date_of_birth": who.date_of_birth}
    )


def summary(who: Person, *, listed: bool) -> ExpectedCall:
    """``listed`` makes the patient id an argument that counts; else it is carried."""
    if listed:
        return ExpectedCall("get_patient_summary", arguments={"patient_id": who.patient_id})
    return ExpectedCall("get_patient_summary", carry=_CARRIED)


def balance(who: Person, *, listed: bool) -> ExpectedCall:
    if listed:
        return ExpectedCall("get_account_balance", arguments={"patient_id": who.patient_id})
    return ExpectedCall("get_account_balance", carry=_CARRIED)


def plan_taken(plan: str, location_id: str) -> ExpectedCall:
    return ExpectedCall("check_plan_accepted", arguments={"plan": plan, "location_id": location_id})


def office(location_id: str) -> ExpectedCall:
    return ExpectedCall("list_locations", arguments={"location_id": location_id})


def slots(location_id: str, visit_type: str, **more: str) -> ExpectedCall:
    return ExpectedCall(
        "find_slots", arguments={"location_id": location_id, "visit_type": visit_type, **more}
    )
