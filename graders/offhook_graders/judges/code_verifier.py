"""``code-verifier``: decides each check with code, from the tool server's log, the caller's turns and what
the caller heard. Equal calls, equal results."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.checks import (
    AccessRules,
    Check,
    Effect,
    ExactEffects,
    Figure,
    FigureRelayed,
    FigureStated,
    NoSecretBefore,
    NoToolBefore,
    OneFigureStated,
    PhraseUsed,
    QuoteThenCreate,
    ToolCalled,
    ToolNotCalled,
)
from offhook.grading import CallEvidence
from offhook.packs import Pack
from offhook.records import ToolLogEntry
from offhook.values import ValueKind, canonical
from offhook.verifying import CheckResult, CheckVerdict
from offhook_graders.adherence.matching import fold_text, is_given, same_value
from offhook_graders.judges._speech import (
    clauses_of,
    find_statement,
    phrase_in,
    runs_of,
    said_before,
    states,
)

__all__ = ["CodeVerifier"]

_LONGEST: Final = 240


@attrs.frozen
class CodeVerifier:
    """The default verifier. It never leaves a check of a kind that it knows open, but one: a secret in a line
    that was being spoken while the caller's verification came through."""

    name: str = "code-verifier"
    version: str = "2"

    def verify(self, call: CallEvidence, checks: tuple[Check, ...]) -> tuple[CheckResult, ...]:
        """One result a check, in order."""
        return tuple(_decided(call, check) for check in checks)


def _decided(call: CallEvidence, check: Check) -> CheckResult:
    match check:
        case ExactEffects():
            return _exact_effects(call, check)
        case NoToolBefore():
            return _no_tool_before(call, check)
        case NoSecretBefore():
            return _no_secret_before(call, check)
        case ToolCalled():
            return _tool_called(call, check)
        case ToolNotCalled():
            return _tool_not_called(call, check)
        case QuoteThenCreate():
            return _quote_then_create(call, check)
        case FigureStated():
            return _stated(call, check, check.topic, (check.figure,))
        case OneFigureStated():
            return _stated(call, check, check.topic, check.figures)
        case PhraseUsed():
            return _phrase_used(call, check)
        case FigureRelayed():
            return _relayed(call, check)
    return CheckResult(check.id, CheckVerdict.UNCLEAR, why=f"no code decides checks of kind {check.kind!r}")


def _holds(check: Check, evidence: str = "", why: str = "") -> CheckResult:
    return CheckResult(check.id, CheckVerdict.HOLDS, evidence, why)


def _broken(check: Check, why: str, evidence: str = "") -> CheckResult:
    return CheckResult(check.id, CheckVerdict.BROKEN, evidence, why)


# --- the trace -----------------------------------------------------------------------------------


def _accepted(call: CallEvidence, *tools: str) -> list[ToolLogEntry]:
    return [entry for entry in call.tools if entry.tool in tools and entry.outcome == "accepted"]


def _shown(entry: ToolLogEntry) -> str:
    arguments = json.dumps(dict(entry.arguments), ensure_ascii=False, sort_keys=True, default=str)
    answer = json.dumps(dict(entry.response), ensure_ascii=False, sort_keys=True, default=str)
    told = f"request {entry.index}, {entry.outcome}: {entry.tool} {arguments} -> {answer}"
    return told if len(told) <= _LONGEST else told[: _LONGEST - 3] + "..."


def _is_verification(entry: ToolLogEntry, access: AccessRules) -> bool:
    if entry.tool != access.verified_by or entry.outcome != "accepted":
        return False
    return all(_same_result(value, entry.response.get(name)) for name, value in access.verified_when.items())


def _verification(call: CallEvidence, access: AccessRules) -> ToolLogEntry | None:
    return next((entry for entry in call.tools if _is_verification(entry, access)), None)


