"""The ``offhook`` command line. Commands live in modules of their own and are imported only when used."""

from offhook.cli._main import main

__all__ = ["main"]
