"""What callers are told as soon as they touch on it: warnings, and facts that need no tool."""

from __future__ import annotations

from offhook.packs import Aside

__all__ = ["asides"]

_DIGIT = r"(?:\d|\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b)"


def asides() -> tuple[Aside, ...]:
    return (
        Aside(
            heard=(
                r"\b(?:swollen|swelling|swelled|swells|bulging|bulges|puffed up|leaking battery)\b",
                r"\b(?:battery|power bank|charger)\b.{0,40}\b(?:hot|smok\w+|leak\w*|burn\w*)\b",
            ),
            say="Please stop using it at once. Don't charge it, puncture it, mail it or carry it anywhere, "
            "and leave it on something that can't burn, away from people.",
        ),
        Aside(
            # A dozen digits in a row are more than any phone or order number has.
            heard=(rf"(?:{_DIGIT}[\s,.-]*){{12,}}",),
            say="Please stop there. I don't need the full card number and I won't keep it.",
        ),
        Aside(
            heard=(
                r"(?=.*\b(?:repair|fix|warrant))"
                r".*\b(?:another|other|different|independent|local|third[- ]party|outside|corner)\b"
                r".{0,30}\b(?:repair\w*|shop|place|technician|company)\b",
                r"\b(?:somebody|someone|somewhere) else\b.{0,60}\b(?:repair|fix|warrant)",
                r"\b(?:repair\w*|fix\w*)\b.{0,40}\b(?:somewhere else|elsewhere)\b",
            ),
            say="A repair at another shop does not by itself end the maker's warranty. Damage that the "
            "repair caused is not covered, and TechCrew does not cover the parts it fitted.",
        ),
        Aside(
            heard=(
                r"(?=.*\border(?:s|ed)?\b)(?!.*\b(?:plus|total|membership|appointment|visit)\b).*\bcancel\b",
            ),
            say="An order can be cancelled for as long as it hasn't shipped. After that it can be returned "
            "once it has arrived.",
        ),
    )
