"""Balances, charges, links, plans and waivers."""

from __future__ import annotations

from typing import Final

from offhook.packs import Ask, Options, ToolGuide
from offhook_industries.healthcare.guide._common import NEEDS_CHECK, PATIENT

__all__ = ["billing_guides"]

_CHARGE: Final = Options(
    "charge_id",
    "get_account_balance.charges",
    "charge_id",
    "{in_short}",
    "The account has {options}. Which one do you mean?",
    names=("title", "amount"),
)


def billing_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "get_account_balance",
            carry=PATIENT,
            hold="Let me look at the account.",
            say="{get_account_balance.in_short}. {get_account_balance.deposits}.",
            refused=NEEDS_CHECK,
            completes=True,
        ),
        ToolGuide(
            "explain_charge",
            options=(_CHARGE,),
            say="{explain_charge.in_short}",
            refused={**NEEDS_CHECK, "unknown_charge": "I can't find that charge."},
            completes=True,
        ),
        ToolGuide(
            "offer_financing",
            asks=(
                Ask(
                    ("purpose",),
                    "Is that for the medical balance, or for a cosmetic treatment?",
                    "Sorry, the medical balance or a cosmetic treatment?",
                ),
            ),
            carry=PATIENT,
            hold="Let me see what is possible.",
            say="{offer_financing.in_short}",
            refused={**NEEDS_CHECK, "nothing_due": "Nothing is due at the moment."},
            completes=True,
        ),
        ToolGuide(
            "send_payment_link",
            asks=(
                Ask(
                    ("phone",),
                    "Which mobile number should the payment link go to?",
                    "Could you say the mobile number again, one digit at a time?",
                    "I have {phone}. Is that right?",
                ),
                Ask(
                    ("purpose",),
                    "Is the link for the medical balance or for the deposit?",
                    "Sorry, the balance or the deposit?",
                ),
            ),
            carry=PATIENT,
            say="{send_payment_link.in_short}",
            refused={**NEEDS_CHECK, "nothing_due": "Nothing is due at the moment."},
            completes=True,
        ),
        ToolGuide(
            "request_fee_waiver",
            asks=(
                Ask(
                    ("reason",),
                    "What kept you from coming, in a word?",
                    "Sorry, was it illness, an emergency, the weather, or no reminder?",
                ),
            ),
            options=(_CHARGE,),
            say="{request_fee_waiver.in_short}",
            refused={
                **NEEDS_CHECK,
                "not_a_missed_visit_fee": "Only a fee for a missed visit can be reviewed.",
            },
            completes=True,
        ),
    )
