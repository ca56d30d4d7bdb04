"""The hooks a plugin may implement. A plugin is a module or object named by an entry point of group
``offhook``:

    from offhook.hooks import hookimpl

    @hookimpl
    def offhook_graders():
        return [MyGrader()]

Hooks are ordinary functions (never ``async``) that return a list or tuple of objects; async work lives on
the objects. Import what a hook needs inside it: every plugin module is imported at every start, also for
``offhook --help``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pluggy

if TYPE_CHECKING:
    from offhook.callers import Caller
    from offhook.drills import Drill, DrillMark, DrillRecord
    from offhook.grading import Grader, Measurer, Reviewer
    from offhook.judging import Judge
    from offhook.line import AudioProfile
    from offhook.packs import Pack
    from offhook.records import CallKey, CallRecord, RunManifest
    from offhook.selecting import ModelSelector
    from offhook.sessions import Adapter
    from offhook.speech import Listener, SentenceEmbedder, Voice, VoiceActivityDetector
    from offhook.verifying import Verifier

__all__ = ["ENTRY_POINT_GROUP", "CommandSpec", "HookSpecs", "hookimpl"]

ENTRY_POINT_GROUP = "offhook"

hookspec = pluggy.HookspecMarker("offhook")
hookimpl = pluggy.HookimplMarker("offhook")


@attrs.frozen
class CommandSpec:
    """A command for the ``offhook`` command line. ``target`` is ``"module:attribute"`` of a click command,
    imported only when used.
    """

    name: str
    help: str
    target: str


class HookSpecs:
    """Every hook, one line each."""

    @hookspec
    def offhook_adapters(self) -> Sequence[Adapter]:
        """Platforms that calls can be placed to."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_industries(self) -> Sequence[Pack]:
        """Industry packs."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_callers(self) -> Sequence[Caller]:
        """Simulated callers."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_voices(self) -> Sequence[Voice]:
        """Text-to-speech voice slots."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_listeners(self) -> Sequence[Listener]:
        """Speech-to-text engines."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_vads(self) -> Sequence[VoiceActivityDetector]:
        """Voice activity detectors."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_embedders(self) -> Sequence[SentenceEmbedder]:
        """Sentence embedders."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_audio_profiles(self) -> Sequence[AudioProfile]:
        """Audio profiles: what lies between the caller's mouth and the platform."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_graders(self) -> Sequence[Grader]:
        """Graders of finished calls."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_measurers(self) -> Sequence[Measurer]:
        """Measurements of finished calls that graders share, stored beside the calls."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_reviewers(self) -> Sequence[Reviewer]:
        """Reviewers, who read a call's grades and say why they came out so."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_judges(self) -> Sequence[Judge]:
        """Judges of finished calls, who must quote."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_verifiers(self) -> Sequence[Verifier]:
        """Verifiers, who decide one check of a call after the other."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_model_selectors(self) -> Sequence[ModelSelector]:
        """Rules that select a model for a platform's layer from a table of candidates."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_drills(self) -> Sequence[Drill]:
        """Meeting drills."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_commands(self) -> Sequence[CommandSpec]:
        """Commands added to the ``offhook`` command line, imported only when used."""
        raise AssertionError("a specification is never called")

    @hookspec
    def offhook_call_started(self, key: CallKey) -> None:
        """A call is about to be placed."""

    @hookspec
    def offhook_call_finished(self, record: CallRecord, folder: Path) -> None:
        """A call's folder has been written."""

    @hookspec
    def offhook_drill_finished(self, record: DrillRecord, mark: DrillMark | None, folder: Path) -> None:
        """A drill's folder has been written; ``mark`` is None where it was void or in error."""

    @hookspec
    def offhook_run_finished(self, manifest: RunManifest, folder: Path) -> None:
        """All planned calls of a run have ended."""
