"""What a platform is to the runner: an adapter that deploys an agent, and one session per call with one
ordered event stream.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, TypeVar, runtime_checkable

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import Samples
from offhook.packs import FollowerGuide, Tool
from offhook.records import ModelLayer
from offhook.speech import Listener, SentenceEmbedder, Voice, VoiceActivityDetector

__all__ = [
    "Ability",
    "Adapter",
    "AgentAudio",
    "AgentChat",
    "AgentConfig",
    "AgentMedia",
    "AgentPicture",
    "AgentTranscript",
    "CallSetup",
    "Capabilities",
    "Checked",
    "Clear",
    "Cost",
    "Deployment",
    "Ended",
    "Engines",
    "FollowerPlan",
    "Greeting",
    "Media",
    "MeetingSession",
    "Pixels",
    "PlanStep",
    "PlatformRecord",
    "Priced",
    "Ready",
    "Session",
    "SessionError",
    "SessionEvent",
    "ToolCall",
    "ToolCancelled",
    "ToolEndpoint",
    "ToolMode",
    "ToolResult",
    "ToolSchema",
    "TranscriptKind",
    "Usage",
    "UserSpeech",
    "UserTranscript",
    "WithOptions",
]

W = TypeVar("W", bound=StrEnum)

Pixels = NDArray[np.uint8]
"""One frame: RGB, ``uint8`` of shape ``(height, width, 3)``."""


# --- what is deployed ---------------------------------------------------------------------------


@attrs.frozen
class ToolSchema:
    """A tool as a platform declares it; ``parameters`` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@attrs.frozen
class AgentConfig:
    """Prompt, greeting and tool schemas, byte for byte the same on every platform. ``sha256`` hashes their
    canonical JSON. With an empty greeting the agent waits to be spoken to; ``tools`` may be empty.
    """

    name: str
    prompt: str
    greeting: str
    tools: tuple[ToolSchema, ...]
    sha256: str


@attrs.frozen
class Deployment:
    """A deployed agent. ``config_sha256`` hashes the configuration the platform says it uses, where it can
    say.
    """

    adapter: str
    reference: str
    config: AgentConfig
    config_sha256: str


class ToolMode(StrEnum):
    CLIENT = "client"
    WEBHOOK = "webhook"
    IN_PROCESS = "in_process"
    MCP = "mcp"


class Ability(StrEnum):
    """What an agent can do in a meeting. ``audio`` is hearing and talking; ``video_in`` seeing frames."""

    AUDIO = "audio"
    CHAT = "chat"
    MUTE = "mute"
    VIDEO_IN = "video_in"
    VIDEO_OUT = "video_out"
    SCREEN_SHARE = "screen_share"


class Media(StrEnum):
    """What a participant of a meeting switches on and off."""

    MICROPHONE = "microphone"
    CAMERA = "camera"
    SCREEN = "screen"


class Greeting(StrEnum):
    VERBATIM = "verbatim"
    PROMPTED = "prompted"
    NONE = "none"


def _tool_mode(given: ToolMode | str) -> ToolMode:
    return _of_words(ToolMode, given, "tool_mode")


def _greeting(given: Greeting | str) -> Greeting:
    return _of_words(Greeting, given, "greeting")


def _of_words(kind: type[W], given: object, field: str) -> W:
    """One of an enumeration's members, which may be given by its word."""
    for member in kind:
        if given == member:
            return member
    raise ValueError(f"Capabilities.{field} is {given!r}, expected one of {', '.join(kind)}")


