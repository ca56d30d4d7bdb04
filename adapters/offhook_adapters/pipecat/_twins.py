"""Twins of an in-process platform: the same pipeline, with somebody else thinking behind it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import attrs

from offhook.sessions import AgentConfig, CallSetup
from offhook.twins import Behind

if TYPE_CHECKING:
    from offhook_adapters.reference.completions import MindCompletions

__all__ = ["PipecatTwin", "TwinShelf"]

# Never set in a process: a twin only hands it to adapters.
_NAME: Final = "pipecat_twin"


class PipecatTwin:
    """Who thinks behind the pipelines that are told to use it, and what reached them as requests."""

    def __init__(self, behind: Behind, environment: Mapping[str, str]) -> None:
        self.behind = behind
        self.environment = environment
        self._minds: list[MindCompletions] = []

    def call(self, call: CallSetup) -> CallSetup:
        """A call that comes in, with all that this twin brings to it."""
        behind = self.behind.call
        return attrs.evolve(
            call,
            engines=call.engines or behind.engines,
            plan=call.plan or behind.plan,
            options={**call.options, "voice": self.behind.voice} if self.behind.voice else call.options,
        )

    def add(self, completions: MindCompletions) -> None:
        """A call that was connected."""
        self._minds.append(completions)

    @property
    def key(self) -> str:
        """Nothing is asked for in process."""
        return ""

    @property
    def received(self) -> Sequence[Mapping[str, Any]]:
        return [body for mind in self._minds for body in mind.requests]

    @property
    def sent(self) -> Sequence[Mapping[str, Any]]:
        """Answers are not kept."""
        return ()

    @property
    def arrived(self) -> AgentConfig | None:
        return self._minds[-1].arrived if self._minds else None

    @property
    def failures(self) -> Sequence[Exception]:
        return [error for mind in self._minds for error in mind.failures]


class TwinShelf:
    """The twins that are open, by the name an environment gives them."""

    def __init__(self) -> None:
        self._open: dict[str, PipecatTwin] = {}
        self._numbers = itertools.count(1)

    @contextmanager
    def open(self, behind: Behind) -> Iterator[PipecatTwin]:
        name = str(next(self._numbers))
        self._open[name] = twin = PipecatTwin(behind, {_NAME: name})
        try:
            yield twin
        finally:
            del self._open[name]

    def named_in(self, environment: Mapping[str, str] | None) -> PipecatTwin | None:
        """The twin this environment names; None where it names none that is open."""
        return None if environment is None else self._open.get(environment.get(_NAME, ""))
