"""Causes 5 and 6: speech-to-text and the language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.packs import ExpectedCall
from offhook_graders.attribution._case import Case, Check, Miss, does_not_apply, quoted
from offhook_graders.attribution._claims import unfounded_amounts
from offhook_graders.attribution._facts import NeededFact, SaidFact, is_stated, needed_facts, said_facts
from offhook_graders.attribution._speech import lost_words

__all__ = ["hearing_check", "mind_check", "voice_check"]

_LAST_LINES: Final = 2


def hearing_check(case: Case) -> Check:
    """Cause 5: a fact that a failed call needed, and that the caller said, is missing from the platform's
    transcript of the caller or wrong in it, while the reference recogniser hears it in the caller's own
    voice.

    Without a transcript of the caller, or a reference recogniser, this can't be told and does not apply."""
    if case.on_text:
        return does_not_apply(5, "on a text line nothing is heard")
    if not case.call.record.user_transcript_available:
        return does_not_apply(5, "not measured: the platform gives no transcript of the caller")
    unheard = _unheard(case)
    if not unheard:
        said = [entry.fact for entry in _said(case)]
        if not said:
            return does_not_apply(5, "no failed call lacks a fact that the caller said")
        return does_not_apply(5, f"the transcript states what the caller said: {_names(said)}")
    measured = case.call.measured("caller-recognition")
    if measured.error:
        return does_not_apply(
            5, f"not measured: the transcript lacks {_names(_facts(unheard))}, and {measured.error}"
        )
    texts = {turn["index"]: turn["text"] for turn in measured.values["turns"]}
    for entry in unheard:
        heard = {index: texts.get(index, "") for index in entry.turns}
        if is_stated(entry.fact, list(heard.values()), case.call.pack.now.date()):
            return _misheard(case, entry, heard, str(measured.values["engine"]))
    return does_not_apply(
        5,
        f"the transcript lacks {_names(_facts(unheard))}, but the reference recogniser does not hear it "
        "either: the caller's audio did not carry it",
    )


def _misheard(case: Case, entry: SaidFact, reference: Mapping[int, str], engine: str) -> Check:
    fact, turns = entry.fact, case.call.record.caller_turns
    told = {
        "fact": _fact_json(fact),
        "said": [{"turn": index, "spoken": turns[index].spoken} for index in entry.turns],
        "reference": [{"turn": index, "text": text} for index, text in reference.items()],
        "engine": engine,
        "transcript": list(case.heard),
    }
    why = (
        f"the transcript lacks the {fact.kind} {fact.value} that {fact.tool} needed, and the caller's audio "
        f"carried it: {quoted(' '.join(reference.values()))}"
    )
    return Check(5, True, why, told)


def mind_check(case: Case) -> Check:
    """Cause 6: what was heard was right, and the agent chose a wrong tool or argument, skipped a step, broke
    a gate, or did what nobody asked for.

    A step that was merely left out is only put down to the mind where the caller could hear what the agent
    said: an agent that asked, and was not understood, has skipped nothing."""
    wrong = _wrong_decision(case)
    if wrong is not None:
        return wrong
    unheard = _unheard(case)
    if unheard:
        return does_not_apply(6, f"the transcript it had to go by lacks {_names(_facts(unheard))}")
    if not case.omitted and not case.absent:
        failing = ", ".join(grade.grader for grade in case.failed) or "none"
        return does_not_apply(6, f"no wrong decision is in the evidence of the failed verdicts ({failing})")
    lost = lost_words(case)
    if lost.lines:
        return does_not_apply(
            6, f"the agent's own text was not heard by the caller: {quoted(lost.lines[0].text)}"
        )
    return _left_out(case, "" if case.on_text else lost.problem)


def voice_check(case: Case) -> Check:
    """Cause 7: what the agent said was right in text, and its audio did not carry it."""
    if case.on_text:
        return does_not_apply(7, "on a text line nothing is spoken")
    lost = lost_words(case)
    if lost.problem:
        return does_not_apply(7, f"not measured: {lost.problem}")
    if not lost.lines:
        return does_not_apply(7, "the agent's audio carried what its text says")
    line = lost.lines[0]
    why = (
        f"the agent's text {quoted(line.text)} did not come through: "
        f"{line.share:.0%} of its words were heard ({lost.engine})"
    )
    return Check(
        7, True, why, {"lines": [attrs.asdict(entry) for entry in lost.lines], "engine": lost.engine}
    )


