"""Where in a pack's source something stands: file and line, as far as they can be known.

Data does not remember where it was written. A tool's function does; a task, a rule or a guide is looked for
by its name in the Python files of the pack, a table in its SQL, a prompt among its texts.
"""

from __future__ import annotations

import ast
import functools
import inspect
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import attrs

from offhook._packproblem import PackProblem
from offhook.packs import Pack

__all__ = ["folder_fault", "place_of_function", "placed", "source_files", "source_strings", "tool_files"]

_TEXTS: Final = frozenset({".md", ".txt", ".sql"})
_MOST_FILES: Final = 500  # more are not looked through
_MOST_IN_FOLDER: Final = 5000  # a folder with more is no pack's own


@attrs.frozen
class _Spot:
    """A string in a Python file: in a call to ``callee``, as the keyword ``keyword``, or neither."""

    file: Path
    line: int
    text: str
    callee: str = ""
    keyword: str = ""


def placed(pack: Pack, problems: Iterable[PackProblem]) -> Iterator[PackProblem]:
    """The problems, each with file and line where they can be known."""
    finder = _Finder(pack)
    for problem in problems:
        yield problem if problem.file else attrs.evolve(problem, file=finder.find(problem.where))


def source_files(pack: Pack) -> tuple[Path, ...]:
    """The Python files a pack is written in: those of its folder, or those beside its functions."""
    folders = [pack.folder] if isinstance(pack.folder, Path) else []
    found = [path for folder in folders for path in _below(folder) if path.suffix == ".py"]
    if not found:
        own = [code_file(function) for function in (pack.seed, *(tool.run for tool in pack.tools))]
        parents = dict.fromkeys(path.parent for path in own if path is not None)
        found = [path for parent in parents for path in parent.glob("*.py")]
    return tuple(sorted(dict.fromkeys(found)))[:_MOST_FILES]


def folder_fault(folder: Path) -> str:
    """Why a folder can't be a pack's, whose content is what its files are; empty where it can."""
    if not folder.is_dir():
        return f"{folder}, which is none"
    if not _below(folder) and any(folder.iterdir()):
        return f"{folder}, in which there are more than {_MOST_IN_FOLDER} files"
    unread = next((path for path in _below(folder) if not os.access(path, os.R_OK)), None)
    return f"{folder}, in which {unread.name} can't be read" if unread is not None else ""


def _below(folder: Path) -> tuple[Path, ...]:
    """The files of a pack's folder, sorted, as far as they can be read; one with too many is none."""
    found: list[Path] = []
    for place, _, names in os.walk(folder):
        found += [Path(place, name) for name in names]
        if len(found) > _MOST_IN_FOLDER:
            return ()
    return tuple(sorted(path for path in found if path.is_file()))


def tool_files(pack: Pack) -> tuple[Path, ...]:
    """The Python files that a pack's tools are written in: its folder's, or those of the functions."""
    if isinstance(pack.folder, Path):
        return source_files(pack)
    own = [code_file(tool.run) for tool in pack.tools]
    return tuple(dict.fromkeys(path for path in own if path is not None))


def source_strings(pack: Pack) -> frozenset[str]:
    """Every string that is written by itself in the source of the pack's tools."""
    found: set[str] = set()
    for path in tool_files(pack):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8", errors="replace"))
        except (SyntaxError, ValueError):
            continue  # not what the tools were made from
        found |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
    return frozenset(found)


def code_file(function: Any) -> Path | None:
    """The file a function was written in; None for what has none."""
    inner = _unwrapped(function)
    try:
        source = inspect.getsourcefile(inner)
    except TypeError:
        return None
    return Path(source) if source is not None and Path(source).is_file() else None


def place_of_function(function: Any) -> str:
    """``file:line``, or empty."""
    file, code = code_file(function), getattr(_unwrapped(function), "__code__", None)
    if file is None:
        return ""
    return f"{file}:{code.co_firstlineno}" if code is not None else str(file)


