"""What a pack's databases depend on, as one hash."""

from __future__ import annotations

import hashlib
import inspect
import types
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path

import attrs

from offhook.packs import Pack
from offhook.toolserver._json import canonical_json

__all__ = ["content_digest", "pack_digest"]


def pack_digest(pack: Pack) -> str:
    """SHA-256 over everything a pack says and does: its data, the files of its folder, and the source of its
    functions.

    Where the pack has no folder, a change in a module that its functions merely import is not noticed: raise
    the pack's ``version`` then.
    """
    digest = hashlib.sha256(canonical_json(_content(pack, frozenset())).encode())
    if pack.folder is not None:
        for path in sorted(_files(pack.folder)):
            digest.update(f"\0{path.relative_to(pack.folder).as_posix()}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def content_digest(value: object) -> str:
    """SHA-256 of a piece of a pack, such as a task."""
    return hashlib.sha256(canonical_json(_content(value, frozenset())).encode()).hexdigest()


def _files(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def _content(value: object, inside: frozenset[int]) -> object:
    """``value`` as JSON that is equal for equal content; ``inside`` holds the functions being described,
    which may refer to themselves."""
    if value is None or isinstance(value, str | int | float):
        return str(value) if isinstance(value, Enum) else value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Path):
        return None  # where a pack lies is not what it is
    if isinstance(value, Mapping):
        return [[_content(key, inside), _content(value[key], inside)] for key in sorted(value)]
    if isinstance(value, tuple | list):
        return [_content(item, inside) for item in value]
    kind = type(value)
    if attrs.has(kind):
        names = [field.name for field in attrs.fields(kind)]
        return [kind.__qualname__, *([name, _content(getattr(value, name), inside)] for name in names)]
    if isinstance(value, types.FunctionType):
        return _function(value, inside)
    return f"{kind.__module__}.{kind.__qualname__}"


def _function(function: types.FunctionType, inside: frozenset[int]) -> object:
    if id(function) in inside:
        return function.__qualname__
    deeper = inside | {id(function)}
    captured = [_content(cell.cell_contents, deeper) for cell in function.__closure__ or ()]
    defaults = _content(function.__defaults__ or (), deeper)
    code = function.__code__
    name = [function.__module__, function.__qualname__, code.co_firstlineno]
    return [*name, _source(code), captured, defaults]


def _source(code: types.CodeType) -> str:
    """Hash of the file a function was written in, or of its byte code where there is no file."""
    source = inspect.getsourcefile(code)
    if source is not None and Path(source).is_file():
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    digest = hashlib.sha256(code.co_code + repr(code.co_names).encode())
    for constant in code.co_consts:
        text = _source(constant) if isinstance(constant, types.CodeType) else repr(constant)
        digest.update(text.encode())
    return digest.hexdigest()
