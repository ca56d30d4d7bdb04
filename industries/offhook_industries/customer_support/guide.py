"""How a careful agent words this line: questions, slow second questions, read-backs, reports."""

from __future__ import annotations

from offhook.packs import Ask, FollowerGuide, ToolGuide

__all__ = ["follower_guide"]

_NO_ACCESS = "I can't open account details without that check."


def follower_guide() -> FollowerGuide:
    return FollowerGuide(
        tools=(*_information(), *_identity(), *_membership(), *_session()),
        unclear="Sorry, I didn't get that.",
        closing="Is there anything else I can do for you?",
        goodbye="Thank you for calling Kestrel. Goodbye.",
        sorry="I'm sorry, I can't get any further with this here.",
    )


def _information() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "search_kb",
            asks=(
                Ask(
                    ("query",),
                    "What would you like to know?",
                    "Sorry, could you put your question another way?",
                ),
            ),
            hold="Let me look that up.",
            say="{search_kb.answer}",
            refused={"no_article": "I'm afraid I have nothing on that."},
            retry=("no_article",),
        ),
        ToolGuide(
            "get_store_info",
            asks=(
                Ask(
                    ("store",),
                    "Which store would you like? A town and state, or a ZIP code, will do.",
                    "I couldn't find that one. Please tell me the town, and then the state.",
                ),
            ),
            hold="Let me find that store.",
            refused={"store_not_found": "I'm afraid we have no store there."},
            retry=("store_not_found", "which_state"),
        ),
        ToolGuide(
            "get_policy",
            asks=(
                Ask(
                    ("topic",),
                    "Which of our rules would you like to hear about?",
                    "Sorry, is it about returns, price matching, memberships, delivery, or something else?",
                ),
            ),
            hold="Let me get the exact wording.",
            say="{get_policy.in_short}",
        ),
        ToolGuide(
            "get_fee",
            asks=(
                Ask(
                    ("fee",),
                    "Which price would you like to know?",
                    "Sorry, which price was that, Kestrel Plus, Kestrel Total, or a service?",
                ),
            ),
            say="{get_fee.sentence}",
        ),
    )


def _identity() -> tuple[ToolGuide, ...]:
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
                    "To check that it's yours, could you tell me the ZIP code on a recent "
                    "order and the last four digits on the card that paid for it?",
                    "Let's take that once more. Could you tell me the ZIP code one digit at "
                    "a time, and then the card's last four digits?",
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
            refused={"not_identified": _NO_ACCESS, "not_verified": _NO_ACCESS},
        ),
    )


def _membership() -> tuple[ToolGuide, ...]:
    no_access = {"not_identified": _NO_ACCESS, "not_verified": _NO_ACCESS}
    return (
        ToolGuide(
            "get_membership",
            say="It's {get_membership.in_short}.",
            refused=no_access,
        ),
        ToolGuide(
            "quote_membership_upgrade",
            hold="Let me work out what the upgrade costs.",
            refused={
                "already_total": "You already have Kestrel Total, so there is nothing to upgrade.",
                **no_access,
            },
        ),
        ToolGuide(
            "confirm_membership_upgrade",
            propose="Moving to {quote_membership_upgrade.to_tier_name} comes to "
            "{quote_membership_upgrade.charge} today. It then {quote_membership_upgrade.afterwards}. "
            "Shall I make the change?",
            consent="charge_acknowledged",
            carry={"quote_token": "quote_membership_upgrade.quote_token"},
            say="That's done, you now have {confirm_membership_upgrade.tier_name}. "
            "{confirm_membership_upgrade.charge} was charged to the card on "
            "file.",
            refused=no_access,
        ),
        ToolGuide(
            "quote_membership_cancellation",
            offer="Before I work out a cancellation: with {get_customer_summary.tier_name} you "
            "still have {get_customer_summary.benefits}. Would you like to keep it?",
            hold="All right, let me work out your refund.",
            refused={
                "no_membership": "There is no paid membership on the account, so there is nothing to cancel.",
                "already_cancelled": "The membership has been cancelled already.",
                **no_access,
            },
        ),
        ToolGuide(
            "confirm_membership_cancellation",
            propose="You get {quote_membership_cancellation.refund} back for "
            "{quote_membership_cancellation.unused}, and "
            "{quote_membership_cancellation.tier_name} ends today. Shall I cancel it?",
            consent="proration_acknowledged",
            carry={"quote_token": "quote_membership_cancellation.quote_token"},
            say="{confirm_membership_cancellation.tier_name} is cancelled as of today, and "
            "{confirm_membership_cancellation.refund} is on its way "
            "to the card on file. It shows there in three to seven business days.",
            refused=no_access,
        ),
    )


def _session() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "transfer_to_human",
            asks=(
                Ask(
                    ("reason",),
                    "May I ask in a few words why you need a person?",
                    "Sorry, is it about an account check, a safety matter, or would you "
                    "simply like a person?",
                ),
            ),
            hold="All right, I'm connecting you with a person now.",
        ),
        ToolGuide("end_call"),
    )
