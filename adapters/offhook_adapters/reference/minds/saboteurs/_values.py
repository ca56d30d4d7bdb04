"""Faults of arguments: a value that is not the one heard, chosen or agreed to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any, Final

from offhook.names import match_names
from offhook.packs import Parameter
from offhook.toolserver import resolve_carry
from offhook.values import ValueKind, canonical
from offhook_adapters.reference.minds.saboteurs._fault import Fault, Tampering, Trial, guide_of, parameters_of

__all__ = ["VALUE_FAULTS"]

_DIGIT_KINDS: Final = (ValueKind.PHONE, ValueKind.DIGITS, ValueKind.ZIP, ValueKind.ORDER_NUMBER)
_NAMES: Final = ("Zebulon Quartz", "Wilhelmina Brook")
_REFUND: Final = "refund"
_TEN_DOLLARS: Final = 1000
_FALSE_TOKEN: Final = "XX-00000000"

Alter = Callable[[Parameter, Any], Any]


def _altered(seen: Tampering, tool: str, arguments: Mapping[str, Any], alter: Alter) -> Mapping[str, Any]:
    """The arguments with the first one that the fault can alter altered."""
    for parameter in parameters_of(seen.plan, tool):
        if parameter.name in arguments and parameter.constrained:
            value = arguments[parameter.name]
            other = alter(parameter, value)
            if other != value:
                return {**arguments, parameter.name: other}
    return arguments


def _altering(name: str, what: str, alter: Alter) -> Fault:
    """A saboteur that applies where it would alter an argument of the key into none that the key accepts."""

    def applies(trial: Trial) -> bool:
        for call, parameter, value in trial.arguments():
            other = alter(parameter, value)
            if other != value:
                return other not in call.alternatives.get(parameter.name, ())
        return False

    return Fault(name, what, applies, arguments=lambda seen, tool, given: _altered(seen, tool, given, alter))


def _other_digit(parameter: Parameter, value: Any) -> Any:
    """The last digit one too high (nine becomes nought)."""
    if parameter.kind in _DIGIT_KINDS and isinstance(value, str) and value[-1:].isdigit():
        return f"{value[:-1]}{(int(value[-1]) + 1) % 10}"
    return value


def _other_name(parameter: Parameter, value: Any) -> Any:
    if parameter.kind is not ValueKind.NAME or not isinstance(value, str):
        return value
    return next(name for name in _NAMES if not match_names(name, value).same)


def _other_day(parameter: Parameter, value: Any) -> Any:
    if parameter.kind is not ValueKind.DATE or not isinstance(value, str):
        return value
    return (date.fromisoformat(str(canonical(ValueKind.DATE, value))) + timedelta(days=1)).isoformat()


def _other_choice(parameter: Parameter, value: Any) -> Any:
    """The next member of the vocabulary."""
    values = [choice.value for choice in parameter.choices]
    return values[(values.index(value) + 1) % len(values)] if value in values else value


def _other_amount(parameter: Parameter, value: Any) -> Any:
    if parameter.kind is not ValueKind.AMOUNT:
        return value
    return int(canonical(ValueKind.AMOUNT, value)) + _TEN_DOLLARS


def _other_yes(parameter: Parameter, value: Any) -> Any:
    return False if parameter.kind is ValueKind.YES_NO and value is True else value


# --- a list's other entry -------------------------------------------------------------------------------


def _with_another_entry(seen: Tampering, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    for option in guide_of(seen.plan, tool).options:
        if option.parameter in arguments:
            values = _listed(seen.bodies, option.source, option.value)
            others = [value for value in values if value != arguments[option.parameter]]
            if others:
                return {**arguments, option.parameter: others[0]}
    return arguments


def _listed(bodies: Mapping[str, Mapping[str, Any]], source: str, member: str) -> list[Any]:
    try:
        listed = resolve_carry(source, bodies)
    except KeyError:
        return []
    return [item[member] for item in listed] if isinstance(listed, list | tuple) else []


def _has_another_entry(trial: Trial) -> bool:
    bodies: dict[str, Mapping[str, Any]] = {}
    guides = {guide.tool: guide for guide in trial.pack.guide.tools}
    for call, done in zip(trial.task.expected, trial.replayed.calls, strict=True):
        for option in guides[call.tool].options if call.tool in guides else ():
            values = _listed(bodies, option.source, option.value)
            value = call.arguments.get(option.parameter)
            if value in values and any(other != value for other in values):
                return True
        bodies[call.tool] = done.response
    return False


# --- an argument left out, a token made up --------------------------------------------------------------


def _without_last_argument(seen: Tampering, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    named = [
        parameter.name
        for parameter in parameters_of(seen.plan, tool)
        if parameter.constrained and parameter.name in arguments
    ]
    return {name: value for name, value in arguments.items() if not named or name != named[-1]}


def _with_false_token(seen: Tampering, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    guide = guide_of(seen.plan, tool)
    if not guide.propose:
        return arguments
    return {name: _FALSE_TOKEN if name in guide.carry else value for name, value in arguments.items()}


def _has_token(trial: Trial) -> bool:
    """Whether a call that commits carries what an earlier one gave."""
    proposing = {guide.tool: guide.carry for guide in trial.pack.guide.tools if guide.propose}
    return any(name in proposing.get(call.tool, {}) for call in trial.task.expected for name in call.carry)


# --- an amount told wrongly -----------------------------------------------------------------------------


def _with_altered_refund(tool: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Every refund in an answer is ten dollars too high."""
    return {
        name: _ten_dollars_more(name, value) if _REFUND in name else value for name, value in body.items()
    }


