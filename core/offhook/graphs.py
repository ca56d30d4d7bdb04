"""A department of specialist agents, and the single agent that it is collapsed into.

Platforms that run one agent a call can't hand a caller on. The collapsed agent carries all the specialists'
instructions and tools; both forms are made here from the same parts, so they can't disagree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

__all__ = ["AgentGraph", "HandOff", "Specialist"]


@attrs.frozen
class HandOff:
    """Where a specialist sends a caller. ``when`` is a clause that goes on after "when", without a full stop:
    "the caller wants to move or cancel a visit".
    """

    to: str
    when: str

    @property
    def tool(self) -> str:
        """The name of the tool that does it."""
        return f"transfer_to_{self.to}"


@attrs.frozen
class Specialist:
    """One desk of the department. ``title`` heads its instructions, which are markdown with headings of the
    second level or deeper and say nothing of hand-offs: those come from ``hands_to``.
    """

    name: str
    title: str
    instructions: str
    tools: tuple[str, ...]
    hands_to: tuple[HandOff, ...] = ()


@attrs.frozen
class AgentGraph:
    """A department. ``manner`` is what every specialist is told, whoever they are; ``session`` is what only
    the collapsed agent is told, of handing over to a person and of ending the call. The first specialist
    takes the call.

    Raises:
        ValueError: two specialists of one name, or a hand-off to nobody.
    """

    company: str
    manner: str
    session: str
    specialists: tuple[Specialist, ...]

    def __attrs_post_init__(self) -> None:
        names = [specialist.name for specialist in self.specialists]
        if not names or len(set(names)) != len(names):
            raise ValueError(f"{self.company}: at least one specialist, each under a name of its own")
        for specialist in self.specialists:
            for hand_off in specialist.hands_to:
                if hand_off.to not in names or hand_off.to == specialist.name:
                    ends = f"{specialist.name} hands over to {hand_off.to!r}"
                    raise ValueError(f"{self.company}: {ends}, expected another of {', '.join(names)}")

    def specialist(self, name: str) -> Specialist:
        """Raises KeyError for an unknown specialist."""
        for specialist in self.specialists:
            if specialist.name == name:
                return specialist
        raise KeyError(f"{self.company} has no specialist {name!r}")

    @property
    def business_tools(self) -> tuple[str, ...]:
        """Every specialist's tools, each once, in the order of the desks."""
        return tuple(dict.fromkeys(tool for desk in self.specialists for tool in desk.tools))

    @property
    def hand_off_tools(self) -> tuple[str, ...]:
        """Every hand-off's tool, each once."""
        return tuple(dict.fromkeys(step.tool for desk in self.specialists for step in desk.hands_to))

    def prompt_of(self, name: str) -> str:
        """What a specialist is deployed with: the common manner, its instructions and its hand-offs.

        Raises:
            KeyError: an unknown specialist.
        """
        desk = self.specialist(name)
        parts = [self.manner.strip(), f"# {desk.title}\n\n{desk.instructions.strip()}"]
        if desk.hands_to:
            lines = "\n".join(f"- Call {step.tool} when {step.when}." for step in desk.hands_to)
            parts.append(f"# Handing on\n\nOther desks do what you have no tool for.\n\n{lines}")
        return "\n\n".join(parts) + "\n"

    def collapsed_prompt(self) -> str:
        """One prompt for the whole department: the same parts, hand-offs turned into cross-references."""
        titles = {desk.name: desk.title for desk in self.specialists}
        parts = [self.manner.strip()]
        for desk in self.specialists:
            parts.append(f"# {desk.title}\n\n{desk.instructions.strip()}")
            if desk.hands_to:
                parts.append(_references(desk.hands_to, titles))
        parts.append(self.session.strip())
        return "\n\n".join(parts) + "\n"

    @property
    def shape(self) -> str:
        """``cyclic`` where a caller can come back to a desk, ``sequential`` where every desk is entered from
        one other only, else ``acyclic``.
        """
        ways = {desk.name: tuple(step.to for step in desk.hands_to) for desk in self.specialists}
        if any(_comes_back(ways, name) for name in ways):
            return "cyclic"
        entered = [to for targets in ways.values() for to in targets]
        return "sequential" if len(entered) == len(set(entered)) else "acyclic"


def _references(hand_offs: Sequence[HandOff], titles: Mapping[str, str]) -> str:
    lines = "\n".join(f'- When {step.when}, go on under "{titles[step.to]}".' for step in hand_offs)
    return f"## From here\n\n{lines}"


def _comes_back(ways: Mapping[str, tuple[str, ...]], start: str) -> bool:
    """Whether some way from a desk leads to it again."""
    seen: set[str] = set()
    ahead = list(ways[start])
    while ahead:
        name = ahead.pop()
        if name == start:
            return True
        if name not in seen:
            seen.add(name)
            ahead.extend(ways[name])
    return False
