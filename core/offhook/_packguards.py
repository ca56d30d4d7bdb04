"""Whether a pack's guards guard: each key is run with a gate left out, a consent refused, a token of another
call, and in other wrong ways, and must not come to the same end.

What can be known from a pack: a write that lies behind a gate in a key must not be reached without it, and
each gate must matter to some key. A gate with only reading behind it may be there for manners alone, so that
is a note. Refusals that neither a key nor a wrong key meets are a note too: no test of the pack reaches them.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from offhook._packkeys import Ending, KeyRuns, Step, ended, steps_of
from offhook._packplace import tool_files
from offhook._packproblem import PackProblem, error, note
from offhook.packs import Pack, ToolGuide
from offhook.toolserver import resolve_carry
from offhook.toolserver._calldb import Answer
from offhook.values import ValueKind

__all__ = ["guard_problems"]

_SAME_CALL: Final = "replay"  # the replay's call, whose ids are drawn again
_OTHER_CALL: Final = "another call"
_ENOUGH: Final = 3  # times that one thing is tried wrongly, over all tasks
_ALTERED: Final = frozenset({ValueKind.PHONE, ValueKind.DIGITS, ValueKind.ZIP, ValueKind.ORDER_NUMBER})
# Refusals of the server's own, which no tool has to be tried for.
_OF_THE_SERVER: Final = frozenset({"not_sent", "invalid_argument", "internal_error"})


@attrs.frozen
class _Tried:
    """What one task's wrong keys showed. ``gates`` says of each gate it calls whether leaving it out changed
    anything, None where nothing lay behind it.
    """

    problems: tuple[PackProblem, ...] = ()
    gates: Mapping[str, bool | None] = attrs.field(factory=dict)
    met: frozenset[str] = frozenset()
    consented: frozenset[str] = frozenset()


def guard_problems(pack: Pack, runs: KeyRuns, scratch: Path) -> Iterator[PackProblem]:
    """``runs`` are the pack's replayed keys; wrong keys run in ``scratch``.

    Raises:
        OSError: the folder can't be written.
    """
    path = scratch / "wrong.sqlite"
    times: Counter[str] = Counter()
    faults: dict[str, str] = {}
    tried = [_task(pack, runs, index, path, times, faults) for index in sorted(runs.replays)]
    for one in tried:
        yield from one.problems
    for name, fault in faults.items():
        yield error(
            f"{pack.name}/tools/{name}",
            f"an answer or a refusal whatever is asked; on a wrong key (a call left out, repeated, with a "
            f"detail altered) it failed: {' '.join(fault.split())}",
        )
    called = {call.tool for task in pack.tasks for call in task.expected}
    for gate in pack.gates:
        found = [one.gates[gate] for one in tried if gate in one.gates]
        if found and not any(found):
            if any(changed is False for changed in found):
                yield error(
                    f"{pack.name}/tools/{gate}",
                    "a gate that something waits for; every key that calls it comes to the same end without",
                )
            else:
                yield note(f"{pack.name}/gates", f"a key with work behind {gate}: it could not be tried")
    consented = frozenset().union(*(one.consented for one in tried))
    for guide in pack.guide.tools:
        if guide.consent is not None and guide.tool in called and guide.tool not in consented:
            yield note(
                f"{pack.name}/guide/{guide.tool}.consent",
                f"a key that sends {guide.consent} as true: refusing it could not be tried",
            )
    yield from _unmet(pack, frozenset().union(*(one.met for one in tried)))


def _task(
    pack: Pack,
    runs: KeyRuns,
    index: int,
    path: Path,
    times: Counter[str],
    faults: dict[str, str],
) -> _Tried:
    task = pack.tasks[index]
    steps = steps_of(pack, task.expected)
    if not steps:
        return _Tried()
    where = f"{pack.name}/tasks/{task.id}"
    whole = Ending(tuple(_answer(call) for call in runs.replays[index].calls), runs.views[index])
    problems: list[PackProblem] = []
    met = set()
    for step, answer in _tried_wrongly(pack, runs, steps, path, times):
        met.add(answer.code)
        if answer.fault:
            faults.setdefault(step.tool.name, answer.fault)
    met |= {str(call.response.get("error", {}).get("code", "")) for call in runs.replays[index].calls}
    guides = {guide.tool: guide for guide in pack.guide.tools}
    found, gates = _gates(pack, where, steps, whole, runs, path)
    problems += found
    elsewhere = ended(runs, steps, path, call_id=_OTHER_CALL, view=False)
    consented = set()
    for place, step in enumerate(steps):
        guide = guides.get(step.tool.name)
        if guide is not None and _consented(guide, whole.answers[place]):
            consented.add(step.tool.name)
            problems += _consent(where, steps, place, guide, whole, runs, path)
        for name, reference in step.carry.items():
            token = _foreign(reference, steps[:place], whole, elsewhere)
            if token is not None:
                problems += _token(where, steps, place, name, token, whole, runs, path)
                met |= _codes(runs, steps, place, {name: token}, path)
        if guide is not None and _consented(guide, whole.answers[place]):
            met |= _codes(runs, steps, place, {str(guide.consent): False}, path)
    return _Tried(tuple(problems), gates, frozenset(met), frozenset(consented))


def _consented(guide: ToolGuide, answer: Answer) -> bool:
    return guide.consent is not None and answer.canonical.get(guide.consent) is True


def _answer(call: Any) -> Answer:
    code = str(call.response.get("error", {}).get("code", "")) if call.status >= 400 else ""
    return Answer(call.status, call.response, code, call.canonical)


def _codes(
    runs: KeyRuns, steps: Sequence[Step], place: int, fixed: Mapping[str, Any], path: Path
) -> set[str]:
    changed = (*steps[:place], attrs.evolve(steps[place], fixed=fixed), *steps[place + 1 :])
    return {answer.code for answer in ended(runs, changed, path, call_id=_SAME_CALL, view=False).answers}


def _wrong_ways(steps: Sequence[Step], gates: Sequence[str]) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Keys that a guard may mind: a call left out, made at once, made twice, or with a detail altered, and
    the whole made twice. Each comes with what it tries, of which a few times are enough.
    """
    yield "whole", (*steps, *steps)
    for place, step in enumerate(steps):
        name = step.tool.name
        after = steps[place + 1].tool.name if place + 1 < len(steps) else ""
        yield f"{name} without, then {after}", (*steps[:place], *steps[place + 1 : place + 2])
        yield f"{name} alone", (step,)
        yield f"{name} again", (*steps[: place + 1], step)
        for parameter in step.tool.parameters:
            value = step.arguments.get(parameter.name)
            other = _altered(value, parameter.kind)
            if other is not None:
                changed = attrs.evolve(step, fixed={parameter.name: other})
                yield f"{name} {parameter.name}", (*steps[:place], changed)
                if name in gates:  # past the limit of a gate that counts
                    yield f"{name} {parameter.name} often", (*steps[:place], *[changed] * 5, step)


