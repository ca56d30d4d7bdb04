"""What an industry pack is: schema, seed, tools, agent, tasks and the policy follower's guide. Plain frozen
data plus tool functions.

A pack is validated by ``offhook packs check``; the runner, the tool server and the graders read nothing
else of an industry.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import attrs

from offhook._scripted import Cues, CueTest, Example, Intent, Rule, Topic, Trait
from offhook.checks import AccessRules, Check
from offhook.graphs import AgentGraph
from offhook.judging import Criterion, Fact, MustNot
from offhook.values import ColumnKind, ValueKind

__all__ = [
    "Agent",
    "Aside",
    "Ask",
    "Choice",
    "CueTest",
    "Cues",
    "Example",
    "ExpectedCall",
    "FollowerGuide",
    "ForbiddenCall",
    "Intent",
    "KnownDefect",
    "Options",
    "Pack",
    "Parameter",
    "Rule",
    "Structure",
    "Table",
    "TableRole",
    "Task",
    "Tier",
    "Tool",
    "ToolContext",
    "ToolGuide",
    "ToolRefusal",
    "Topic",
    "Trait",
]


class Tier(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


# --- tools --------------------------------------------------------------------------------------


@attrs.frozen
class Choice:
    """One member of a closed vocabulary. ``meaning`` is what a caller who wants it talks about; ``aliases``
    are words that name it outright (matched as whole words, before meaning is compared).
    """

    value: str
    meaning: str
    aliases: tuple[str, ...] = ()


@attrs.frozen
class Parameter:
    """One argument of a tool.

    ``constrained`` arguments decide the outcome and must match after normalisation; free text need only be
    present. ``length`` is the number of digits of a ``ValueKind.DIGITS`` value.
    """

    name: str
    kind: ValueKind
    description: str
    required: bool = True
    constrained: bool = True
    choices: tuple[Choice, ...] = ()
    length: int | None = None


class ToolRefusal(Exception):
    """A guard said no. The server rolls back whatever the tool wrote, SESSION tables excepted (a gate may
    count its failed attempts), and answers with this body.

    ``code`` is a stable word (``"not_verified"``, ``"no_match"``), ``message`` says what the agent can do,
    ``field`` names the argument at fault where there is one, ``status`` is the HTTP status (4xx).
    """

    def __init__(self, code: str, message: str, *, field: str | None = None, status: int = 409) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.status = status


class ToolContext(Protocol):
    """What a tool function may touch."""

    @property
    def db(self) -> sqlite3.Connection:
        """The call's own database, inside a transaction the server commits or rolls back. Rows are
        ``sqlite3.Row``.
        """
        ...

    @property
    def now(self) -> datetime:
        """The scenario clock (naive, company time)."""
        ...

    def new_id(self, prefix: str) -> str:
        """A fresh id such as ``"QT-7f3a09c1"``: equal calls draw equal ids, and one call's ids mean nothing
        in another.
        """
        ...


@attrs.frozen
class Tool:
    """A business or session tool. ``run`` takes validated, canonical arguments and returns a JSON object or
    raises ToolRefusal.

    ``ends_call`` marks the session tools after which the agent is done talking (``end_call``,
    ``transfer_to_human``).
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    run: Callable[[ToolContext, Mapping[str, Any]], Mapping[str, Any]]
    ends_call: bool = False


# --- database -----------------------------------------------------------------------------------


class TableRole(StrEnum):
    REFERENCE = "reference"  # tools never write it
    WRITE = "write"  # compared for equality, its changes count as rows written
    LOG = "log"  # append-only: compared as a sub-multiset, its new rows count
    QUOTE = "quote"  # not compared, its new rows count
    SESSION = "session"  # gate state of the call: neither compared nor counted


@attrs.frozen
class Table:
    """How a table is graded. ``volatile`` columns are dropped before comparing; ``kinds`` says of the others
    what they hold, so that two ways of writing one value are equal.
    """

    name: str
    role: TableRole
    key: tuple[str, ...]
    volatile: tuple[str, ...] = ()
    kinds: Mapping[str, ValueKind | ColumnKind] = attrs.field(factory=dict)


# --- the agent ----------------------------------------------------------------------------------


