"""What the tests of one pytest session share: plugin hosts, open runs, and where run folders go."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
import pytest

from offhook._program import program_host
from offhook.host import PluginHost

__all__ = ["Asked", "Session", "base_name", "session_of"]

T = TypeVar("T")

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")


@attrs.frozen
class Asked:
    """A marker's arguments. ``names`` are tasks or drills; ``platform`` a name, an object or None."""

    names: tuple[str, ...]
    platform: Any = None
    runs: int = 1
    seed: int | None = None
    caller: str = "scripted"
    line: str = "audio"
    ears: str = "whisper-tiny"
    options: Mapping[str, str] = attrs.field(factory=dict)

    @classmethod
    def of(cls, mark: pytest.Mark) -> Asked:
        """Raises TypeError for an argument that the marker does not take, ValueError for a wrong value."""
        known = {"platform", "runs", "seed", "options"}
        plural = "drills"
        if mark.name == "offhook":
            known |= {"caller", "ears", "line"}
            plural = "tasks"
        given = dict(mark.kwargs)
        named = given.pop(plural, ())
        unknown = sorted(set(given) - known)
        if unknown:
            takes = ", ".join(sorted({plural, *known}))
            raise TypeError(f"the marker {mark.name} takes no {', '.join(unknown)}; it takes {takes}")
        if given.get("line", "audio") not in ("audio", "text"):
            raise ValueError(f"line must be 'audio' or 'text', not {given['line']!r}")
        if not _whole(given.get("runs", 1), 1):
            raise ValueError("runs must be at least 1")
        if given.get("seed") is not None and not _whole(given["seed"], 0):
            raise ValueError(f"seed must be a whole number, at least 0, not {given['seed']!r}")
        for name in ("caller", "ears"):
            if not isinstance(given.get(name, ""), str):
                raise TypeError(f"{name} is given by name, not as {type(given[name]).__name__}")
        if not isinstance(given.get("options", {}), Mapping):
            raise TypeError(f"options is a mapping of names to texts, not {type(given['options']).__name__}")
        return cls(tuple(_flat([*mark.args, named])), **given)


def _whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _flat(names: object) -> list[str]:
    if isinstance(names, str):
        return [names]
    if not isinstance(names, list | tuple):
        raise TypeError(f"tasks and drills are given by name, not as {type(names).__name__}")
    return [name for each in names for name in _flat(each)]


class Session:
    """One per pytest process; processes of pytest-xdist share nothing but the parent of the run folders."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        out: str | None = config.getoption("--offhook-out")
        # tests may change the working directory
        self._out = None if out is None else config.invocation_params.dir / out
        self._plugins: list[object] | None = None
        self._hosts: list[tuple[object, PluginHost]] = []
        self._kept: dict[Hashable, Any] = {}

    @property
    def default_platform(self) -> str | None:
        config = self._config
        return config.getoption("--offhook-platform") or config.getini("offhook_platform") or None

    @property
    def default_seed(self) -> int:
        """Raises ValueError for a seed below 0."""
        given: int | None = self._config.getoption("--offhook-seed")
        if given is not None and given < 0:
            raise ValueError("--offhook-seed must be at least 0")
        return 1 if given is None else given

    def seed(self, asked: Asked) -> int:
        return self.default_seed if asked.seed is None else asked.seed

    def host(self, adapter: object | None = None) -> PluginHost:
        """The host with the project's own plugins, and with ``adapter`` where one is given. Raises ValueError
        for a plugin that can't be used.
        """
        for known, host in self._hosts:
            if known is adapter or (adapter is not None and known == adapter):
                return host
        if self._plugins is None:
            told = self._config.hook.pytest_offhook_plugins(config=self._config)
            self._plugins = [plugin for plugins in told for plugin in plugins]
        brought = [*self._plugins, *([] if adapter is None else [adapter])]
        host = program_host(*brought, block=self._config.getini("offhook_block"))
        self._hosts.append((adapter, host))
        return host

    def platform(
        self, request: pytest.FixtureRequest, asked: Asked, *, otherwise: str | None
    ) -> tuple[PluginHost, str]:
        """Who is called or drilled by a test, and the host that provides it. Raises ValueError where nothing
        says who, and TypeError for what is no platform.
        """
        found = asked.platform if asked.platform is not None else self.default_platform or otherwise
        if found is None:
            raise ValueError("say who is drilled: platform=... in the marker, or --offhook-platform")
        if isinstance(found, str):
            try:
                found = request.getfixturevalue(found)
            except pytest.FixtureLookupError as error:
                if error.argname != found:  # the fixture is there, and lacks one of its own
                    raise
        if isinstance(found, str):
            return self.host(), found
        name = getattr(found, "name", None)
        if not isinstance(name, str):
            raise TypeError(f"platform must be a name or an adapter, not {type(found).__name__}")
        return self.host(found), name

    def folder(self, request: pytest.FixtureRequest) -> Path:
        """A new folder for a run of this test function."""
        name = _UNSAFE.sub("-", base_name(request.node).rpartition("::")[2])
        if self._out is None:
            factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
            return factory.mktemp(f"offhook-{name}-")
        for number in itertools.count(1):
            path = self._out / (name if number == 1 else f"{name}-{number}")
            try:
                path.mkdir(parents=True)
            except FileExistsError:
                continue
            return path
        raise AssertionError("numbers do not end")

    def kept(self, key: Hashable, make: Callable[[], T], *, usable: Callable[[T], bool]) -> T:
        """What was made for this key before, while it is usable, or what is made now."""
        if key not in self._kept or not usable(self._kept[key]):
            self._kept[key] = make()
        found: T = self._kept[key]
        return found


_SESSION: Final = pytest.StashKey[Session]()


def session_of(config: pytest.Config) -> Session:
    if _SESSION not in config.stash:
        config.stash[_SESSION] = Session(config)
    return config.stash[_SESSION]


def base_name(node: pytest.Item) -> str:
    """Module, class and name of the test function, without the parameters of one test."""
    name = node.originalname if isinstance(node, pytest.Function) else node.name
    return name if node.parent is None else f"{node.parent.nodeid}::{name}"
