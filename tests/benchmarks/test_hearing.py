"""The hearing bench, with a voice and a listener that are never wrong and some that are on purpose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import attrs
import pytest

from benchmarks.hearing.__main__ import run
from benchmarks.hearing.cases import QUESTIONS, Case, is_captured, plan_cases
from benchmarks.hearing.desk import MOST_ASKS, Outcome, answered
from benchmarks.hearing.identities import NAMES_BY_ORIGIN, draw_identities
from benchmarks.hearing.measure import REFERENCE, Engines, ear_setups, measure
from benchmarks.hearing.table import Results, bench_rows, markdown, rate_text
from offhook.audio import Clip
from offhook.clock import run_virtual
from offhook.speech import EngineInfo, Heard, ListenerHint, SpeechStyle
from offhook.testing import EnergyVad, FakeListener, FakeVoice
from offhook.values import canonical
from offhook_adapters.reference.minds.desk import Attention
from offhook_adapters.reference.speech import OTHER_PROMPTS, PROMPTS, Ears, prompt_for

IDENTITIES = draw_identities(48, 7)
VOICES = tuple(f"voice {number}" for number in range(8))
CASES = plan_cases(IDENTITIES, VOICES, 7)


@attrs.define
class Spoiler:
    """Hears what was said, spoiled: ``spoil`` gets the text and how many clips were heard before."""

    spoil: Callable[[str, int], str]
    name: str = "spoiler"
    hints: list[ListenerHint] = attrs.field(factory=list)

    @property
    def info(self) -> EngineInfo:
        return FakeListener().info

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        heard = FakeListener().hear(clip, hint)
        self.hints.append(hint)
        return attrs.evolve(heard, text=self.spoil(heard.text, len(self.hints) - 1))


def case_of(question: str, row: int = 0) -> Case:
    return next(case for case in CASES if case.question.name == question and case.identity == IDENTITIES[row])


def outcome_of(case: Case, spoil: Callable[[str, int], str] = lambda text, _: text) -> Outcome:
    ears = Spoiler(spoil)
    return run_virtual(answered(case, FakeVoice(), Ears(ears, ears), "ears", EnergyVad()))


# --- who and what ---


def test_identities_are_invented_varied_and_the_same_every_time() -> None:
    assert draw_identities(48, 7) == IDENTITIES
    assert draw_identities(16, 7) == IDENTITIES[:16]
    assert draw_identities(48, 8) != IDENTITIES
    assert len({person.name for person in IDENTITIES}) == 48
    assert Counter(person.origin for person in IDENTITIES) == dict.fromkeys(NAMES_BY_ORIGIN, 3)
    for person in IDENTITIES:
        assert re.fullmatch(r"\d{3}-555-01\d\d", person.phone)
        assert re.search(r"@example\.(com|net|org)$", person.email)
        assert person.email.isascii()


def test_every_value_is_one_of_its_kind() -> None:
    for case in CASES:
        for parameter, field, wanted in zip(
            case.question.parameters, case.question.fields, case.wanted, strict=True
        ):
            assert canonical(parameter.kind, getattr(case.identity, field)) == wanted
            assert str(getattr(case.identity, field)) in case.line


def test_the_design_is_balanced() -> None:
    assert len(CASES) == 48 * len(QUESTIONS)
    assert set(Counter((case.voice, case.question.name) for case in CASES).values()) == {6}
    for person in IDENTITIES:
        mine = [case for case in CASES if case.identity == person]
        assert [case.question for case in mine] == list(QUESTIONS)
        assert {case.voice for case in mine} == set(VOICES)


def test_what_is_said_again_is_slower_and_slower_in_the_same_pitch() -> None:
    styles: list[SpeechStyle] = []

    class Noting(FakeVoice):
        def speak(self, text: str, style: SpeechStyle) -> Clip:
            styles.append(style)
            return super().speak(text, style)

    case, ears = case_of("zip"), Spoiler(lambda text, _: "um")
    run_virtual(answered(case, Noting(), Ears(ears, ears), "ears", EnergyVad()))
    assert styles[0] == case.style
    assert styles[0].tempo * 0.9 > styles[1].tempo > styles[2].tempo > styles[3].tempo
    assert {style.pitch for style in styles} == {case.style.pitch}


# --- the loop ---


@pytest.mark.parametrize("question", [question.name for question in QUESTIONS])
def test_good_ears_capture_everything_at_once(question: str) -> None:
    for row in (0, 5):
        outcome = outcome_of(case_of(question, row))
        assert (outcome.captured_after, outcome.literal) == (1, True), outcome
        assert {item.ask for item in outcome.hearings} == {1}


def test_what_is_said_again_can_be_read_too() -> None:
    for question in QUESTIONS:
        case = case_of(question.name, 2)
        deaf_at_first = outcome_of(case, lambda text, before: text if before > 1 else "um")
        assert deaf_at_first.captured_after == 2, deaf_at_first
        assert deaf_at_first.hearings[-1].said != case.line


def test_the_first_answer_is_heard_again_before_it_is_asked_for_again() -> None:
    outcome = outcome_of(case_of("phone"), lambda text, before: text if before else "um")
    assert outcome.captured_after == 1
    assert [item.attention for item in outcome.hearings] == [Attention.QUICK, Attention.CAREFUL]


def test_a_caller_is_asked_four_times_and_no_more() -> None:
    outcome = outcome_of(case_of("phone"), lambda text, _: "um")
    assert outcome.captured_after is None
    assert outcome.attempts == ()
    assert {item.ask for item in outcome.hearings} == set(range(1, MOST_ASKS + 1))


def test_a_wrong_value_is_offered_and_never_counts() -> None:
    outcome = outcome_of(case_of("last four"), lambda text, _: "The last four are 0000.")
    assert outcome.captured_after is None
    assert [attempt.values for attempt in outcome.attempts] == [("0000",)]


def test_a_value_that_is_right_at_last_counts_from_there_on() -> None:
    case = case_of("zip")
    outcome = outcome_of(case, lambda text, before: text if before > 2 else "It's 00000.")
    assert outcome.captured_after == 3
    assert [outcome.captured(asks) for asks in (1, 2, 3, 4)] == [False, False, True, True]
    assert outcome.attempts[0].values == ("00000",)
    assert outcome.attempts[-1].values == case.wanted


def test_a_name_may_be_spelled_by_ear_but_is_not_literal_then() -> None:
    case = attrs.evolve(case_of("name"), line="My name is Katalina Zamora.", wanted=("Catalina Zamora",))
    outcome = outcome_of(case)
    assert outcome.captured_after == 1
    assert not outcome.literal
    assert not is_captured(case, ("Caroline Zamora",))


def test_two_values_at_once_must_both_be_right() -> None:
    case = case_of("ZIP + last four")
    assert is_captured(case, case.wanted)
    assert not is_captured(case, (case.wanted[0], "0000"))
    assert not is_captured(case, ("00000", case.wanted[1]))


def test_recognisers_hear_as_they_were_set_up_and_prompts_hold_dummies_only() -> None:
    tiny, base = Spoiler(lambda text, _: "um"), Spoiler(lambda text, _: "um")
    engines = Engines({voice: FakeVoice() for voice in VOICES}, tiny, base, EnergyVad())
    setups = ear_setups(engines)
    assert [setup.name for setup in setups] == ["tiny, beam 1", "tiny, beam 5", "base, prompted", REFERENCE]
    case = case_of("name + phone")
    (outcomes,) = measure([case], setups, engines)
    assert [outcome.ears for outcome in outcomes] == [setup.name for setup in setups]
    assert {hint.beam for hint in tiny.hints} == {1, 5}
    assert {hint.prompt for hint in tiny.hints} == {""}
    kinds = [parameter.kind for parameter in case.question.parameters]
    known = {prompt_for(tuple(kinds), prompts) for prompts in (PROMPTS, OTHER_PROMPTS)}
    assert prompt_for(tuple(kinds)) in {hint.prompt for hint in base.hints} <= known
    for prompt in known:
        assert not any(person.name.split()[0] in prompt for person in IDENTITIES)


# --- the page ---


def test_a_rate_has_its_count_and_interval() -> None:
    assert rate_text(44, 48) == "44/48, 92 % (80-97)"
    assert rate_text(0, 6) == "0/6, 0 % (0-39)"
    assert rate_text(0, 0) == "-"


def _results() -> Results:
    """Two people asked for two things; the second one's phone is never heard, his name at the second ask."""
    ears = Spoiler(lambda text, _: text)
    engines = Engines({voice: FakeVoice() for voice in VOICES}, ears, ears, EnergyVad())
    outcomes = []
    for row in (0, 1):
        for question in ("name", "phone"):
            case = case_of(question, row)
            deaf = 0 if row == 0 else 99 if question == "phone" else 2
            outcome = outcome_of(case, lambda text, before, deaf=deaf: text if before >= deaf else "um | ah")
            outcomes.append(attrs.evolve(outcome, ears=REFERENCE))
    setups = tuple(setup for setup in ear_setups(engines) if setup.name == REFERENCE)
    return Results(tuple(outcomes), setups, (ears.info,), 2, 7)


