"""Words for returns and refunds."""

from __future__ import annotations

import attrs

from offhook.packs import Ask, ToolGuide
from offhook_industries.customer_support.guide._shared import ASK_ORDER, NO_ACCESS, WHICH_ORDER

__all__ = ["return_guides"]

# What became of an order decides what can be said of its return.
_WHICH_AND_STATUS = attrs.evolve(WHICH_ORDER, label="{in_short}")


def return_guides() -> tuple[ToolGuide, ...]:
    return (*_returning(), *_afterwards())


def _returning() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "check_return_eligibility",
            asks=(ASK_ORDER,),
            options=(_WHICH_AND_STATUS,),
            hold="I see {order_number}. Let me work out how long that can come back.",
            say="I've checked, and {check_return_eligibility.in_short}.",
            refused=NO_ACCESS,
            retry=("unknown_order",),
        ),
        ToolGuide(
            "quote_return",
            asks=(
                ASK_ORDER,
                Ask(
                    ("reason",),
                    "Why is it going back? Have you changed your mind, is it faulty, did it arrive "
                    "damaged, or was it the wrong item?",
                    "Sorry, what is the reason for the return?",
                ),
            ),
            options=(WHICH_ORDER,),
            hold="Let me work out your refund.",
            say="I've checked, and {quote_return.in_short}.",
            refused={
                "not_returnable": "I'm sorry, that can't come back.",
                "already_returned": "That is being returned already.",
                **NO_ACCESS,
            },
            retry=("unknown_order", "not_a_safety_case"),
        ),
        ToolGuide(
            "confirm_return",
            propose="So {quote_return.in_short}. Shall I start the return?",
            consent="refund_acknowledged",
            carry={"quote_token": "quote_return.quote_token"},
            say="Done, {confirm_return.in_short}. {confirm_return.next_step}",
            refused=NO_ACCESS,
        ),
    )


def _afterwards() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "create_return_label",
            carry={"rma_number": "confirm_return.rma_number"},
            hold="Let me arrange how it gets back to us.",
            say="Here is how it works: {create_return_label.in_short}.",
            refused={"return_closed": "That return is over, the item has been checked in.", **NO_ACCESS},
            completes=True,
        ),
        ToolGuide(
            "get_refund_status",
            asks=(
                ASK_ORDER,
                Ask(
                    ("refund_for",),
                    "Is that the refund for a return, for a cancelled order, or for a matched price?",
                    "Sorry, what is the refund for, a return, a cancelled order, or a matched price?",
                ),
            ),
            options=(WHICH_ORDER,),
            hold="Let me see where that refund is.",
            say="I see that {get_refund_status.in_short}.",
            refused=NO_ACCESS,
            retry=("unknown_order",),
        ),
    )
