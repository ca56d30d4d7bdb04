"""A measured recording as one HTML page that needs nothing else: figures, turns, and both channels drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from offhook_graders.timing.measure import RecordingMeasurement
from offhook_graders.timing.measure_view import TURN_HEAD, WAIT_HEAD, clock, figures, turn_rows, wait_rows
from offhook_graders.timing.turns import Span, overlap

__all__ = ["measurement_page"]

_ROW_S: Final = 60.0
_WIDTH: Final = 960
_LANE: Final = 18
_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b1f24; --back: #fff; --line: #c8ced6;
  --caller: #0b6e99; --agent: #3b7d23; --both: #c2261c; --dead: #b7791f }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ed; --back: #15181c; --line: #3a414a;
    --caller: #59b8e0; --agent: #8bc76b; --both: #ff7a70; --dead: #e0b45a }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back);
  max-width: 980px; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: .5rem 0 1.5rem }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: left }
.n { text-align: right; font-variant-numeric: tabular-nums }
.scroll { overflow-x: auto }
.warn { border-left: 3px solid var(--dead); padding-left: .6rem }
svg { display: block; width: 100%; height: auto; margin: .3rem 0 }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink) }
.axis { stroke: var(--line) }
.caller { fill: var(--caller) } .agent { fill: var(--agent) } .both { fill: var(--both) }
.dead { fill: var(--dead); opacity: .35 }
.key b { display: inline-block; width: .8rem; height: .8rem; margin: 0 .3rem 0 1rem }
"""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_KEY: Final = (
    '<p class="key"><b style="background:var(--caller)"></b>caller'
    '<b style="background:var(--agent)"></b>agent'
    '<b style="background:var(--both)"></b>both speak'
    '<b style="background:var(--dead)"></b>dead air</p>'
)


def measurement_page(name: str, found: RecordingMeasurement) -> str:
    """The page. ``name`` is what the recording is called at its top."""
    body = [f"<h1>{escape(name)}</h1>", f"<p>{clock(found.seconds)} at {found.rate} Hz.</p>"]
    body += [f'<p class="warn">{escape(warning)}</p>' for warning in found.warnings]
    body += [
        f'<p class="warn">{escape(part)}: not measured: {escape(why)}</p>'
        for part, why in found.not_measured.items()
    ]
    if found.talk is not None:
        body += ["<h2>Waits for the agent's reply</h2>", _table(WAIT_HEAD, wait_rows(found), range(1, 3))]
        body += ["<h2>Conversation</h2>", _table((), figures(found))]
        body += ["<h2>Both channels</h2>", _KEY, *_drawing(found)]
        body += ["<h2>Caller turns</h2>", _table(TURN_HEAD, turn_rows(found), range(5))]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{escape(name)}</title><style>{_STYLE}</style></head><body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], numeric: range = range(0)) -> str:
    """``numeric`` are the columns set flush right."""

    def cells(tag: str, row: Sequence[str]) -> str:
        told = (
            f"<{tag} class=n>{escape(text)}</{tag}>" if place in numeric else f"<{tag}>{escape(text)}</{tag}>"
            for place, text in enumerate(row)
        )
        return f"<tr>{''.join(told)}</tr>"

    top = cells("th", head) if head else ""
    return f'<div class="scroll"><table>{top}{"".join(cells("td", row) for row in rows)}</table></div>'


def _drawing(found: RecordingMeasurement) -> Iterable[str]:
    """An SVG for each minute."""
    talk = found.talk
    if talk is None:
        return
    caller, agent = ([(s.start, s.end) for s in side.sounds] for side in (found.caller, found.agent))
    both = overlap(caller, agent)
    for row in range(math.ceil(found.seconds / _ROW_S)):
        start = row * _ROW_S
        shapes = [f'<line class="axis" x1="0" x2="{_WIDTH}" y1="{2 * _LANE + 6}" y2="{2 * _LANE + 6}"/>']
        shapes += _bars(talk.dead_air, start, "dead", 0, 2 * _LANE + 4)
        shapes += _bars(caller, start, "caller", 0, _LANE)
        shapes += _bars(agent, start, "agent", _LANE + 4, _LANE)
        shapes += _bars(both, start, "both", _LANE, 4)
        shapes += [
            f'<text x="{second * _WIDTH / _ROW_S:.0f}" y="{3 * _LANE + 2}">'
            f"{clock(start + second)[:-3]}</text>"
            for second in range(0, 60, 10)
        ]
        yield (
            f'<svg viewBox="0 0 {_WIDTH} {3 * _LANE + 6}" role="img" '
            f'aria-label="Caller and agent from {clock(start)}">{"".join(shapes)}</svg>'
        )


def _bars(spans: Sequence[Span], start: float, kind: str, top: int, height: int) -> list[str]:
    return [
        f'<rect class="{kind}" x="{(begin - start) / _ROW_S * _WIDTH:.2f}" y="{top}" '
        f'width="{max(0.5, (end - begin) / _ROW_S * _WIDTH):.2f}" height="{height}">'
        f"<title>{kind} {clock(begin)} to {clock(end)}</title></rect>"
        for begin, end in overlap(spans, [(start, start + _ROW_S)])
    ]
