"""Offhook benchmarks voice agents on what actually arrives: real audio, a real tool server, deterministic
grades.

    import offhook

    result = await offhook.run(platform="reference", tasks=["T4-H1"])
    assert result.passed, result.why

``run`` and ``drill`` are what a program starts with (`offhook.api`). The rest of the package is its
submodules; each says in ``__all__`` what is public. ``offhook.hooks`` is where a plugin starts,
``offhook.testing`` what its tests use. Importing ``offhook`` loads nothing else until a name is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from offhook.api import CallOutcome, DrillRunResult, NotReady, RunResult, drill, run
    from offhook.host import PluginHost

    __version__: str

__all__ = [
    "CallOutcome",
    "DrillRunResult",
    "NotReady",
    "PluginHost",
    "RunResult",
    "__version__",
    "drill",
    "run",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("offhook")
    if name in __all__:
        return getattr(import_module("offhook.host" if name == "PluginHost" else "offhook.api"), name)
    raise AttributeError(f"module 'offhook' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
