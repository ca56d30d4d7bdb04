"""Reading what the cards need from a run folder."""

from __future__ import annotations

import attrs

from offhook.defects import read_reviews
from offhook.grading import GradeKind, Outcome
from offhook.host import PluginHost
from offhook.runner.stored import Damaged, read_run
from offhook.scorecard._failures import FILING_REVIEWER
from offhook.scorecard._input import CardInput
from offhook.scoring import ATTRIBUTION_REVIEWER
from offhook.storage import RunFolder, StorageError

__all__ = ["ReadRun", "read_input"]


@attrs.frozen
class ReadRun:
    """A run as the cards take it. ``damaged`` names the calls of which something can't be read; they count
    as far as they can. ``versions`` are the grader versions that the run's calls have grades of,
    ``wrong_verdicts`` the calls whose verdict a kept audit form calls wrong and none calls right."""

    data: CardInput
    damaged: tuple[Damaged, ...]
    versions: dict[str, tuple[str, ...]]
    wrong_verdicts: frozenset[str] = frozenset()

    @property
    def judges(self) -> tuple[str, ...]:
        """Whose grades can be the verdicts. Who measures or explains passes and fails
        nothing; who was asked and could not rule is a judge all the same."""
        said = {Outcome.PASS, Outcome.FAIL, Outcome.UNCLEAR}
        ruled = {grade.grader for grade in self.data.grades if grade.outcome in said}
        others = {grade.grader for grade in self.data.grades if grade.kind is GradeKind.MEASURE}
        others |= {ATTRIBUTION_REVIEWER, FILING_REVIEWER}
        return tuple(name for name in self.versions if name in ruled or name not in others)


def read_input(folder: RunFolder, host: PluginHost) -> ReadRun:
    """Records, grades of the installed versions, and request logs.

    Raises:
        StorageError: the run's manifest or an audit form kept with it is missing or malformed.
    """
    stored = read_run(folder, host)
    requests, damaged = {}, list(stored.damaged)
    broken = {damage.call_id for damage in damaged}
    for record in stored.records:
        if record.call_id in broken or not any(file.name == "tools.jsonl" for file in record.files):
            continue
        try:
            requests[record.call_id] = folder.tools(record.call_id)
        except StorageError as error:
            damaged.append(Damaged(record.call_id, str(error)))
    tasks = tuple(task for _, pack in sorted(host.packs().items()) for task in pack.tasks)
    data = CardInput(stored.manifest, stored.records, stored.grades, requests, tasks)
    return ReadRun(data, tuple(damaged), _versions(data), _wrong_verdicts(folder))


def _wrong_verdicts(folder: RunFolder) -> frozenset[str]:
    said: dict[str, set[str]] = {"right": set(), "wrong": set()}
    for review in read_reviews(folder):
        for answer in review.answers:
            if answer.verdict in said:
                said[answer.verdict].add(answer.call_id)
    return frozenset(said["wrong"] - said["right"])


def _versions(data: CardInput) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for grade in data.grades:
        found.setdefault(grade.grader, set()).add(grade.version)
    return {name: tuple(sorted(found[name])) for name in sorted(found)}
