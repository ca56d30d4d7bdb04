"""A measured recording in the terminal: what was found as tables, and both channels as lanes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import attrs

from offhook_graders.timing.measure import RecordingMeasurement
from offhook_graders.timing.turns import Span, overlap
from offhook_graders.timing.waits import MEASURES, OVER_S

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "TURN_HEAD",
    "WAIT_HEAD",
    "Lanes",
    "clock",
    "figures",
    "lanes_of",
    "print_measurement",
    "turn_rows",
    "wait_rows",
]

WAIT_HEAD: Final = ("", "published rule", "ours")
TURN_HEAD: Final = ("turn", "from", "to", "published s", "ours s", "")

_STEPS_S: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
_MOST_ROWS: Final = 6
_SHADES: Final = " ░▒▓█"
_PLAIN_SHADES: Final = " .:+#"
_LEAST_COLUMNS: Final = 20


@attrs.frozen
class Lanes:
    """Both channels as text, a row for as much time as fits in its width."""

    start_s: float
    step_s: float
    caller: str
    agent: str
    both: str


def clock(seconds: float) -> str:
    """``1:02.35``."""
    minutes, rest = divmod(max(0.0, seconds), 60)
    return f"{int(minutes)}:{rest:05.2f}"


def figures(found: RecordingMeasurement) -> list[tuple[str, str]]:
    """Everything but the waits, as names and what to print for them."""
    if found.talk is None:
        return []
    numbers = found.numbers
    yielded = f"{numbers['yielded']:.0f} of {numbers['caller_barge_ins']:.0f}"
    if "yield_median_s" in numbers:
        yielded += f", median {numbers['yield_median_s']:.2f} s"
    return [
        ("turns", f"caller {numbers['caller_turns']:.0f}, agent {numbers['agent_turns']:.0f}"),
        (
            "speech",
            f"caller {numbers['caller_speech_s']:.1f} s, agent {numbers['agent_speech_s']:.1f} s "
            f"of {found.seconds:.1f} s",
        ),
        ("backchannels", str(len(found.talk.backchannels))),
        (
            "talk-over",
            f"{numbers['overlap_s']:.2f} s, {numbers.get('overlap_share', 0.0):.1%} of the caller's speech, "
            f"in {numbers['talked_over_turns']:.0f} of {numbers['caller_turns']:.0f} caller turns",
        ),
        ("agent cut in", f"{numbers['agent_barge_ins']:.0f} x"),
        ("caller cut in", f"{numbers['caller_barge_ins']:.0f} x"),
        ("agent yielded", yielded),
        (
            "unanswered",
            f"{numbers['unanswered_turns']:.0f} of {numbers['answerable_turns']:.0f} caller turns",
        ),
        (
            "dead air",
            f"{numbers['dead_air']:.0f} x, {numbers['dead_air_s']:.1f} s in all, "
            f"longest {numbers['dead_air_longest_s']:.1f} s",
        ),
    ]


def wait_rows(found: RecordingMeasurement) -> list[tuple[str, ...]]:
    """The waits by either measure, a row a figure; ``-`` where there is none."""
    rows = [("turns", "turns", ".0f", ""), ("left out", "excluded", ".0f", "")]
    rows += [
        (name, key, ".3f", " s") for name, key in (("p50", "median_s"), ("p95", "p95_s"), ("p99", "p99_s"))
    ]
    rows.append(("p95 / p50", "tail_ratio", ".2f", ""))
    told = [(name, *(_figure(found, m, key, form, unit) for m in MEASURES)) for name, key, form, unit in rows]
    told += [(f"over {over} s", *(_over(found, m, over) for m in MEASURES)) for over in OVER_S]
    return [*told, ("timing bound", *(f"+-{found.bound_ms[m]:.0f} ms" for m in MEASURES))]


def _figure(found: RecordingMeasurement, measure: str, key: str, form: str, unit: str) -> str:
    value = found.numbers.get(f"{measure}_{key}")
    return "-" if value is None else f"{value:{form}}{unit}"


def _over(found: RecordingMeasurement, measure: str, limit: int) -> str:
    count = found.numbers[f"{measure}_turns"]
    if not count:
        return "-"
    over = found.numbers[f"{measure}_over_{limit}s"]
    return f"{over / count:.0%} ({over:.0f} of {count:.0f})"


def turn_rows(found: RecordingMeasurement) -> list[tuple[str, ...]]:
    """Per caller turn: number, start, end, wait by each measure, what else there is to say."""
    if found.talk is None:
        return []
    notes = _notes(found)
    return [
        (
            str(index + 1),
            clock(turn.start),
            clock(turn.end),
            *(_wait(found, measure, index) for measure in MEASURES),
            ", ".join(notes[index]),
        )
        for index, turn in enumerate(found.talk.caller)
    ]


def _wait(found: RecordingMeasurement, measure: str, index: int) -> str:
    wait = found.waits[measure][index].latency_s
    return "-" if wait is None else f"{wait:.3f}"


def _notes(found: RecordingMeasurement) -> list[list[str]]:
    talk = found.talk
    if talk is None:
        return []
    notes: list[list[str]] = [[] for _ in talk.caller]
    for index, over in enumerate(talk.overlap_per_turn):
        if index in talk.talked_over:
            notes[index].append(f"talked over for {over:.2f} s")
    for cut in talk.agent_barge_ins:
        notes[cut.over].append("agent cut in")
    for given in talk.yields:
        told = "agent did not yield" if given.yield_s is None else f"agent yielded in {given.yield_s:.2f} s"
        notes[given.turn].append(f"cut in, {told}")
    for index in talk.unanswered:
        notes[index].append("unanswered")
    for index, wait in enumerate(found.waits["ours"]):
        if wait.excluded and not notes[index]:
            notes[index].append(wait.excluded)
    return notes


def lanes_of(found: RecordingMeasurement, columns: int, *, plain: bool = False) -> list[Lanes]:
    """Both channels in at most six rows of ``columns`` characters. The darker, the more of that time somebody
    spoke; ``x`` where both did, ``-`` in dead air.
    """
    talk = found.talk
    if talk is None:
        return []
    columns = max(columns, _LEAST_COLUMNS)
    step_s = next(
        (step for step in _STEPS_S if found.seconds <= step * columns * _MOST_ROWS),
        found.seconds / columns / _MOST_ROWS,
    )
    sides = [[(s.start, s.end) for s in side.sounds] for side in (found.caller, found.agent)]
    both = overlap(*sides)
    shades = _PLAIN_SHADES if plain else _SHADES
    rows = []
    for row in range(math.ceil(found.seconds / (step_s * columns))):
        start = round(row * step_s * columns, 6)
        cells = min(columns, math.ceil((found.seconds - start) / step_s))
        at = [start + cell * step_s for cell in range(cells)]
        caller, agent = ("".join(_shade(side, t, step_s, shades) for t in at) for side in sides)
        marks = "".join(_mark(both, talk.dead_air, t, step_s) for t in at)
        rows.append(Lanes(start, step_s, caller, agent, marks))
    return rows


def _shade(spans: Sequence[Span], start: float, step_s: float, shades: str) -> str:
    share = _share(spans, start, step_s)
    return shades[math.ceil(share * (len(shades) - 1) - 1e-9)]


def _mark(both: Sequence[Span], dead: Sequence[Span], start: float, step_s: float) -> str:
    if _share(both, start, step_s) > 0:
        return "x"
    return "-" if _share(dead, start, step_s) > 0.5 else " "


def _share(spans: Sequence[Span], start: float, step_s: float) -> float:
    return sum(end - begin for begin, end in overlap(spans, [(start, start + step_s)])) / step_s


def print_measurement(name: str, found: RecordingMeasurement, console: Console) -> None:
    """Tables and lanes on a terminal; what was not measured, and why, comes last."""
    console.print(f"{name}: {clock(found.seconds)} at {found.rate} Hz", highlight=False, soft_wrap=True)
    if found.talk is not None:
        _print_tables(found, console)
        _print_lanes(found, console)
    for warning in found.warnings:
        console.print(f"warning: {warning}", style="yellow", highlight=False, soft_wrap=True)
    reasons: dict[str, list[str]] = {}
    for part, why in found.not_measured.items():
        reasons.setdefault(why, []).append(part)
    for why, parts in reasons.items():
        told = f"{', '.join(parts)}: not measured: {why}"
        console.print(told, style="yellow", highlight=False, soft_wrap=True)


def _print_tables(found: RecordingMeasurement, console: Console) -> None:
    from rich.table import Table

    waits = Table(title="Waits for the agent's reply", title_justify="left", header_style="bold")
    for place, name in enumerate(WAIT_HEAD):
        waits.add_column(name, justify="right" if place else "left")
    for cells in wait_rows(found):
        waits.add_row(*cells)
    console.print(waits)
    talk = Table(title="Conversation", title_justify="left", show_header=False)
    for row in figures(found):
        talk.add_row(*row)
    console.print(talk)
    turns = Table(title="Caller turns", title_justify="left", header_style="bold")
    for name in TURN_HEAD:
        turns.add_column(name, justify="right" if name else "left")
    for cells in turn_rows(found):
        turns.add_row(*cells)
    console.print(turns)


def _print_lanes(found: RecordingMeasurement, console: Console) -> None:
    plain = "utf" not in (console.encoding or "").lower()
    rows = lanes_of(found, console.width - 8, plain=plain)
    for row in rows:
        console.print(f"{clock(row.start_s)}, {row.step_s:g} s a column", style="dim", highlight=False)
        for who, lane, style in (("caller", row.caller, "cyan"), ("agent", row.agent, "green")):
            console.print(f"{who:<7} {lane}", style=style, highlight=False, markup=False, no_wrap=True)
        if row.both.strip():
            console.print(f"{'':<7} {row.both}", style="red", highlight=False, markup=False, no_wrap=True)
    console.print("x both speak, - dead air", style="dim", highlight=False)