def _tried_wrongly(
    pack: Pack, runs: KeyRuns, steps: Sequence[Step], path: Path, times: Counter[str]
) -> Iterator[tuple[Step, Answer]]:
    """The last calls of the wrong keys, with the answers; ``times`` counts what has been tried so far."""
    for tries, wrong in _wrong_ways(steps, pack.gates):
        times[tries] += 1
        if times[tries] > _ENOUGH:
            continue
        # a call made twice draws other ids than the first time
        sent = [attrs.evolve(step, index=place) for place, step in enumerate(wrong)]
        yield from zip(sent, ended(runs, sent, path, call_id=_SAME_CALL, view=False).answers, strict=True)


def _altered(value: Any, kind: ValueKind) -> str | None:
    """Another value of the same form; None where there is none to be had."""
    if kind is ValueKind.NAME and isinstance(value, str):
        return "Zebulon Quistgaard"
    if kind is ValueKind.YES_NO or not isinstance(value, str) or not any(c.isdigit() for c in value):
        return None
    if kind not in _ALTERED and kind is not ValueKind.TEXT:
        return None
    last = max(place for place, char in enumerate(value) if char.isdigit())
    return value[:last] + str((int(value[last]) + 1) % 10) + value[last + 1 :]


def _gates(
    pack: Pack, where: str, steps: Sequence[Step], whole: Ending, runs: KeyRuns, path: Path
) -> tuple[list[PackProblem], dict[str, bool | None]]:
    """Leaves out each gate, then all of them."""
    matters: dict[str, bool | None] = {}
    for gate in dict.fromkeys(step.tool.name for step in steps if step.tool.name in pack.gates):
        matters[gate] = _missed(steps, {gate}, whole, runs, path)
    problems: list[PackProblem] = []
    if matters:
        first = next(place for place, step in enumerate(steps) if step.tool.name in pack.gates)
        missed = _missed(steps, set(pack.gates), whole, runs, path)
        behind = [step for step in steps[first + 1 :] if not _manner(step, set(pack.gates))]
        if missed is False and whole.view[0] != whole.view[1]:
            names = ", ".join(matters)
            problems.append(
                error(
                    f"{where}.expected[{first}]",
                    f"a refusal where {names} is left out; the key comes to the same end without",
                )
            )
        elif missed is False:
            tools = ", ".join(dict.fromkeys(step.tool.name for step in behind))
            problems.append(
                note(
                    f"{where}.expected[{first}]",
                    f"something that waits for {', '.join(matters)}; {tools} answers without",
                )
            )
    return problems, matters


