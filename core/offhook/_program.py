"""What a program hands over itself instead of naming it: adapters, callers and plugin objects on a host."""

from __future__ import annotations

import itertools
import logging
import multiprocessing
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs

from offhook._raised import raised_line
from offhook.callers import Caller
from offhook.grading import GradeKind
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.platforms import NeedsOptions
from offhook.runner import Done, UnknownName
from offhook.sessions import Adapter, Checked, WithOptions
from offhook.storage import disk_error, one_line

__all__ = [
    "NotReady",
    "WorkerWatch",
    "check_part",
    "check_ready",
    "check_verdict",
    "claimed",
    "leave_unguarded",
    "missing_of",
    "name_of",
    "options_of",
    "program_host",
    "refuse_unseen",
    "take_in",
]

T = TypeVar("T")

_logger: Final = logging.getLogger(__name__)
_HERE: Final = "(program)"
"""The distribution that objects without one are registered under."""

_UNGUARDED_EXIT: Final = 93
"""The exit code by which a worker tells that it got no further than the program's own call."""
_UNGUARDED: Final = (
    "no call was placed: the worker processes could not start; put the call under if __name__ == '__main__'"
)


class NotReady(Exception):
    """A platform or caller lacks something on this machine, such as a key or a vendor's SDK; the message is
    one line that says what.
    """


def check_ready(host: PluginHost, platform: str, caller: str = "", *, options: Iterable[str] = ()) -> None:
    """Refuses a run that could only fail. Names nobody provides are left to the planning of the run.

    Raises:
        UnknownName: the platform takes no such option.
        NotReady: the platform or the caller lacks a key, an option or the like.
    """
    adapter = host.adapters().get(platform)
    if adapter is None and (why := host.why_not("adapter", platform)):
        raise NotReady(why)
    known = _told(platform, "options", lambda: options_of(adapter))
    if known is not None:
        for name in options:
            if name not in known:
                raise UnknownName(f"option of {platform}", name, known)
    if isinstance(adapter, NeedsOptions):
        for name in _told(platform, "needed options", lambda: tuple(adapter.needed_options)):
            if name not in tuple(options):
                help_text = (known or {}).get(name, "")
                raise NotReady(f"{platform} needs --option {name}=...: {help_text}")
    if adapter is not None:  # what is read again and again during a run
        _told(platform, "capabilities", lambda: adapter.capabilities)
    check_part(platform, adapter)
    check_part(caller, host.callers().get(caller))


def check_part(name: str, part: object) -> None:
    """Raises NotReady for an adapter or caller that lacks something on this machine, or can't say."""
    missing = _told(name, "check", lambda: missing_of(part))
    if missing:
        raise NotReady(missing if name in missing else f"{name}: {missing}")


def options_of(adapter: object) -> Mapping[str, str] | None:
    """Name to help, on one line each; None where the adapter declares none. Raises what it raises."""
    if not isinstance(adapter, WithOptions):
        return None
    return {one_line(name): one_line(text) for name, text in adapter.options.items()}


def missing_of(part: object) -> str:
    """What an adapter or caller lacks on this machine, on one line; empty where nothing. Raises what it
    raises.
    """
    return one_line((part.check() if isinstance(part, Checked) else None) or "")


def _told(name: str, what: str, ask: Callable[[], T]) -> T:
    """Raises NotReady where asking raises: a plugin that can't be asked can't be called either."""
    try:
        return ask()
    except (Exception, SystemExit) as error:
        raise NotReady(f"{name}: its {what} cannot be read: {raised_line(error, __file__)}") from error


def check_verdict(host: PluginHost) -> None:
    """Raises ValueError where no grader of the host gives a verdict: no call could pass or fail."""
    if all(grader.kind is not GradeKind.VERDICT for grader in host.graders().values()):
        raise ValueError("no grader gives a verdict, so no call could be graded; install one or block less")


def program_host(*objects: object, block: Sequence[str] = ()) -> PluginHost:
    """A host of all installed plugins and of adapters, callers or plugin objects that live in this program.

    Raises:
        ValueError: one of them can't be used; the message says why.
    """
    host = PluginHost.discover(block=block)
    take_in(host, *objects, given=False)
    return host


