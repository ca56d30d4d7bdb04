"""How many calls a run places at once, and on what clock."""

from __future__ import annotations

from typing import Final

import attrs

from offhook.host import PluginHost
from offhook.runner.kit import parties_of
from offhook.runner.options import RunOptions
from offhook.runner.routing import is_routed

__all__ = ["DEFAULT_AT_ONCE", "Seats", "TooManyAtOnce", "seats_for"]

DEFAULT_AT_ONCE: Final = 4
"""Real-time calls of one process where the user names no number: a small machine keeps up with their ticks,
and few accounts allow fewer."""


class TooManyAtOnce(Exception):
    """More calls at once were asked for than the platform takes; the message is one line."""


@attrs.frozen
class Seats:
    """``workers`` processes (1: this one) that hold ``at_once`` calls each. ``virtual`` calls never share a
    clock: each has a loop of its own, so a process holds one at a time.
    """

    workers: int
    at_once: int
    virtual: bool


def seats_for(options: RunOptions, host: PluginHost) -> Seats:
    """Where the calls of a run are held. In real time there are never more of them than the platform takes
    at once, so some of ``options.workers`` may not be needed; in virtual time ``options.at_once`` means
    nothing. A platform that calls tools by itself lives in real time.

    Raises:
        UnknownName: a platform or caller that no plugin provides.
        TooManyAtOnce: ``options.at_once`` alone is more than the platform takes, or none.
    """
    adapter, caller = parties_of(host, options.platform, options.caller)
    capabilities = adapter.capabilities
    if capabilities.virtual_time and caller.virtual_time and not is_routed(adapter):
        return Seats(options.workers, 1, virtual=True)
    most = max(1, capabilities.concurrency)
    if options.at_once is not None and not 1 <= options.at_once <= most:
        calls = "1 call" if most == 1 else f"{most} calls"
        raise TooManyAtOnce(
            f"{adapter.name} takes {calls} at once; ask for 1 to {most}, not {options.at_once}"
        )
    workers = min(options.workers, most if options.at_once is None else most // options.at_once)
    at_once = options.at_once or min(most // workers, DEFAULT_AT_ONCE)
    return Seats(workers, at_once, virtual=False)
