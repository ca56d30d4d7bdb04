"""Serves the runs in a folder on this machine: a list, each run's report, and a comparison of two."""

from offhook.viewer._app import viewer_app
from offhook.viewer._compare import CHANGES, Change, Difference, RunComparison, compare_runs, share_difference
from offhook.viewer._find import FoundRun, find_runs
from offhook.viewer._serve import CannotListen, is_loopback, serve_viewer
from offhook.viewer._shelf import NoSuchRun, Shelf

__all__ = [
    "CHANGES",
    "CannotListen",
    "Change",
    "Difference",
    "FoundRun",
    "NoSuchRun",
    "RunComparison",
    "Shelf",
    "compare_runs",
    "find_runs",
    "is_loopback",
    "serve_viewer",
    "share_difference",
    "viewer_app",
]
