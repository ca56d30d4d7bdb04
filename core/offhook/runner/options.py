"""What a run is asked to do, as plain data that worker processes are handed too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs

from offhook.caches import cache_root
from offhook.records import FrozenStamp, ModelLayer
from offhook.runner.engines import EngineChoice
from offhook.scoring import MAX_ATTEMPTS

__all__ = ["RunOptions"]


@attrs.frozen
class RunOptions:
    """``tasks`` are names as ``pick_tasks`` takes them (none: all). ``out`` is the run folder. ``workers``
    1 stays in this process. ``at_once`` is how many real-time calls one process holds at the same time (None:
    as many as the platform takes, at most four); virtual time knows no such thing. ``images`` is where
    prepared seed databases are kept. ``attempts`` is how many a planned call may have, voids included;
    ``frozen`` says which frozen manifest the run follows; ``selected`` are the platform's models that a
    frozen selection chose (`offhook.selecting.Selection.as_layer`). ``audio`` are the audio conditions;
    ``variants`` says which tasks those other than clean are placed for, ``"easy"`` ones or ``"all"``.

    For platforms that call tools by themselves ``tools_port`` is where on this machine they are served (0:
    any free port, or 8765 with a ``public_url``), ``public_url`` the address outside that leads there.
    Neither is kept with the run. ``max_cost`` is what the run may cost in USD (None: no limit).
    """

    platform: str
    out: Path
    tasks: tuple[str, ...] = ()
    runs: int = 1
    seed: int = 1
    workers: int = 1
    at_once: int | None = None
    caller: str = "scripted"
    line: str = "audio"
    audio: tuple[str, ...] = ("clean",)
    variants: str = "easy"
    engines: EngineChoice = attrs.field(factory=EngineChoice)
    platform_options: Mapping[str, str] = attrs.field(factory=dict)
    block: tuple[str, ...] = ()
    attempts: int = MAX_ATTEMPTS
    frozen: FrozenStamp | None = None
    selected: tuple[ModelLayer, ...] = ()
    tools_port: int = 0
    public_url: str = ""
    max_cost: float | None = None
    images: Path = attrs.field(factory=lambda: cache_root() / "images")
