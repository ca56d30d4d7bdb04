"""Towns and states as they are said: "Portland, Oregon", "St. Louis, MO", "Washington, D.C."."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["read_place"]

_STATES: Final = """\
AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, \
DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, \
KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, \
MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, \
NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, \
PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, \
VT Vermont, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming"""
_CODES: Final = {
    name.lower(): code for code, _, name in (entry.strip().partition(" ") for entry in _STATES.split(","))
} | {code.lower(): code for code in (entry.split()[0] for entry in _STATES.split(","))}
# Longest first, so that "West Virginia" is not a town "West" in Virginia.
_STATE_ENDING: Final = re.compile(
    rf"(.+?)(?:\s*,\s*|\s+)({'|'.join(sorted(_CODES, key=lambda name: (-len(name), name)))})", re.IGNORECASE
)


def read_place(text: str) -> tuple[str, str]:
    """Town and two-letter state; the state is empty where none is named."""
    plain = re.sub(
        r"^st\b", "Saint", " ".join(text.replace(".", "").split()).strip(" ,"), flags=re.IGNORECASE
    )
    named = _STATE_ENDING.fullmatch(plain)
    return (plain, "") if named is None else (named[1], _CODES[named[2].lower()])
