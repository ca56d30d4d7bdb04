"""The conformance kit: holds an adapter to the contract of ``offhook.sessions``, against its own twin.

    from offhook.conformance import conform

    told = conform(AcmeAdapter())
    assert told.holds, [result.told for result in told.results if not result.holds]

``offhook conformance`` prints the same as a table, and the marker ``offhook_conformance`` makes a test of
each check (see ``offhook.pytest``).
"""

from __future__ import annotations

from offhook.conformance._checks import CHECKS, Check, pick_checks
from offhook.conformance._live import LIVE_CHECKS, LIVE_SECONDS, conform_live
from offhook.conformance._result import CheckResult, Verdict
from offhook.conformance._run import Conformance, NotReady, NoTwin, conform

__all__ = [
    "CHECKS",
    "LIVE_CHECKS",
    "LIVE_SECONDS",
    "Check",
    "CheckResult",
    "Conformance",
    "NoTwin",
    "NotReady",
    "Verdict",
    "conform",
    "conform_live",
    "pick_checks",
]
