"""How an adapter says that its platform is of no use to any call of this run, in one line."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol, runtime_checkable

__all__ = ["NeedsOptions", "PlatformUnusable"]


@runtime_checkable
class NeedsOptions(Protocol):
    """An adapter that takes no call without some of its options."""

    @property
    def needed_options(self) -> Collection[str]:
        """Their names; each is among the adapter's ``options``."""
        ...


class PlatformUnusable(Exception):
    """Raise it from ``deploy`` or ``connect`` where no other call would fare better: a key that is refused, a
    vendor's SDK that is not installed, a model nobody serves.

    The message is one line that says what is wrong and what to do. The run stops at once, keeps what it has,
    and ``--resume`` goes on once it is mended. Whatever may pass by itself (a busy platform, a dropped
    connection) is any other exception: that call is void and tried again.
    """
