"""Twins of a platform that runs in process: the same session, with somebody else thinking behind it."""

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

__all__ = ["InProcessTwin", "TwinShelf"]

# Never set in a process: a twin only hands it to adapters.
_NAME: Final = "in_process_twin"


class InProcessTwin:
    """Who thinks behind the sessions that are told to use it, and what reached them as requests."""

    def __init__(self, behind: Behind, environment: Mapping[str, str]) -> None:
        self.behind = behind
        self.environment = environment
        self._served: list[MindCompletions] = []

    def call(self, call: CallSetup) -> CallSetup:
        """A call that comes in, with all that this twin brings to it."""
        behind = self.behind.call
        options = {**call.options, "voice": self.behind.voice} if self.behind.voice else call.options
        return attrs.evolve(
            call, engines=call.engines or behind.engines, plan=call.plan or behind.plan, options=options
        )

    def take(self, served: MindCompletions) -> None:
        """A call that was connected."""
        self._served.append(served)

    @property
    def key(self) -> str:
        """Nothing is asked for in process."""
        return ""

    @property
    def received(self) -> Sequence[Mapping[str, Any]]:
        return [body for served in self._served for body in served.requests]

    @property
    def sent(self) -> Sequence[Mapping[str, Any]]:
        """Answers are not kept."""
        return ()

    @property
    def arrived(self) -> AgentConfig | None:
        return self._served[-1].arrived if self._served else None

    @property
    def failures(self) -> Sequence[Exception]:
        return [error for served in self._served for error in served.failures]


class TwinShelf:
    """The twins that are open, by the name an environment gives them."""

    def __init__(self) -> None:
        self._open: dict[str, InProcessTwin] = {}
        self._numbers = itertools.count(1)

    @contextmanager
    def open(self, behind: Behind) -> Iterator[InProcessTwin]:
        name = str(next(self._numbers))
        self._open[name] = twin = InProcessTwin(behind, {_NAME: name})
        try:
            yield twin
        finally:
            del self._open[name]

    def named_in(self, environment: Mapping[str, str] | None) -> InProcessTwin | None:
        """The twin this environment names; None where it names none that is open."""
        return None if environment is None else self._open.get(environment.get(_NAME, ""))