@attrs.frozen
class Capabilities:
    """What a platform has. ``tool_mode`` and ``greeting`` may be given by their words (``"client"``); a word
    there is not raises ValueError. ``session_cap`` in seconds (None: none known). ``harness_reference``
    marks offhook's own reference platform: only such a platform is handed a FollowerPlan, and reports never
    rank it. ``virtual_time`` says it can run in virtual time. ``meeting`` is what it can do in a meeting,
    ``layers`` the models inside it (one per layer), each with who chose it.
    """

    tool_mode: ToolMode = attrs.field(default=ToolMode.CLIENT, converter=_tool_mode)
    call_id_source: str = "client"
    greeting: Greeting = attrs.field(default=Greeting.VERBATIM, converter=_greeting)
    barge_in_signal: bool = True
    paced_output: bool = False
    user_transcript: bool = True
    record: bool = False
    cost: bool = False
    session_cap: float | None = None
    concurrency: int = 1
    public_url: bool = False
    virtual_time: bool = False
    harness_reference: bool = False
    meeting: frozenset[Ability] = frozenset({Ability.AUDIO})
    layers: tuple[ModelLayer, ...] = ()


# --- what a session is given --------------------------------------------------------------------


@attrs.frozen
class Engines:
    """The speech engines a run chose, for adapters that listen and talk in process and for callers.

    ``voices`` holds every known slot by name; ``ears`` is the fast recogniser, ``careful_ears`` the better
    one.
    """

    voices: Mapping[str, Voice]
    ears: Listener
    careful_ears: Listener
    vad: VoiceActivityDetector
    embedder: SentenceEmbedder


@attrs.frozen
class PlanStep:
    """A call the task needs: the tool and the names of the arguments it takes. Never an argument's value."""

    tool: str
    parameters: tuple[str, ...]


@attrs.frozen
class FollowerPlan:
    """What the harness reference knows beforehand: which calls, in which order, and the pack's way of
    asking. No values. ``gates`` are the pack's gate tools.
    """

    steps: tuple[PlanStep, ...]
    guide: FollowerGuide
    tools: tuple[Tool, ...]
    gates: tuple[str, ...] = ()


@attrs.frozen
class ToolEndpoint:
    """Where a platform that calls tools itself, and not through the session, reaches the tools of one call.

    ``webhook_url`` takes the vendor's own body by POST, ``mcp_url`` speaks MCP over streamable HTTP; both
    want ``token`` as a bearer token, and the one that is not the adapter's ``tool_mode`` is empty. They
    differ from call to call.
    """

    webhook_url: str
    mcp_url: str
    token: str = attrs.field(repr=False)


@attrs.frozen
class CallSetup:
    """One call as a platform learns of it. ``call_id`` is opaque; ``rng`` gives the generator of a named
    purpose. ``tools`` is there for adapters whose ``tool_mode`` is ``webhook`` or ``mcp``.
    """

    call_id: str
    now: datetime
    rng: RngSource
    engines: Engines | None = None
    plan: FollowerPlan | None = None
    options: Mapping[str, str] = attrs.field(factory=dict)
    tools: ToolEndpoint | None = None


class RngSource(Protocol):
    def __call__(self, purpose: str) -> np.random.Generator: ...


# --- what a session tells -----------------------------------------------------------------------


class TranscriptKind(StrEnum):
    FINAL = "final"
    DELTA = "delta"
    CUMULATIVE = "cumulative"


@attrs.frozen
class Ready:
    """The platform takes audio from now on."""


@attrs.frozen(eq=False)
class AgentAudio:
    """Agent sound, any length, as fast as the platform sends it."""

    samples: Samples
    rate: int


@attrs.frozen
class AgentTranscript:
    text: str
    kind: TranscriptKind = TranscriptKind.FINAL


@attrs.frozen
class UserTranscript:
    """What the platform heard the caller say."""

    text: str
    kind: TranscriptKind = TranscriptKind.FINAL


@attrs.frozen
class UserSpeech:
    """The platform noticed the caller start (True) or stop (False)."""

    speaking: bool


@attrs.frozen
class Clear:
    """Drop agent audio that has not been played."""


@attrs.frozen
class ToolCall:
    """A tool the platform wants run. ``provisional`` calls may still be cancelled by ToolCancelled.
    ``arguments`` that are no JSON object are given as the text they came as, to be logged and refused.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] | str
    provisional: bool = False


@attrs.frozen
class ToolCancelled:
    id: str


@attrs.frozen
class Usage:
    """Metered quantities by name, e.g. ``{"output_audio_tokens": 812}``."""

    quantities: Mapping[str, float]


@attrs.frozen
class SessionError:
    """Something went wrong on the platform's side. ``fatal`` errors are followed by Ended."""

    code: str
    message: str
    fatal: bool = False


