"""The review form of an audit: one page with the drawn calls, their evidence, and room for answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from offhook.defects._audit import AuditSample
from offhook.defects._review import REVIEW_VERSION
from offhook.report._data import SoundSource, report_data
from offhook.report._html import asset, html_page
from offhook.scoring import ATTRIBUTION_REVIEWER

if TYPE_CHECKING:
    from offhook.host import PluginHost
    from offhook.storage import RunFolder

__all__ = ["audit_page"]

CAUSES = {
    1: "task: its wording or its key is wrong",
    2: "caller: it left its script",
    3: "harness: tool server, line or recording",
    4: "platform: turns, interruptions, tool transport, session",
    5: "speech to text: a needed detail was misheard",
    6: "language model: wrong tool, argument, step or claim",
    7: "text to speech: right in text, not in sound",
}


def audit_page(folder: RunFolder, host: PluginHost, sample: AuditSample, *, source: SoundSource) -> str:
    """The form as text. It shows each call's sound, words, tool log and verdicts, but nothing that says what
    the automatic attribution thinks: the reviewer is asked first.

    Args:
        source: where the page finds the sound of a call.

    Raises:
        StorageError: the run's manifest is malformed.
    """
    duties = {item.call_id: item for item in sample.items}
    data = report_data(folder, host, source=source, only=frozenset(duties))
    calls = []
    for call in data["calls"]:
        item = duties[call["id"]]
        calls.append({**_blind(call, host), "stratum": item.stratum, "duty": item.duty})
    shown = {
        "run": data["run"],
        "calls": sorted(calls, key=lambda call: (call["stratum"], call["id"])),
        "causes": CAUSES,
        "sample": {
            "version": REVIEW_VERSION,
            "digest": sample.digest,
            "seed": sample.seed,
            "share": sample.share,
            "strata": {name: list(counts) for name, counts in sample.strata.items()},
        },
    }
    return html_page(
        title=f"{sample.run_id} · offhook audit",
        kind="audit form",
        data=shown,
        script=asset("call.js") + asset("form.js", "offhook.defects"),
        style=asset("form.css", "offhook.defects"),
    )


def _blind(call: dict[str, Any], host: PluginHost) -> dict[str, Any]:
    """Without what reviewers and judges made of the call."""
    hidden = {ATTRIBUTION_REVIEWER, *host.reviewers(), *host.judges()}
    return {**call, "grades": {name: grade for name, grade in call["grades"].items() if name not in hidden}}