def test_the_rows_of_the_benchmark_are_the_ladders_figures() -> None:
    rows = {row.name: row for row in bench_rows(_results())}
    assert set(rows) == {"hearing_name", "hearing_phone"}
    assert (rows["hearing_name"].value, rows["hearing_phone"].value) == (100.0, 50.0)
    assert "after one 1/2, 50 %" in rows["hearing_name"].how


def test_the_page_tells_rates_and_every_failure() -> None:
    page = markdown(_results())
    assert page == markdown(_results())
    after_one, after_all = page.split("## Captured after up to 4 asks")
    assert "| name | 1/2, 50 % (9-91) |" in after_one
    assert "| name | 2/2, 100 % (34-100) |" in after_all
    assert "| phone | 1/2, 50 % (9-91) |" in after_all
    never = page.split("## Never captured by the reference ladder")[1].split("##")[0]
    assert f"**phone**, {IDENTITIES[1].phone}" in never
    assert re.search(r"^- asks? 2.*: said “six, one, seven", never, re.M)
    assert "heard “um | ah”" in never
    assert "- parsed and offered: nothing" in never
    late = page.split("only after asking again")[1].split("##")[0]
    (row,) = [line for line in late.splitlines() if IDENTITIES[1].name in line]
    assert row.count("|") == 8
    assert row.endswith("| 2 |")


@pytest.mark.speech
@pytest.mark.slow
def test_the_quick_run_hears_figures_well() -> None:
    rows = {row.name: row.value for row in run(quick=True)}
    assert len(rows) == len(QUESTIONS)
    for name in ("phone", "zip", "last_four", "date", "time", "ZIP_last_four".lower()):
        assert rows[f"hearing_{name}"] >= 75