@attrs.frozen
class Agent:
    """What is deployed, byte for byte the same on every platform."""

    company: str
    prompt: str
    greeting: str
    tools: tuple[str, ...]


@attrs.frozen
class Ask:
    """One question that collects one or more parameters. ``again`` is used after a failed look-up or an
    unclear answer and asks for slow, digit-by-digit speech; ``confirm`` (may be empty) is a read-back
    with ``{parameter}`` fields the caller answers yes or no.
    """

    parameters: tuple[str, ...]
    question: str
    again: str
    confirm: str = ""


@attrs.frozen
class Options:
    """A list in an earlier result, from which the caller chooses the entry that fills ``parameter``.

    ``source`` is ``"tool.field"``, a list of objects; ``value`` names the member that is sent. ``label`` is a
    template over an entry's members, the words the entry is offered in and known by; ``names`` are members
    whose text names an entry outright. An entry that the caller has named already is taken, and so is the
    only one. Otherwise ``question``, with the first ``most`` labels in the place of ``{options}``, is asked;
    the answer is a name, or a place in the list ("the first", "any").
    """

    parameter: str
    source: str
    value: str
    label: str
    question: str
    names: tuple[str, ...] = ()
    most: int = 3


@attrs.frozen
class Aside:
    """Something that is told as soon as the caller touches on it, once a call, whatever the plan: a fact from
    the agent's own instructions, a warning.

    ``heard`` are case-insensitive regular expressions over a turn of the caller, of which one must be found.
    """

    heard: tuple[str, ...]
    say: str


@attrs.frozen
class ToolGuide:
    """How a careful agent handles one tool. Templates hold ``{parameter}`` and ``{tool.field}`` of earlier
    results, nothing else.

    ``offer`` is asked first and only a "no" goes on (a save offer). ``propose`` is read back before the
    call and needs a "yes", which also sets the boolean parameter ``consent``. ``carry`` fills parameters
    from earlier results (``"quote_tool.field"``) that the step can't do without, ``take`` from those that
    there are; ``options`` let the caller choose from a list in one.
    ``say`` reports a success, unless the next step reads the same result back in its own ``propose``;
    ``refused`` maps a refusal code to what to say; codes in ``retry`` send the follower back to its questions
    (at most three times). With ``completes`` the call settles a request: where steps are left, the guide's
    closing question is asked, and the answer is the caller's next wish.
    """

    tool: str
    asks: tuple[Ask, ...] = ()
    options: tuple[Options, ...] = ()
    hold: str = ""
    offer: str = ""
    propose: str = ""
    consent: str | None = None
    carry: Mapping[str, str] = attrs.field(factory=dict)
    take: Mapping[str, str] = attrs.field(factory=dict)
    say: str = ""
    refused: Mapping[str, str] = attrs.field(factory=dict)
    retry: tuple[str, ...] = ()
    completes: bool = False


@attrs.frozen
class FollowerGuide:
    """The pack's words for the policy follower. ``unclear`` asks to repeat, ``closing`` is the "anything
    else?" question, ``goodbye`` the last line, ``sorry`` what is said when it must give up and hand
    over. ``asides`` are told when the caller touches on them.
    """

    tools: tuple[ToolGuide, ...]
    unclear: str
    closing: str
    goodbye: str
    sorry: str
    asides: tuple[Aside, ...] = ()


# --- tasks --------------------------------------------------------------------------------------


@attrs.frozen
class ExpectedCall:
    """One call a correct resolution makes. ``arguments`` are constrained; ``alternatives`` lists further
    accepted values per argument; ``free_text`` arguments must be present (the value is what the replay
    uses); ``carry`` takes a replay argument from an earlier result (``"quote_tool.field"``) and is not
    compared.

    ``outcome`` is what the tool server must have answered, ``accepted`` or ``refused``. None is as in the
    replay, which takes no refusal that the key does not announce: so None means ``accepted``.
    """

    tool: str
    arguments: Mapping[str, Any] = attrs.field(factory=dict)
    alternatives: Mapping[str, tuple[Any, ...]] = attrs.field(factory=dict)
    free_text: Mapping[str, str] = attrs.field(factory=dict)
    carry: Mapping[str, str] = attrs.field(factory=dict)
    outcome: str | None = None


