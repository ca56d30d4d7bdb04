"""Several judges as one, by majority."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import attrs
import cattrs

from offhook.judged._fold import check_rulings
from offhook.judging import Judge, JudgeCase, Judged, ReportingJudge, Ruling, Subject, Verdict
from offhook.spoken import normalise_words

__all__ = ["Panel"]


def _at_least_three(panel: Panel, field: object, judges: tuple[Judge, ...]) -> None:
    names = [(judge.name, judge.version) for judge in judges]
    if len(names) < 3 or len(names) % 2 == 0 or len(set(names)) < len(names):
        raise ValueError("a panel is an odd number of different judges, three or more")


@attrs.frozen
class Panel:
    """A judge made of judges. Each rules alone and has its quotes checked; a verdict that more than half of
    them share holds, anything else is unclear. A claim is one claim where its fact and its quoted words are
    the same.

    Raises:
        ValueError: fewer than three judges, an even number, or one of them twice.
    """

    judges: tuple[Judge, ...] = attrs.field(validator=_at_least_three)
    name: str = "panel"

    @property
    def version(self) -> str:
        """Changes with any member's name or version."""
        members = "\n".join(sorted(f"{judge.name} {judge.version}" for judge in self.judges))
        return f"{len(self.judges)}-{hashlib.sha256(members.encode()).hexdigest()[:12]}"

    def judge(self, case: JudgeCase) -> tuple[Ruling, ...]:
        """Raises JudgeUnavailable where one of them is: a panel of two has no majority."""
        return self.report(case).rulings

    def report(self, case: JudgeCase) -> Judged:
        """As ``judge``; the evidence holds each member's rulings and the ids they did not agree on."""
        told = [
            judge.report(case) if isinstance(judge, ReportingJudge) else Judged(judge.judge(case))
            for judge in self.judges
        ]
        checked = [check_rulings(case, one.rulings) for one in told]
        votes = _votes(checked)
        needed = len(self.judges) // 2 + 1
        # Where most of them saw no claim there is none; that one did is kept under the disagreements.
        raised = {key: mine for key, mine in votes.items() if len(mine) >= needed}
        rulings = tuple(_majority(key, mine, len(self.judges), needed) for key, mine in raised.items())
        split = [
            {"subject": str(subject), "id": name, "quote": quote, "verdicts": _verdicts(mine, len(checked))}
            for (subject, name, quote), mine in votes.items()
            if len(set(_verdicts(mine, len(checked)))) > 1
        ]
        members = [
            {
                **one.evidence,
                "judge": judge.name,
                "version": judge.version,
                "rulings": cattrs.unstructure(list(rulings)),
            }
            for judge, one, rulings in zip(self.judges, told, checked, strict=True)
        ]
        return Judged(rulings, {"panel": members, "disagreements": split})


Key = tuple[Subject, str, str]


def _votes(checked: Sequence[Sequence[Ruling]]) -> dict[Key, list[Ruling]]:
    """Each member's ruling on the same thing, together; of a claim made twice, a member's first counts."""
    found: dict[Key, dict[int, Ruling]] = {}
    for member, rulings in enumerate(checked):
        for ruling in rulings:
            quote = " ".join(normalise_words(ruling.quote)) if ruling.subject is Subject.FACT else ""
            found.setdefault((ruling.subject, ruling.id, quote), {}).setdefault(member, ruling)
    return {key: list(mine.values()) for key, mine in found.items()}


def _verdicts(mine: Sequence[Ruling], members: int) -> list[str]:
    """How everybody ruled, sorted; who did not mention a claim found nothing in it."""
    return sorted([str(ruling.verdict) for ruling in mine] + ["not raised"] * (members - len(mine)))


def _majority(key: Key, mine: Sequence[Ruling], members: int, needed: int) -> Ruling:
    for verdict in Verdict:
        agreeing = [ruling for ruling in mine if ruling.verdict is verdict]
        if len(agreeing) >= needed:
            return next((ruling for ruling in agreeing if ruling.quote_found), agreeing[0])
    subject, name, _ = key
    told = ", ".join(_verdicts(mine, members))
    quote = mine[0].quote if subject is Subject.FACT else ""
    return Ruling(subject, name, Verdict.UNCLEAR, quote, mine[0].speaker, reason=f"no majority: {told}")
