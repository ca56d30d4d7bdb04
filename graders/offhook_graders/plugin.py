"""The graders of the platform benchmark, as one plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from offhook.hooks import CommandSpec, hookimpl

if TYPE_CHECKING:
    from offhook.grading import Grader, Measurer, Reviewer
    from offhook.judging import Judge
    from offhook.selecting import ModelSelector
    from offhook.verifying import Verifier

__all__ = [
    "offhook_commands",
    "offhook_graders",
    "offhook_judges",
    "offhook_measurers",
    "offhook_model_selectors",
    "offhook_reviewers",
    "offhook_verifiers",
]


@hookimpl
def offhook_commands() -> list[CommandSpec]:
    """Looking closer at one call."""
    return [
        CommandSpec(
            "measure",
            "Measure a stereo recording of a call.",
            "offhook_graders.timing.measure_command:measure",
        ),
        CommandSpec(
            "floor",
            "Measure what a faithful recogniser gets wrong of each caller voice.",
            "offhook_graders.hearing.floor_command:floor",
        ),
        CommandSpec(
            "diff",
            "Show what a call differs in from its task's key.",
            "offhook_graders.adherence.diff_command:diff",
        ),
    ]


@hookimpl
def offhook_graders() -> list[Grader]:
    """Tool and state adherence decide; hearing, latency and conversation measure."""
    from offhook.caches import cache_root
    from offhook.toolserver import ReplayCache, SeedImages
    from offhook_graders.adherence.state import StateGrader
    from offhook_graders.adherence.tools import ToolGrader
    from offhook_graders.hearing.grader import HearingGrader
    from offhook_graders.timing.conversation import ConversationGrader
    from offhook_graders.timing.latency import LatencyGrader

    replays = ReplayCache(cache_root() / "replays", images=SeedImages(cache_root() / "images"))
    return [ToolGrader(replays), StateGrader(replays), HearingGrader(), LatencyGrader(), ConversationGrader()]


@hookimpl
def offhook_measurers() -> list[Measurer]:
    """What graders share: one pass over the sound, and a reference recogniser's hearing of both sides."""
    from offhook_graders.hearing.alignment import HearingAlignment
    from offhook_graders.hearing.floor import SynthesisFloor
    from offhook_graders.hearing.recognition import AgentRecognition, CallerRecognition
    from offhook_graders.timing.measurement import AudioMeasurer

    return [AudioMeasurer(), HearingAlignment(), CallerRecognition(), AgentRecognition(), SynthesisFloor()]


@hookimpl
def offhook_model_selectors() -> list[ModelSelector]:
    """The published rule."""
    from offhook_graders.selector import MinMaxPareto

    return [MinMaxPareto()]


@hookimpl
def offhook_judges() -> list[Judge]:
    """Three language models that read transcripts, each set up by variables of its own, and their panel."""
    import os

    from offhook.judged import Panel
    from offhook_graders.judges.openai_judge import openai_judges

    judges = openai_judges(os.environ)
    return [*judges, Panel(tuple(judges), "openai-panel")]


@hookimpl
def offhook_verifiers() -> list[Verifier]:
    """Code, which needs nothing, and a language model."""
    import os

    from offhook_graders.judges.code_verifier import CodeVerifier
    from offhook_graders.judges.llm_verifier import llm_verifier

    return [CodeVerifier(), llm_verifier(os.environ)]


@hookimpl
def offhook_reviewers() -> list[Reviewer]:
    """Why a call failed: its one cause, and the reasons it is filed under."""
    from offhook_graders.attribution.filing import FailureFiling
    from offhook_graders.attribution.reviewer import AttributionReviewer

    return [AttributionReviewer(), FailureFiling()]
