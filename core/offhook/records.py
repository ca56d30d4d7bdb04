"""The record of one call and the manifest of a run: frozen, versioned, plain JSON on disk.

``calls/<id>/`` holds ``record.json``, ``recording.flac`` (stereo, 24 kHz: caller left as sent, agent right
as played), ``caller.flac`` (the caller before the profile), ``tools.jsonl``, ``state.sqlite``, and
``platform.json`` where the platform keeps a record of its own. Reading and writing is in
``offhook.storage``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.callers import AgentHeard, CallerEvent, CallerTurn

__all__ = [
    "LATE_LIMIT_MS",
    "RECORD_VERSION",
    "RUN_VERSION",
    "CallKey",
    "CallRecord",
    "ComponentInfo",
    "FileStamp",
    "FrozenStamp",
    "LateTicks",
    "ModelLayer",
    "PlayedSpan",
    "ProfileStamp",
    "RunManifest",
    "TimedTranscript",
    "ToolLogEntry",
    "empty_record",
    "lateness_fault",
]

RECORD_VERSION: Final = 1
RUN_VERSION: Final = 1

LATE_LIMIT_MS: Final = 20.0
"""A call with more than one frame in a hundred later than this was not kept up with. It is one frame: up to
there a frame is handed over before the next one is due and the two sides hear each other as on a phone line;
beyond, the harness itself adds to every wait it measures."""


@attrs.frozen
class CallKey:
    """What makes a call the call it is. ``line`` is ``audio`` or ``text``; ``attempt`` counts re-runs after
    voids, from 1.
    """

    pack: str
    task: str
    platform: str
    run: int
    audio: str = "clean"
    line: str = "audio"
    attempt: int = 1

    @property
    def placed(self) -> str:
        """The task, and its audio condition where that is not clean, in words: ``pack/ID (noise)``."""
        return f"{self.pack}/{self.task}{'' if self.audio == 'clean' else f' ({self.audio})'}"


@attrs.frozen
class ComponentInfo:
    """Provenance: a component, its distribution and version, and the hash of its weights where it has any."""

    component: str
    distribution: str
    version: str
    sha256: str = ""


@attrs.frozen
class ModelLayer:
    """One model inside a platform. ``layer`` is ``stt``, ``llm``, ``tts`` or ``speech`` (one model for all
    three), ``model`` its exact id. ``chosen_by`` is ``bundled``, ``recommended`` or ``flagship`` where the
    platform chose it, ``rule`` where the benchmark did, by a frozen selection: failures of such a model are
    not the platform's.
    """

    layer: str
    model: str
    chosen_by: str


@attrs.frozen
class FileStamp:
    name: str
    sha256: str
    bytes: int


@attrs.frozen
class TimedTranscript:
    """A final transcript of the platform. ``at`` is the receive time in line seconds."""

    text: str
    at: float


@attrs.frozen
class PlayedSpan:
    """A stretch of continuous agent audio as played, in line seconds."""

    start: float
    end: float


@attrs.frozen
class LateTicks:
    """Hand-over minus deadline, in milliseconds, over all ticks of the call (all zero in virtual time)."""

    p50_ms: float
    p99_ms: float
    max_ms: float


@attrs.frozen
class ToolLogEntry:
    """One request as the tool server received it. ``at`` is in line seconds; ``took_ms`` is wall clock and
    excluded from comparisons. ``outcome`` is ``accepted`` or ``refused``; ``code`` the refusal's code.
    ``canonical`` holds the validated arguments where they were valid.
    """

    index: int
    tool: str
    arguments: Mapping[str, Any]
    raw: str
    status: int
    response: Mapping[str, Any]
    outcome: str
    code: str
    at: float
    canonical: Mapping[str, Any] = attrs.field(factory=dict)
    source_id: str = ""


@attrs.frozen
class CallRecord:
    """What happened on one call. ``ending`` is ``completed``, ``void`` or ``error``; ``cause`` says why
    where it is not ``completed``. Times are line seconds. ``wall`` holds wall-clock stamps, the only
    part that differs between equal calls, and ``alias``, the id the platform knew the call by.
    """

    version: int
    call_id: str
    key: CallKey
    run_seed: int
    voice: str
    ending: str
    cause: str
    ended_by: str
    seconds: float
    caller_turns: tuple[CallerTurn, ...]
    caller_heard: tuple[AgentHeard, ...]
    caller_events: tuple[CallerEvent, ...]
    hung_up_because: str
    off_script: tuple[str, ...]
    user_transcripts: tuple[TimedTranscript, ...]
    agent_transcripts: tuple[TimedTranscript, ...]
    played: tuple[PlayedSpan, ...]
    clears: tuple[float, ...]
    session_errors: tuple[str, ...]
    usage: Mapping[str, float]
    cost_usd: float | None
    cost_basis: str
    underruns: int
    late: LateTicks
    user_transcript_available: bool
    components: tuple[ComponentInfo, ...]
    files: tuple[FileStamp, ...]
    wall: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class FrozenStamp:
    """Which frozen manifest a run followed: its version and the SHA-256 of the file."""

    version: str
    sha256: str

    def __str__(self) -> str:
        return f"manifest {self.version} (SHA-256 {self.sha256[:12]})"


@attrs.frozen
class ProfileStamp:
    """An audio condition as it was: what is heard behind the caller, what the line does to the sound (each
    empty where nothing), and every number of it."""

    background: str
    impairment: str
    parameters: Mapping[str, Any]


@attrs.frozen
class RunManifest:
    """``run.json``: what was planned and with what. ``tasks`` are ``pack/id``; ``variant_tasks`` are those
    that audio conditions other than clean are placed for (None: all), ``profiles`` what these conditions are.
    ``layers`` are the models inside the platform, as far as it says. ``attempts`` is how many a planned call
    may have; ``graders`` the version of each grader and reviewer whose grades count, until a regrade says
    otherwise. Without ``frozen`` the run is a draft.
    """

    version: int
    run_id: str
    seed: int
    platform: str
    caller: str
    line: str
    runs: int
    audio: tuple[str, ...]
    tasks: tuple[str, ...]
    planned: int
    harness_reference: bool
    components: tuple[ComponentInfo, ...]
    agents: Mapping[str, str] = attrs.field(factory=dict)
    packs: Mapping[str, str] = attrs.field(factory=dict)
    engines: Mapping[str, str] = attrs.field(factory=dict)
    platform_options: Mapping[str, str] = attrs.field(factory=dict)
    layers: tuple[ModelLayer, ...] = ()
    attempts: int = 3
    graders: Mapping[str, str] = attrs.field(factory=dict)
    frozen: FrozenStamp | None = None
    wall: Mapping[str, str] = attrs.field(factory=dict)
    variant_tasks: tuple[str, ...] | None = None
    profiles: Mapping[str, ProfileStamp] = attrs.field(factory=dict)

    def tasks_under(self, audio: str) -> tuple[str, ...]:
        """The tasks, ``pack/id``, that are called on one audio condition."""
        every = audio == "clean" or self.variant_tasks is None
        return self.tasks if every else tuple(self.variant_tasks or ())


def lateness_fault(record: CallRecord) -> str:
    """Why no wait measured on this call can be relied on, in words; empty where the harness kept up with it.
    In virtual time it always does.
    """
    if record.late.p99_ms <= LATE_LIMIT_MS:
        return ""
    return f"the harness could not keep up: frames were p99 {record.late.p99_ms:.1f} ms late"


def empty_record(
    call_id: str,
    key: CallKey,
    *,
    seed: int,
    ending: str,
    cause: str = "",
    voice: str = "",
    components: tuple[ComponentInfo, ...] = (),
) -> CallRecord:
    """The record of a call in which nothing happened: one that could not be held, or can't be read."""
    return CallRecord(
        version=RECORD_VERSION,
        call_id=call_id,
        key=key,
        run_seed=seed,
        voice=voice,
        ending=ending,
        cause=" ".join(cause.split()),
        ended_by="",
        seconds=0.0,
        caller_turns=(),
        caller_heard=(),
        caller_events=(),
        hung_up_because="",
        off_script=(),
        user_transcripts=(),
        agent_transcripts=(),
        played=(),
        clears=(),
        session_errors=(),
        usage={},
        cost_usd=None,
        cost_basis="unknown",
        underruns=0,
        late=LateTicks(0.0, 0.0, 0.0),
        user_transcript_available=False,
        components=components,
        files=(),
    )
