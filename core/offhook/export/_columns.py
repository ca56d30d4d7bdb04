"""The columns of every table, with types and meanings. They are a promise: added to at the end, never
renamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

__all__ = ["COLUMNS", "Column"]


@attrs.frozen
class Column:
    """``kind`` is ``text``, ``integer``, ``number``, ``boolean`` or ``json`` (text that holds JSON)."""

    name: str
    kind: str
    help: str


def _columns(kind: str, /, **columns: str) -> tuple[Column, ...]:
    return tuple(Column(name, kind, help) for name, help in columns.items())


_RUN: Final = (
    *_columns("text", run="The run's id.", run_folder="The run's folder, as it was given."),
    *_columns("integer", seed="The run's seed."),
    *_columns("text", platform="Who answered."),
    *_columns(
        "integer", repeat="Which run of its task or drill, from 1.", attempt="From 1; more after voids."
    ),
)

_CALL: Final = (
    *_RUN,
    *_columns(
        "text",
        call_id="The call's id, and its folder under calls/.",
        pack="The industry pack.",
        task="The task's id in the pack.",
        audio="The audio condition.",
        line="audio or text.",
    ),
)

_CALLS: Final = (
    *_CALL,
    *_columns(
        "text",
        caller="Who placed the call.",
        voice="The caller's voice.",
        ending="completed, void or error.",
        state="passed, failed, void or error: what the planned call came to.",
    ),
    *_columns(
        "boolean",
        passed="Whether it passed; empty where it was not graded.",
        counted="False for an attempt that was void and followed by another.",
        harness_reference="Whether the platform is offhook's own reference.",
    ),
    *_columns(
        "text",
        cause="Why it did not complete.",
        why="Why it did not pass.",
        ended_by="Who hung up.",
        hung_up_because="Why the caller did.",
        started="UTC wall clock of its beginning.",
    ),
    *_columns("number", seconds="Its length on the line.", took_s="Wall-clock seconds it took to place."),
    *_columns(
        "integer",
        caller_turns="How often the caller spoke.",
        agent_turns="Stretches of agent speech, as the caller heard them.",
        tool_calls="Requests that the tool server received.",
        tool_refusals="Those of them that it refused.",
        clears="How often the platform dropped speech that had not been played.",
        underruns="How often its speech ran dry while it was played.",
    ),
    *_columns(
        "number",
        late_p50_ms="Lateness of frames, median (0 in virtual time).",
        late_p99_ms="Lateness of frames, 99th percentile.",
        late_max_ms="Lateness of frames, the worst.",
    ),
    *_columns("boolean", latency_reliable="Whether this machine kept up, so that waits can be relied on."),
    *_columns("number", cost_usd="What the call cost; empty where it is not known."),
    *_columns("text", cost_basis="Where the cost comes from."),
    *_columns(
        "integer",
        wer_errors="Substitutions, deletions and insertions in what the platform heard.",
        wer_reference_words="Words the caller was given to say.",
        semantic_errors="Errors that change the meaning, numbers and negations always.",
        plain_semantic_errors="Errors that change the meaning by the published rule alone.",
        not_judged="Phrases that a judge might have forgiven; they count as errors.",
        facts_needed="Facts that the task's calls need and the caller said.",
        facts_heard="Of those, the facts that the platform's transcript has.",
        published_turns="Turns that the published latency rule measured.",
    ),
    *_columns(
        "number",
        published_median_s="Median wait by the published rule.",
        published_p95_s="95th percentile of waits by the published rule.",
    ),
    *_columns("integer", ours_turns="Turns that the sample-accurate latency rule measured."),
    *_columns(
        "number",
        ours_median_s="Median wait by the sample-accurate rule.",
        ours_p95_s="95th percentile of waits by the sample-accurate rule.",
    ),
    *_columns(
        "json",
        outcomes="Object: grader to its outcome.",
        numbers="Object: grader to all its numbers.",
        usage="Object: what the platform metered.",
        session_errors="Array of texts: what the platform reported.",
        off_script="Array of texts: what went wrong on the caller's side.",
    ),
    *_columns(
        "integer",
        planned_runs="Graded runs that its task was to have.",
        attempts_allowed="Attempts that a planned call may have.",
    ),
    *_columns(
        "text",
        void_reason="Why it is void, in a word or three.",
        manifest_version="The frozen manifest that the run followed; empty for a draft.",
    ),
)

_TURNS: Final = (
    *_CALL,
    *_columns("integer", position="Place among the turns of both sides, from 0, by start."),
    *_columns(
        "text",
        who="caller or agent.",
        text="What the caller's voice was given to say; what the caller heard the agent say.",
        written="The caller's line as it was authored; empty for the agent.",
        source="Why the caller said it; empty for the agent.",
    ),
    *_columns("number", start_s="Line seconds.", end_s="Line seconds."),
    *_columns("integer", caller_turn="Number among the caller's turns, from 0; empty for the agent."),
    *_columns(
        "number",
        published_latency_s="Wait for the reply to this turn by the published rule.",
        ours_latency_s="Wait for the reply to this turn by the sample-accurate rule.",
    ),
    *_columns(
        "text",
        published_excluded="Why the published rule left this turn out.",
        ours_excluded="Why the sample-accurate rule left this turn out.",
    ),
    *_columns("boolean", latency_reliable="Whether this machine kept up with the call."),
)

_TOOLS: Final = (
    *_CALL,
    *_columns("integer", position="Number in the request log, from 0."),
    *_columns("text", tool="The tool's name."),
    *_columns("json", arguments="Object: the arguments as they were received.", canonical="As validated."),
    *_columns("text", raw="The request's body.", outcome="accepted or refused.", code="Why it was refused."),
    *_columns("integer", status="HTTP status."),
    *_columns("json", response="Object: what the tool answered."),
    *_columns("number", at_s="Line seconds."),
    *_columns("text", source_id="The platform's own id of the request."),
)

_GRADES: Final = (
    *_CALL,
    *_columns(
        "text",
        grader="The grader's name.",
        version="The grader's version.",
        kind="verdict or measure.",
        outcome="pass, fail, measured, not_measured or error.",
        summary="The grade in a line.",
    ),
    *_columns("json", numbers="Object: what scoring adds up.", evidence="Object: what the grade rests on."),
)

_DRILL: Final = (
    *_RUN,
    *_columns(
        "text",
        drill_id="The drill's id, and its folder under drills/.",
        drill="The drill's name.",
        version="The drill's version.",
    ),
)

_DRILLS: Final = (
    *_DRILL,
    *_columns(
        "text",
        state="measured, unmeasured, unverified, instrument_fault, void or error.",
        ending="completed, void, unfit or error.",
    ),
    *_columns("number", mark="0 to 100; empty for a void or an error."),
    *_columns("text", why="How the mark came about."),
    *_columns("number", seconds="Its length in the room.", late_p99_ms="Lateness of frames, 99 %."),
    *_columns("boolean", latency_reliable="Whether this machine kept up."),
    *_columns("number", cost_usd="What the drill cost; empty where it is not known."),
    *_columns("text", cost_basis="Where the cost comes from.", started="UTC wall clock of its beginning."),
    *_columns(
        "json",
        draw="Object: what was drawn.",
        numbers="Object: what reports compare.",
        usage="Object: what the platform metered.",
        session_errors="Array of texts: what the platform reported.",
    ),
)

_PARTS: Final = (
    *_DRILL,
    *_columns("integer", position="Number of the part, from 0."),
    *_columns("text", part="The part's name.", state="As of a drill's mark."),
    *_columns("number", mark="0 to 100."),
    *_columns("text", why="How it came about."),
    *_columns("json", evidence="Object: what was expected and what was heard."),
)

COLUMNS: Final[Mapping[str, tuple[Column, ...]]] = MappingProxyType(
    {
        "calls": _CALLS,
        "turns": _TURNS,
        "tools": _TOOLS,
        "grades": _GRADES,
        "drills": _DRILLS,
        "parts": _PARTS,
    }
)
"""Every table's columns, in order."""
