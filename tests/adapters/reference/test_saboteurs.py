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


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_no_fault_touches_a_task_that_gives_it_no_chance(name: str, tmp_path: Path) -> None:
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
