"""Words for callers whom somebody contacted in Kestrel's name."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide

__all__ = ["fraud_guides"]


def fraud_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "check_subscription_charge",
            asks=(
                Ask(
                    ("amount",),
                    "How much did they say it was, in dollars and cents?",
                    "Sorry, could you say that amount once more, in dollars and cents?",
                    "That's {amount}. Is that right?",
                ),
                Ask(
                    ("billed_as",),
                    "And what did they say it was for?",
                    "Sorry, was it for a Plus or Total renewal, for TechCrew support, for a protection "
                    "plan, or for an order?",
                ),
            ),
            hold="Let me see whether we charge that.",
            say="I've checked, and {check_subscription_charge.in_short}.",
        ),
        ToolGuide(
            "check_outbound_contact",
            asks=(
                Ask(
                    ("phone",),
                    "Which phone number did that reach you on?",
                    "Sorry, could you say your phone number once more, one digit at a time?",
                    "I have {phone}. Is that right?",
                ),
                Ask(
                    ("channel",),
                    "And how did it reach you, by phone call, text message, e-mail, pop-up or letter?",
                    "Sorry, was it a call, a text message, an e-mail, a pop-up or a letter?",
                ),
            ),
            hold="Let me see whether that came from us.",
            say="I've checked, and {check_outbound_contact.in_short}.",
        ),
        ToolGuide(
            "report_scam_contact",
            asks=(
                Ask(
                    ("channel",),
                    "How did they reach you, by phone call, text message, e-mail, pop-up or letter?",
                    "Sorry, was it a call, a text message, an e-mail, a pop-up or a letter?",
                ),
                Ask(
                    ("amount",),
                    "How much did they name, in dollars and cents?",
                    "Sorry, could you say that amount once more, in dollars and cents?",
                ),
                Ask(
                    ("money_sent", "details"),
                    "Have you sent them any money?",
                    "Sorry, did you send them any money, yes or no?",
                ),
            ),
            hold="I'm reporting that now.",
            say="Done, {report_scam_contact.in_short}.",
            refused={"card_number_in_text": "I can't put card numbers into a report."},
            retry=("card_number_in_text",),
            completes=True,
        ),
    )
