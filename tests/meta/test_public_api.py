"""What holds for every module: a right ``__all__``, and plugins that use only public names."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FAMILIES = {
    "offhook": ROOT / "core",
    "offhook_caller": ROOT / "caller",
    "offhook_adapters": ROOT / "adapters",
    "offhook_graders": ROOT / "graders",
    "offhook_industries": ROOT / "industries",
    "offhook_drills": ROOT / "drills",
}


def _modules(package: str) -> list[str]:
    found = importlib.import_module(package)
    return [package, *(item.name for item in pkgutil.walk_packages(found.__path__, f"{package}."))]


PUBLIC = [
    name
    for package in FAMILIES
    for name in _modules(package)
    if not any(part.startswith("_") for part in name.split("."))
]
SOURCES = sorted(path for folder in FAMILIES.values() for path in folder.rglob("*.py"))
PLUGIN_SOURCES = [path for path in SOURCES if not path.is_relative_to(FAMILIES["offhook"])]


@pytest.mark.parametrize("name", PUBLIC)
def test_all_is_sorted_and_right(name: str) -> None:
    module = importlib.import_module(name)
    declared = getattr(module, "__all__", None)
    if declared is None:
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        defined = [
            node.name
            for node in tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
            and not node.name.startswith("_")
        ]
        assert defined == [], f"{name} defines public names and has no __all__"
        return
    assert [entry for entry in declared if not hasattr(module, entry)] == []
    assert sorted(set(declared)) == sorted(declared)


@pytest.mark.parametrize("name", [name for name in PUBLIC if name.endswith(".plugin")])
def test_a_plugin_module_names_all_its_hooks(name: str) -> None:
    module = importlib.import_module(name)
    hooks = [entry for entry, value in vars(module).items() if hasattr(value, "offhook_impl")]
    assert hooks
    assert sorted(hooks) == sorted(entry for entry in module.__all__ if entry.startswith("offhook_"))


@pytest.mark.parametrize("path", PLUGIN_SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_plugins_use_only_public_names(path: Path) -> None:
    wrong = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "offhook":
            parts = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            wrong += [part for part in parts if part.startswith("_") and not part.startswith("__")]
        elif isinstance(node, ast.Import):
            wrong += [a.name for a in node.names if a.name.startswith("offhook.") and "._" in a.name]
    assert wrong == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_has_become_two_things(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


def test_every_plugin_module_has_an_entry_point() -> None:
    declared = {
        point.value for point in metadata.distribution("offhook").entry_points if point.group == "offhook"
    }
    written = {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for folder in FAMILIES.values()
        for path in folder.rglob("plugin.py")
    }
    assert written == declared