def _missed(steps: Sequence[Step], gates: set[str], whole: Ending, runs: KeyRuns, path: Path) -> bool | None:
    """Whether the rest of a key ends otherwise without its gates; None where nothing comes after them."""
    first = next((place for place, step in enumerate(steps) if step.tool.name in gates), len(steps))
    if all(_manner(step, gates) for step in steps[first:]):
        return None
    rest = [(place, step) for place, step in enumerate(steps) if step.tool.name not in gates]
    without = ended(runs, [step for _, step in rest], path, call_id=_SAME_CALL)
    expected = [bool(whole.answers[place].code) for place, _ in rest]
    return [bool(answer.code) for answer in without.answers] != expected or without.view != whole.view


def _manner(step: Step, gates: set[str]) -> bool:
    """Gates, and what ends a call, lie behind nothing."""
    return step.tool.name in gates or step.tool.ends_call


def _consent(
    where: str,
    steps: Sequence[Step],
    place: int,
    guide: ToolGuide,
    whole: Ending,
    runs: KeyRuns,
    path: Path,
) -> Iterator[PackProblem]:
    refused = attrs.evolve(steps[place], fixed={str(guide.consent): False})
    other = ended(runs, (*steps[:place], refused, *steps[place + 1 :]), path, call_id=_SAME_CALL)
    if not other.answers[place].code and other.view == whole.view:
        yield error(
            f"{where}.expected[{place}]",
            f"a refusal of {guide.tool} where {guide.consent} is false; the key comes to the same end",
        )


def _token(
    where: str,
    steps: Sequence[Step],
    place: int,
    name: str,
    token: Any,
    whole: Ending,
    runs: KeyRuns,
    path: Path,
) -> Iterator[PackProblem]:
    foreign = attrs.evolve(steps[place], fixed={name: token})
    other = ended(runs, (*steps[:place], foreign, *steps[place + 1 :]), path, call_id=_SAME_CALL)
    if not other.answers[place].code and other.view == whole.view:
        yield error(
            f"{where}.expected[{place}]",
            f"a refusal of {steps[place].tool.name} where {name} is another call's; the key comes to the "
            "same end",
        )


def _foreign(reference: str, before: Sequence[Step], whole: Ending, elsewhere: Ending) -> Any:
    """What the reference comes to in another call of the same key, where that is not this call's."""
    values = []
    for ending in (whole, elsewhere):
        results = {
            step.tool.name: answer.body
            for step, answer in zip(before, ending.answers, strict=False)
            if not answer.code
        }
        try:
            values.append(resolve_carry(reference, results))
        except KeyError:
            return None
    return values[1] if values[0] != values[1] else None


def _unmet(pack: Pack, met: frozenset[str]) -> Iterator[PackProblem]:
    """Refusals of the tools that no key and no wrong key comes to, and words for refusals that no tool
    gives.
    """
    codes, computed = _refusals(pack)
    missing = sorted(codes - met - _OF_THE_SERVER)
    if missing:
        yield note(
            f"{pack.name}/tools",
            "a key that comes near every guard; neither the keys nor wrong ones (a call left out, repeated, "
            f"with a detail altered) meet {', '.join(missing)}",
        )
    if computed or not codes:
        return  # which codes there are can't be read off the source
    for guide in pack.guide.tools:
        for field, named in (("refused", tuple(guide.refused)), ("retry", guide.retry)):
            for code in named:
                if code not in codes | _OF_THE_SERVER:
                    yield note(
                        f"{pack.name}/guide/{guide.tool}.{field}",
                        f"codes that a tool of the pack refuses with, got {code!r}",
                    )


def _refusals(pack: Pack) -> tuple[frozenset[str], bool]:
    """The codes of refusals as written in the source of the pack's tools, and whether there are others that
    it makes up on its way.
    """
    codes: set[str] = set()
    computed = False
    for path in tool_files(pack):
        text = path.read_text(encoding="utf-8", errors="replace")
        try:
            calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
        except (SyntaxError, ValueError):
            continue  # not what the tools were made from
        for call in calls:
            if getattr(call.func, "id", getattr(call.func, "attr", "")) != "ToolRefusal":
                continue
            given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "code")]
            if given and isinstance(given[0], ast.Constant):
                codes.add(str(given[0].value))
            else:
                computed = True
    return frozenset(codes), computed