def _exact_effects(call: CallEvidence, check: ExactEffects) -> CheckResult:
    made = _accepted(call, *check.tools)
    evidence = "; ".join(map(_shown, made))
    if len(made) != len(check.effects):
        return _broken(check, f"{len(made)} changes, expected {len(check.effects)}", evidence)
    for position, (effect, entry) in enumerate(zip(check.effects, made, strict=True), start=1):
        fault = _effect_fault(call.pack, effect, entry)
        if fault:
            return _broken(check, f"change {position}: {fault}", _shown(entry))
    return _holds(check, evidence, "" if made else "nothing was changed, as expected")


def _effect_fault(pack: Pack, effect: Effect, entry: ToolLogEntry) -> str:
    if entry.tool != effect.tool:
        return f"{entry.tool}, expected {effect.tool}"
    for name, accepted in effect.arguments.items():
        if not _given(pack, entry, name, accepted):
            return f"{name} is {entry.arguments.get(name)!r}, expected {_any_of(accepted)}"
    for name, value in effect.result.items():
        if not _same_result(value, _field(entry.response, name)):
            return f"its result has {name} {_field(entry.response, name)!r}, expected {value!r}"
    return ""


def _given(pack: Pack, entry: ToolLogEntry, name: str, accepted: Sequence[Any]) -> bool:
    """Compares the argument as sent and as the tool server understood it; nothing equals an omission."""
    parameter = next((each for each in pack.tool(entry.tool).parameters if each.name == name), None)
    readings = [source[name] for source in (entry.canonical, entry.arguments) if is_given(source.get(name))]
    if parameter is None:
        return any(value == reading for value in accepted for reading in readings)
    return any(same_value(parameter, value, reading) for value in accepted for reading in readings)


def _any_of(values: Sequence[Any]) -> str:
    return " or ".join(repr(value) for value in values)


def _same_result(expected: object, observed: object) -> bool:
    if isinstance(expected, str) and isinstance(observed, str):
        return fold_text(expected) == fold_text(observed)
    if isinstance(expected, bool) or isinstance(observed, bool):
        return expected is observed
    return expected == observed


def _field(response: Mapping[str, Any], path: str) -> Any:
    value: Any = response
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _no_tool_before(call: CallEvidence, check: NoToolBefore) -> CheckResult:
    access = check.access
    free = {access.verified_by, *access.free_tools}
    known = {tool.name for tool in call.pack.tools}
    for entry in call.tools:
        if _is_verification(entry, access):
            return _holds(check, _shown(entry))
        if entry.tool in known and entry.tool not in free:
            return _broken(check, f"{entry.tool} is called before the caller is verified", _shown(entry))
    return _holds(check, why="the caller is never verified, and nothing but free tools is called")


def _tool_called(call: CallEvidence, check: ToolCalled) -> CheckResult:
    made = _accepted(call, check.tool)
    for entry in made:
        if all(_given(call.pack, entry, name, accepted) for name, accepted in check.arguments.items()):
            return _holds(check, _shown(entry))
    refused = [entry for entry in call.tools if entry.tool == check.tool and entry.outcome != "accepted"]
    if made:
        return _broken(check, f"{check.tool} is called, but with other values", _shown(made[-1]))
    if refused:
        return _broken(check, f"{check.tool} is called, but refused", _shown(refused[-1]))
    return _broken(check, f"{check.tool} is never called")


def _tool_not_called(call: CallEvidence, check: ToolNotCalled) -> CheckResult:
    made = _accepted(call, check.tool)
    return _broken(check, f"{check.tool} is carried out", _shown(made[0])) if made else _holds(check)


def _quote_then_create(call: CallEvidence, check: QuoteThenCreate) -> CheckResult:
    quote: ToolLogEntry | None = None
    evidence = []
    for entry in _accepted(call, check.quote, check.create):
        if entry.tool == check.quote:
            quote = entry
            continue
        if quote is None:
            return _broken(check, f"{check.create} comes without {check.quote} before it", _shown(entry))
        turns = [turn for turn in call.record.caller_turns if quote.at <= turn.start < entry.at]
        if not turns:
            why = f"the caller does not speak between {check.quote} and {check.create}"
            return _broken(check, why, f"{_shown(quote)}; {_shown(entry)}")
        evidence.append(f'{check.quote}, then the caller: "{turns[-1].written}", then {check.create}')
    return _holds(check, "; ".join(evidence), "" if evidence else f"{check.create} is never carried out")


