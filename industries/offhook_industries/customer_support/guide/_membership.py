"""Words for memberships: what they are, moving up, leaving."""

from __future__ import annotations

from offhook.packs import ToolGuide
from offhook_industries.customer_support.guide._shared import NO_ACCESS

__all__ = ["membership_guides"]


def membership_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "get_membership",
            say="It's {get_membership.in_short}.",
            refused=NO_ACCESS,
        ),
        ToolGuide(
            "quote_membership_upgrade",
            hold="Let me work out what the upgrade costs.",
            refused={
                "already_total": "You already have Kestrel Total, so there is nothing to upgrade.",
                **NO_ACCESS,
            },
        ),
        ToolGuide(
            "confirm_membership_upgrade",
            propose="Moving to {quote_membership_upgrade.to_tier_name} comes to "
            "{quote_membership_upgrade.charge} today. It then {quote_membership_upgrade.afterwards}. Shall "
            "I make the change?",
            consent="charge_acknowledged",
            carry={"quote_token": "quote_membership_upgrade.quote_token"},
            say="That's done, you now have {confirm_membership_upgrade.tier_name}. "
            "{confirm_membership_upgrade.charge} was charged to the card on file.",
            refused=NO_ACCESS,
            completes=True,
        ),
        ToolGuide(
            "quote_membership_cancellation",
            offer="Before I work out a cancellation: with {get_customer_summary.tier_name} you still have "
            "{get_customer_summary.benefits}. Would you like to keep it?",
            hold="All right, let me work out your refund.",
            refused={
                "no_membership": "There is no paid membership on the account, so there is nothing to cancel.",
                "already_cancelled": "The membership has been cancelled already.",
                **NO_ACCESS,
            },
        ),
        ToolGuide(
            "confirm_membership_cancellation",
            propose="You get {quote_membership_cancellation.refund} back for "
            "{quote_membership_cancellation.unused}, and {quote_membership_cancellation.tier_name} ends "
            "today. Shall I cancel it?",
            consent="proration_acknowledged",
            carry={"quote_token": "quote_membership_cancellation.quote_token"},
            say="{confirm_membership_cancellation.tier_name} is cancelled as of today, and "
            "{confirm_membership_cancellation.refund} is on its way to the card on file. It shows there in "
            "three to seven business days.",
            refused=NO_ACCESS,
            completes=True,
        ),
    )