@attrs.frozen
class Ended:
    """The session is over. ``by`` is ``"agent"``, ``"caller"`` or ``"platform"``."""

    by: str
    reason: str = ""


@attrs.frozen
class AgentChat:
    """The agent posts to the meeting's chat."""

    text: str


@attrs.frozen
class AgentMedia:
    """The agent switches its microphone, camera or screen share."""

    media: Media
    on: bool


@attrs.frozen(eq=False)
class AgentPicture:
    """A frame of the agent's camera or screen."""

    media: Media
    pixels: Pixels


SessionEvent = (
    Ready
    | AgentAudio
    | AgentTranscript
    | UserTranscript
    | UserSpeech
    | Clear
    | ToolCall
    | ToolCancelled
    | Usage
    | SessionError
    | AgentChat
    | AgentMedia
    | AgentPicture
    | Ended
)


@attrs.frozen
class ToolResult:
    """The tool server's answer to one ToolCall. ``status`` is the HTTP status, ``body`` the JSON object."""

    id: str
    name: str
    status: int
    body: Mapping[str, Any]


@attrs.frozen
class PlatformRecord:
    """The platform's own account of a call, kept to be compared, never graded."""

    transcript: tuple[str, ...] = ()
    tool_log: tuple[Mapping[str, Any], ...] = ()
    raw: Mapping[str, Any] = attrs.field(factory=dict)


@attrs.frozen
class Cost:
    """``basis`` is ``reported``, ``usage``, ``duration`` or ``unknown`` (then ``usd`` is None)."""

    usd: float | None = None
    basis: str = "unknown"


class Session(Protocol):
    """One live call."""

    def send_audio(self, frame: Samples) -> None:
        """Takes one 20 ms frame at the line's rate. Never blocks; an adapter across a network queues."""
        ...

    def events(self) -> AsyncIterator[SessionEvent]:
        """The one ordered stream. It ends after Ended."""
        ...

    async def send_tool_result(self, result: ToolResult) -> None: ...

    def played(self, seconds: float) -> None:
        """Tells how many seconds of the current agent utterance have been played, when a Clear flushed the
        rest.
        """
        ...

    async def hang_up(self) -> None:
        """The caller hung up. Idempotent."""
        ...

    async def fetch_record(self) -> PlatformRecord: ...

    async def fetch_cost(self) -> Cost: ...


@runtime_checkable
class MeetingSession(Protocol):
    """What a session has besides, on a platform with the ability ``chat`` or ``video_in``."""

    def send_chat(self, sender: str, text: str) -> None:
        """Another participant posted to the chat. Never blocks."""
        ...

    def send_picture(self, sender: str, pixels: Pixels) -> None:
        """A frame of another participant's camera. Never blocks."""
        ...


@runtime_checkable
class Adapter(Protocol):
    """A platform."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> Capabilities: ...

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Idempotent: equal configuration, one deployment."""
        ...

    async def connect(self, deployment: Deployment, call: CallSetup) -> Session: ...

    async def teardown(self, deployment: Deployment) -> None: ...


@runtime_checkable
class Checked(Protocol):
    """An adapter or caller that can say before the first call what it lacks on this machine."""

    def check(self) -> str | None:
        """What is missing and how to set it, in one line, or None. Dials nothing."""
        ...


@runtime_checkable
class Priced(Protocol):
    """An adapter that knows beforehand about what a call will cost."""

    def estimate(self, seconds: float) -> Cost:
        """What a call of that length costs at list price; ``unknown`` where nobody can say. Dials nothing."""
        ...


@runtime_checkable
class WithOptions(Protocol):
    """An adapter that declares the options it takes, so that a misspelt one is refused before the first
    call.
    """

    @property
    def options(self) -> Mapping[str, str]:
        """Name to one line of help."""
        ...
