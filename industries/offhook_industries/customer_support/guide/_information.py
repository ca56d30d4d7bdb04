"""Words for general questions."""

from __future__ import annotations

from offhook.packs import Ask, ToolGuide

__all__ = ["information_guides"]


def information_guides() -> tuple[ToolGuide, ...]:
    return (
        ToolGuide(
            "search_kb",
            asks=(
                Ask(
                    ("query",),
                    "Could you tell me in a few words what you would like to know, or what is wrong?",
                    "Sorry, could you put that another way?",
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
