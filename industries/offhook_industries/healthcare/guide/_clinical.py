"""Results, refills, messages to the clinical team, the portal."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide
from offhook_industries.healthcare.guide._common import NEEDS_CHECK, PATIENT

__all__ = ["clinical_guides"]


def clinical_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "get_results_status",
            asks=(
                Ask(
                    ("kind",),
                    "Which results do you mean, a biopsy, blood work, or allergy testing?",
                    "Sorry, the biopsy, the blood work, or the allergy test?",
                ),
            ),
            carry=PATIENT,
            hold="Let me see where that stands.",
            say="{get_results_status.in_short}",
            refused={**NEEDS_CHECK, "nothing_ordered": "I see no such test."},
            completes=True,
        ),
        ToolGuide(
            "request_rx_refill",
            asks=(
                Ask(
                    ("medication",),
                    "Which medication is it?",
                    "Sorry, could you say only the name of the medication again?",
                ),
            ),
            carry=PATIENT,
            hold="Let me look at that prescription.",
            say="{request_rx_refill.in_short}",
            refused={**NEEDS_CHECK, "not_prescribed": "I see no such prescription."},
            completes=True,
        ),
        ToolGuide(
            "create_clinical_message",
            asks=(
                Ask(
                    ("topic",),
                    "I can send the clinical team a message. What is it about?",
                    "Sorry, is it about results, a refill, or symptoms?",
                ),
                Ask(
                    ("urgency",),
                    "Is it urgent, or is the usual answer time all right?",
                    "Sorry, is it urgent or routine?",
                ),
                Ask(
                    ("callback_phone",),
                    "Which number should the team call you back on?",
                    "Could you say the callback number again, one digit at a time?",
                    "I have {callback_phone}. Is that right?",
                ),
                Ask(
                    ("message",),
                    "What shall the message say, in a sentence?",
                    "Sorry, what would you like the team to know?",
                ),
            ),
            carry=PATIENT,
            say="{create_clinical_message.in_short}",
            refused={**NEEDS_CHECK, "already_sent": "That message has been sent already."},
            completes=True,
        ),
        ToolGuide(
            "send_portal_activation",
            asks=(
                Ask(
                    ("channel",),
                    "Your patient portal isn't active yet. Shall I send the activation by e-mail or by text?",
                    "Sorry, by e-mail or by text?",
                ),
            ),
            carry=PATIENT,
            say="{send_portal_activation.in_short}",
            refused={**NEEDS_CHECK, "already_active": "Your portal is active already."},
            completes=True,
        ),
    )
