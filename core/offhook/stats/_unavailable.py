"""statsmodels is an extra: what is raised where it is missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__all__ = ["StatsUnavailable", "statsmodels_module"]


class StatsUnavailable(ImportError):
    """A test needs statsmodels and it is not installed; the message says how to get it."""


def statsmodels_module(name: str, purpose: str) -> ModuleType:
    """The module ``name`` of statsmodels.

    Raises:
        StatsUnavailable: it can't be imported.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise StatsUnavailable(f"{purpose} needs statsmodels: pip install 'offhook[stats]'") from error
