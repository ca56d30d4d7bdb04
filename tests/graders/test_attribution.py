"""Each cause on a real call that fails by it: platform, caller, tool server and graders are real, speech is a
stand-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from offhook.grading import CallEvidence, FreshMeasurements, Grade, GradeKind, Measurement, Outcome
from offhook.packs import KnownDefect
from offhook.records import CallKey, LateTicks, ModelLayer, TimedTranscript, empty_record
from offhook.scoring import NO_AGENT, chosen_model_failures, own_cause
from offhook.storage import from_json, to_json
from offhook.testing_pack import bicycle_pack
from offhook_adapters.reference.minds.saboteurs import FAULTS, saboteur
from offhook_graders.attribution._facts import is_stated, needed_facts
from offhook_graders.attribution.reviewer import CAUSES, AttributionReviewer
from tests.graders._attr_stand import Call, FaultyPlatform, SessionFault, World, place

REVIEWER = AttributionReviewer()
MISHEARD = {"eight": "nine"}
ASKS_PROOF = ("zip",)

Placed = Callable[..., Call]


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> Placed:
    """Places a call once for all tests that ask for the same."""
    known: dict[str, Call] = {}

    def run(*adapters: Any, pack: Any = None, **options: Any) -> Call:
        name = repr((adapters, options, pack is None))
        if name not in known:
            out = tmp_path_factory.mktemp("call") / "run"
            known[name] = place(World(*adapters, pack=pack), out, **options)
        return known[name]

    return run


def again(call: Call, grades: list[Grade] | None = None, **evidence: Any) -> Grade:
    """The call reviewed anew with something in its evidence or record changed."""
    changed = call.evidence
    for name, value in evidence.items():
        if name in {field.name for field in attrs.fields(CallEvidence)}:
            changed = attrs.evolve(changed, **{name: value})
        else:
            changed = attrs.evolve(changed, record=attrs.evolve(changed.record, **{name: value}))
    return REVIEWER.review(changed, call.others if grades is None else grades)


def checked(grade: Grade) -> dict[int, bool]:
    return {entry["cause"]: entry["applies"] for entry in grade.evidence["checked"]}


def why(grade: Grade, cause: int) -> str:
    (entry,) = [entry for entry in grade.evidence["checked"] if entry["cause"] == cause]
    return str(entry["why"])


# --- a made call for each cause ---


def test_a_call_that_passed_has_no_cause(placed: Placed) -> None:
    grade = placed(platform="reference").grades["attribution"]

    assert (grade.outcome, dict(grade.numbers)) == (Outcome.NOT_MEASURED, {})
    assert grade.evidence["cause"] == 0
    assert not grade.evidence["counts_against"]


def test_1_a_known_defect_of_the_task(placed: Placed) -> None:
    pack = attrs.evolve(
        bicycle_pack(), defects=(KnownDefect("B-H1", "its price was raised in the seed", "2026-11-30"),)
    )

    call = placed(platform="saboteur-claims-done", pack=pack)

    assert call.cause == 1
    assert "its price was raised in the seed" in call.why
    assert own_cause(call.grades.values()) == call.why


def test_1_a_key_that_does_not_replay(placed: Placed) -> None:
    call = placed(platform="saboteur-claims-done")
    broken = [
        attrs.evolve(grade, outcome=Outcome.ERROR, summary="ReplayError: B-H1.expected[1]: refused")
        if grade.kind is GradeKind.VERDICT
        else grade
        for grade in call.others
    ]

    assert again(call, broken).evidence["cause"] == 1


def test_2_a_caller_who_strayed(placed: Placed) -> None:
    call = placed(platform="saboteur-claims-done", caller="straying")

    assert call.cause == 2
    assert checked(call.grades["attribution"]) == {1: False, 2: True}
    assert call.grades["attribution"].evidence["decided_by"]["off_script"] == list(
        call.evidence.record.off_script
    )


def test_3_a_harness_that_was_late_where_timing_decided(placed: Placed) -> None:
    silent = placed(FaultyPlatform(fault=SessionFault(stops="zip")))
    wrong = placed(platform="saboteur-alters-digit")
    late = LateTicks(1.0, 35.0, 90.0)

    assert silent.cause == 4
    assert again(silent, late=late).evidence["cause"] == 3
    assert again(wrong, late=late).evidence["cause"] == 6  # a quick machine would not have saved it
    assert "nothing in the failure depends on timing" in why(again(wrong, late=late), 3)
    assert again(wrong, late=late, underruns=4).evidence["cause"] == 3


def test_3_damaged_evidence(placed: Placed) -> None:
    call = placed(platform="saboteur-claims-done")
    errors = [
        attrs.evolve(grade, outcome=Outcome.ERROR, summary="StateError: state.sqlite: not a database")
        if grade.grader == "state-adherence"
        else grade
        for grade in call.others
    ]

    assert again(call, errors).evidence["cause"] == 3
    assert again(call, recording=None).evidence["cause"] == 3


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (SessionFault(drops="quote_repair"), "dropped the session: gone: the far end went away"),
        (SessionFault(loses="verify_owner"), "asked for verify_owner, and the request never reached"),
        (SessionFault(cuts="zip"), "the agent was cut off at"),
        (SessionFault(stops="zip"), "the agent said nothing for"),
    ],
    ids=["dropped", "lost request", "cut off", "silent"],
)
def test_4_a_platform_that_breaks(placed: Placed, fault: SessionFault, told: str) -> None:
    call = placed(FaultyPlatform(fault=fault))

    assert call.cause == 4
    assert told in call.why
    assert call.grades["attribution"].evidence["counts_against"]
    assert call.grades["attribution"].evidence["chosen_by"] == ""


def test_4_a_platform_that_never_spoke_on_its_last_attempt(placed: Placed) -> None:
    key = CallKey("bicycle-repair", "B-H1", "faulty", 1)
    call = placed(platform="saboteur-claims-done").evidence

    def reviewed(attempt: int) -> int:
        record = empty_record("c", attrs.evolve(key, attempt=attempt), seed=1, ending="void", cause=NO_AGENT)
        return int(REVIEWER.review(attrs.evolve(call, record=record), []).evidence["cause"])

    assert [reviewed(attempt) for attempt in (1, 2, 3)] == [0, 0, 4]


def test_5_a_recogniser_that_misheard_a_needed_fact(placed: Placed) -> None:
    call = placed(FaultyPlatform(misheard=MISHEARD))
    grade = call.grades["attribution"]

    assert call.cause == 5
    assert checked(grade) == {1: False, 2: False, 3: False, 4: False, 5: True}
    decided = grade.evidence["decided_by"]
    assert decided["fact"] == {
        "kind": "phone",
        "value": "541-555-0148",
        "tool": "find_customer",
        "argument": "phone",
    }
    assert "zero one four eight" in decided["reference"][0]["text"]
    assert all("eight" not in line.casefold() for line in decided["transcript"])


def test_5_needs_a_transcript_and_a_recogniser(placed: Placed) -> None:
    blind = placed(FaultyPlatform(misheard=MISHEARD, transcribes=False))
    assert blind.cause == 6
    assert "gives no transcript of the caller" in why(blind.grades["attribution"], 5)

    call = placed(FaultyPlatform(misheard=MISHEARD))
    without = again(call, measurements=FreshMeasurements(()))
    assert (without.outcome, without.evidence["cause"]) == (Outcome.NOT_MEASURED, 0)
    assert why(without, 5).startswith(
        "not measured: the transcript lacks phone 541-555-0148, and no measurer"
    )
    assert "lacks phone 541-555-0148" in why(without, 6)


@attrs.frozen
class Unclear:
    """Measurements in which a recogniser makes nothing of what was said."""

    inner: Any

    def get(self, call: CallEvidence, name: str) -> Measurement:
        found: Measurement = self.inner.get(call, name)
        turns = [{**turn, "text": "hm"} for turn in found.values["turns"]]
        return attrs.evolve(found, values={**found.values, "turns": turns})


def test_5_does_not_apply_where_the_audio_did_not_carry_the_fact(placed: Placed) -> None:
    call = placed(FaultyPlatform(misheard=MISHEARD))

    grade = again(call, measurements=Unclear(call.evidence.measurements))

    assert (grade.outcome, grade.evidence["cause"]) == (Outcome.NOT_MEASURED, 0)
    assert why(grade, 5).endswith("the caller's audio did not carry it")
    assert "did not carry it" in grade.summary


def test_5_comes_before_6(placed: Placed) -> None:
    """The mind sends another digit than it heard, and what it heard was wrong already."""
    alters = next(fault for fault in FAULTS if fault.name == "alters-digit")
    both = FaultyPlatform(make_mind=saboteur(alters), misheard=MISHEARD)

    assert placed(both).cause == 5
    assert placed(FaultyPlatform(make_mind=saboteur(alters), name="faulty")).cause == 6


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("skips-verification", "quote_repair was called when it had to be refused (not_verified)"),
        (
            "alters-digit",
            "called with phone '541-555-0149' instead of '541-555-0148': the transcript had it right",
        ),
        ("claims-done", "the agent never called confirm_repair; its last words"),
    ],
)
def test_6_each_saboteur_is_found_out(placed: Placed, fault: str, told: str) -> None:
    call = placed(platform=f"saboteur-{fault}")

    assert call.cause == 6
    assert told in call.why
    assert call.grades["attribution"].evidence["chosen_by"] == "bundled"
    assert checked(call.grades["attribution"]) == {**dict.fromkeys(range(1, 6), False), 6: True}


@pytest.mark.parametrize(
    ("said", "amounts"),
    [
        ("That is $64.00, as I said.", []),
        ("You get $74.00 back, and $74.00 it is.", ["$74.00"]),
        ("That makes $1,074.50 or $64.", ["$1,074.50"]),
    ],
)
def test_6_amounts_that_no_tool_returned_are_named(placed: Placed, said: str, amounts: list[str]) -> None:
    call = placed(platform="saboteur-claims-done")
    lines = (*call.evidence.record.agent_transcripts, TimedTranscript(said, 50.0))

    grade = again(call, agent_transcripts=lines)

    assert grade.evidence["decided_by"]["unfounded_amounts"] == amounts
    assert ("which no tool returned" in grade.summary) is bool(amounts)


def test_6_a_value_that_the_caller_never_said(placed: Placed) -> None:
    call = placed(platform="saboteur-alters-digit")

    grade = again(call, caller_turns=())

    assert "the caller had not said it" in grade.summary


@pytest.mark.parametrize("silent", [False, True], ids=["garbled", "silent"])
def test_7_a_voice_that_does_not_come_through(placed: Placed, silent: bool) -> None:
    call = placed(FaultyPlatform(mumbled=ASKS_PROOF, silent=silent))
    grade = call.grades["attribution"]

    assert call.cause == 7
    assert "What is your ZIP code" in call.why
    assert grade.evidence["decided_by"]["lines"][0]["share"] < 0.4
    assert "was not heard by the caller" in why(grade, 6)


def test_7_is_no_excuse_for_a_wrong_decision(placed: Placed) -> None:
    alters = next(fault for fault in FAULTS if fault.name == "alters-digit")

    assert placed(FaultyPlatform(make_mind=saboteur(alters), mumbled=ASKS_PROOF)).cause == 6


def test_7_needs_the_agents_text_and_a_recogniser(placed: Placed) -> None:
    call = placed(FaultyPlatform(mumbled=ASKS_PROOF))

    assert again(call, agent_transcripts=()).evidence["cause"] == 6
    without = again(call, measurements=FreshMeasurements(()))
    assert without.evidence["cause"] == 6
    assert "whether the caller heard it is not measured: no measurer 'agent-recognition'" in without.summary


# --- who chose the model, and what is measured ---


@pytest.mark.parametrize(
    ("layers", "chosen_by", "against"),
    [
        ((ModelLayer("llm", "m", "rule"), ModelLayer("stt", "s", "bundled")), "rule", False),
        ((ModelLayer("llm", "m", "flagship"), ModelLayer("stt", "s", "rule")), "flagship", True),
        ((ModelLayer("speech", "m", "bundled"),), "bundled", True),
        ((ModelLayer("speech", "m", "rule"),), "rule", False),
        ((ModelLayer("stt", "s", "rule"),), "unknown", True),
        ((), "unknown", True),
    ],
)
def test_a_model_that_our_rule_chose_does_not_count_against_the_platform(
    placed: Placed, layers: tuple[ModelLayer, ...], chosen_by: str, against: bool
) -> None:
    grade = again(placed(platform="saboteur-alters-digit"), layers=layers)

    assert grade.evidence["chosen_by"] == chosen_by
    assert grade.evidence["counts_against"] is against
    assert bool(chosen_model_failures([grade])) is not against


def test_the_layers_come_from_the_runs_manifest(placed: Placed) -> None:
    call = placed(platform="saboteur-alters-digit")

    assert call.evidence.layers == call.folder.manifest().layers
    assert [layer.layer for layer in call.evidence.layers] == ["stt", "llm", "tts"]


class Counting:
    """Measurements that note what was asked for."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.asked: list[str] = []

    def get(self, call: CallEvidence, name: str) -> Any:
        self.asked.append(name)
        return self.inner.get(call, name)


