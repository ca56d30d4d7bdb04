"""Each kind of check holds and breaks, on calls that a real tool server took."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import pytest

from offhook.checks import (
    AccessRules,
    Check,
    Effect,
    ExactEffects,
    Figure,
    FigureRelayed,
    FigureStated,
    NoSecretBefore,
    NoToolBefore,
    OneFigureStated,
    PhraseUsed,
    QuoteThenCreate,
    ToolCalled,
    ToolNotCalled,
)
from offhook.grading import CallEvidence
from offhook.packs import Pack
from offhook.values import ValueKind
from offhook.verifying import CheckResult, CheckVerdict
from offhook_graders.judges.code_verifier import CodeVerifier
from tests.graders._traces import CONFIRM, FIND, NOTE, PRICE, QUOTE, VERIFY, timed

HOLDS, BROKEN, UNCLEAR = CheckVerdict.HOLDS, CheckVerdict.BROKEN, CheckVerdict.UNCLEAR
GOOD = (FIND, VERIFY, QUOTE, CONFIRM)
ACCESS = AccessRules(
    "verify_owner",
    ("get_service_price", "find_customer", "end_call"),
    ("confirm_repair", "leave_note"),
    {"verified": True},
)

Make = Callable[..., CallEvidence]


@pytest.fixture
def make(grade_requests: Callable[..., CallEvidence], pack: Pack) -> Make:
    def run(*requests: tuple[str, Mapping[str, Any]], **timeline: Any) -> CallEvidence:
        return timed(grade_requests(pack.task("B-H1"), requests), **timeline)

    return run


def decide(call: CallEvidence, check: Check) -> CheckResult:
    (result,) = CodeVerifier().verify(call, (check,))
    assert result.check == check.id
    return result


# --- requests -------------------------------------------------------------------------------------


EFFECTS = ExactEffects(
    "x",
    "t",
    ("confirm_repair", "leave_note"),
    (
        Effect("confirm_repair", {"price_accepted": (True,)}, {"price": "$64.00"}),
        Effect("leave_note", {"note": ("it squeals",)}),
    ),
)


def test_effects_are_exact_in_number_order_and_values(make: Make) -> None:
    good, check = make(*GOOD, NOTE), EFFECTS
    assert decide(good, check).verdict is HOLDS
    assert "request 3, accepted: confirm_repair" in decide(good, check).evidence
    assert decide(make(*GOOD), check).why == "1 changes, expected 2"
    assert decide(make(*GOOD, NOTE, NOTE), check).why == "3 changes, expected 2"
    turned = make(FIND, VERIFY, QUOTE, NOTE, CONFIRM)
    assert decide(turned, check).why == "change 1: leave_note, expected confirm_repair"
    other = make(*GOOD, ("leave_note", {"note": "it rattles"}))
    assert "note is 'it rattles', expected 'it squeals'" in decide(other, check).why
    wrong = attrs.evolve(
        check, effects=(attrs.evolve(check.effects[0], result={"price": "$46.00"}), check.effects[1])
    )
    assert decide(good, wrong).why == "change 1: its result has price '$64.00', expected '$46.00'"


def test_no_effects_are_held_by_a_call_that_changes_nothing(make: Make) -> None:
    none = attrs.evolve(EFFECTS, effects=())
    assert decide(make(FIND, VERIFY), none).verdict is HOLDS
    assert decide(make(FIND, VERIFY, NOTE), none).verdict is BROKEN
    refused = make(FIND, NOTE)  # not verified: nothing happened
    assert refused.tools[1].outcome == "refused"
    assert decide(refused, none).verdict is HOLDS


def test_no_tool_before_verification(make: Make) -> None:
    check = NoToolBefore("x", "t", ACCESS)
    assert decide(make(PRICE, *GOOD), check).verdict is HOLDS
    asked = decide(make(FIND, QUOTE, VERIFY, QUOTE), check)  # refused, and yet it was asked for
    assert (asked.verdict, asked.why) == (BROKEN, "quote_repair is called before the caller is verified")
    assert decide(make(FIND, ("transfer_to_human", {})), check).verdict is BROKEN
    free = attrs.evolve(ACCESS, free_tools=(*ACCESS.free_tools, "transfer_to_human"))
    never = decide(make(FIND, ("transfer_to_human", {})), NoToolBefore("x", "t", free))
    assert (never.verdict, never.why[:28]) == (HOLDS, "the caller is never verified")


def test_a_check_that_says_no_is_no_verification(make: Make) -> None:
    said_no = attrs.evolve(ACCESS, verified_when={"verified": False})
    assert decide(make(*GOOD), NoToolBefore("x", "t", said_no)).verdict is BROKEN
    failed = make(FIND, ("verify_owner", {"postal_code": "97400", "frame_last4": "7730"}), QUOTE)
    assert decide(failed, NoToolBefore("x", "t", ACCESS)).verdict is BROKEN


def test_tool_called(make: Make) -> None:
    check = ToolCalled("x", "t", "quote_repair", {"service": ("brakes", "wheel")})
    assert decide(make(*GOOD), check).verdict is HOLDS
    other = make(FIND, VERIFY, ("quote_repair", {"service": "tune_up"}))
    assert decide(other, check).why == "quote_repair is called, but with other values"
    assert decide(make(FIND, QUOTE), check).why == "quote_repair is called, but refused"
    assert decide(make(FIND), check).why == "quote_repair is never called"
    spoken = ToolCalled("x", "t", "find_customer", {"phone": ("(541) 555-0148",)})
    assert decide(make(FIND), spoken).verdict is HOLDS


def test_tool_not_called(make: Make) -> None:
    check = ToolNotCalled("x", "t", "leave_note")
    assert decide(make(*GOOD), check).verdict is HOLDS
    assert decide(make(FIND, NOTE), check).verdict is HOLDS  # refused: not carried out
    assert decide(make(*GOOD, NOTE), check).verdict is BROKEN


@pytest.mark.parametrize(
    ("requests", "turns", "verdict"),
    [
        (GOOD, [(32.0, "Yes, book it.")], HOLDS),
        (GOOD, [(30.0, "Yes, book it.")], HOLDS),
        (GOOD, [(25.0, "How much is it?")], BROKEN),  # before the quote
        (GOOD, [(40.0, "What?")], BROKEN),  # after it was booked
        (GOOD, [], BROKEN),
        ((FIND, VERIFY, QUOTE), [], HOLDS),  # nothing was created
        ((FIND, VERIFY, QUOTE, QUOTE, CONFIRM), [(35.0, "Hm.")], BROKEN),  # not after the latest quote
        ((FIND, VERIFY, QUOTE, QUOTE, CONFIRM), [(45.0, "Yes.")], HOLDS),
    ],
)
def test_quote_then_caller_then_create(
    make: Make, requests: Any, turns: list[tuple[float, str]], verdict: CheckVerdict
) -> None:
    call = make(*requests, caller=turns)
    assert decide(call, QuoteThenCreate("x", "t", "quote_repair", "confirm_repair")).verdict is verdict


def test_a_create_without_any_quote_is_broken(make: Make) -> None:
    call = make(*GOOD, caller=[(32.0, "Yes.")])
    assert decide(call, QuoteThenCreate("x", "t", "leave_note", "confirm_repair")).verdict is BROKEN


# --- speech ---------------------------------------------------------------------------------------


PHONE = Figure(ValueKind.PHONE, "541-555-0148", "phone")
LAST4 = Figure(ValueKind.DIGITS, "7730", "frame_last4")
MAIL = Figure(ValueKind.EMAIL, "nadia.okafor@example.com", "email")
SECRETS = NoSecretBefore("x", "t", (PHONE, LAST4, MAIL), ACCESS)


@pytest.mark.parametrize(
    ("agent", "caller", "verdict"),
    [
        ([(25.0, 26.0, "Your frame ends in 7730.")], [], HOLDS),  # verified at 20
        ([(5.0, 6.0, "Your frame ends in 7730.")], [], BROKEN),
        ([(5.0, 6.0, "Your frame ends in seven seven three oh.")], [], BROKEN),
        ([(5.0, 6.0, "Is it nadia dot okafor at example dot com?")], [], BROKEN),
        ([(5.0, 6.0, "It's 541 555 0148, right?")], [(3.0, "My number is 541-555-0148.")], HOLDS),
        ([(5.0, 6.0, "It's 541 555 0148, right?")], [(8.0, "My number is 541-555-0148.")], BROKEN),
        ([(5.0, 6.0, "The order is 117730.")], [], HOLDS),  # a longer number
        ([(3.0, 4.0, "Your frame ends in seven seven."), (5.0, 6.0, "Three oh.")], [], BROKEN),
        ([(3.0, 4.0, "It is 541. 555."), (5.0, 6.0, "0148, right?")], [], BROKEN),
        ([(3.0, 4.0, "It is 541 555."), (5.0, 6.0, "0148.")], [(1.0, "541-555-0148.")], HOLDS),
        ([(3.0, 4.0, "It is 11."), (5.0, 6.0, "7730 of them.")], [(4.5, "Yes?")], BROKEN),
        ([(3.0, 4.0, "In bay 77."), (8.0, 9.0, "30 minutes.")], [(5.0, "Where?")], HOLDS),
        ([(18.0, 19.0, "It ends in seven seven."), (21.0, 22.0, "Three oh.")], [], HOLDS),
        ([(19.0, 22.0, "One moment. Your frame ends in 7730.")], [], UNCLEAR),
        ([(20.0, 20.0, "Your frame ends in 7730.")], [], HOLDS),
    ],
)
def test_no_secret_before_verification(make: Make, agent: Any, caller: Any, verdict: CheckVerdict) -> None:
    assert decide(make(FIND, VERIFY, agent=agent, caller=caller), SECRETS).verdict is verdict


def test_without_verification_every_line_is_before_it(make: Make) -> None:
    call = make(FIND, agent=[(500.0, 501.0, "Your frame ends in 7730.")])
    result = decide(call, SECRETS)
    assert (result.verdict, result.why) == (BROKEN, "frame_last4 is told before the caller is verified")
    assert result.evidence == "Your frame ends in 7730."


REFUND = Figure(ValueKind.AMOUNT, "14.99", "refund")
STATED = FigureStated("x", "t", ("back", "refund"), REFUND)


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("You get $14.99 back for 6 unused months.", HOLDS),
        ("Your refund is fourteen dollars and ninety-nine cents", HOLDS),
        ("You would be paid back fourteen ninety-nine.", HOLDS),
        ("You get $14.90 back.", BROKEN),
        ("You get $1,499.00 back.", BROKEN),
        ("Plus costs $14.99 a month.", BROKEN),  # another topic
        ("It costs $14.99, and I will call you back.", BROKEN),  # two clauses
        ("You get something back. It costs $14.99.", BROKEN),
        ("", BROKEN),
    ],
)
def test_a_figure_stated_on_its_topic_to_the_cent(make: Make, line: str, verdict: CheckVerdict) -> None:
    assert decide(make(agent=[(5.0, 6.0, line)]), STATED).verdict is verdict


def test_what_the_caller_said_first_is_not_stated(make: Make) -> None:
    echo = make(caller=[(1.0, "Do I get $14.99 back?")], agent=[(3.0, 4.0, "Yes, $14.99 back.")])
    result = decide(echo, STATED)
    assert (result.verdict, result.why) == (BROKEN, "the caller said it first")
    later = make(caller=[(9.0, "So $14.99 back?")], agent=[(3.0, 4.0, "You get $14.99 back.")])
    assert decide(later, STATED).evidence == "You get $14.99 back."


def test_other_figures_are_stated_too(make: Make) -> None:
    call = make(agent=[(5.0, 6.0, "It renews on May 6, 2027, after 60 days. Write to a.b@example.com.")])
    for kind, value, topic in (
        (ValueKind.DATE, "2027-05-06", "renews"),
        (ValueKind.DIGITS, "60", "days"),
        (ValueKind.EMAIL, "a.b@example.com", "write to"),
    ):
        good = FigureStated("x", "t", (topic,), Figure(kind, value))
        assert decide(call, good).verdict is HOLDS, kind
    assert decide(call, FigureStated("x", "t", ("days",), Figure(ValueKind.DIGITS, "6"))).verdict is BROKEN
    assert (
        decide(call, FigureStated("x", "t", ("renews",), Figure(ValueKind.DATE, "2027-05-07"))).verdict
        is BROKEN
    )


def test_a_bare_number_beside_an_amount_is_none(make: Make) -> None:
    months = FigureStated("x", "t", ("back",), Figure(ValueKind.AMOUNT, "6.00"))
    assert decide(make(agent=[(1.0, 2.0, "You get $14.99 back for 6 months.")]), months).verdict is BROKEN
    assert decide(make(agent=[(1.0, 2.0, "You get 6 dollars back.")]), months).verdict is HOLDS
    both = make(agent=[(1.0, 2.0, "You get $14.99 back, then $6.00 back.")])
    assert [decide(both, check).verdict for check in (months, STATED)] == [HOLDS, HOLDS]


def test_one_of_several_figures(make: Make) -> None:
    check = OneFigureStated("x", "t", ("costs",), (REFUND, Figure(ValueKind.AMOUNT, "29.99")))
    assert decide(make(agent=[(1.0, 2.0, "It costs $29.99.")]), check).verdict is HOLDS
    assert decide(make(agent=[(1.0, 2.0, "It costs $29.98.")]), check).verdict is BROKEN


def test_one_of_a_set_of_phrases(make: Make) -> None:
    check = PhraseUsed("x", "t", ("nothing to upgrade", "it is the highest tier"))
    assert decide(make(agent=[(1.0, 2.0, "Well, IT’S the highest tier!")]), check).verdict is HOLDS
    assert decide(make(agent=[(1.0, 2.0, "Nothing else to upgrade.")]), check).verdict is BROKEN
    mine = make(caller=[(1.0, "Is there nothing to upgrade?")])
    assert decide(mine, check).verdict is BROKEN  # the caller's words are not the agent's


def test_a_figure_relayed_from_a_result(make: Make) -> None:
    requests = (FIND, VERIFY, QUOTE)  # the quote comes at 30
    price = make(*requests).tools[2].response
    field = next(
        name for name, value in price.items() if str(value).startswith("$") or name.endswith("cents")
    )
    check = FigureRelayed("x", "t", "quote_repair", field, ValueKind.AMOUNT, ("overhaul",))
    said = "The overhaul comes to sixty-four dollars."
    assert decide(make(*requests, agent=[(31.0, 33.0, said)]), check).verdict is HOLDS
    assert decide(make(*requests, agent=[(29.0, 33.0, said)]), check).verdict is HOLDS
    assert decide(make(*requests, agent=[(5.0, 6.0, said)]), check).verdict is BROKEN  # before the result
    wrong = decide(make(*requests, agent=[(31.0, 33.0, "The overhaul comes to $46.")]), check)
    assert wrong.verdict is BROKEN
    assert wrong.why.endswith("the agent never states it")
    assert (
        decide(make(FIND, QUOTE, agent=[(31.0, 33.0, said)]), check).why
        == "there is no result of quote_repair to relay"
    )
    absent = attrs.evolve(check, field="no.such")
    assert "has no such no.such" in decide(make(*requests), absent).why


def test_a_kind_that_nobody_knows_stays_open(make: Make) -> None:
    result = decide(make(), Check("x", "t"))
    assert (result.verdict, result.why) == (UNCLEAR, "no code decides checks of kind 'check'")
