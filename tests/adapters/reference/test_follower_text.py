"""The policy follower over text against a real tool server."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from offhook.packs import Ask, Pack, Task, ToolGuide
from offhook.runner.kit import follower_plan
from offhook.testing_pack import bicycle_pack
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.follower import make_follower

from ._calls import Reply, TextCall, answers, in_turn, text_call

REFERENCE = ReferenceAdapter("reference", make_follower)
PACK = bicycle_pack()
PRICE = PACK.task("B-E1")
BOOKING = PACK.task("B-H1")

BOOKING_ANSWERS = (
    ("anything else", "That's everything, thank you. Bye."),
    ("how can i help", "Hi, I'd like to bring my bike in for a brake overhaul."),
    ("full name", "Nadia Okafor, 541-555-0148."),
    ("zip code", "ZIP 97405, and the frame number ends in 7730."),
    ("shall i book", "Yes, please book it for sixty-four dollars."),
    ("mechanic", "Please note that the rear brake squeals in the rain."),
)


def _call(task: Task, reply: Reply, folder: Path, pack: Pack = PACK) -> TextCall:
    return text_call(REFERENCE, pack, task, reply, folder)


def _with_guide(guide: ToolGuide) -> Pack:
    guides = tuple(guide if known.tool == guide.tool else known for known in PACK.guide.tools)
    return attrs.evolve(PACK, guide=attrs.evolve(PACK.guide, tools=guides))


def _arguments(call: TextCall, tool: str) -> list[dict[str, object]]:
    return [dict(arguments) for name, arguments, _ in call.tools if name == tool]


def test_a_wish_named_in_the_opening_is_not_asked_for(tmp_path: Path) -> None:
    reply = answers((("how can i help", "How much is a standard tune-up?"), ("else", "No, that's all.")))
    call = _call(PRICE, reply, tmp_path)
    assert call.tools == (("get_service_price", {"service": "tune_up"}, 200), ("end_call", {}, 200))
    assert call.said == (
        PACK.agent.greeting,
        "A standard tune-up is $85.00.",
        PACK.guide.closing,
        PACK.guide.goodbye,
    )
    assert call.ended.by == "agent"


def test_a_vague_wish_is_asked_about(tmp_path: Path) -> None:
    call = _call(PRICE, in_turn("I have a question.", "The wheel truing.", "No, thank you."), tmp_path)
    assert "Which service would you like" in call.said[1]
    assert _arguments(call, "get_service_price") == [{"service": "wheel"}]


def test_a_booking_goes_through_gate_quote_and_confirmation(tmp_path: Path) -> None:
    call = _call(BOOKING, answers(BOOKING_ANSWERS), tmp_path)
    assert call.accepted == (*(expected.tool for expected in BOOKING.expected), "end_call")
    assert _arguments(call, "find_customer") == [{"full_name": "Nadia Okafor", "phone": "541-555-0148"}]
    assert _arguments(call, "verify_owner") == [{"postal_code": "97405", "frame_last4": "7730"}]
    assert _arguments(call, "confirm_repair")[0]["price_accepted"] is True
    assert _arguments(call, "leave_note") == [
        {"note": "Please note that the rear brake squeals in the rain."}
    ]
    assert "A brake overhaul for your Larkspur 7 is $64.00. Shall I book it?" in call.said


def test_a_failed_look_up_is_asked_for_again_slowly(tmp_path: Path) -> None:
    wrong = iter(
        ["Nadia Okafor, 541-555-0149.", "Nadia Okafor, five four one, five five five, zero one four eight."]
    )
    others = answers(BOOKING_ANSWERS)
    call = _call(BOOKING, lambda said: next(wrong) if "full name" in said else others(said), tmp_path)
    tried = _arguments(call, "find_customer")
    assert [arguments["phone"] for arguments in tried] == ["541-555-0149", "541-555-0148"]
    assert any("the phone number slowly" in line for line in call.said)
    assert "leave_note" in call.accepted


def test_an_incomplete_number_is_asked_for_again_before_any_call(tmp_path: Path) -> None:
    said_phone = iter(["Nadia Okafor, 541-555-014.", "541-555-0148."])
    others = answers(BOOKING_ANSWERS)
    call = _call(BOOKING, lambda said: next(said_phone) if "full name" in said else others(said), tmp_path)
    assert _arguments(call, "find_customer") == [{"full_name": "Nadia Okafor", "phone": "541-555-0148"}]


def test_a_caller_nobody_can_find_is_handed_over(tmp_path: Path) -> None:
    digits = iter("2345678")
    others = answers(BOOKING_ANSWERS)

    def reply(said: str) -> str | None:
        return f"Nadia Okafor, 541-555-019{next(digits)}." if "full name" in said else others(said)

    call = _call(BOOKING, reply, tmp_path)
    refused = [tool for tool, _, status in call.tools if status >= 400]
    assert refused[:4] == ["find_customer"] * 4
    assert "confirm_repair" not in call.accepted


def test_no_means_no_booking(tmp_path: Path) -> None:
    reply = answers((("shall i book", "No, that is too much."), *BOOKING_ANSWERS))
    call = _call(BOOKING, reply, tmp_path)
    assert "confirm_repair" not in [tool for tool, _, _ in call.tools]
    assert call.ended.by == "agent"


def test_an_accepted_save_offer_stops_the_step_and_a_declined_one_goes_on(tmp_path: Path) -> None:
    guide = ToolGuide(
        "quote_repair",
        asks=PACK.guide.tools[3].asks,
        offer="We lend you a bike instead if you wait a month. Would you like that?",
    )
    pack = _with_guide(guide)
    declined = answers((("lend you", "No, please go on."), *BOOKING_ANSWERS))
    accepted = answers((("lend you", "Yes, I'd like that."), *BOOKING_ANSWERS))
    assert "confirm_repair" in _call(BOOKING, declined, tmp_path / "no", pack).accepted
    stopped = _call(BOOKING, accepted, tmp_path / "yes", pack)
    assert {"quote_repair", "confirm_repair"}.isdisjoint(stopped.accepted)


def test_long_numbers_are_read_back_and_corrected(tmp_path: Path) -> None:
    ask = attrs.evolve(PACK.guide.tools[1].asks[0], confirm="That was {full_name}, {phone}. Is that right?")
    pack = _with_guide(attrs.evolve(PACK.guide.tools[1], asks=(ask,)))
    reply = answers(
        (
            ("541-555-0149. Is that right", "No, it's 541-555-0148."),
            ("541-555-0148. Is that right", "Yes, that's right."),
            ("full name, and", "Nadia Okafor, 541-555-0149."),
            *BOOKING_ANSWERS,
        )
    )
    call = _call(BOOKING, reply, tmp_path, pack)
    assert _arguments(call, "find_customer") == [{"full_name": "Nadia Okafor", "phone": "541-555-0148"}]


def test_a_phone_number_given_with_the_name_is_not_asked_for(tmp_path: Path) -> None:
    asks = (
        Ask(("full_name",), "What is your full name?", "Your full name again, please?"),
        Ask(("phone",), "And the phone number?", "The phone number again, slowly?"),
    )
    pack = _with_guide(attrs.evolve(PACK.guide.tools[1], asks=asks))
    call = _call(BOOKING, answers(BOOKING_ANSWERS), tmp_path, pack)
    assert "And the phone number?" not in call.said
    assert "leave_note" in call.accepted


def test_two_look_ups_of_one_tool_take_two_different_choices(tmp_path: Path) -> None:
    plan = follower_plan(PACK, PRICE)
    plan = attrs.evolve(plan, steps=plan.steps * 2)
    reply = answers(
        (("how can i help", "What do a brake overhaul and a tune-up cost?"), ("else", "No, that's all."))
    )
    call = text_call(REFERENCE, PACK, PRICE, reply, tmp_path, plan=plan)
    assert _arguments(call, "get_service_price") == [{"service": "brakes"}, {"service": "tune_up"}]


def test_a_caller_who_wants_a_person_is_transferred_at_once(tmp_path: Path) -> None:
    plan = attrs.evolve(
        follower_plan(PACK, PRICE),
        steps=(
            attrs.evolve(
                follower_plan(PACK, PRICE).steps[0], tool="transfer_to_human", parameters=("reason",)
            ),
        ),
    )
    call = text_call(REFERENCE, PACK, PRICE, in_turn("I want to talk to a person."), tmp_path, plan=plan)
    assert call.tools == (("transfer_to_human", {"reason": "I want to talk to a person."}, 200),)
    assert call.ended.by == "agent"


def test_a_caller_who_did_not_hear_gets_the_question_again(tmp_path: Path) -> None:
    lines = in_turn(
        "Hi.", "Sorry, could you say that again?", "A tune-up, how much is it?", "No, that's all."
    )
    call = _call(PRICE, lines, tmp_path)
    assert call.said[:3] == (PACK.agent.greeting,) * 3
    assert "get_service_price" in call.accepted


def test_a_silent_caller_is_asked_twice_and_then_let_go(tmp_path: Path) -> None:
    call = _call(PRICE, lambda said: None, tmp_path)
    assert call.said == (PACK.agent.greeting, PACK.agent.greeting, PACK.guide.goodbye)
    assert call.ended.by == "agent"


def test_without_a_plan_there_is_one_clear_line(tmp_path: Path) -> None:
    plan = attrs.evolve(
        follower_plan(PACK, PRICE), steps=(attrs.evolve(follower_plan(PACK, PRICE).steps[0], tool="fly"),)
    )
    call = text_call(REFERENCE, PACK, PRICE, in_turn("Hello, how much is a tune-up?"), tmp_path, plan=plan)
    assert call.ended.by == "platform"
    assert call.errors == ("the plan calls fly, which is not among the agent's tools",)


@pytest.mark.parametrize("seed", range(2))
def test_equal_calls_take_an_equal_course(tmp_path: Path, seed: int) -> None:
    first = _call(BOOKING, answers(BOOKING_ANSWERS), tmp_path / f"a{seed}")
    second = _call(BOOKING, answers(BOOKING_ANSWERS), tmp_path / f"b{seed}")
    assert first.log == second.log
    assert first.said == second.said