@pytest.mark.parametrize(
    ("adapter", "options", "asked"),
    [
        (None, {"platform": "reference"}, set()),
        (None, {"platform": "saboteur-alters-digit"}, set()),
        (FaultyPlatform(fault=SessionFault(drops="quote_repair")), {}, set()),
        (FaultyPlatform(misheard=MISHEARD), {}, {"caller-recognition"}),
        (None, {"platform": "saboteur-claims-done"}, {"agent-recognition"}),
    ],
    ids=["passed", "altered", "dropped", "misheard", "claimed"],
)
def test_sound_is_recognised_only_where_the_order_comes_to_it(
    placed: Placed, adapter: Any, options: dict[str, Any], asked: set[str]
) -> None:
    call = placed(*([adapter] if adapter else []), **options)
    counting = Counting(call.evidence.measurements)

    again(call, measurements=counting)

    assert set(counting.asked) == asked


def test_a_finding_keeps_its_shape_and_survives_storage(placed: Placed) -> None:
    for call in (
        placed(platform="reference"),
        placed(platform="saboteur-claims-done"),
        placed(FaultyPlatform(misheard=MISHEARD)),
        placed(FaultyPlatform(mumbled=ASKS_PROOF)),
    ):
        grade = again(call)
        assert set(grade.evidence) == {
            "cause",
            "name",
            "chosen_by",
            "counts_against",
            "decided_by",
            "checked",
        }
        assert grade.kind is GradeKind.FINDING
        assert "\n" not in grade.summary
        assert to_json(from_json(to_json(grade), Grade, source="grade")) == to_json(grade)
        assert to_json(again(call)) == to_json(grade)
        assert grade.evidence["name"] == CAUSES.get(grade.evidence["cause"], "")


