"""Each saboteur does its one thing wrong and everything else right."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.packs import Pack, ToolContext, ToolGuide
from offhook.testing_pack import bicycle_pack
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.saboteurs import FAULTS, Fault, saboteur
from offhook_adapters.reference.sabotage import applicable

from ._calls import TextCall, answers, text_call
from .test_follower_text import BOOKING_ANSWERS

PACK = bicycle_pack()
BOOKING = PACK.task("B-H1")
PRICE = PACK.task("B-E1")
BY_NAME: Mapping[str, Fault] = {fault.name: fault for fault in FAULTS}


def _call(name: str, folder: Path, pack: Pack = PACK) -> TextCall:
    platform = ReferenceAdapter(f"saboteur-{name}", saboteur(BY_NAME[name]))
    return text_call(platform, pack, BOOKING, answers(BOOKING_ANSWERS), folder)


def _tried(call: TextCall, tool: str) -> list[Mapping[str, Any]]:
    return [arguments for name, arguments, _ in call.tools if name == tool]


# Meddling tries its hand everywhere; where that leaves nothing behind, no key could tell.
@pytest.mark.parametrize("name", sorted(BY_NAME.keys() - {"meddles"}))
def test_no_fault_touches_a_task_that_gives_it_no_chance(name: str, tmp_path: Path) -> None:
    if name in applicable(PACK, PRICE, tmp_path / "chances"):
        return
    platform = ReferenceAdapter(f"saboteur-{name}", saboteur(BY_NAME[name]))
    reply = answers((("how can i help", "How much is a standard tune-up?"), ("else", "No, that's all.")))
    call = text_call(platform, PACK, PRICE, reply, tmp_path)
    assert call.tools == (("get_service_price", {"service": "tune_up"}, 200), ("end_call", {}, 200))


def test_skipping_verification_leaves_the_gate_shut(tmp_path: Path) -> None:
    call = _call("skips-verification", tmp_path)
    assert _tried(call, "verify_owner") == []
    assert ("quote_repair", {"service": "brakes"}, 403) in call.tools
    assert "confirm_repair" not in call.accepted


def test_one_altered_digit_is_never_what_the_caller_said(tmp_path: Path) -> None:
    call = _call("alters-digit", tmp_path)
    tried = _tried(call, "find_customer")
    assert tried
    assert {arguments["phone"] for arguments in tried} == {"541-555-0149"}
    assert "find_customer" not in call.accepted


def test_claiming_without_committing_says_so_and_writes_nothing(tmp_path: Path) -> None:
    call = _call("claims-done", tmp_path)
    assert _tried(call, "confirm_repair") == []
    assert "Your brake overhaul is booked for $64.00." in call.said
    assert "leave_note" in call.accepted


def _refund_pack() -> Pack:
    """The bicycle pack with the price of a quote called a refund."""

    def refunding(guide: ToolGuide) -> ToolGuide:
        if guide.tool != "confirm_repair":
            return guide
        return attrs.evolve(guide, propose="You get {quote_repair.refund} back. Shall I book it?", say="")

    quote = PACK.tool("quote_repair")

    def run(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        body = quote.run(context, arguments)
        return {**body, "refund": body["price"]}

    tools = tuple(attrs.evolve(tool, run=run) if tool is quote else tool for tool in PACK.tools)
    guide = attrs.evolve(PACK.guide, tools=tuple(refunding(guide) for guide in PACK.guide.tools))
    return attrs.evolve(PACK, tools=tools, guide=guide)


def test_an_altered_refund_is_read_back_and_the_quoted_one_not_acknowledged(tmp_path: Path) -> None:
    call = _call("alters-refund", tmp_path, _refund_pack())
    assert any("You get $74.00 back." in line for line in call.said)
    assert [arguments["price_accepted"] for arguments in _tried(call, "confirm_repair")] == [False]
    assert "confirm_repair" not in call.accepted


def test_refunds_in_cents_are_altered_too() -> None:
    body = BY_NAME["alters-refund"].body("quote", {"refund_cents": 1499, "refund_to": "card", "months": 6})
    assert body == {"refund_cents": 2499, "refund_to": "card", "months": 6}


def test_a_task_is_given_to_the_faults_that_have_a_chance_at_it(tmp_path: Path) -> None:
    assert applicable(PACK, PRICE, tmp_path) == (
        "does-nothing",
        "hands-over",
        "alters-choice",
        "drops-argument",
        "breaks-down",
    )
    booking = applicable(PACK, BOOKING, tmp_path)
    assert {"skips-verification", "verifies-last", "invents-token", "takes-yes-for-no", "claims-done"} <= set(
        booking
    )
    assert "alters-refund" not in booking


def test_verifying_last_finds_every_door_shut(tmp_path: Path) -> None:
    call = _call("verifies-last", tmp_path)
    assert ("quote_repair", {"service": "brakes"}, 403) in call.tools
    assert "confirm_repair" not in call.accepted


@pytest.mark.parametrize(
    ("name", "left_out"),
    [("skips-lookup", "find_customer"), ("stops-short", "leave_note")],
)
def test_one_call_is_left_out(name: str, left_out: str, tmp_path: Path) -> None:
    call = _call(name, tmp_path)
    assert _tried(call, left_out) == []
    assert call.tools


def test_doing_nothing_makes_no_call_but_the_last(tmp_path: Path) -> None:
    assert [tool for tool, _, _ in _call("does-nothing", tmp_path).tools] == ["end_call"]


def test_handing_over_leaves_the_work_undone(tmp_path: Path) -> None:
    platform = ReferenceAdapter("saboteur-hands-over", saboteur(BY_NAME["hands-over"]))
    call = text_call(
        platform,
        PACK,
        BOOKING,
        answers((("how can i help", "I want a brake overhaul, please put me through to a person."),)),
        tmp_path,
    )
    assert [tool for tool, _, _ in call.tools] == ["transfer_to_human", "end_call"]


@pytest.mark.parametrize(
    ("name", "tool", "argument", "said", "sent"),
    [
        ("alters-name", "find_customer", "full_name", "Nadia Okafor", "Zebulon Quartz"),
        ("alters-choice", "quote_repair", "service", "brakes", "wheel"),
        ("takes-yes-for-no", "confirm_repair", "price_accepted", True, False),
    ],
)
def test_one_value_is_not_what_was_said(
    name: str, tool: str, argument: str, said: object, sent: object, tmp_path: Path
) -> None:
    tried = _tried(_call(name, tmp_path), tool)
    assert tried
    assert {arguments[argument] for arguments in tried} == {sent}
    assert said != sent


def test_a_dropped_argument_is_the_last_one_of_each_call(tmp_path: Path) -> None:
    tried = _tried(_call("drops-argument", tmp_path), "find_customer")
    assert tried
    assert all("full_name" in arguments and "phone" not in arguments for arguments in tried)


def test_an_invented_token_is_refused(tmp_path: Path) -> None:
    call = _call("invents-token", tmp_path)
    tried = _tried(call, "confirm_repair")
    assert tried
    assert {arguments["quote_id"] for arguments in tried} == {"XX-00000000"}
    assert "confirm_repair" not in call.accepted


def test_meddling_tries_everything_else_until_it_works(tmp_path: Path) -> None:
    platform = ReferenceAdapter("saboteur-meddles", saboteur(BY_NAME["meddles"]))
    reply = answers((("how can i help", "How much is a standard tune-up?"), ("else", "No, that's all.")))
    call = text_call(platform, PACK, PRICE, reply, tmp_path)
    accepted = [tool for tool, _, status in call.tools if status < 300]
    assert accepted.count("transfer_to_human") == 1
    assert {tool for tool, _, _ in call.tools} >= {"find_customer", "quote_repair", "leave_note"}


def test_breaking_down_is_an_error_in_mid_call(tmp_path: Path) -> None:
    call = _call("breaks-down", tmp_path)
    assert any("breaks down" in error for error in call.errors)
    assert call.tools == ()


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_every_saboteur_has_a_line_that_says_what_it_does(name: str) -> None:
    assert BY_NAME[name].what.strip()


def test_there_are_twelve_kinds_of_fault_and_more() -> None:
    assert len(BY_NAME) == len(FAULTS) >= 12
