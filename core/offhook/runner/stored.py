"""Reading a run back: what is intact, and what is damaged and why. One broken call stops nothing."""

from __future__ import annotations

import attrs

from offhook.grading import Grade
from offhook.host import PluginHost
from offhook.records import CallRecord, RunManifest, empty_record
from offhook.runner._versions import current_versions, regrades
from offhook.runner.plan import keys_of
from offhook.storage import RunFolder, StorageError

__all__ = ["Damaged", "StoredRun", "damage_of", "read_run"]


@attrs.frozen
class Damaged:
    """A stored call that can't be read in full; ``why`` is one line that names the file."""

    call_id: str
    why: str


@attrs.frozen
class StoredRun:
    """What a run folder holds. A call whose record is damaged stands in ``records`` as an ``error``; only a
    folder that no planned call explains is in ``damaged`` alone.
    """

    manifest: RunManifest
    records: tuple[CallRecord, ...]
    grades: tuple[Grade, ...]
    damaged: tuple[Damaged, ...]


def read_run(folder: RunFolder, host: PluginHost) -> StoredRun:
    """Reads the records and the grades that count: of the versions that the run was graded by.

    Raises:
        StorageError: the run's manifest is missing or malformed.
    """
    manifest = folder.manifest()
    keys = keys_of(manifest)
    versions = current_versions(folder, host, manifest)
    if regrades(folder):  # by other graders than the frozen ones: what they give is a draft
        manifest = attrs.evolve(manifest, frozen=None)
    records: list[CallRecord] = []
    grades: list[Grade] = []
    damaged: list[Damaged] = []
    for call_id in folder.call_ids():
        try:
            record = folder.record(call_id)
            stored = folder.grades(call_id, versions)
        except StorageError as error:
            damaged.append(Damaged(call_id, str(error)))
            if call_id in keys:
                records.append(
                    empty_record(call_id, keys[call_id], seed=manifest.seed, ending="error", cause=str(error))
                )
            continue
        records.append(record)
        grades += stored
    return StoredRun(manifest, tuple(records), tuple(grades), tuple(damaged))


def damage_of(folder: RunFolder, host: PluginHost) -> tuple[Damaged, ...]:
    """Everything in a run that can't be read or is no longer what was recorded, each call once.

    Raises:
        StorageError: the run's manifest is missing or malformed.
    """
    stored = read_run(folder, host)
    altered = {record.call_id: folder.check_files(record) for record in stored.records}
    return (
        *stored.damaged,
        *(Damaged(call_id, "; ".join(problems)) for call_id, problems in altered.items() if problems),
    )
