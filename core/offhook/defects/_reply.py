"""What a platform is sent before its results are published: the figures, and its failed calls with all that
decided them."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from offhook.defects._flags import FLAGS_VERSION
from offhook.report._data import run_data
from offhook.report._sound import is_inside
from offhook.scoring import CallResult
from offhook.storage import StorageError, clean_text, disk_error, to_json

if TYPE_CHECKING:
    from offhook.grading import Grade
    from offhook.host import PluginHost
    from offhook.runner import StoredRun
    from offhook.storage import RunFolder

__all__ = ["write_bundle"]

_DAY: Final = (1980, 1, 1, 0, 0, 0)  # the first day a zip file can name: equal runs give equal bundles
_FILES: Final = ("record.json", "recording.flac", "tools.jsonl", "platform.json")

_README: Final = """\
Results of {platform} in run {run_id}: {passed} of {graded} graded calls passed.
{draft}
results.json              the figures of the run
failed/CALL/verdict.json  why a call failed: each grade, and the cause it was put down to
failed/CALL/              its record, its recording (caller left, agent right), the requests that reached the
                          tool server, and the platform's own account where it gave one
flags.json                to be filled in and sent back

If something in here is wrong in fact, add one entry for each to "flags" in flags.json, for instance

  {{"call_id": "0123456789abcdef", "says": "at 0:41 the caller says Kay, the key wants Fay"}}

with an empty call_id for the run as a whole. Every flagged call is reviewed again. A defect of the benchmark
is mended for every platform, never for one alone.
"""


def write_bundle(folder: RunFolder, host: PluginHost, out: Path) -> int:
    """Writes the bundle as one zip file and returns how many failed calls it holds. Equal runs give equal
    bytes.

    Raises:
        StorageError: the run's manifest is malformed, a file of a failed call can't be read, or the bundle
            can't be written.
    """
    from offhook.runner import read_run, summarise

    stored = read_run(folder, host)
    summary = summarise(stored, host)
    failed = [result for result in summary.calls if result.state == "failed"]
    figures = run_data(stored.manifest, summary)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in _entries(folder, stored, failed, figures):
            bundle.writestr(zipfile.ZipInfo(name, _DAY), content, zipfile.ZIP_DEFLATED)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        temporary = out.with_name(f".{out.name}.{os.getpid()}")
        try:
            temporary.write_bytes(buffer.getvalue())
            temporary.replace(out)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise disk_error(out, error) from error
    return len(failed)


def _entries(
    folder: RunFolder, stored: StoredRun, failed: list[CallResult], figures: dict[str, Any]
) -> Iterator[tuple[str, bytes]]:
    manifest = stored.manifest
    counts = figures["counts"]
    readme = _README.format(
        platform=manifest.platform,
        run_id=manifest.run_id,
        passed=counts["passed"],
        graded=counts["graded"],
        draft="They are a draft: no frozen manifest stands behind them.\n"
        if figures.get("draft", True)
        else "",
    )
    yield "README.txt", readme.encode()
    yield "results.json", _json(figures)
    yield "flags.json", _json({"version": FLAGS_VERSION, "run_id": manifest.run_id, "flags": []})
    grades: dict[str, list[Grade]] = {}
    for grade in stored.grades:
        grades.setdefault(grade.call_id, []).append(grade)
    for result in failed:
        call_id = result.record.call_id
        place = f"failed/{call_id}"
        found = sorted(grades.get(call_id, ()), key=lambda grade: grade.grader)
        yield (
            f"{place}/verdict.json",
            _json({"why": result.why, "grades": [json.loads(to_json(grade)) for grade in found]}),
        )
        for name in _FILES:
            path = folder.call_folder(call_id) / name
            if not path.is_file():
                continue
            if not is_inside(path, folder.path):
                raise StorageError(f"{path} leads out of the run's folder; it is not sent to anybody")
            try:
                yield f"{place}/{name}", path.read_bytes()
            except OSError as error:
                raise StorageError(f"cannot read {path}: {error.strerror or error}") from error


def _json(value: object) -> bytes:
    return (clean_text(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)) + "\n").encode()
