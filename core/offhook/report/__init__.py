"""A run as one self-contained HTML page: figures, and per call its sound, words, tool log and state diff."""

from offhook.report._page import holds_sound, report_page, write_report

__all__ = ["holds_sound", "report_page", "write_report"]