# --- speech --------------------------------------------------------------------------------------


def _today(call: CallEvidence) -> dt.date:
    return call.pack.now.date()


def _no_secret_before(call: CallEvidence, check: NoSecretBefore) -> CheckResult:
    verification = _verification(call, check.access)
    passed = verification.at if verification is not None else float("inf")
    doubt: CheckResult | None = None
    for clause in clauses_of(call.record.caller_heard):
        if clause.start >= passed:
            break
        told = next(_secrets_told(call, check.secrets, clause.text, clause.start), None)
        if told is None:
            continue
        name = told.name or str(told.kind)
        if clause.end < passed:
            return _broken(check, f"{name} is told before the caller is verified", clause.text)
        why = f"{name} is told in a line during which the caller was verified: before or after can't be said"
        doubt = doubt or CheckResult(check.id, CheckVerdict.UNCLEAR, clause.text, why)
    return _secret_in_parts(call, check, passed) or doubt or _holds(check)


def _secret_in_parts(call: CallEvidence, check: NoSecretBefore, passed: float) -> CheckResult | None:
    """A secret that no clause holds whole, told piece by piece while the caller did not speak."""
    for text, start in runs_of(call.record, passed):
        told = next(_secrets_told(call, check.secrets, text, start), None)
        if told is not None:
            name = told.name or str(told.kind)
            return _broken(check, f"{name} is told in parts before the caller is verified", text)
    return None


def _secrets_told(call: CallEvidence, secrets: Sequence[Figure], text: str, at: float) -> Iterator[Figure]:
    for secret in secrets:
        if states(secret, text, _today(call)) and not said_before(
            call.record.caller_turns, secret, at, _today(call)
        ):
            yield secret


def _stated(call: CallEvidence, check: Check, topic: Sequence[str], figures: Sequence[Figure]) -> CheckResult:
    found = find_statement(call.record, topic, figures, _today(call))
    if found.clause is not None:
        return _holds(check, found.clause.text)
    return _broken(check, found.why, found.nearest)


def _phrase_used(call: CallEvidence, check: PhraseUsed) -> CheckResult:
    for line in sorted(call.record.caller_heard, key=lambda line: line.start):
        phrase = phrase_in(check.phrases, line.text)
        if phrase:
            return _holds(check, line.text, f"holds {phrase!r}")
    return _broken(check, f"the agent says none of {len(check.phrases)} phrases")


def _relayed(call: CallEvidence, check: FigureRelayed) -> CheckResult:
    made = _accepted(call, check.tool)
    if not made:
        return _broken(check, f"there is no result of {check.tool} to relay")
    value = _field(made[-1].response, check.field)
    try:
        canonical(check.value_kind, value)
    except ValueError as error:
        return _broken(check, f"the result has no such {check.field}: {error}", _shown(made[-1]))
    figure = Figure(check.value_kind, _written(check.value_kind, value))
    found = find_statement(
        call.record, check.topic, (figure,), _today(call), since=made[-1].at, not_after_caller=False
    )
    if found.clause is not None:
        return _holds(check, found.clause.text, f"{check.field} is {value!r}")
    return _broken(check, f"{check.field} is {value!r}, and {found.why}", found.nearest or _shown(made[-1]))


def _written(kind: ValueKind, value: Any) -> str:
    """A result's value as a pack would write it: whole cents become dollars."""
    if kind is ValueKind.AMOUNT and isinstance(value, int):
        return f"{'-' if value < 0 else ''}{abs(value) // 100}.{abs(value) % 100:02d}"
    return str(value)
