"""A run as one self-contained HTML page: figures, and per call its sound, words, tool log and state diff."""

from offhook.report._page import report_page, write_report

__all__ = ["report_page", "write_report"]
