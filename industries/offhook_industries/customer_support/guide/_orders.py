"""Words for orders, deliveries and matched prices."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide
from offhook_industries.customer_support.guide._shared import ASK_ORDER, NO_ACCESS, WHICH_ORDER

__all__ = ["order_guides"]


def order_guides() -> tuple[ToolGuide, ...]:
    return (*_order(), *_delivery(), *_price_match())


def _order() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "get_order",
            asks=(ASK_ORDER,),
            options=(WHICH_ORDER,),
            hold="Let me bring that order up.",
            say="I see that {get_order.in_short}. {get_order.safety} {get_order.notes}",
            refused=NO_ACCESS,
            retry=("unknown_order",),
        ),
        ToolGuide(
            "cancel_order",
            asks=(ASK_ORDER,),
            options=(WHICH_ORDER,),
            propose="Cancelling {order_number} sends the full amount back to the card that paid. Shall I "
            "cancel that order?",
            say="Done, {cancel_order.in_short}. It shows there {cancel_order.posts_between}.",
            refused={
                "already_shipped": "That order has shipped, so it can't be cancelled any more.",
                "already_delivered": "That order has arrived, so it can't be cancelled any more.",
                "already_cancelled": "That order has been cancelled already.",
                "special_order": "That was a special order, and special orders can't be cancelled here.",
                "on_the_truck": "That order is on the truck already, so it can't be cancelled any more.",
                **NO_ACCESS,
            },
            retry=("unknown_order",),
            completes=True,
        ),
    )


def _delivery() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "quote_delivery_change",
            asks=(
                ASK_ORDER,
                Ask(
                    ("new_date",),
                    "To which day should the delivery move? Please give me month, day and year.",
                    "Sorry, which day was that? Please say the month, the day and the year.",
                ),
            ),
            options=(WHICH_ORDER,),
            hold="Let me see what that comes to.",
            say="I've checked, and {quote_delivery_change.in_short}.",
            refused={
                "no_delivery_to_change": "That order has no delivery that could be moved.",
                "same_day": "The delivery is on that day already.",
                "day_not_open": "We can't deliver on that day.",
                **NO_ACCESS,
            },
            retry=("unknown_order", "day_not_open", "same_day"),
        ),
        ToolGuide(
            "confirm_delivery_change",
            propose="So {quote_delivery_change.in_short}. Shall I make that change?",
            consent="fee_acknowledged",
            carry={"quote_token": "quote_delivery_change.quote_token"},
            say="Done, {confirm_delivery_change.in_short}.",
            refused=NO_ACCESS,
            completes=True,
        ),
    )


def _price_match() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "quote_price_match",
            asks=(
                ASK_ORDER,
                Ask(
                    ("competitor",),
                    "Which store has it for less?",
                    "Sorry, what is the name of the store that has it for less?",
                ),
                Ask(
                    ("competitor_price",),
                    "And what is the price there, in dollars and cents?",
                    "Sorry, could you say that store's price once more, in dollars and cents?",
                    "That's {competitor_price}. Is that right?",
                ),
            ),
            options=(WHICH_ORDER,),
            hold="Let me test that price.",
            say="I've checked, and {quote_price_match.in_short}.",
            refused=NO_ACCESS,
            retry=("unknown_order",),
        ),
        ToolGuide(
            "confirm_price_match",
            propose="The {quote_price_match.item} is {quote_price_match.competitor_price} at "
            "{quote_price_match.competitor_name}, so {quote_price_match.difference} goes back to the card "
            "that paid. Shall I refund the difference?",
            carry={"quote_token": "quote_price_match.quote_token"},
            say="Done, {confirm_price_match.in_short}. It shows there {confirm_price_match.posts_between}.",
            refused=NO_ACCESS,
            completes=True,
        ),
    )
