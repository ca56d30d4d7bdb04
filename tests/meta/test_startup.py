"""What every start of ``offhook`` imports: nothing heavy, whatever plugins are installed."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import pytest

HEAVY = {
    "ctranslate2",
    "faster_whisper",
    "hibari",
    "httpx",
    "jiwer",
    "num2words",
    "numpy",
    "onnxruntime",
    "piper",
    "rapidfuzz",
    "rich",
    "scipy",
    "statsmodels",
    "soundfile",
    "soxr",
    "starlette",
    "tokenizers",
    "uvicorn",
}

HELP = """
import sys
from offhook.cli import main

try:
    main(["--help"])
except SystemExit:
    pass
print(*sorted(name for name in sys.modules if "." not in name), file=sys.stderr)
"""


def _imported(code: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_imports_nothing_heavy() -> None:
    imported = _imported(HELP)
    assert "offhook" in imported
    assert imported & HEAVY == set()


@pytest.mark.parametrize(
    "module",
    sorted(
        point.value for point in metadata.distribution("offhook").entry_points if point.group == "offhook"
    ),
)
def test_a_plugin_module_is_light(module: str) -> None:
    code = f"import {module}, sys; print(*(name.partition('.')[0] for name in sys.modules), file=sys.stderr)"
    assert _imported(code) & HEAVY == set()


def test_a_plugin_module_brings_no_sibling_along() -> None:
    """An entry point's own module is all that a start may import of a family; its parts wait for the hook."""
    modules = {
        point.value for point in metadata.distribution("offhook").entry_points if point.group == "offhook"
    }
    families = {module.partition(".")[0] for module in modules}
    code = (
        f"import sys, {', '.join(sorted(modules))}; "
        f"print(*(name for name in sys.modules if name.partition('.')[0] in {families!r}), file=sys.stderr)"
    )
    parents = {module[:at] for module in modules for at, letter in enumerate(module) if letter == "."}
    assert _imported(code) == modules | parents
