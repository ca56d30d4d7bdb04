"""Checks of the policy follower's guide: every tool, parameter and template field it names can be had."""

from __future__ import annotations

import contextlib
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from offhook._packproblem import PackProblem, error, note
from offhook.packs import Options, Pack, Tool, ToolGuide
from offhook.toolserver import resolve_carry
from offhook.values import ValueKind

__all__ = ["guide_problems"]

Responses = Mapping[str, Sequence[Mapping[str, Any]]]


def guide_problems(pack: Pack, responses: Responses | None) -> Iterator[PackProblem]:
    """``responses`` holds what each tool returned in the replays; fields of a tool that none of them calls
    can't be checked, and none can be where it is None."""
    where = f"{pack.name}/guide"
    for field in ("unclear", "closing", "goodbye", "sorry"):
        if not getattr(pack.guide, field).strip():
            yield error(f"{where}.{field}", "a line")
    yield from _asides(where, pack)
    tools = {tool.name: tool for tool in pack.tools}
    guided = {guide.tool for guide in pack.guide.tools}
    needed = dict.fromkeys(call.tool for task in pack.tasks for call in task.expected if call.tool in tools)
    for name in needed:
        if name not in guided:
            yield error(where, f"a guide for {name}, which tasks call")
    unchecked: dict[str, None] = {}
    for guide in pack.guide.tools:
        place = f"{where}/{guide.tool}"
        if guide.tool not in tools:
            yield error(place, "a tool of the pack")
            continue
        yield from _parameters(place, guide, tools[guide.tool], needed=guide.tool in needed)
        yield from _wording(place, guide, tools[guide.tool])
        for field, reference in _references(guide):
            source = reference.partition(".")[0]
            if source not in tools:
                yield error(f"{place}.{field}", f"a tool of the pack in {reference!r}")
            elif responses is not None and source not in responses:
                unchecked[source] = None
            elif responses is not None and not any(
                _has(reference, {source: response}) for response in responses[source]
            ):
                yield error(f"{place}.{field}", f"a field that {source} returns, got {reference!r}")
        for index, option in enumerate(guide.options):
            yield from _option(f"{place}.options[{index}]", option, tools[guide.tool], responses)
    for name in unchecked:
        yield note(where, f"a task that calls {name}: what templates take from its result is not checked")


def _parameters(where: str, guide: ToolGuide, tool: Tool, *, needed: bool) -> Iterator[PackProblem]:
    known = {parameter.name: parameter for parameter in tool.parameters}
    asked = [(f"asks[{index}]", name) for index, ask in enumerate(guide.asks) for name in ask.parameters]
    chosen = [(f"options[{index}].parameter", item.parameter) for index, item in enumerate(guide.options)]
    consent = () if guide.consent is None else (("consent", guide.consent),)
    for place, name in (
        *asked,
        *chosen,
        *(("carry", name) for name in guide.carry),
        *(("take", name) for name in guide.take),
        *consent,
    ):
        if name not in known:
            yield error(f"{where}.{place}", f"parameters of {tool.name}, got {name!r}")
    if guide.consent in known and known[guide.consent].kind is not ValueKind.YES_NO:
        yield error(f"{where}.consent", f"a yes_no parameter, got {guide.consent!r}")
    if guide.consent is not None and not guide.propose.strip():
        yield error(f"{where}.propose", f"the question whose yes sets {guide.consent!r}")
    if guide.retry and not guide.asks:
        yield error(f"{where}.retry", "asks to go back to")
    for index, ask in enumerate(guide.asks):
        if not ask.parameters or not ask.question.strip() or not ask.again.strip():
            yield error(f"{where}.asks[{index}]", "parameters, a question and its second wording")
    filled = {name for _, name in (*asked, *chosen)} | {*guide.carry, *guide.take, guide.consent}
    missing = [
        parameter.name for parameter in tool.parameters if parameter.required and parameter.name not in filled
    ]
    if needed and missing:
        yield error(where, f"a way to fill every required parameter; nothing fills {', '.join(missing)}")


def _asides(where: str, pack: Pack) -> Iterator[PackProblem]:
    for index, aside in enumerate(pack.guide.asides):
        place = f"{where}.asides[{index}]"
        if not aside.say.strip():
            yield error(f"{place}.say", "a line")
        if not aside.heard:
            yield error(f"{place}.heard", "a pattern: without one it is never told")
        for number, pattern in enumerate(aside.heard):
            try:
                re.compile(pattern, re.IGNORECASE)
            except re.error as fault:
                yield error(f"{place}.heard[{number}]", f"a regular expression, got {pattern!r}: {fault}")


