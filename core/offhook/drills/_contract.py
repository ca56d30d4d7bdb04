"""The types a drill is made of. Times are room seconds, marks 0..100."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import attrs
import numpy as np

from offhook.audio import Clip
from offhook.records import ComponentInfo, FileStamp, LateTicks, TimedTranscript
from offhook.room import ChatPost, MediaChange, PictureSeen, Room
from offhook.sessions import Ability, Engines, RngSource
from offhook.speech import Voice

__all__ = [
    "CastMember",
    "Drill",
    "DrillGround",
    "DrillMark",
    "DrillRecord",
    "HeardSpeech",
    "MarkPart",
    "MarkState",
    "Moment",
    "SpokenLine",
]


# --- what is recorded ---------------------------------------------------------------------------


@attrs.frozen
class SpokenLine:
    """Something one of ours said. ``text`` is what was given to the voice; ``start`` and ``end`` are the
    first and the last audible sample (-50 dBFS) of it on the line. Not ``complete`` when it was cut off.
    ``purpose`` names the line for the marking (``"number"``, ``"order"``...).
    """

    who: str
    text: str
    start: float
    end: float
    purpose: str
    complete: bool = True


@attrs.frozen
class HeardSpeech:
    """A stretch of the agent's speech as the far end heard it: first to last audible sample of it, and what
    our own recogniser made of it.
    """

    text: str
    start: float
    end: float
    confidence: float = 0.0


@attrs.frozen
class Moment:
    """A named instant of a drill, e.g. when NOW ended, with what belongs to it (plain JSON)."""

    name: str
    at: float
    data: Mapping[str, Any] = attrs.field(factory=dict)


@attrs.frozen
class DrillRecord:
    """What happened in one drill; plain data, all that marking may see. ``draw`` is what was drawn.

    ``ending`` is ``completed``, ``void`` (the platform never joined), ``unfit`` (it lacks an ability that
    the drill needs; nothing was placed) or ``error`` (ours); ``cause`` says why. ``agent_left`` is when the
    agent left, if it did. The platform's own transcripts are kept to be compared, never marked. ``wall``
    alone differs between equal drills.
    """

    version: int
    drill_id: str
    drill: str
    drill_version: str
    platform: str
    run: int
    attempt: int
    run_seed: int
    ending: str
    cause: str
    seconds: float
    draw: Mapping[str, Any]
    said: tuple[SpokenLine, ...]
    heard: tuple[HeardSpeech, ...]
    moments: tuple[Moment, ...]
    chat: tuple[ChatPost, ...]
    media: tuple[MediaChange, ...]
    pictures: tuple[PictureSeen, ...]
    agent_left: float | None
    agent_transcripts: tuple[TimedTranscript, ...]
    user_transcripts: tuple[TimedTranscript, ...]
    session_errors: tuple[str, ...]
    usage: Mapping[str, float]
    cost_usd: float | None
    cost_basis: str
    voices: Mapping[str, str]
    late: LateTicks
    components: tuple[ComponentInfo, ...]
    files: tuple[FileStamp, ...]
    wall: Mapping[str, str] = attrs.field(factory=dict)


# --- what is marked -----------------------------------------------------------------------------


class MarkState(StrEnum):
    """``unmeasured`` and ``instrument_fault`` count 0 like a failure, but say so; ``unverified`` answers
    could not be read for certain.
    """

    MEASURED = "measured"
    UNMEASURED = "unmeasured"
    UNVERIFIED = "unverified"
    INSTRUMENT_FAULT = "instrument_fault"


@attrs.frozen
class MarkPart:
    """One round, half or third. ``why`` is a line; ``evidence`` is JSON: what was expected, what was heard,
    the times.
    """

    name: str
    mark: float
    why: str
    state: MarkState = MarkState.MEASURED
    evidence: Mapping[str, Any] = attrs.field(factory=dict)


@attrs.frozen
class DrillMark:
    """``mark`` is 0..100 and always 0 unless ``state`` is ``measured``; ``why`` says in a line how it came
    about. ``numbers`` are values reports add up or compare (latencies in seconds, counts).
    """

    drill: str
    version: str
    drill_id: str
    mark: float
    why: str
    state: MarkState = MarkState.MEASURED
    parts: tuple[MarkPart, ...] = ()
    numbers: Mapping[str, float] = attrs.field(factory=dict)


# --- the drill itself ---------------------------------------------------------------------------


@attrs.frozen
class CastMember:
    """One of ours. ``slots`` are voice slots in order of preference; the first that is installed speaks,
    else any that nobody else has.
    """

    name: str
    slots: tuple[str, ...] = ()


class DrillGround(Protocol):
    """What a drill in progress has to work with. Everything said and heard through it is in the record.

    Speech is cut where the agent is quiet for ``hang_over`` seconds, 0.4 unless a drill sets it otherwise.
    Onsets and ends are exact to the sample, but that a sound is speech is known only once voice activity is
    sure (0.1 s or so later): that nobody spoke by some time may be told that much after it.
    """

    hang_over: float

    @property
    def room(self) -> Room: ...

    @property
    def draw(self) -> Mapping[str, Any]:
        """What ``Drill.draw`` returned."""
        ...

    @property
    def engines(self) -> Engines: ...

    @property
    def rng(self) -> RngSource:
        """For variation that is not worth keeping in ``draw``."""
        ...

    def voice(self, who: str) -> Voice:
        """The voice of a cast member."""
        ...

    async def say(self, who: str, text: str, *, purpose: str, clip: Clip | None = None) -> SpokenLine:
        """Has a cast member say a line (``clip``: the sound of it, else his voice speaks it) and returns
        when it has been sent.
        """
        ...

    def stop_saying(self, who: str) -> None: ...

    @property
    def agent_speaking(self) -> bool:
        """Whether the agent is heard now, by voice activity; true for a moment after its last sound."""
        ...

    @property
    def heard(self) -> tuple[HeardSpeech, ...]:
        """What has been heard of the agent so far, oldest first; recognised in order."""
        ...

    async def next_heard(self, after: int, until: float) -> HeardSpeech | None:
        """Waits for stretch number ``after`` (0 is the first) to have been heard and recognised; None when
        it has not begun by room second ``until``. One that has begun by then is waited for to its end, at
        most 30 s.
        """
        ...

    async def agent_starts(self, since: float, until: float) -> float | None:
        """Waits for the first stretch of the agent's speech that is audible after ``since`` and returns when
        it began, which lies before ``since`` where the agent was speaking then. It returns while the agent
        speaks. None when nothing began by room second ``until``.
        """
        ...

    def moment(self, name: str, **data: Any) -> Moment:
        """Notes an instant, now."""
        ...


@runtime_checkable
class Drill(Protocol):
    """A drill. ``name`` is its id (``count_off``); ``measures`` one line for people; ``limit`` the seconds
    after which the runner ends it as an error of the harness.
    """

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def measures(self) -> str: ...

    @property
    def needs(self) -> frozenset[Ability]: ...

    @property
    def cast(self) -> tuple[CastMember, ...]: ...

    @property
    def limit(self) -> float: ...

    def draw(self, rng: np.random.Generator) -> Mapping[str, Any]:
        """All that is random, as plain JSON; equal generators, equal draws."""
        ...

    async def conduct(self, ground: DrillGround) -> None:
        """Holds the drill. Returns when there is nothing more to see; the room is closed then. When the
        agent leaves, waiting goes on as if it were silent.
        """
        ...

    def mark(self, record: DrillRecord) -> DrillMark:
        """Pure: equal record, equal mark. Only called for ``completed`` records."""
        ...
