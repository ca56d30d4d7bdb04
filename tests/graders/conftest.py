"""Real calls for graders: a real tool server takes the requests and freezes what they leave."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import attrs
import pytest

from offhook.callers import CallerTurn
from offhook.grading import CallEvidence
from offhook.packs import Pack, Task
from offhook.records import CallKey, CallRecord, TimedTranscript, empty_record
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import FrozenCall, ReplayCache, SeedImages, ToolServer, resolve_carry

Requests = Sequence[tuple[str, Mapping[str, Any]]]


def call_record(
    task: Task,
    *,
    line: str = "audio",
    turns: Sequence[CallerTurn] = (),
    heard: Sequence[str] = (),
    transcript: bool = True,
    seconds: float = 60.0,
) -> CallRecord:
    key = CallKey(task.pack, task.id, "twin", 1, line=line)
    return attrs.evolve(
        empty_record("call-1", key, seed=1, ending="completed"),
        ended_by="caller",
        seconds=seconds,
        caller_turns=tuple(turns),
        hung_up_because="satisfied",
        user_transcripts=tuple(TimedTranscript(text, float(at)) for at, text in enumerate(heard)),
        user_transcript_available=transcript,
    )


class MakeEvidence(Protocol):
    def __call__(
        self,
        task: Task | None = None,
        *,
        recording: Path | None = None,
        caller_tape: Path | None = None,
        **record: Any,
    ) -> CallEvidence: ...


@pytest.fixture(scope="session")
def pack() -> Pack:
    return bicycle_pack()


@pytest.fixture(scope="session")
def images(tmp_path_factory: pytest.TempPathFactory) -> SeedImages:
    return SeedImages(tmp_path_factory.mktemp("images"))


@pytest.fixture(scope="session")
def replays(tmp_path_factory: pytest.TempPathFactory, images: SeedImages) -> ReplayCache:
    return ReplayCache(tmp_path_factory.mktemp("replays"), images=images)


@pytest.fixture
def hold(tmp_path: Path, images: SeedImages) -> Callable[[Pack, Requests], FrozenCall]:
    """Sends requests to a pack's tool server; ``"=quote_repair.quote_id"`` carries an earlier result."""

    def run(pack: Pack, requests: Requests) -> FrozenCall:
        folder = Path(tempfile.mkdtemp(dir=tmp_path))  # a test may hold several calls

        async def call() -> FrozenCall:
            results: dict[str, Mapping[str, Any]] = {}
            with ToolServer(pack, folder, clock=lambda: 1.0, images=images) as server:
                server.open_call("call-1", "token")
                for tool, arguments in requests:
                    sent = {
                        name: resolve_carry(value[1:], results)
                        if isinstance(value, str) and value.startswith("=")
                        else value
                        for name, value in arguments.items()
                    }
                    result = await server.call("call-1", "token", tool, sent)
                    results[tool] = result.body
                return server.freeze("call-1")

        return asyncio.run(call())

    return run


@pytest.fixture
def on_call() -> Callable[[Pack, Task, FrozenCall], CallEvidence]:
    """The evidence of a call that left this behind."""
    return lambda pack, task, frozen: CallEvidence(
        call_record(task), frozen.log, frozen.state, None, None, pack, task
    )


@pytest.fixture
def grade_requests(
    pack: Pack,
    hold: Callable[[Pack, Requests], FrozenCall],
    on_call: Callable[[Pack, Task, FrozenCall], CallEvidence],
) -> Callable[[Task, Requests], CallEvidence]:
    """The evidence of a call of the bicycle pack on which these requests were made."""
    return lambda task, requests: on_call(pack, task, hold(pack, requests))


@pytest.fixture
def evidence(pack: Pack, tmp_path: Path) -> MakeEvidence:
    """Evidence without requests, for graders that never look at the tool server."""

    def make(
        task: Task | None = None,
        *,
        recording: Path | None = None,
        caller_tape: Path | None = None,
        **record: Any,
    ) -> CallEvidence:
        chosen = task or pack.tasks[0]
        return CallEvidence(
            call_record(chosen, **record), (), tmp_path / "none.sqlite", recording, caller_tape, pack, chosen
        )

    return make
