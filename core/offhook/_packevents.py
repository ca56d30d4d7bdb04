"""Rules that can never fire and goals that can never be met, by the events they wait for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from offhook._packproblem import PackProblem, error
from offhook.packs import Rule, Task
from offhook.spoken import normalise_words

__all__ = ["event_problems"]

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")


def event_problems(where: str, task: Task) -> Iterator[PackProblem]:
    """``where`` is the task's place. Events that do not exist are another problem, and taken to happen."""
    rules = {f"said:{rule.id}": rule for rule in task.rules}
    can = _possible(task, rules)
    for index, rule in enumerate(task.rules):
        place = f"{where}.rules[{index}]"
        why = _never(rule, rules, can)
        if why:
            yield error(f"{place}.{why[0]}", f"a rule that can fire; {why[1]}")
        elif rule.first_n is not None and rule.first_n > 1 and f"said:{rule.id}" in rule.unless:
            yield error(
                f"{place}.first_n", f"1, as unless lists the rule's own said:{rule.id}, got {rule.first_n}"
            )
        yield from _vetoed(place, rule)
    yield from _goal(f"{where}.intent.satisfied", task, rules, can)


def _possible(task: Task, rules: Mapping[str, Rule]) -> set[str]:
    """The events that can happen: those of rules whose conditions can hold, one after the other."""
    named = {name for rule in task.rules for name in (*rule.after, *rule.unless)}
    can = ({"opened"} | {f"heard:{topic.name}" for topic in task.topics} | named) - set(rules)
    grown = True
    while grown:
        fresh = {event for event, rule in rules.items() if event not in can and not _why(rule, rules, can)}
        can |= fresh
        grown = bool(fresh)
    return can


def _never(rule: Rule, rules: Mapping[str, Rule], can: set[str]) -> tuple[str, str] | None:
    return None if f"said:{rule.id}" in can else _why(rule, rules, can)


def _why(rule: Rule, rules: Mapping[str, Rule], can: set[str]) -> tuple[str, str] | None:
    """The field that keeps a rule from firing, and why, given the events that can happen; None if nothing
    does. A ``first_n`` below 1 is told elsewhere.
    """
    if "opened" in rule.unless:
        return "unless", "every call has 'opened' from its start"
    both = sorted(set(rule.after) & set(rule.unless))
    if both:
        return "unless", f"{both[0]!r} must have happened (after) and must not (unless)"
    for event in rule.after:
        earlier = rules.get(event)
        if earlier is not None and earlier.ends_call:
            return "after", f"the call is over once rule {earlier.id!r} has spoken"
        if event not in can:
            ring = _ring(rule, rules)
            if ring:
                return "after", f"it waits for itself: {' after '.join(ring)}"
            return "after", f"{event!r} can't happen"
    implied = sorted(_before(rule, rules) & set(rule.unless))
    if implied:
        return "unless", f"{implied[0]!r} has always happened before what it is after"
    return None


def _ring(rule: Rule, rules: Mapping[str, Rule]) -> tuple[str, ...]:
    """The way from a rule back to itself along ``after``; empty if there is none."""
    start = f"said:{rule.id}"
    ways: list[tuple[str, ...]] = [(start,)]
    seen: set[str] = set()
    while ways:
        way = ways.pop()
        for event in rules[way[-1]].after:
            if event == start:
                return (*way, start)
            if event in rules and event not in seen:
                seen.add(event)
                ways.append((*way, event))
    return ()


def _before(rule: Rule, rules: Mapping[str, Rule]) -> set[str]:
    """All that must have happened before a rule can fire."""
    found: set[str] = set()
    ahead = list(rule.after)
    while ahead:
        event = ahead.pop()
        if event not in found:
            found.add(event)
            ahead += rules[event].after if event in rules else ()
    return found


def _goal(where: str, task: Task, rules: Mapping[str, Rule], can: set[str]) -> Iterator[PackProblem]:
    wanted = [event for event in dict.fromkeys(task.intent.satisfied) if event in rules]
    for event in wanted:
        if event not in can:
            yield error(where, f"events that can happen; rule {rules[event].id!r} of {event!r} never fires")
    possible = [event for event in wanted if event in can]
    last = [event for event in possible if rules[event].ends_call]
    if len(last) > 1:
        yield error(where, f"events of one call; each of {', '.join(map(repr, last))} ends it")
    for event in last:
        for other in possible:
            if event in _before(rules[other], rules):
                yield error(where, f"events of one call; {other!r} comes after {event!r}, which ends it")
    barred = _barring(possible, rules)
    if barred:
        yield error(
            where, f"events that go together; each of {' and '.join(map(repr, barred))} bars the next"
        )


def _barring(events: Iterable[str], rules: Mapping[str, Rule]) -> tuple[str, ...]:
    """Two events of which each must come before the other, as their ``unless`` and ``after`` have it."""
    listed = tuple(events)
    first = {event: _before(rules[event], rules) for event in listed}
    for index, one in enumerate(listed):
        for other in listed[index + 1 :]:
            # a rule that is barred by another's line must have spoken before it
            one_first = other in rules[one].unless or one in first[other]
            other_first = one in rules[other].unless or other in first[one]
            if one_first and other_first:
                return (one, other)
    return ()


def _vetoed(where: str, rule: Rule) -> Iterator[PackProblem]:
    """An exception that covers every sentence the rule must fire on."""
    firing = [test.sentence for test in rule.tests if test.fires]
    for index, source in enumerate(rule.cues.none_of if firing else ()):
        try:
            pattern = re.compile(source, re.IGNORECASE)
        except re.error:
            continue  # told elsewhere
        if all(all(_found(pattern, part) for part in _parts(sentence)) for sentence in firing):
            yield error(
                f"{where}.cues.none_of[{index}]",
                f"an exception; {source!r} is found in every sentence that the rule must fire on",
            )


def _parts(sentence: str) -> list[str]:
    return [part for part in _SENTENCE_END.split(sentence) if part.strip()] or [sentence]


def _found(pattern: re.Pattern[str], text: str) -> bool:
    return bool(pattern.search(text.lower()) or pattern.search(" ".join(normalise_words(text))))
