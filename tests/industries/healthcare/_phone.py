"""One call on the real tool server."""

from __future__ import annotations

import attrs

from offhook.packs import TableRole
from offhook_industries.healthcare.tables import pack_tables
from tests.industries._line import ToolLine

__all__ = ["Phone"]

_WRITTEN = tuple(table.name for table in pack_tables() if table.role in (TableRole.WRITE, TableRole.LOG))


@attrs.frozen
class Phone(ToolLine):
    """A call to Straus Dermatology's tools."""

    written = (*_WRITTEN, "payment_links", "portal_invites", "committed_visits")
    harmless = ("quote_cosmetic_service", {"service": "botox"})

    def verify(self, full_name: str, date_of_birth: str, **more: str) -> str:
        return str(
            self.ok("verify_identity", full_name=full_name, date_of_birth=date_of_birth, **more)["patient_id"]
        )

    def first_slot(self, location_id: str, visit_type: str, **more: str) -> str:
        found = self.ok("find_slots", location_id=location_id, visit_type=visit_type, **more)
        return str(found["first_slot"]["slot_id"])
