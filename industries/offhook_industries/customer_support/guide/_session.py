"""Words for handing a caller over."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide

__all__ = ["session_guides"]


def session_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "transfer_to_human",
            asks=(
                Ask(
                    ("reason",),
                    "There is nothing more that I can do about that. Is there something else, or would you "
                    "like a person?",
                    "Sorry, is it about an account check, a safety matter, or would you simply like a "
                    "person?",
                ),
            ),
            hold="All right, I'm connecting you with a person now.",
        ),
        ToolGuide("end_call"),
    )
