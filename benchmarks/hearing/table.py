"""The published results: rates with intervals, and every failure with what was said, heard and parsed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import attrs

from benchmarks._row import BenchRow
from benchmarks.hearing.cases import Case
from benchmarks.hearing.desk import MOST_ASKS, Hearing, Outcome
from benchmarks.hearing.measure import REFERENCE, EarSetup
from offhook.scoring import pass_rate
from offhook.speech import EngineInfo
from offhook.values import ValueKind

__all__ = ["Results", "bench_rows", "markdown", "rate_text"]

_GOAL: Final = ">= 95"


@attrs.frozen
class Results:
    """All outcomes of a run and what made them. ``identities`` people were drawn from ``seed``."""

    outcomes: tuple[Outcome, ...]
    setups: tuple[EarSetup, ...]
    engines: tuple[EngineInfo, ...]
    identities: int
    seed: int

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(outcome.case.question.name for outcome in self.outcomes))

    @property
    def voices(self) -> tuple[str, ...]:
        return tuple(sorted({outcome.case.voice for outcome in self.outcomes}))

    def of(self, ears: str) -> tuple[Outcome, ...]:
        """The outcomes of one set of ears."""
        return tuple(outcome for outcome in self.outcomes if outcome.ears == ears)


def rate_text(hits: int, n: int) -> str:
    """ "44/48, 92 % (80-97)": the count, the share and its 95 % Wilson interval; a dash for 0 of 0."""
    rate = pass_rate(hits, n)
    if rate is None:
        return "-"
    return f"{hits}/{n}, {100 * rate.share:.0f} % ({100 * rate.low:.0f}-{100 * rate.high:.0f})"


def bench_rows(results: Results) -> tuple[BenchRow, ...]:
    """One figure for each thing asked for: the reference ladder's share of exact captures after up to four
    asks, in percent."""
    rows = []
    for question in results.questions:
        mine = [outcome for outcome in results.of(REFERENCE) if outcome.case.question.name == question]
        first, last = (sum(outcome.captured(asks) for outcome in mine) for asks in (1, MOST_ASKS))
        voices = len({outcome.case.voice for outcome in mine})
        how = (
            f"{REFERENCE}, {len(mine)} identities in {voices} voices, clean sound; exact after up to "
            f"{MOST_ASKS} asks {rate_text(last, len(mine))}, after one {rate_text(first, len(mine))}"
        )
        name = "hearing_" + "".join(char if char.isalnum() else "_" for char in question.lower())
        rows.append(BenchRow(name.replace("___", "_"), round(100 * last / len(mine), 1), "%", _GOAL, how))
    return tuple(rows)


def markdown(results: Results) -> str:
    """The whole page; equal outcomes give equal text."""
    reference = results.of(REFERENCE)
    parts = [
        _introduction(results),
        "## Captured after one ask\n\n" + _by_question(results, lambda outcome: outcome.captured(1)),
        f"## Captured after up to {MOST_ASKS} asks\n\n"
        + _by_question(results, lambda outcome: outcome.captured(MOST_ASKS)),
        "## Names letter by letter\n\n"
        "A name counts as captured when the one matcher takes it for the name on file. Spelled as on file, "
        f"accents and case aside, after up to {MOST_ASKS} asks:\n\n" + _literal(results),
        "## By voice\n\n"
        f"The {REFERENCE}: after one ask, then after up to {MOST_ASKS}.\n\n" + _by_voice(results, reference),
        "## Names by origin\n\n"
        f"The {REFERENCE}, questions with a name: after one ask, then after up to {MOST_ASKS}.\n\n"
        + _by_origin(reference),
        f"## Never captured by the {REFERENCE}\n\n" + _failures(reference),
        f"## Captured by the {REFERENCE} only after asking again\n\n" + _late(reference),
        "## Never captured by one recogniser on its own\n\n"
        "The last hearing of each.\n\n" + _failures_alone(results),
    ]
    return "\n\n".join(parts) + "\n"


def _introduction(results: Results) -> str:
    cases = len(results.outcomes) // max(1, len(results.setups))
    engines = "\n".join(
        f"- `{info.name}`: {info.engine} {info.version}, weights {info.weights_sha256[:12]}"
        for info in results.engines
    )
    setups = "\n".join(f"- **{setup.name}**: {setup.description}." for setup in results.setups)
    return f"""# Does the platform hear what a caller says?

