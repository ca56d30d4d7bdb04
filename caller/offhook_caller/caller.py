"""The simulated caller: one person with one reason to call, on an audio or a text line."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from offhook.callers import CallerBrief, CallerReport
from offhook.clock import compute
from offhook.line import CallerEnd
from offhook.packs import Pack, Task
from offhook.speech import SentenceEmbedder
from offhook.textline import TextCallerEnd
from offhook_caller.conversation import AudioConversation
from offhook_caller.cue_tests import run_cue_tests
from offhook_caller.cues import CueMatcher
from offhook_caller.deterministic import Decider, DeterministicMind, MindMaker
from offhook_caller.journal import CallerSettings
from offhook_caller.minds import CallerMind
from offhook_caller.text_conversation import TextConversation

if TYPE_CHECKING:  # no call needs what checks packs
    from offhook.packcheck import PackProblem

__all__ = ["SimulatedCaller"]


def _nothing_missing() -> None:
    """The deterministic mind needs nothing but the package itself."""


class SimulatedCaller:
    """A caller configured from the task alone.

    ``mind`` makes the mind of one call; without it the deterministic mind decides.
    ``missing`` says in one line what the mind lacks on this machine. Compiled scripts are
    kept from call to call (they hold nothing of any call), so a task's cues are embedded once per process.
    """

    def __init__(
        self,
        name: str,
        mind: MindMaker | None = None,
        settings: CallerSettings | None = None,
        missing: Callable[[], str | None] = _nothing_missing,
    ) -> None:
        self._name = name
        self._mind = mind
        self._settings = settings or CallerSettings()
        self._missing = missing
        self._compiling = threading.Lock()
        self._matchers: dict[int, tuple[SentenceEmbedder, CueMatcher]] = {}
        self._deciders: dict[tuple[int, tuple[str, str]], tuple[Task, Decider]] = {}

    @property
    def name(self) -> str:
        return self._name

    @property
    def virtual_time(self) -> bool:
        """Whether calls may be placed in virtual time; a mind across a network can't live in it."""
        return self._mind is None

    def check(self) -> str | None:
        """What the mind lacks on this machine, in one line, or None. Dials nothing."""
        return self._missing()

    def prepare(self, brief: CallerBrief) -> None:
        """Compiles the task's script, unless it is compiled. One at a time: threads that all compute in
        Python keep each other, and a loop in real time, waiting.

        Raises:
            BadCue: a cue of the task is no regular expression.
        """
        self._decider(brief.task, brief.engines.embedder)

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        """Holds the conversation until the caller or the agent hangs up. The line is hung up then, also
        where this raises.

        Raises:
            BadCue: a cue of the task is no regular expression.
            MindUnavailable: the mind is not set up or stopped answering.
            SpeechUnavailable: a speech engine is missing or damaged.
            ValueError: the brief names a voice that the engines lack.
        """
        try:
            mind = await compute(self._mind_for, brief)
            return await AudioConversation(brief, line, mind, self._settings).run()
        finally:
            line.hang_up()

    async def converse_text(self, brief: CallerBrief, line: TextCallerEnd) -> CallerReport:
        """The same on a text line: the same mind, no ears and no voice.

        Raises:
            BadCue: a cue of the task is no regular expression.
            MindUnavailable: the mind is not set up or stopped answering.
        """
        try:
            mind = await compute(self._mind_for, brief)
            return await TextConversation(brief, line, mind, self._settings).run()
        finally:
            line.hang_up()

    def check_pack(self, pack: Pack, embedder: SentenceEmbedder) -> tuple[str, ...]:
        """One line for each cue test of the pack that does not hold.

        Raises:
            BadCue: a cue of the pack is no regular expression.
        """
        return tuple(str(failure) for failure in run_cue_tests(pack, embedder))

    def check_script(self, pack: Pack, embedder: SentenceEmbedder) -> tuple[PackProblem, ...]:
        """What is wrong with the pack's scripts for the deterministic mind, each with its place."""
        from offhook_caller.script_check import script_problems

        return script_problems(pack, embedder)

    def _mind_for(self, brief: CallerBrief) -> CallerMind:
        decider = self._decider(brief.task, brief.engines.embedder)
        return DeterministicMind(decider) if self._mind is None else self._mind(brief, decider)

    def _decider(self, task: Task, embedder: SentenceEmbedder) -> Decider:
        with self._compiling:
            # Embedder and task are kept beside what was made from them: an id is only theirs while they live.
            known = self._matchers.get(id(embedder))
            if known is None:
                known = self._matchers[id(embedder)] = (embedder, CueMatcher(embedder))
            entry = self._deciders.get((id(embedder), task.key))
            if entry is None or entry[0] is not task:
                entry = self._deciders[(id(embedder), task.key)] = (task, Decider(task, known[1]))
            return entry[1]
