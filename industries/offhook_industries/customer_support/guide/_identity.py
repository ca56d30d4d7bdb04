"""Words for finding out who is calling."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide
from offhook_industries.customer_support.guide._shared import NO_ACCESS

__all__ = ["identity_guides"]


def identity_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "identify_customer",
            asks=(
                Ask(
                    ("full_name",),
                    "I can help with that. May I have your full name?",
                    "I need that once more to find the account. Could you say your full name, and spell it?",
                ),
                Ask(
                    ("phone",),
                    "And what is the phone number on the account?",
                    "And could you say the phone number again, one digit at a time?",
                ),
            ),
            hold="One moment.",
            say="Thank you, I found the account.",
            retry=("no_match", "several_matches"),
        ),
        ToolGuide(
            "verify_identity",
            asks=(
                Ask(
                    ("postal_code", "card_last4"),
                    "To check that it's yours, could you tell me the ZIP code on a recent order and the "
                    "last four digits on the card that paid for it?",
                    "Let's take that once more. Could you tell me the ZIP code one digit at a time, and "
                    "then the card's last four digits?",
                    "I have ZIP code {postal_code} and a card ending in {card_last4}. Is that right?",
                ),
            ),
            hold="Let me check that.",
            say="Thank you, you're verified.",
            retry=("identity_mismatch",),
        ),
        ToolGuide(
            "get_customer_summary",
            say="It's {get_customer_summary.membership}.",
            refused=NO_ACCESS,
        ),
    )
