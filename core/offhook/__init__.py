"""Offhook benchmarks voice agents on what actually arrives: real audio, a real tool server, deterministic
grades.

The package is its submodules; each says in ``__all__`` what is public. ``offhook.hooks`` is where a plugin
starts, ``offhook.runner`` where an integrator does, ``offhook.testing`` what tests of either use.
"""

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("offhook")
