"""Policy followers with exactly one fault each: graders are tested by what they catch.

A new saboteur is one more ``Fault`` in ``FAULTS``; a fault of turn taking needs none of this, only other
``TurnSettings`` for the adapter.
"""

from __future__ import annotations

from typing import Final

from offhook_adapters.reference.minds.saboteurs._desk import saboteur
from offhook_adapters.reference.minds.saboteurs._fault import Fault, Trial
from offhook_adapters.reference.minds.saboteurs._plans import PLAN_FAULTS
from offhook_adapters.reference.minds.saboteurs._values import VALUE_FAULTS
from offhook_adapters.reference.minds.saboteurs._writes import WRITE_FAULTS

__all__ = ["FAULTS", "Fault", "Trial", "saboteur"]

FAULTS: Final = (*PLAN_FAULTS, *VALUE_FAULTS, *WRITE_FAULTS)
