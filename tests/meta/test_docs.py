"""Every code block of the README and of sdk_docs runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import attrs
import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "sdk_docs").glob("**/*.md"))]
OFFHOOK = Path(sys.executable).with_name("offhook")


@attrs.frozen
class Block:
    page: str
    line: int
    language: str
    text: str


def _blocks() -> list[Block]:
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
            line = text.count("\n", 0, match.start()) + 1
            found.append(Block(page.name, line, match[1], match[2]))
    return found


BLOCKS = _blocks()
COMMANDS = [
    (block, line.removeprefix("$ "))
    for block in BLOCKS
    if block.language == "console"
    for line in block.text.splitlines()
    if line.startswith("$ ")
]


def _id(block: Block) -> str:
    return f"{block.page}:{block.line}"


def test_every_block_is_of_a_kind_that_is_run() -> None:
    assert {block.language for block in BLOCKS} <= {"python", "console", "toml"}
    assert len(COMMANDS) >= 6


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "python"], ids=_id)
def test_python_block_runs(block: Block, tmp_path: Path) -> None:
    script = tmp_path / "block.py"
    script.write_text(block.text, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "toml"], ids=_id)
def test_toml_block_parses(block: Block) -> None:
    assert tomllib.loads(block.text)


@pytest.mark.parametrize(
    ("block", "command"), COMMANDS, ids=lambda value: value if isinstance(value, str) else _id(value)
)
def test_command_runs(block: Block, command: str, tmp_path: Path) -> None:
    words = shlex.split(command)
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.M)
        return
    if words[:2] == ["pip", "install"]:
        *options, requirement = words[2:]
        assert options == ["-c", "constraints.txt"]
        assert (ROOT / options[1]).is_file()
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        assert set(re.findall(r"\w+", requirement)) <= set(extras)
        return
    assert words[0] == "offhook"
    done = subprocess.run([OFFHOOK, *words[1:]], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
