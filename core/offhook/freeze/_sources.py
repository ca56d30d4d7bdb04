"""What code and constants a part is made of: hashes of sources, and the named constants in them."""

from __future__ import annotations

import ast
import hashlib
import sys
import types
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Final

import attrs

__all__ = ["code_digest", "constants_in", "files_digest", "modules_used", "package_of", "settings_digest"]

_TEXT: Final = frozenset(
    (".css", ".csv", ".html", ".js", ".json", ".md", ".py", ".sql", ".toml", ".txt", ".yaml")
)


def package_of(value: object) -> Path | None:
    """The folder of the top package that an object's class comes from, or its module's file where that lies
    in no package; None where there is no file."""
    name = type(value).__module__
    module = sys.modules.get(name.partition(".")[0])
    file = getattr(module, "__file__", None)
    if file is None:
        return None
    path = Path(file)
    return path.parent if path.name == "__init__.py" else path


def code_digest(path: Path | None) -> str:
    """SHA-256 over the text files of a package, or over one file; empty where there is none."""
    if path is None or not path.exists():
        return ""
    if path.is_file():
        return files_digest(path.parent, [path])
    files = (entry for entry in path.rglob("*") if entry.suffix in _TEXT and entry.is_file())
    return files_digest(path, (entry for entry in files if "__pycache__" not in entry.parts))


def files_digest(root: Path, files: Iterable[Path]) -> str:
    """SHA-256 over files with their names below ``root``; how lines end makes no difference."""
    digest = hashlib.sha256()
    for path in sorted(files):
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"\0{path.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()


def constants_in(root: Path, files: Iterable[Path]) -> Mapping[str, str]:
    """The named numbers of modules, ``module.NAME`` to the text of the value: what a threshold is, wherever
    it stands. Constants made of anything but numbers, tuples and arithmetic are left out."""
    found: dict[str, str] = {}
    for path in sorted(files):
        text = path.read_text(encoding="utf-8")
        module = ".".join((root.name, *path.relative_to(root).with_suffix("").parts))
        for node in ast.parse(text).body:
            named = _named(node)
            if named is not None and _is_number(named[1]):
                found[f"{module}.{named[0]}"] = " ".join(
                    (ast.get_source_segment(text, named[1]) or "").split()
                )
    return found


def modules_used(root: Path, start: Iterable[str]) -> tuple[Path, ...]:
    """The files of a package that given modules are, or import, directly or through others of the package."""
    waiting, found = list(start), dict[str, Path]()
    while waiting:
        name = waiting.pop()
        path = _file_of(root, name)
        if name in found or path is None:
            continue
        found[name] = path
        waiting += _imported(ast.parse(path.read_text(encoding="utf-8")), root.name)
    return tuple(sorted(set(found.values())))


def _file_of(root: Path, module: str) -> Path | None:
    parts = module.split(".")
    if parts[0] != root.name:
        return None
    base = root.joinpath(*parts[1:])
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


def _imported(tree: ast.Module, package: str) -> list[str]:
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [name for name in names if name.partition(".")[0] == package]


def settings_digest(value: object) -> str:
    """SHA-256 over what a part was made with: the fields of an attrs class, as deep as they go. Other objects
    count by their class, functions by their name."""
    return hashlib.sha256(repr(_settings(value)).encode()).hexdigest()


def _settings(value: object) -> object:
    if value is None or isinstance(value, str | int | float):
        return str(value) if isinstance(value, Enum) else value
    if isinstance(value, Mapping):
        return [(str(key), _settings(value[key])) for key in sorted(value, key=str)]
    if isinstance(value, tuple | list):
        return [_settings(item) for item in value]
    kind = type(value)
    if attrs.has(kind):
        fields = [field.name for field in attrs.fields(kind)]
        return [kind.__qualname__, *((name, _settings(getattr(value, name))) for name in fields)]
    named = value if isinstance(value, types.FunctionType) else kind
    return f"{named.__module__}.{named.__qualname__}"


def _named(node: ast.stmt) -> tuple[str, ast.expr] | None:
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        name, value = node.target.id, node.value
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        name, value = node.targets[0].id, node.value
    else:
        return None
    return (name, value) if name.isupper() else None


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.Tuple(elts=elements):
            return bool(elements) and all(_is_number(element) for element in elements)
        case _:
            return False
