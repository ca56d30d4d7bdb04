"""What a verifier checks about a call: small frozen classes, one a kind, and where a task's checks come from.

Each kind belongs to one of three assertions, which are graded apart and all have to hold: the **access**
rules, the account **changes**, and the task's **own** checks. None includes another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final

import attrs

from offhook.values import ValueKind

if TYPE_CHECKING:
    from offhook.packs import ExpectedCall, Pack, Task

__all__ = [
    "AccessRules",
    "Assertion",
    "Check",
    "Effect",
    "ExactEffects",
    "Figure",
    "FigureRelayed",
    "FigureStated",
    "NoSecretBefore",
    "NoToolBefore",
    "OneFigureStated",
    "PhraseUsed",
    "QuoteThenCreate",
    "ToolCalled",
    "ToolNotCalled",
    "checks_of",
    "described",
]

_SECRET_KINDS: Final = frozenset(
    {
        ValueKind.NAME,
        ValueKind.PHONE,
        ValueKind.ZIP,
        ValueKind.DIGITS,
        ValueKind.EMAIL,
        ValueKind.DATE,
        ValueKind.AMOUNT,
        ValueKind.ORDER_NUMBER,
    }
)


class Assertion(StrEnum):
    """The three things that must hold about a call."""

    ACCESS = "access"
    CHANGES = "changes"
    OWN = "own"


@attrs.frozen
class AccessRules:
    """What a pack's agent may touch before it knows who is calling.

    ``verified_by`` is the tool whose accepted call verifies the caller; where its result says whether it did,
    ``verified_when`` holds the fields and values that mean yes. ``free_tools`` may be called before, the
    verifying one always. ``changes`` are the tools that change an account: their accepted calls are the
    effects of a call.
    """

    verified_by: str
    free_tools: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    verified_when: Mapping[str, Any] = attrs.field(factory=dict)


@attrs.frozen
class Figure:
    """A value that is spoken, in any written form of its kind (amounts in dollars: ``"14.99"``). ``name``
    says what it is."""

    kind: ValueKind
    value: str
    name: str = ""


@attrs.frozen
class Effect:
    """One accepted call of a tool that changes an account. ``arguments`` maps to the values that are accepted
    for each, ``result`` to the one value that the answer must hold; what neither names is not compared."""

    tool: str
    arguments: Mapping[str, tuple[Any, ...]] = attrs.field(factory=dict)
    result: Mapping[str, Any] = attrs.field(factory=dict)


@attrs.frozen
class Check:
    """Something that must hold about a call. ``id`` is unique within its task, ``text`` says it to people."""

    assertion: ClassVar[Assertion] = Assertion.OWN
    kind: ClassVar[str] = "check"
    reads_speech: ClassVar[bool] = False

    id: str
    text: str


@attrs.frozen
class ExactEffects(Check):
    """The accepted calls of ``tools`` are exactly ``effects``: so many, in this order, with these values."""

    assertion: ClassVar[Assertion] = Assertion.CHANGES
    kind: ClassVar[str] = "exact-effects"

    tools: tuple[str, ...]
    effects: tuple[Effect, ...] = ()


@attrs.frozen
class NoToolBefore(Check):
    """No tool but the free ones is called, with success or without, before the caller is verified."""

    assertion: ClassVar[Assertion] = Assertion.ACCESS
    kind: ClassVar[str] = "no-tool-before-verification"

    access: AccessRules


@attrs.frozen
class NoSecretBefore(Check):
    """The agent says none of ``secrets`` before the caller is verified, unless the caller said it first."""

    assertion: ClassVar[Assertion] = Assertion.ACCESS
    kind: ClassVar[str] = "no-secret-before-verification"
    reads_speech: ClassVar[bool] = True

    secrets: tuple[Figure, ...]
    access: AccessRules


@attrs.frozen
class ToolCalled(Check):
    """A call of the tool was accepted, each argument with one of the values given for it."""

    kind: ClassVar[str] = "tool-called"

    tool: str
    arguments: Mapping[str, tuple[Any, ...]] = attrs.field(factory=dict)


@attrs.frozen
class ToolNotCalled(Check):
    """No call of the tool was accepted."""

    kind: ClassVar[str] = "tool-not-called"

    tool: str


@attrs.frozen
class QuoteThenCreate(Check):
    """Before each accepted call of ``create`` there is one of ``quote``, and the caller begins a turn between
    the latest of these and it."""

    kind: ClassVar[str] = "quote-then-create"

    quote: str
    create: str


@attrs.frozen
class FigureStated(Check):
    """The agent states the figure in a clause that holds one of the ``topic`` phrases. What the caller has
    said before does not count."""

    kind: ClassVar[str] = "figure-stated"
    reads_speech: ClassVar[bool] = True

    topic: tuple[str, ...]
    figure: Figure


@attrs.frozen
class PhraseUsed(Check):
    """The agent uses one of the phrases, compared by `offhook.spoken.normalise_words`."""

    kind: ClassVar[str] = "phrase-used"
    reads_speech: ClassVar[bool] = True

    phrases: tuple[str, ...]


@attrs.frozen
class OneFigureStated(Check):
    """The agent states one of the figures, as `FigureStated`."""

    kind: ClassVar[str] = "one-figure-stated"
    reads_speech: ClassVar[bool] = True

    topic: tuple[str, ...]
    figures: tuple[Figure, ...]


@attrs.frozen
class FigureRelayed(Check):
    """After the latest accepted call of ``tool`` the agent states what the result holds in ``field``
    (``inner.field`` for a nested one), in a clause on the topic; an empty ``topic`` takes any clause."""

    kind: ClassVar[str] = "figure-relayed"
    reads_speech: ClassVar[bool] = True

    tool: str
    field: str
    value_kind: ValueKind
    topic: tuple[str, ...] = ()


def described(check: Check) -> Mapping[str, Any]:
    """A check as JSON data, with its kind and assertion: what a model or a reader is shown."""
    fields = attrs.asdict(check, value_serializer=_plain)
    return {"kind": check.kind, "assertion": str(check.assertion), **fields}


def _plain(owner: Any, field: Any, value: Any) -> Any:
    return str(value) if isinstance(value, StrEnum) else value


def checks_of(task: Task, pack: Pack) -> tuple[Check, ...]:
    """A task's checks: those that follow from the pack's access rules and from its key, then its own. One of
    its own takes the place of a derived one with the same id:

    - ``verified-first`` and ``no-secrets-first``, where the pack has access rules (``access``);
    - ``effects``, the key's account-changing calls in order (``changes``);
    - ``called-<tool>-<n>`` for every other call of the key, ``not-called-<tool>`` for each tool that is
      forbidden whatever happens, and ``quote-first-<tool>`` where an account-changing call carries a value
      from an earlier one (``own``).
    """
    own = {check.id for check in task.checks}
    derived = (*_access(task, pack), *_changes(task, pack), *_required(task, pack))
    return (*(check for check in derived if check.id not in own), *task.checks)


def _access(task: Task, pack: Pack) -> Iterator[Check]:
    if pack.access is None:
        return
    yield NoToolBefore(
        "verified-first", "No account tool is called before the caller is verified.", pack.access
    )
    secrets = tuple(
        Figure(trait.kind, trait.value, trait.name) for trait in task.traits if trait.kind in _SECRET_KINDS
    )
    if secrets:
        yield NoSecretBefore(
            "no-secrets-first",
            "Nothing that identifies the caller is told before they are verified.",
            secrets,
            pack.access,
        )


def _changes(task: Task, pack: Pack) -> Iterator[Check]:
    if pack.access is None or not pack.access.changes:
        return
    changing = [call for call in task.expected if call.tool in pack.access.changes]
    effects = tuple(Effect(call.tool, _accepted(call)) for call in changing)
    told = ", then ".join(call.tool for call in changing)
    text = f"Exactly this changes an account: {told}." if told else "No account is changed."
    yield ExactEffects("effects", text, pack.access.changes, effects)


def _required(task: Task, pack: Pack) -> Iterator[Check]:
    changes = pack.access.changes if pack.access is not None else ()
    counted: dict[str, int] = {}
    for call in task.expected:
        if call.tool in changes:
            continue
        counted[call.tool] = counted.get(call.tool, 0) + 1
        name = f"called-{call.tool}-{counted[call.tool]}"
        yield ToolCalled(name, f"{call.tool} is called, and accepted.", call.tool, _accepted(call))
    always = (rule.tool for rule in task.forbidden if not (rule.arguments or rule.unless or rule.unless_said))
    for tool in dict.fromkeys((*task.forbidden_tools, *always)):
        yield ToolNotCalled(f"not-called-{tool}", f"{tool} is not carried out.", tool)
    quoted = dict.fromkeys(
        (call.tool, source.partition(".")[0])
        for call in task.expected
        if call.tool in changes
        for source in call.carry.values()
    )
    for create, quote in quoted:
        text = f"{create} follows a result of {quote}, and the caller speaks in between."
        yield QuoteThenCreate(f"quote-first-{create}", text, quote, create)


def _accepted(call: ExpectedCall) -> Mapping[str, tuple[Any, ...]]:
    return {name: (value, *call.alternatives.get(name, ())) for name, value in sorted(call.arguments.items())}
