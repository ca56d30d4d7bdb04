"""The states by name, as callers say them and as the tools take them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

__all__ = ["LICENSED", "STATE_CODES"]

_STATES: Final = """\
Alabama AL, Alaska AK, Arizona AZ, Arkansas AR, California CA, Colorado CO, Connecticut CT, Delaware DE,
District of Columbia DC, Florida FL, Georgia GA, Hawaii HI, Idaho ID, Illinois IL, Indiana IN, Iowa IA,
Kansas KS, Kentucky KY, Louisiana LA, Maine ME, Maryland MD, Massachusetts MA, Michigan MI, Minnesota MN,
Mississippi MS, Missouri MO, Montana MT, Nebraska NE, Nevada NV, New Hampshire NH, New Jersey NJ,
New Mexico NM, New York NY, North Carolina NC, North Dakota ND, Ohio OH, Oklahoma OK, Oregon OR,
Pennsylvania PA, Rhode Island RI, South Carolina SC, South Dakota SD, Tennessee TN, Texas TX, Utah UT,
Vermont VT, Virginia VA, Washington WA, West Virginia WV, Wisconsin WI, Wyoming WY"""

STATE_CODES: Final = MappingProxyType({part.strip()[:-3]: part[-2:] for part in _STATES.split(",")})
"""Every state and the District of Columbia by full name, with its postal code."""

LICENSED: Final = (
    "California",
    "Colorado",
    "Florida",
    "Georgia",
    "Illinois",
    "New York",
    "North Carolina",
    "Ohio",
    "Oregon",
    "Pennsylvania",
    "Texas",
    "Washington",
)
"""Where the firm has attorneys."""
