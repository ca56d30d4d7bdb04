"""What a judge is shown of a stored call: its mission and its transcript."""

from __future__ import annotations

from offhook.judging import Criterion, JudgeCase, Line, Mission
from offhook.packs import Pack, Task
from offhook.records import CallRecord

__all__ = ["case_of", "mission_of", "transcript_of"]


def transcript_of(record: CallRecord) -> tuple[Line, ...]:
    """Both sides of a call in the order they began.

    The caller's lines are as authored. The agent's are what the caller's own recogniser heard, not what the
    platform says it said: a line that never reached the caller is not evidence, and one that reached them
    garbled is judged as it arrived. Where both begin at one moment the agent's comes first: a reply starts
    after what it answers.
    """
    agent = [(heard.start, 0, "agent", heard.text) for heard in record.caller_heard]
    caller = [(turn.start, 1, "caller", turn.written) for turn in record.caller_turns]
    return tuple(
        Line(speaker, text, at)
        for at, _, speaker, text in sorted((*agent, *caller), key=lambda line: line[:2])
        if text.strip()
    )


def mission_of(pack: Pack, task: Task) -> Mission:
    """What a call of the task is judged by: the caller's goal and conduct as the mission, the task's
    criteria, the pack's facts and must-not rules.

    A task without criteria of its own gets one for each event that satisfies its caller: what has to happen
    for a scripted line to be said (``said:<rule>``), or that the agent told them about a topic
    (``heard:<topic>``).
    """
    goal = "\n".join((f'The caller opens with: "{task.intent.opening}"', *task.intent.conduct))
    return Mission(goal, task.criteria or _derived(task), pack.facts, pack.must_not)


def case_of(record: CallRecord, pack: Pack, task: Task) -> JudgeCase:
    """All that a judge is shown of one call. It holds neither the platform's name nor any verdict."""
    return JudgeCase(record.call_id, mission_of(pack, task), transcript_of(record))


def _derived(task: Task) -> tuple[Criterion, ...]:
    rules = {f"said:{rule.id}": rule.when for rule in task.rules}
    found = []
    for event in task.intent.satisfied:
        kind, _, name = event.partition(":")
        if event in rules:
            found.append(Criterion(name, f"This came about on the call: {rules[event]}."))
        elif kind == "heard":
            found.append(Criterion(name, f"The agent told the caller about this: {name.replace('-', ' ')}."))
    if found:
        return tuple(found)
    return (Criterion("goal", "The caller got what the mission says they called for."),)