def _wrong_decision(case: Case) -> Check | None:
    if case.forbidden:
        entry = case.forbidden[0]
        why = f"the agent called {entry['tool']} against the task: {entry.get('why', 'it is forbidden')}"
        return Check(6, True, why, {"request": dict(entry)})
    unheard = {(fact.kind, fact.value) for fact in _facts(_unheard(case))}
    for miss in case.misses:
        for name, (expected, observed) in miss.differing.items():
            fact = _fact_of(case, miss, name)
            if fact is not None and (fact.kind, fact.value) in unheard:
                continue
            value = "left out" if observed is None else f"{observed!r}"
            why = f"{miss.tool} was called with {name} {value} instead of {expected!r}: {_ground(case, fact)}"
            told = {"tool": miss.tool, "argument": name, "expected": expected, "observed": observed}
            return Check(6, True, why, told)
    for miss in case.misses:
        if miss.requested and not miss.differing and miss.refused:
            why = f"{miss.tool} was called when it had to be refused ({miss.code})"
            return Check(6, True, why, {"tool": miss.tool, "code": miss.code})
        if miss.requested and not miss.differing:
            why = f"{miss.tool} was accepted, and the task expects it to be refused"
            return Check(6, True, why, {"tool": miss.tool, "code": ""})
    if case.unexpected:
        change = case.unexpected[0]
        why = f"the agent changed what it should not: a {change['kind']} row in {change['table']}"
        return Check(6, True, why, {"change": dict(change)})
    return None


def _ground(case: Case, fact: NeededFact | None) -> str:
    if fact is None:
        return "its own choice"
    if case.on_text:
        return "the caller's text had it right"
    if not case.call.record.user_transcript_available:
        return "the platform gives no transcript to show that it was heard otherwise"
    if any(entry.fact == fact for entry in _said(case)):
        return "the transcript had it right"
    return "the caller had not said it"


def _left_out(case: Case, untold: str) -> Check:
    """``untold`` is why nobody can tell whether the caller heard the agent."""
    doubt = f"; whether the caller heard it is not measured: {untold}" if untold else ""
    said = [line.text for line in case.call.record.agent_transcripts[-_LAST_LINES:]]
    if case.omitted:
        tools = [miss.tool for miss in case.omitted]
        claims = f"; its last words: {quoted(said[-1])}" if said else ""
        amounts = unfounded_amounts(case)
        claims += f"; it named {amounts[0]}, which no tool returned" if amounts else ""
        told: dict[str, Any] = {
            "never_called": tools,
            "agent_last_said": said,
            "unfounded_amounts": list(amounts),
        }
        return Check(6, True, f"the agent never called {tools[0]}{claims}{doubt}", told)
    change = case.absent[0]
    where = f"{change['table']}.{change['column']}"
    return Check(
        6,
        True,
        f"the agent left {where} other than the task needs{doubt}",
        {"change": dict(change), "agent_last_said": said},
    )


def _said(case: Case) -> tuple[SaidFact, ...]:
    """The facts that the caller said and that failed calls needed: of a call made with other arguments those
    that differ, of any other all."""
    needed = needed_facts(map(_needed_of, case.misses), case.call.pack)
    return said_facts(needed, case.call.record.caller_turns, case.call.pack.now.date())


def _needed_of(miss: Miss) -> ExpectedCall:
    if not miss.differing:
        return miss.expected
    wrong = {name: value for name, value in miss.expected.arguments.items() if name in miss.differing}
    return attrs.evolve(miss.expected, arguments=wrong)


def _unheard(case: Case) -> tuple[SaidFact, ...]:
    """Of these facts, those that the platform's transcript does not state; none where there is no
    transcript."""
    if case.on_text or not case.call.record.user_transcript_available:
        return ()
    today = case.call.pack.now.date()
    return tuple(entry for entry in _said(case) if not is_stated(entry.fact, case.heard, today))


def _fact_of(case: Case, miss: Miss, argument: str) -> NeededFact | None:
    """The fact that one argument of one expected call is, or None for a choice or a yes."""
    if argument not in miss.expected.arguments:
        return None
    only = attrs.evolve(miss.expected, arguments={argument: miss.expected.arguments[argument]})
    found = needed_facts((only,), case.call.pack)
    return found[0] if found else None


def _facts(entries: Sequence[SaidFact]) -> list[NeededFact]:
    return [entry.fact for entry in entries]


def _names(facts: Sequence[NeededFact]) -> str:
    return ", ".join(f"{fact.kind} {fact.value}" for fact in facts)


def _fact_json(fact: NeededFact) -> Mapping[str, Any]:
    return {
        "kind": str(fact.kind),
        "value": fact.value,
        "tool": fact.tool,
        "argument": fact.argument,
    }
