"""Finding the benchmark's own defects: failures that repeat, tasks that fail the same way everywhere, a drawn
audit for people, and the platforms' right of reply. Everything works on stored calls."""

from offhook.defects._across import Crosscheck, TaskAcross, cross_check
from offhook.defects._audit import AuditItem, AuditSample, draw_audit
from offhook.defects._flags import Flag, WrongFlag, add_flags, read_flags, resolve_flag
from offhook.defects._form import audit_page
from offhook.defects._patterns import FailurePattern, LiveTracker, Occurrence, repeating, signature_of
from offhook.defects._reply import write_bundle
from offhook.defects._review import AuditTally, Review, keep_review, read_reviews, tally_audit

__all__ = [
    "AuditItem",
    "AuditSample",
    "AuditTally",
    "Crosscheck",
    "FailurePattern",
    "Flag",
    "LiveTracker",
    "Occurrence",
    "Review",
    "TaskAcross",
    "WrongFlag",
    "add_flags",
    "audit_page",
    "cross_check",
    "draw_audit",
    "keep_review",
    "read_flags",
    "read_reviews",
    "repeating",
    "resolve_flag",
    "signature_of",
    "tally_audit",
    "write_bundle",
]