def _ten_dollars_more(name: str, value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and name.endswith("_cents"):
        return value + _TEN_DOLLARS
    if isinstance(value, str) and value.startswith("$"):
        cents = int(canonical(ValueKind.AMOUNT, value)) + _TEN_DOLLARS
        return f"${cents // 100:,}.{cents % 100:02d}"
    return value


def _with_refund_unacknowledged(
    seen: Tampering, tool: str, arguments: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Whoever was told another refund has not agreed to the quoted one: consent to a refund is false."""
    guide = guide_of(seen.plan, tool)
    if guide.consent is not None and _REFUND in guide.propose:
        return {**arguments, guide.consent: False}
    return arguments


def _agrees_to_refund(trial: Trial) -> bool:
    guides = {guide.tool: guide for guide in trial.pack.guide.tools}
    return any(
        guides[call.tool].consent in call.arguments and _REFUND in guides[call.tool].propose
        for call in trial.task.expected
        if call.tool in guides
    )


VALUE_FAULTS: Final = (
    _altering("alters-digit", "changes one digit of what it heard", _other_digit),
    _altering("alters-name", "takes one name for another", _other_name),
    _altering("alters-date", "is a day late", _other_day),
    _altering("alters-choice", "takes the next member of a vocabulary", _other_choice),
    _altering("alters-amount", "adds ten dollars", _other_amount),
    _altering("takes-yes-for-no", "sends a caller's consent as a refusal", _other_yes),
    Fault(
        "picks-another",
        "takes another entry of a list than the caller did",
        applies=_has_another_entry,
        arguments=_with_another_entry,
    ),
    Fault(
        "drops-argument",
        "leaves out the last detail of every call",
        applies=lambda trial: any(call.arguments for call in trial.task.expected),
        arguments=_without_last_argument,
    ),
    Fault(
        "invents-token",
        "commits with a token that no quote gave",
        applies=_has_token,
        arguments=_with_false_token,
    ),
    Fault(
        "alters-refund",
        "reads back another refund than the one quoted",
        applies=_agrees_to_refund,
        arguments=_with_refund_unacknowledged,
        body=_with_altered_refund,
    ),
)