@attrs.frozen
class ForbiddenCall:
    """A call that fails the task once the tool server has accepted it, such as a text message that nobody
    asked for.

    ``arguments`` are the values that make it forbidden, all of them, compared as those of an expected call;
    without any, every call of the tool is. It is allowed after one of the events in ``unless`` (``opened``,
    ``said:<rule id>``, ``heard:<topic>``, or ``called:<tool>`` for an accepted call of another tool), and
    once the caller has begun a line in which one of the patterns of ``unless_said`` is found
    (case-insensitive regular expressions over the line as written). ``why`` says in a few words what is wrong
    with it.
    """

    tool: str
    why: str
    arguments: Mapping[str, Any] = attrs.field(factory=dict)
    unless: tuple[str, ...] = ()
    unless_said: tuple[str, ...] = ()


@attrs.frozen
class Structure:
    """The published structure numbers of a task, checked against its key."""

    tool_calls: int
    constrained_args: int
    rows_written: int


@attrs.frozen
class Task:
    """One call to make. ``criteria`` are what a judge decides (none: they follow from ``intent.satisfied``,
    see `offhook.judged.mission_of`), ``checks`` what a verifier decides besides those that follow from the
    key (`offhook.checks.checks_of`). Neither is part of the platform score. ``examples`` are labelled turns
    beside those of the rules.
    """

    pack: str
    id: str
    title: str
    category: str
    tier: Tier
    structure: Structure
    intent: Intent
    traits: tuple[Trait, ...]
    rules: tuple[Rule, ...]
    expected: tuple[ExpectedCall, ...]
    topics: tuple[Topic, ...] = ()
    forbidden_tools: tuple[str, ...] = ()
    forbidden: tuple[ForbiddenCall, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    checks: tuple[Check, ...] = ()
    examples: tuple[Example, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Ids repeat across industries; this does not."""
        return (self.pack, self.id)

    def trait(self, name: str) -> Trait:
        """Raises KeyError for a trait the caller does not hold."""
        for trait in self.traits:
            if trait.name == name:
                return trait
        raise KeyError(f"task {self.id} has no trait {name!r}")


@attrs.frozen
class KnownDefect:
    """A fault of a task that has been confirmed and not mended yet: a failed call of it is the task's fault,
    never the platform's. ``confirmed`` is the day, ISO 8601.
    """

    task: str
    what: str
    confirmed: str


@attrs.frozen
class Pack:
    """An industry. ``schema`` is SQL text; ``seed`` fills a fresh database deterministically (foreign keys
    on). ``graph`` is the department that ``agent`` was collapsed from. ``gates`` are the tools that clear a
    caller or a matter for the work behind them: a task whose key calls one is gated. ``noise_gain`` is how
    loud street noise is on the callers' side, against speech of equal level. ``defects`` are the known faults
    of its tasks. ``facts`` and ``must_not`` are what a judge holds the
    agent's words against, ``access`` is what may be touched before the caller is verified.
    """

    name: str
    title: str
    version: str
    now: datetime
    schema: str
    seed: Callable[[sqlite3.Connection], None]
    tables: tuple[Table, ...]
    tools: tuple[Tool, ...]
    agent: Agent
    guide: FollowerGuide
    tasks: tuple[Task, ...]
    folder: Path | None = None
    defects: tuple[KnownDefect, ...] = ()
    facts: tuple[Fact, ...] = ()
    must_not: tuple[MustNot, ...] = ()
    access: AccessRules | None = None
    graph: AgentGraph | None = None
    gates: tuple[str, ...] = ()
    noise_gain: float = 0.8

    def tool(self, name: str) -> Tool:
        """Raises KeyError for an unknown tool."""
        for tool in self.tools:
            if tool.name == name:
                return tool
        raise KeyError(f"pack {self.name} has no tool {name!r}")

    def task(self, task_id: str) -> Task:
        """Raises KeyError for an unknown task."""
        for task in self.tasks:
            if task.id == task_id:
                return task
        raise KeyError(f"pack {self.name} has no task {task_id!r}")

    def gated(self, task: Task) -> bool:
        """Whether the work of a task lies behind a gate: its key calls one."""
        return any(call.tool in self.gates for call in task.expected)