def test_a_text_call_is_never_put_down_to_ears_or_voice(placed: Placed) -> None:
    call = placed(platform="saboteur-claims-done", line="text")

    assert call.cause == 6
    assert why(call.grades["attribution"], 5) == "on a text line nothing is heard"


def test_an_error_that_changed_nothing_is_not_the_cause(placed: Placed) -> None:
    errors = ("cost: timed out", "stalled: the platform owes an answer")
    wrong = again(placed(platform="saboteur-alters-digit"), session_errors=errors[:1])
    undone = again(placed(platform="saboteur-claims-done"), session_errors=errors)

    assert wrong.evidence["cause"] == 6
    assert undone.evidence["cause"] == 4
    assert "stalled" in undone.summary


def test_an_agent_that_talks_over_a_needed_fact_took_its_turn_badly(placed: Placed) -> None:
    call = placed(FaultyPlatform(misheard=MISHEARD))
    (turn, *_) = [turn for turn in call.evidence.record.caller_turns if "0148" in turn.written]
    over = attrs.evolve(call.evidence.record.played[0], start=turn.start + 1.0, end=turn.end + 1.0)

    grade = again(call, played=(*call.evidence.record.played, over))

    assert grade.evidence["cause"] == 4
    assert "over the caller's" in grade.summary
    heard = tuple(TimedTranscript(turn.written, turn.end) for turn in call.evidence.record.caller_turns)
    fine = again(call, played=(*call.evidence.record.played, over), user_transcripts=heard)
    assert fine.evidence["cause"] == 6  # the words arrived all the same