class _Brought:
    """A plugin around one object that a program handed over."""

    def __init__(self, item: object) -> None:
        self._item = item

    @hookimpl
    def offhook_adapters(self) -> Sequence[Any]:
        return [self._item] if isinstance(self._item, Adapter) else []

    @hookimpl
    def offhook_callers(self) -> Sequence[Any]:
        return [self._item] if isinstance(self._item, Caller) else []


def name_of(what: str, item: object, contract: type) -> str:
    if isinstance(item, str):
        return item
    name = getattr(item, "name", None)
    if isinstance(item, type) or not isinstance(item, contract) or not isinstance(name, str):
        found = f"class {item.__name__}" if isinstance(item, type) else type(item).__name__
        raise TypeError(f"{what} must be a name or an object that does all of {contract.__name__}: {found}")
    return name


def take_in(host: PluginHost, *items: object, given: bool) -> None:
    """Sees that a host provides objects. One that was ``given``, and has been asked, can take in no more.

    Raises:
        ValueError: one of them can't be used; the message says why.
    """
    for item in items:  # all of them before the host is asked for any
        known = [info.name for info in host.plugins if info.distribution == _HERE]
        part = isinstance(item, Adapter | Caller)
        name = str(getattr(item, "name", "")) if part else f"{type(item).__name__} {len(known) + 1}"
        before = len(host.problems)
        if name not in known:
            host.register(_Brought(item) if part else item, name=name, distribution=_HERE)
        if len(host.problems) > before:
            raise ValueError(f"{name} cannot be used: {host.problems[-1].what}")
    for item in items:
        if isinstance(item, Adapter):
            _refuse_other("platform", item.name, item, host.adapters(), given=given)
        elif isinstance(item, Caller):
            _refuse_other("caller", item.name, item, host.callers(), given=given)


def _refuse_other(kind: str, name: str, item: object, provided: Mapping[str, object], *, given: bool) -> None:
    if name not in provided:
        hint = "register it on the host before the host is used" if given else "its contract is not met"
        raise ValueError(f"{kind} {name} is not one of the host's: {hint}")
    if provided[name] != item:
        raise ValueError(f"a {kind} named {name!r} is there already; give yours another name")


def refuse_unseen(host: PluginHost, workers: int, block: Sequence[str]) -> None:
    installed = {(info.name, info.distribution) for info in PluginHost.discover(block=block).plugins}
    unseen = [info.name for info in host.plugins if (info.name, info.distribution) not in installed]
    if unseen:
        raise ValueError(
            f"workers={workers} needs installed plugins: other processes cannot see {', '.join(unseen)}, "
            "registered by this program itself; use workers=1"
        )


@contextmanager
def claimed(wanted: Path) -> Iterator[Path]:
    """A new folder: ``wanted``, or the first of ``wanted-2``, ``wanted-3``... that nobody has. It goes
    again if what follows raises and has put nothing into it. Raises StorageError if it can't be made.
    """
    made_parent = not wanted.parent.exists()
    path = _made(wanted)
    try:
        yield path
    except BaseException:
        with suppress(OSError):  # there is something in it by now
            path.rmdir()
            if made_parent:
                path.parent.rmdir()
        raise


def _made(wanted: Path) -> Path:
    for number in itertools.count(1):
        path = wanted if number == 1 else wanted.with_name(f"{wanted.name}-{number}")
        try:
            path.mkdir(parents=True)  # fails for all but one of those that want it
        except FileExistsError:
            continue
        except OSError as error:
            raise disk_error(path, error) from error
        return path
    raise AssertionError("numbers do not end")


def leave_unguarded() -> None:
    """Ends a worker process that carries out the program's own call while it imports the program: it could
    start no workers of its own, and must not write a run.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        _logger.error(_UNGUARDED)
        raise SystemExit(_UNGUARDED_EXIT)


@attrs.define
class WorkerWatch:
    """Stops a run whose workers got no further than the program's own call; all would fare alike."""

    stop: threading.Event
    unguarded: bool = False

    def see(self, done: Done) -> None:
        if done.lost and f"(exit code {_UNGUARDED_EXIT})" in done.cause:
            self.unguarded = True
            self.stop.set()

    def check(self) -> None:
        """Raises RuntimeError where it has stopped the run."""
        if self.unguarded:
            raise RuntimeError(_UNGUARDED)
