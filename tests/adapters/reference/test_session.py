"""Turn-taking of the reference platform over a real line, in virtual time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE, Clip
from offhook.line import CallerEnd
from offhook.packs import Task
from offhook.platforms import PlatformUnusable
from offhook.sessions import Capabilities
from offhook.speech import EngineInfo, Heard, ListenerHint
from offhook.testing import FakeListener, FakeVoice, noise, run_virtual
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import agent_config
from offhook.values import ValueKind
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.follower import make_follower
from offhook_adapters.reference.session import Delays
from offhook_adapters.reference.speech import OTHER_PROMPTS, PROMPTS, chosen_voice, prompt_for
from offhook_adapters.reference.turns import TurnSettings

from ._audio_calls import AudioCall, Talk, audio_call, speaking, spoken
from ._calls import answers, engines, setup

REFERENCE = ReferenceAdapter("reference", make_follower)
PACK = bicycle_pack()
PRICE = PACK.task("B-E1")
BOOKING = PACK.task("B-H1")
PRICE_ANSWERS = (
    ("how can i help", "How much is a standard tune-up?"),
    ("anything else", "No, that's all."),
)
# Numbers as a voice is given them; the agent's own are verbalised too.
BOOKING_ANSWERS = (
    ("anything else", "That's everything, thank you. Bye."),
    ("how can i help", "Hi, I'd like to bring my bike in for a brake overhaul."),
    ("full name", "Nadia Okafor, five four one, five five five, zero one four eight."),
    ("zip code", "ZIP nine seven four zero five, and the frame number ends in seven seven three zero."),
    ("shall i book", "Yes, please book it for sixty-four dollars."),
    ("mechanic", "Please note that the rear brake squeals in the rain."),
)


def _call(task: Task, talk: Talk, folder: Path, seed: int = 1) -> AudioCall:
    return audio_call(REFERENCE, PACK, task, talk, folder, seed=seed)


def test_a_booking_is_heard_spoken_and_made(tmp_path: Path) -> None:
    call = _call(BOOKING, speaking(answers(BOOKING_ANSWERS)), tmp_path)
    assert call.accepted == (*(expected.tool for expected in BOOKING.expected), "end_call")
    assert [arguments for name, arguments, _ in call.tools if name == "verify_owner"] == [
        {"postal_code": "97405", "frame_last4": "7730"}
    ]
    assert call.heard[1] == BOOKING_ANSWERS[2][1]
    assert call.ended.by == "agent"
    assert call.tapes.ended_by == "platform"


def test_the_answer_comes_after_hangover_and_declared_delays(tmp_path: Path) -> None:
    call = _call(PRICE, speaking(answers(PRICE_ANSWERS)), tmp_path)
    turns, delays = TurnSettings(), Delays()
    parts = (delays.hearing, delays.thinking, delays.speaking)
    least = turns.hangover + sum(low for low, _ in parts)
    most = turns.hangover + sum(high for _, high in parts)
    ends = [span.end for span in call.tapes.sent]
    gaps = [min(span.start for span in call.tapes.played if span.start > end) - end for end in ends]
    assert len(gaps) == 2
    # Two frames of play: speech ends within a frame, and playing starts on one.
    assert all(least - 0.04 <= gap <= most + 0.04 for gap in gaps), (least, most, gaps)


def test_talking_over_the_agent_stops_it_and_counts_as_the_answer(tmp_path: Path) -> None:
    started: list[float] = []

    async def interrupt(line: CallerEnd) -> None:
        await asyncio.sleep(1.2)
        started.append((await line.say(spoken("How much is a standard tune-up?"))).start)

    rest = speaking(answers(PRICE_ANSWERS[1:]))
    call = audio_call(REFERENCE, PACK, PRICE, rest, tmp_path, aside=interrupt)
    assert call.heard[0] == "How much is a standard tune-up?"
    assert call.said[:2] == (PACK.agent.greeting, "A standard tune-up is $85.00.")
    (clear,) = call.tapes.clears
    assert 0.2 <= clear.at - started[0] <= 0.4
    assert clear.dropped > 0.3


def test_a_noise_while_the_agent_talks_neither_stops_it_nor_counts(tmp_path: Path) -> None:
    async def knock(line: CallerEnd) -> None:
        await asyncio.sleep(1.2)
        await line.say(noise(0.15, -20.0, seed=3))

    call = audio_call(REFERENCE, PACK, PRICE, speaking(answers(PRICE_ANSWERS)), tmp_path, aside=knock)
    assert call.tapes.clears == ()
    assert call.heard == ("How much is a standard tune-up?", "No, that's all.")
    assert call.said[0] == PACK.agent.greeting
    assert len(call.said) == 4


def test_a_caller_who_pauses_and_goes_on_is_one_turn(tmp_path: Path) -> None:
    rest = speaking(answers(BOOKING_ANSWERS))

    async def talk(line: CallerEnd, said: str) -> None:
        if "full name" in said:
            await line.say(spoken("Nadia Okafor,"))
            await asyncio.sleep(TurnSettings().hangover + 0.15)
            await line.say(spoken("five four one, five five five, zero one four eight."))
        else:
            await rest(line, said)

    call = _call(BOOKING, talk, tmp_path)
    assert call.heard[1:3] == ("Nadia Okafor,", "five four one, five five five, zero one four eight.")
    assert call.said.count(PACK.guide.tools[1].asks[0].question) == 1
    assert "leave_note" in call.accepted


def test_a_silent_caller_is_asked_once_more_after_the_timeout(tmp_path: Path) -> None:
    async def silent(line: CallerEnd, said: str) -> None:
        """Says nothing."""

    call = _call(PRICE, silent, tmp_path)
    assert call.said == (PACK.agent.greeting, PACK.agent.greeting, PACK.guide.goodbye)
    first, second = call.tapes.played[:2]
    waited = second.start - first.end
    assert TurnSettings().give_up <= waited <= TurnSettings().give_up + Delays().speaking[1] + 0.04
    assert call.ended.by == "agent"


def test_the_agents_last_words_are_played_out(tmp_path: Path) -> None:
    call = _call(PRICE, speaking(answers(PRICE_ANSWERS)), tmp_path)
    tail = Clip(call.tapes.stereo[-round(6 * LINE_RATE) :, 1].copy())
    assert FakeListener().hear(tail, ListenerHint()).text.endswith(PACK.guide.goodbye)


def test_a_caller_who_hangs_up_ends_the_session_at_once(tmp_path: Path) -> None:
    async def leave(line: CallerEnd, said: str) -> None:
        line.hang_up()

    call = _call(PRICE, leave, tmp_path)
    assert call.ended.by == "caller"
    assert call.tools == ()
    assert call.errors == ()


def test_one_seed_gives_one_call_and_another_seed_another(tmp_path: Path) -> None:
    talk = speaking(answers(BOOKING_ANSWERS))
    first, again, other = (
        _call(BOOKING, talk, tmp_path / name, seed) for name, seed in (("a", 7), ("b", 7), ("c", 8))
    )
    assert np.array_equal(first.tapes.stereo, again.tapes.stereo)
    assert first.tools == again.tools
    assert not np.array_equal(first.tapes.stereo, other.tapes.stereo)
    assert first.accepted == other.accepted


@attrs.define
class Spy:
    """A listener that notes every hint, and hears another last digit as long as ``deaf`` is not used up."""

    name: str
    deaf: int = 0
    hints: list[ListenerHint] = attrs.field(factory=list)

    @property
    def info(self) -> EngineInfo:
        return FakeListener().info

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        self.hints.append(hint)
        heard = FakeListener().hear(clip, hint)
        if self.deaf > 0 and "zero one four eight" in heard.text:
            self.deaf -= 1
            return attrs.evolve(heard, text=heard.text.replace("four eight", "four nine"))
        return heard


def _with_ears(quick: Spy, careful: Spy, folder: Path) -> AudioCall:
    parts = attrs.evolve(engines(), ears=quick, careful_ears=careful)
    return audio_call(REFERENCE, PACK, BOOKING, speaking(answers(BOOKING_ANSWERS)), folder, parts=parts)


def test_a_long_number_is_heard_again_with_better_ears_before_it_is_used(tmp_path: Path) -> None:
    quick, careful = Spy("quick", deaf=9), Spy("careful")
    call = _with_ears(quick, careful, tmp_path)
    assert [status for name, _, status in call.tools if name == "find_customer"] == [200]
    assert call.said.count(PACK.guide.tools[1].asks[0].question) == 1
    assert [hint.beam for hint in careful.hints] == [5]
    assert careful.hints[0].prompt == prompt_for((ValueKind.NAME, ValueKind.PHONE))
    assert "leave_note" in call.accepted


def test_every_other_repetition_is_heard_otherwise(tmp_path: Path) -> None:
    quick, careful = Spy("quick", deaf=9), Spy("careful", deaf=2)
    call = _with_ears(quick, careful, tmp_path)
    assert "leave_note" in call.accepted
    kinds = (ValueKind.NAME, ValueKind.PHONE)
    assert [hint.prompt for hint in careful.hints] == [
        prompt_for(kinds),
        prompt_for(kinds),
        prompt_for(kinds, OTHER_PROMPTS),
    ]


def test_the_answer_to_a_repeated_question_is_heard_with_better_ears_at_once(tmp_path: Path) -> None:
    quick, careful = Spy("quick", deaf=9), Spy("careful", deaf=1)
    call = _with_ears(quick, careful, tmp_path)
    assert [status for name, _, status in call.tools if name == "find_customer"] == [404, 200]
    assert PACK.guide.tools[1].asks[0].again in call.said
    assert len(careful.hints) == 2
    assert all("zero one four eight" not in text for text in call.heard[:2])
    assert "zero one four eight" in call.heard[2]


def test_ears_that_stay_wrong_lead_to_a_slower_question_and_then_fail_the_call(tmp_path: Path) -> None:
    call = _with_ears(Spy("quick", deaf=99), Spy("careful", deaf=99), tmp_path)
    assert "find_customer" not in call.accepted
    assert PACK.guide.tools[1].asks[0].again in call.said
    assert PACK.guide.sorry in call.said


def test_no_value_of_the_call_ever_reaches_a_recogniser(tmp_path: Path) -> None:
    quick, careful = Spy("quick", deaf=9), Spy("careful", deaf=1)
    call = _with_ears(quick, careful, tmp_path)
    assert "leave_note" in call.accepted
    prompts = {hint.prompt for hint in (*quick.hints, *careful.hints)}
    assert len(careful.hints) > 1
    known = {prompt_for(kinds, wording) for kinds in _kind_lists() for wording in (PROMPTS, OTHER_PROMPTS)}
    assert prompts <= known | {""}
    for trait in BOOKING.traits:
        for word in (*trait.value.lower().split(), trait.value.lower(), trait.value.replace("-", "")):
            assert not any(word in prompt.lower() for prompt in prompts if len(word) > 3), word


def _kind_lists() -> list[tuple[ValueKind, ...]]:
    return [tuple(parameter.kind for parameter in PACK.tool(name).parameters) for name in PACK.agent.tools]


def test_prompts_name_each_kind_once_and_only_kinds_with_digits_or_names() -> None:
    twice = prompt_for((ValueKind.PHONE, ValueKind.DIGITS, ValueKind.PHONE, ValueKind.TEXT))
    assert twice == f"{PROMPTS[ValueKind.PHONE]} {PROMPTS[ValueKind.DIGITS]}"
    assert prompt_for(()) == ""


def test_the_voice_is_the_one_asked_for_or_the_plain_female_slot() -> None:
    voices = {name: FakeVoice(name) for name in ("b-voice", "a-voice")}
    parts = attrs.evolve(engines(), voices=voices)
    assert chosen_voice(parts, {"voice": "b-voice"}).name == "b-voice"
    assert chosen_voice(parts, {}).name == "a-voice"
    with_heart = attrs.evolve(parts, voices={**voices, "us-female-heart": FakeVoice("us-female-heart")})
    assert chosen_voice(with_heart, {}).name == "us-female-heart"
    with pytest.raises(PlatformUnusable, match="no voice 'c': choose one of a-voice, b-voice"):
        chosen_voice(parts, {"voice": "c"})
    with pytest.raises(PlatformUnusable, match="run pip install 'offhook\\[speech\\]'"):
        chosen_voice(attrs.evolve(parts, voices={}), {})


def test_a_voice_that_there_is_not_stops_the_run_before_its_first_call() -> None:
    pack = bicycle_pack()
    agent, call = agent_config(pack), attrs.evolve(setup(pack, pack.tasks[0]), options={"voice": "nobody"})

    async def connect() -> None:
        adapter = ReferenceAdapter("reference", make_follower)
        await adapter.connect(await adapter.deploy(agent), call)

    with pytest.raises(PlatformUnusable, match="there is no voice 'nobody': choose one of"):
        run_virtual(connect())


def test_a_call_without_engines_is_refused_in_one_line() -> None:
    async def connect() -> None:
        bare = attrs.evolve(setup(PACK, PRICE), engines=None)
        await REFERENCE.connect(await REFERENCE.deploy(agent_config(PACK)), bare)

    with pytest.raises(ValueError, match="give the call speech engines, or use --line text"):
        run_virtual(connect())


def test_the_reference_says_what_it_is() -> None:
    said = REFERENCE.capabilities
    assert attrs.evolve(said, layers=()) == Capabilities(
        record=True, cost=True, concurrency=1000, virtual_time=True, harness_reference=True
    )
    assert [(layer.layer, layer.chosen_by) for layer in said.layers] == [
        ("stt", "bundled"),
        ("llm", "bundled"),
        ("tts", "bundled"),
    ]


def test_a_call_without_a_plan_is_refused_once_and_for_all() -> None:
    async def main() -> None:
        adapter = ReferenceAdapter("reference", make_follower)
        deployment = await adapter.deploy(agent_config(PACK))
        with pytest.raises(PlatformUnusable, match="drill another platform, such as recruit"):
            await adapter.connect(deployment, attrs.evolve(setup(PACK, PRICE), plan=None))

    run_virtual(main())