@pytest.mark.parametrize(
    ("lines", "stated"),
    [
        (["five four one, five five five", "zero one four eight"], True),
        (["541-555-0148", "5 4 1 5 5 5 0 1 4 8", "5 4 1 5 5 5 0 1 4 8"], True),
        (["541", "555", "0148"], True),
        (["5 4 1 5 5 5 0 1 4 8", "5 4"], True),
        (["five four one, five five five", "zero one four eight", "541-555-0148"], True),
        (["five four one, five five five", "zero one four eight", "5 4 1 5 5 5 0 1 4 9"], True),
        (["541-555-0149"], False),
        ([], False),
    ],
)
def test_a_number_may_go_on_in_the_next_line_or_be_said_again(lines: list[str], stated: bool) -> None:
    pack = bicycle_pack()
    (phone,) = [fact for fact in needed_facts(pack.task("B-H1").expected, pack) if fact.argument == "phone"]

    assert is_stated(phone, lines, pack.now.date()) is stated


def test_the_facts_of_a_key_are_its_names_numbers_and_dates_and_no_choices() -> None:
    pack = bicycle_pack()

    facts = needed_facts(pack.task("B-H1").expected, pack)

    assert [(fact.tool, fact.argument, fact.value) for fact in facts] == [
        ("find_customer", "full_name", "Nadia Okafor"),
        ("find_customer", "phone", "541-555-0148"),
        ("verify_owner", "postal_code", "97405"),
        ("verify_owner", "frame_last4", "7730"),
    ]
