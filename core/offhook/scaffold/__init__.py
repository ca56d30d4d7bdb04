"""New plugins from templates: a folder that installs, runs and passes its own tests.

The templates are the files of the tutorials, with ``$``-placeholders for what depends on the plugin's name.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Final

import attrs

__all__ = ["KINDS", "BadName", "FolderInUse", "Kind", "Plugin", "plan", "write"]

_NAME: Final = re.compile(r"(?=.{2})[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_LONGEST: Final = 40
# packages of offhook's own
_TAKEN: Final = frozenset({"adapters", "caller", "drills", "graders", "industries"})


class BadName(ValueError):
    """A plugin can't have this name; one line says why."""


class FolderInUse(OSError):
    """There is something already where the plugin would go."""


@attrs.frozen
class Kind:
    """What can be made. ``component`` is the kind of thing as the plugin host calls it, ``commands`` are what
    to do with it, after it has been installed; ``{name}`` stands for its name. ``requires`` is what it needs
    besides offhook.
    """

    name: str
    title: str
    component: str
    commands: tuple[str, ...]
    requires: tuple[str, ...] = ()


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            Kind(
                "adapter",
                "a platform to be benchmarked",
                "adapter",
                ("offhook run T4-E1 --platform {name}",),
            ),
            Kind(
                "vendor",
                "a platform across a network, with a twin of it",
                "adapter",
                ("offhook conformance {name}", "offhook run T4-E1 --platform {name}-twin"),
                ("aiohttp>=3.11,<4", "websockets>=13,<16"),
            ),
            Kind(
                "pack",
                "an industry: a database, tools, and tasks that people call about",
                "industry",
                ("offhook packs check {name}", "offhook run {name} --line text"),
            ),
            Kind(
                "drill",
                "an exercise in a live meeting",
                "drill",
                ("offhook drill {name} --platform {name}-recruit",),
            ),
            Kind(
                "grader",
                "a measure of finished calls",
                "grader",
                ("offhook run T4-E1 --out runs/first", "offhook grade runs/first --grader {name}"),
            ),
        )
    }
)


@attrs.frozen
class Plugin:
    """A plugin that could be written: ``folder`` is the name of its folder, ``files`` its texts by path
    within.
    """

    kind: Kind
    name: str
    folder: str
    package: str
    files: Mapping[str, str]

    @property
    def commands(self) -> tuple[str, ...]:
        """What to type in the plugin's folder, in order."""
        return (
            "pip install -e '.[test]'",
            *(command.format(name=self.name) for command in self.kind.commands),
            "pytest",
        )


def plan(kind: str, name: str) -> Plugin:
    """The files of a plugin.

    Raises:
        BadName: the name can't be one of a Python package, or would be hard to type.
        KeyError: an unknown kind.
    """
    chosen = KINDS[kind]
    _check(name)
    module = name.replace("-", "_")
    package = f"offhook_{module}"
    fields = {
        "name": name,
        "module": module,
        "class_name": _class_name(module),
        "upper": module.upper(),
        "title": f"{name} for offhook: {chosen.title}.",
        "requires": ", ".join(f'"{each}"' for each in ("offhook", *chosen.requires)),
    }
    return Plugin(
        kind=chosen,
        name=name,
        folder=f"offhook-{name}",
        package=package,
        files=MappingProxyType(
            {
                path.format(package=package, module=module): Template(
                    source.read_text(encoding="utf-8")
                ).substitute(fields)
                for path, source in _sources(kind)
            }
        ),
    )


def write(plugin: Plugin, parent: Path) -> Path:
    """Writes a plugin's files into a new folder below ``parent`` and returns that folder. Nothing is ever
    overwritten.

    Raises:
        FolderInUse: the folder is there already, with or without anything in it.
        OSError: it can't be written.
    """
    folder = parent / plugin.folder
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:
        raise FolderInUse(
            f"{folder} is there already and is left as it is; choose another name or --out"
        ) from error
    for path, text in plugin.files.items():
        target = folder / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return folder


def _class_name(module: str) -> str:
    name = "".join(part.capitalize() for part in module.split("_"))
    # pytest takes a class named Test... for one of tests
    return f"Offhook{name}" if name.startswith("Test") else name


def _check(name: str) -> None:
    module = name.replace("-", "_")
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        raise BadName(
            f"{name!r} can't be a plugin's name: 2 to {_LONGEST} lower-case letters and digits, a letter"
            " first, with single hyphens or underscores between, such as my-platform"
        )
    if name == "offhook" or module.startswith("offhook_"):
        raise BadName(f"{name!r} can't be a plugin's name: offhook- is put before it anyway")
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise BadName(f"{name!r} can't be a plugin's name: it is a word of the Python language")
    if name in _TAKEN:
        raise BadName(f"{name!r} can't be a plugin's name: offhook_{name} is a package of offhook's own")


def _sources(kind: str) -> Iterator[tuple[str, Traversable]]:
    """Each file's path, with ``{package}`` and ``{module}`` in it, and its template."""
    templates = resources.files(__name__) / "templates"
    yield "pyproject.toml", templates / "common" / "pyproject.toml.tmpl"
    yield "{package}/plugin.py", templates / kind / "plugin.py.tmpl"
    if (twin := templates / kind / "twin.py.tmpl").is_file():
        yield "{package}/twin.py", twin
    yield "{package}/__init__.py", templates / "common" / "init.py.tmpl"
    yield "{package}/py.typed", templates / "common" / "py.typed.tmpl"
    yield "tests/test_{module}.py", templates / kind / "test_plugin.py.tmpl"
    yield "README.md", templates / kind / "README.md.tmpl"