Made by `make hearing`. A caller's value is put into words, said by a voice, cut by the reference platform's
endpointer, heard by its ears, parsed and offered to a tool server, which takes it or asks for another.

**Who.** {results.identities} invented people of sixteen origins, drawn by code (seed {results.seed}) from
lists that nobody chose by ear. Balanced, not crossed (that would be eight times as many cases): each answers
all {len(results.questions)} questions, each in another of the {len(results.voices)} voices than the one
before, so that every voice answers every question equally often: {cases} cases for each set of ears, each
with a caller's own small change of tempo and pitch.

**What is said.** The first answer is a sentence as callers say it, made speakable by the verbaliser. Asked
again, the caller answers with its own repair: slower each time, digit by digit, names spelled. Where two
values are asked for at once, both must be right, and a refusal doesn't tell which is wrong. No value ever
enters a recogniser's prompt.

**What counts.** Names are captured when `offhook.names` takes them for the name on file, all else only when
exact. An ask is one answer of the caller; the gatherer, endpointer, parser and repairs are the product's own.
There is no read-back, and the line loses nothing. Intervals are 95 % Wilson.

**Ears.**

{setups}

**Engines.**

{engines}"""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines)


def _count(outcomes: Iterable[Outcome], hit: Callable[[Outcome], bool]) -> str:
    hits = [hit(outcome) for outcome in outcomes]
    return rate_text(sum(hits), len(hits))


def _by_question(results: Results, hit: Callable[[Outcome], bool]) -> str:
    rows = [
        [
            question,
            *(
                _count((o for o in results.of(setup.name) if o.case.question.name == question), hit)
                for setup in results.setups
            ),
        ]
        for question in results.questions
    ]
    for label, count in (("one value, all kinds", 1), ("two values at once", 2)):
        cells = (
            _count((o for o in results.of(setup.name) if len(o.case.wanted) == count), hit)
            for setup in results.setups
        )
        rows.append([f"**{label}**", *cells])
    return _table(["asked for", *(setup.name for setup in results.setups)], rows)


def _has_name(case: Case) -> bool:
    return any(parameter.kind is ValueKind.NAME for parameter in case.question.parameters)


def _literal(results: Results) -> str:
    named = [outcome for outcome in results.outcomes if _has_name(outcome.case)]
    questions = dict.fromkeys(outcome.case.question.name for outcome in named)
    rows = [
        [
            question,
            *(
                _count(
                    (o for o in named if o.ears == setup.name and o.case.question.name == question),
                    lambda outcome: outcome.literal,
                )
                for setup in results.setups
            ),
        ]
        for question in questions
    ]
    return _table(["asked for", *(setup.name for setup in results.setups)], rows)


def _first_and_last(outcomes: Sequence[Outcome]) -> str:
    first, last = (sum(outcome.captured(asks) for outcome in outcomes) for asks in (1, MOST_ASKS))
    return f"{first}, {last} of {len(outcomes)}"


def _by_voice(results: Results, outcomes: Sequence[Outcome]) -> str:
    rows = []
    for voice in results.voices:
        mine = [outcome for outcome in outcomes if outcome.case.voice == voice]
        cells = (
            _first_and_last([outcome for outcome in mine if outcome.case.question.name == question])
            for question in results.questions
        )
        rows.append([voice, *cells, _count(mine, lambda o: o.captured(1)), _count(mine, _captured)])
    head = ["voice", *results.questions, "all after one ask", f"all after up to {MOST_ASKS}"]
    return _table(head, rows)


def _captured(outcome: Outcome) -> bool:
    return outcome.captured(MOST_ASKS)


def _by_origin(outcomes: Sequence[Outcome]) -> str:
    named = [outcome for outcome in outcomes if _has_name(outcome.case)]
    origins = dict.fromkeys(outcome.case.identity.origin for outcome in named)
    rows = []
    for origin in origins:
        mine = [outcome for outcome in named if outcome.case.identity.origin == origin]
        rows.append([origin, _count(mine, lambda o: o.captured(1)), _count(mine, _captured)])
    return _table(["origin", "after one ask", f"after up to {MOST_ASKS}"], rows)


# --- failures ---


def _failures(outcomes: Sequence[Outcome]) -> str:
    failed = [outcome for outcome in outcomes if outcome.captured_after is None]
    if not failed:
        return "None."
    return "\n\n".join(_failure(outcome) for outcome in failed)


def _failure(outcome: Outcome) -> str:
    """One failure, ask by ask; answers that were said and heard alike share a line."""
    lines = [f"**{outcome.case.question.name}**, {_wanted(outcome.case)}, {outcome.case.voice}:", ""]
    hearings = outcome.hearings
    for _, group in itertools.groupby(hearings, key=lambda item: (item.said, item.heard, item.attention)):
        alike = tuple(group)
        lines.append(
            f"- {_asks(alike)}, {alike[0].attention}: said “{alike[0].said}”, heard “{alike[0].heard}”"
        )
    lines.append(f"- parsed and offered: {_offers(outcome)}")
    return "\n".join(lines)


def _asks(hearings: Sequence[Hearing]) -> str:
    first, last = hearings[0].ask, hearings[-1].ask
    return f"ask {first}" if first == last else f"asks {first} to {last}"


def _wanted(case: Case) -> str:
    return ", ".join(
        _written(parameter.kind, value)
        for parameter, value in zip(case.question.parameters, case.wanted, strict=True)
    )


def _written(kind: ValueKind, value: str | int) -> str:
    return f"${int(value) / 100:.2f}" if kind is ValueKind.AMOUNT else str(value)


def _offers(outcome: Outcome, asks: int = MOST_ASKS) -> str:
    kinds = [parameter.kind for parameter in outcome.case.question.parameters]
    offers = [
        " + ".join(_written(kind, value) for kind, value in zip(kinds, attempt.values, strict=True))
        for attempt in outcome.attempts
        if attempt.asks <= asks
    ]
    return "; ".join(dict.fromkeys(offers)) or "nothing"


def _late(outcomes: Sequence[Outcome]) -> str:
    rows = []
    for outcome in outcomes:
        if outcome.captured_after is not None and outcome.captured_after > 1:
            first = [item for item in outcome.hearings if item.ask == 1]
            rows.append(
                [
                    outcome.case.question.name,
                    outcome.case.voice,
                    _wanted(outcome.case),
                    first[0].said,
                    " / ".join(dict.fromkeys(item.heard for item in first)),
                    _offers(outcome, 1),
                    str(outcome.captured_after),
                ]
            )
    head = ["asked for", "voice", "wanted", "said first", "heard", "parsed and offered", "right after ask"]
    return _table(head, rows) if rows else "None."


def _failures_alone(results: Results) -> str:
    rows = []
    for setup in results.setups:
        if setup.name == REFERENCE:
            continue
        for outcome in results.of(setup.name):
            if outcome.captured_after is None and outcome.hearings:
                last = outcome.hearings[-1]
                rows.append(
                    [
                        setup.name,
                        outcome.case.question.name,
                        outcome.case.voice,
                        _wanted(outcome.case),
                        last.heard,
                        _offers(outcome),
                    ]
                )
    head = ["ears", "asked for", "voice", "wanted", "heard last", "parsed and offered"]
    return _table(head, rows) if rows else "None."
