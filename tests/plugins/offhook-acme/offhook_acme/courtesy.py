"""Counts how often the agent thanked the caller."""

from __future__ import annotations

import attrs

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome


@attrs.frozen
class CourtesyGrader:
    name: str = "acme-courtesy"
    version: str = "1"
    kind: GradeKind = GradeKind.MEASURE

    def grade(self, call: CallEvidence) -> Grade:
        lines = [line.text for line in call.record.agent_transcripts]
        thanks = sum(line.casefold().count("thank") for line in lines)
        return Grade(
            self.name,
            self.version,
            self.kind,
            call.record.call_id,
            Outcome.MEASURED if lines else Outcome.NOT_MEASURED,
            f"thanked the caller {thanks} times",
            {"thanks": float(thanks)},
        )
