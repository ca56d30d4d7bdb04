"""The embedded engines, and cases shared out among processes of which each loads its own."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final

from benchmarks.hearing.cases import Case
from benchmarks.hearing.desk import Outcome
from benchmarks.hearing.measure import Engines, ear_setups, measure
from offhook.host import PluginHost
from offhook.speech import SpeechUnavailable

__all__ = ["embedded_engines", "measure_in_processes"]

_BATCH: Final = 4


@functools.cache
def embedded_engines() -> Engines:
    """What the installed plugins provide, once a process: models load when they are first used.

    Raises:
        SpeechUnavailable: a plugin is missing.
    """
    host = PluginHost.discover()
    voices, listeners, vads = host.voices(), host.listeners(), host.vads()
    if not voices or not vads or not {"whisper-tiny", "whisper-base"} <= listeners.keys():
        raise SpeechUnavailable("the speech engines are missing: run pip install 'offhook[speech]'")
    return Engines(voices, listeners["whisper-tiny"], listeners["whisper-base"], next(iter(vads.values())))


def measure_in_processes(
    cases: Sequence[Case], ears: tuple[str, ...], workers: int
) -> Iterator[tuple[Outcome, ...]]:
    """The outcomes of each case for the ears named, in the order of the cases whatever the workers.

    Raises:
        SpeechUnavailable: an engine or its weights are missing or damaged.
    """
    batches = [tuple(cases[start : start + _BATCH]) for start in range(0, len(cases), _BATCH)]
    if workers == 1:
        for batch in batches:
            yield from _measured(ears, batch)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for groups in pool.map(functools.partial(_measured, ears), batches):
            yield from groups


def _measured(ears: tuple[str, ...], cases: tuple[Case, ...]) -> tuple[tuple[Outcome, ...], ...]:
    engines = embedded_engines()
    setups = tuple(setup for setup in ear_setups(engines) if setup.name in ears)
    return tuple(measure(cases, setups, engines))