def _option(where: str, option: Options, tool: Tool, responses: Responses | None) -> Iterator[PackProblem]:
    if option.most < 1:
        yield error(f"{where}.most", f"at least 1, got {option.most}")
    if option.parameter in {parameter.name for parameter in tool.parameters if parameter.choices}:
        yield error(f"{where}.parameter", f"a parameter without choices of its own, got {option.parameter!r}")
    try:
        fields = [field for _, field, _, _ in string.Formatter().parse(option.question)]
    except ValueError:
        fields = ["options"]  # told with the other templates
    if "options" not in fields:
        yield error(f"{where}.question", "a question with {options} in it")
    try:
        parts = [part for part in string.Formatter().parse(option.label) if part[1] is not None]
    except ValueError as fault:
        yield error(f"{where}.label", f"a template, got {option.label!r}: {fault}")
        return
    if not parts:
        yield error(f"{where}.label", "words with a member of an entry in them, that tell entries apart")
    if any(spec or conversion for _, _, spec, conversion in parts):
        yield error(f"{where}.label", f"{{member}} and nothing more in the braces, got {option.label!r}")
    yield from _entries(where, option, [str(field) for _, field, _, _ in parts], responses)


def _entries(
    where: str, option: Options, label: Sequence[str], responses: Responses | None
) -> Iterator[PackProblem]:
    """Whether the list is one, and its entries have the members, in what the replays returned."""
    source = option.source.partition(".")[0]
    if "." not in option.source:
        yield error(f"{where}.source", f"tool.field, got {option.source!r}")
        return
    answers = [
        answer for answer in (responses or {}).get(source, ()) if _has(option.source, {source: answer})
    ]
    if not answers:
        return  # no such tool or field, or nothing to look at, which is told
    lists = [resolve_carry(option.source, {source: answer}) for answer in answers]
    entries = [entry for listed in lists if isinstance(listed, list | tuple) for entry in listed]
    if not all(isinstance(listed, list | tuple) for listed in lists) or not all(
        isinstance(entry, Mapping) for entry in entries
    ):
        yield error(f"{where}.source", f"a list of objects, {option.source} is none")
        return
    if not entries:
        yield note(
            f"{where}.source", f"a task in which {option.source} has an entry: its members are unchecked"
        )
        return
    for field, names in (("value", (option.value,)), ("label", label), ("names", option.names)):
        for name in names:
            if not any(name in entry for entry in entries):
                had = ", ".join(dict.fromkeys(key for entry in entries for key in entry))
                yield error(f"{where}.{field}", f"a member of the entries ({had}), got {name!r}")


def _templates(guide: ToolGuide) -> Iterator[tuple[str, str]]:
    yield from ((field, getattr(guide, field)) for field in ("hold", "offer", "propose", "say"))
    yield from ((f"refused[{code!r}]", text) for code, text in guide.refused.items())
    for index, ask in enumerate(guide.asks):
        yield from (
            (f"asks[{index}].{field}", getattr(ask, field)) for field in ("question", "again", "confirm")
        )
    for index, option in enumerate(guide.options):
        yield f"options[{index}].question", option.question


def _wording(where: str, guide: ToolGuide, tool: Tool) -> Iterator[PackProblem]:
    parameters = {parameter.name for parameter in tool.parameters}
    for place, template in _templates(guide):
        try:
            parts = list(string.Formatter().parse(template))
        except ValueError as fault:
            yield error(f"{where}.{place}", f"a template, got {template!r}: {fault}")
            continue
        for _, field, spec, conversion in parts:
            known = field in parameters or (field is not None and "." in field)
            known = known or (field == "options" and place.startswith("options["))
            if field is not None and (spec or conversion or not known):
                yield error(
                    f"{where}.{place}", f"{{parameter}} of {tool.name} or {{tool.field}}, got {{{field}}}"
                )


def _references(guide: ToolGuide) -> Iterator[tuple[str, str]]:
    """Every ``tool.field`` with the place it stands in."""
    yield from (("carry", reference) for reference in guide.carry.values())
    yield from (("take", reference) for reference in guide.take.values())
    for index, option in enumerate(guide.options):
        if "." in option.source:
            yield f"options[{index}].source", option.source
    for place, template in _templates(guide):
        with contextlib.suppress(ValueError):  # told by _wording
            fields = [field for _, field, _, _ in string.Formatter().parse(template) if field is not None]
            yield from ((place, field) for field in fields if "." in field)


def _has(reference: str, results: Mapping[str, Mapping[str, Any]]) -> bool:
    try:
        resolve_carry(reference, results)
    except KeyError:
        return False
    return True
