"""A caller's script: what it wants and knows, what it answers and what it listens for."""

from __future__ import annotations

import attrs

from offhook.values import ValueKind

__all__ = ["CueTest", "Cues", "Example", "Intent", "Rule", "Topic", "Trait"]


@attrs.frozen
class Trait:
    """A fact the caller holds; the only identifying values it may state."""

    name: str
    kind: ValueKind
    value: str


@attrs.frozen
class Cues:
    """When a heard agent sentence matches, for the deterministic mind.

    It matches if nothing in ``none_of`` does and either every pattern of ``all_of`` (case-insensitive
    regular expressions over the normalised sentence; at least one must be given) matches, or the sentence
    is at least ``threshold`` similar (cosine) to one of ``like``, and more so than to any of ``unlike``.
    """

    like: tuple[str, ...] = ()
    all_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()
    threshold: float = 0.62
    unlike: tuple[str, ...] = ()


@attrs.frozen
class CueTest:
    """A sentence an agent could say, whether the rule must fire, and the events that have happened before
    it.
    """

    sentence: str
    fires: bool
    given: tuple[str, ...] = ()


@attrs.frozen
class Example:
    """What an agent may say after the events in ``given``, and the id of the rule that answers it, empty
    where none does. A caller takes a wording that no cue foresaw for the example it is most like.
    """

    sentence: str
    rule: str = ""
    given: tuple[str, ...] = ()


@attrs.frozen
class Topic:
    """Something worth remembering that the agent may say. Once heard, event ``heard:<name>`` has happened."""

    name: str
    cues: Cues


@attrs.frozen
class Rule:
    """A scripted response: trigger, exceptions and the exact line.

    ``when`` and ``not_when`` are prose, for people and for an LLM mind; ``cues`` say the same to the
    deterministic mind. ``first_n`` limits how often it fires (``None``: always). ``after`` and ``unless``
    list events that must / must not have happened: ``said:<rule id>``, ``heard:<topic>``, ``opened``. Of
    several matching rules the lowest ``order`` wins. ``ends_call`` hangs up after the line.
    """

    id: str
    when: str
    line: str
    cues: Cues
    not_when: tuple[str, ...] = ()
    first_n: int | None = None
    after: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    order: int = 50
    ends_call: bool = False
    tests: tuple[CueTest, ...] = ()


@attrs.frozen
class Intent:
    """The caller's goal and conduct. ``opening`` is said word for word after the greeting, ``conduct`` is
    prose for an LLM mind, ``closing`` is said before hanging up where no rule ended the call;
    ``satisfied`` lists the events after which the goal is met.
    """

    opening: str
    conduct: tuple[str, ...]
    closing: str
    satisfied: tuple[str, ...] = ()