def _unwrapped(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    plain = inspect.isroutine(function) or inspect.isclass(function)
    return function if plain else getattr(type(function), "__call__", function)  # noqa: B004


class _Finder:
    """Finds places in one pack's source, which is read at the first question."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._trees: dict[Path, ast.Module] = {}

    def find(self, where: str) -> str:
        root, _, rest = where.partition("/")
        part, _, inner = rest.partition("/")
        name = self._named(part, inner)
        if root != self._pack.name or not rest:
            return ""
        match part:
            case "tools" if name:
                return next(
                    (place_of_function(tool.run) for tool in self._pack.tools if tool.name == name), ""
                ) or self._literal(name, ("Tool",))
            case "tasks" if name:
                return self._task(name, inner.removeprefix(name))
            case "guide" if name:
                return self._literal(name, ("ToolGuide",))
            case "tables" if name:
                return self._table(name) or self._literal(name, ("Table",))
            case "seed":
                return place_of_function(self._pack.seed)
            case "schema":
                return self._text(self._pack.schema) or self._call("schema")
            case "agent.prompt":
                return self._text(self._pack.agent.prompt) or self._call("prompt")
        return self._call(re.split(r"[./\[ ]", rest)[0])

    def _named(self, part: str, inner: str) -> str:
        """The name at the head of ``inner``: the longest there is, as names may hold dots."""
        pieces: Iterable[Any] = {
            "tools": [tool.name for tool in self._pack.tools],
            "tasks": [task.id for task in self._pack.tasks],
            "guide": [guide.tool for guide in self._pack.guide.tools],
            "tables": [table.name for table in self._pack.tables],
        }.get(part, ())
        heads = [name for name in pieces if inner == name or inner.startswith((f"{name}.", f"{name}["))]
        stem = re.match(r"[^.\[]+", inner) if pieces else None  # of what was left out of the pack
        return max(heads, key=len, default=stem[0] if stem else "")

    def _task(self, task_id: str, rest: str) -> str:
        place = self._literal(task_id, ("Task",))
        rule = re.match(r"\.rules\[(\d+)\]", rest)
        if rule is None:
            return place
        rules = next((task.rules for task in self._pack.tasks if task.id == task_id), ())
        index = int(rule[1])
        named = rules[index].id if index < len(rules) else ""
        spots = [s for s in self._spots(named) if s.callee == "Rule" or s.keyword == "id"]
        beside = [spot for spot in spots if place.startswith(f"{spot.file}:")]
        if beside or len({spot.file for spot in spots}) == 1:
            return _shown((beside or spots)[0])
        return place

    def _literal(self, text: str, callees: tuple[str, ...]) -> str:
        """Where the string stands: in a call of that kind, else in any, else by itself."""
        spots = self._spots(text)
        kinds: tuple[Callable[[_Spot], bool], ...] = (
            lambda spot: spot.callee in callees,
            lambda spot: bool(spot.callee),
            lambda spot: True,
        )
        for fits in kinds:
            found = [spot for spot in spots if fits(spot)]
            if found:
                return _shown(found[0])
        return ""

    def _call(self, keyword: str) -> str:
        """The ``Pack(...)``, at that keyword where it has it."""
        return self._pack_calls.get(keyword) or self._pack_calls.get("", "")

    def _text(self, text: str) -> str:
        """The text file that is it, or the largest that is part of it."""
        bodies = [(path, body.strip()) for path, body in self._texts]
        parts = [(len(body), path) for path, body in bodies if body and body in text]
        return f"{max(parts)[1]}:1" if parts else ""

    def _table(self, name: str) -> str:
        made = re.compile(rf"CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[\"'`]?{re.escape(name)}\b", re.I)
        for path, body in self._texts:
            found = made.search(body)
            if found is not None:
                return f"{path}:{body.count(chr(10), 0, found.start()) + 1}"
        return ""

    @functools.cached_property
    def _texts(self) -> tuple[tuple[Path, str], ...]:
        folder = self._pack.folder
        if not isinstance(folder, Path):
            return ()
        paths = [path for path in _below(folder) if path.suffix in _TEXTS]
        return tuple(
            (path, path.read_text(encoding="utf-8", errors="replace")) for path in paths[:_MOST_FILES]
        )

    @functools.cached_property
    def _sources(self) -> tuple[tuple[Path, str], ...]:
        return tuple(
            (path, path.read_text(encoding="utf-8", errors="replace")) for path in source_files(self._pack)
        )

    def _tree(self, path: Path, text: str) -> ast.Module:
        if path not in self._trees:
            try:
                self._trees[path] = ast.parse(text)
            except (SyntaxError, ValueError):
                self._trees[path] = ast.parse("")  # not what the pack was built from
        return self._trees[path]

    def _spots(self, wanted: str) -> list[_Spot]:
        """Where a string is written; only files that have it are parsed."""
        found = [(path, text) for path, text in self._sources if wanted in text]
        return [
            spot
            for path, text in found
            for spot in _spots_in(path, self._tree(path, text))
            if spot.text == wanted
        ]

    @functools.cached_property
    def _pack_calls(self) -> dict[str, str]:
        places: dict[str, str] = {}
        for path, text in self._sources:
            for node in ast.walk(self._tree(path, text)) if "Pack(" in text else ():
                if isinstance(node, ast.Call) and _callee(node) == "Pack":
                    places.setdefault("", f"{path}:{node.lineno}")
                    for keyword in node.keywords:
                        places.setdefault(keyword.arg or "", f"{path}:{keyword.value.lineno}")
        return places


def _spots_in(path: Path, tree: ast.Module) -> Iterator[_Spot]:
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            callee = _callee(node)
            given = [*(("", value) for value in node.args), *((k.arg or "", k.value) for k in node.keywords)]
            for keyword, value in given:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    inside.add(id(value))
                    yield _Spot(path, value.lineno, value.value, callee, keyword)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield _Spot(path, node.lineno, node.value)


def _callee(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _shown(spot: _Spot) -> str:
    return f"{spot.file}:{spot.line}"
