"""Every code block of the README and of sdk_docs runs.

A page of ``sdk_docs`` is a session in an empty folder, from its first block to its last: titled blocks are
written to the file of that name, other Python is run as a script, and console blocks are typed, with their
output compared where the page shows any. All pages share one environment, into which plugins are really
installed.
"""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
import threading
import tomllib
import wave
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType

import attrs
import pytest

from offhook.audio import silence
from offhook.scaffold import plan
from offhook.speech import ListenerHint
from tests.plugins.plugin_venv import PluginVenv

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "sdk_docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("**/*.md"))]
OFFHOOK = Path(sys.executable).with_name("offhook")
# Pages that are the same as what `offhook new` writes.
SCAFFOLDED = {
    "tutorials/adapter.md": ("adapter", "clerk"),
    "tutorials/pack.md": ("pack", "library"),
    "tutorials/drill.md": ("drill", "parrot"),
    "howto/grader.md": ("grader", "talk-share"),
    "howto/twin.md": ("vendor", "tessera"),
}


@attrs.frozen
class Block:
    page: Path
    line: int
    language: str
    title: str
    text: str

    @property
    def where(self) -> str:
        return f"{self.page.name}:{self.line}"


@attrs.frozen
class Typed:
    """A command of a console block, and the lines that the page shows under it."""

    command: str
    shown: tuple[str, ...]


def _blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, match.start()) + 1, match[1], match[2] or "", match[3])
        for match in re.finditer(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', text, re.M | re.S)
    ]


BLOCKS = [block for page in PAGES for block in _blocks(page)]
README = [block for block in BLOCKS if block.page.name == "README.md"]
SESSIONS = [page for page in PAGES if page.name != "README.md" and _blocks(page)]


def _typed(block: Block) -> list[Typed]:
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            assert found, f"{block.where}: output before a command"
            found[-1][1].append(line)
    return [Typed(command, tuple(shown)) for command, shown in found]


def _id(value: object) -> str:
    return value.where if isinstance(value, Block) else str(value)


def _page_id(page: Path) -> str:
    return str(page.relative_to(DOCS))


def test_every_block_is_of_a_kind_that_is_run() -> None:
    fences = sum(len(re.findall(r"^ *```", page.read_text(encoding="utf-8"), re.M)) for page in PAGES)
    assert fences == 2 * len(BLOCKS)
    assert {block.language for block in BLOCKS} <= {"python", "console", "toml", "text"}
    assert all(block.language in ("python", "toml") for block in BLOCKS if block.title)
    assert sum(len(_typed(block)) for block in BLOCKS if block.language == "console") >= 40


# --- the README ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def readme(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize("block", [b for b in README if b.language == "python"], ids=_id)
def test_python_block_runs(block: Block, tmp_path: Path) -> None:
    _run_script(block, tmp_path, lambda command, cwd: _plain(["python", command], cwd))


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "toml"], ids=_id)
def test_toml_block_parses(block: Block) -> None:
    assert tomllib.loads(block.text)


@pytest.mark.parametrize(
    ("block", "command"),
    [
        pytest.param(
            block,
            typed.command,
            # The tests of the packs check the same in this process, and quicker.
            marks=[pytest.mark.slow] if typed.command.startswith("offhook packs check") else [],
        )
        for block in README
        if block.language == "console"
        for typed in _typed(block)
    ],
    ids=_id,
)
def test_command_of_the_readme_runs(block: Block, command: str, readme: Path) -> None:
    if _is_of_the_clone(command):
        return
    words = shlex.split(command)
    assert words[0] == "offhook"
    folder = readme / str(block.line)  # the commands of a block may need what those before them left
    folder.mkdir(exist_ok=True)
    done = _plain(words, folder)
    assert done.returncode == 0, done.stdout


def _is_of_the_clone(command: str) -> bool:
    """Whether a command is typed in a clone of the repository; then it is checked, not run."""
    words = shlex.split(command)
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.M)
        return True
    if words[:3] == ["pip", "install", "-c"]:
        *options, requirement = words[2:]
        assert options in (["-c", "constraints.txt"], ["-c", "constraints.txt", "-e"])
        assert (ROOT / options[1]).is_file()
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        assert set(re.findall(r"\w+", requirement)) <= set(extras)
        return True
    return False


def _plain(words: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    program = {"offhook": OFFHOOK, "python": Path(sys.executable)}[words[0]]
    return subprocess.run(
        [program, *words[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=cwd,
        check=False,
    )


# --- the pages ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def venv(tmp_path_factory: pytest.TempPathFactory) -> PluginVenv:
    return PluginVenv.make(tmp_path_factory.mktemp("docs") / "venv")


@pytest.mark.speech
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=_page_id(page), marks=[pytest.mark.slow] if page.parent.name == "howto" else [])
        for page in SESSIONS
    ],
)
def test_page_runs_from_top_to_bottom(page: Path, venv: PluginVenv, tmp_path: Path) -> None:
    for block in _blocks(page):
        if block.title:
            target = tmp_path / block.title
            target.parent.mkdir(exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            _run_script(block, tmp_path, lambda script, cwd: venv.run(f"python {script}", cwd))
        elif block.language == "console":
            for typed in _typed(block):
                _type(block, typed, venv, tmp_path)


def _run_script(
    block: Block, folder: Path, run: Callable[[str, Path], subprocess.CompletedProcess[str]]
) -> None:
    script = folder / f"block{block.line}.py"
    script.write_text(block.text, encoding="utf-8")
    done = run(script.name, folder)
    assert done.returncode == 0, f"{block.where}\n{done.stdout}"


def _type(block: Block, typed: Typed, venv: PluginVenv, folder: Path) -> None:
    if _is_of_the_clone(typed.command):
        return
    done = venv.run(typed.command, folder)
    where = f"{block.where}: $ {typed.command}\n{done.stdout}"
    assert done.returncode == 0, where
    if typed.shown:
        missing = first_missing(typed.shown, done.stdout.splitlines())
        assert missing is None, f"not shown: {missing!r}\n{where}"


def first_missing(shown: tuple[str, ...], printed: list[str]) -> str | None:
    """The first line of a page that a command did not print, None if all is as shown.

    ``...`` alone stands for any lines, at the end of a line for its rest; white space counts as one blank.
    Lines that are not left out must follow each other.
    """
    lines = [" ".join(line.split()) for line in printed]
    at, skipping = 0, False
    for line in shown:
        if line == "...":
            skipping = True
            continue
        found = next((i for i in range(at, len(lines)) if _fits(line, lines[i])), None)
        if found is None or (found != at and not skipping):
            return line
        at, skipping = found + 1, False
    return None if skipping or not any(lines[at:]) else "(the end)"


def _fits(shown: str, printed: str) -> bool:
    line = " ".join(shown.split())
    if line.endswith("..."):
        return printed.startswith(line.removesuffix("...").rstrip())
    return printed == line


@pytest.mark.parametrize(
    ("shown", "missing"),
    [
        (("one", "two", "three"), None),
        (("one", "...", "three"), None),
        (("...", "thr..."), None),
        (("one", "..."), None),
        (("one", "three"), "three"),
        (("...", "four", "..."), "four"),
        (("...", "three", "two"), "two"),
        (("one",), "(the end)"),
        (("on",), "on"),
    ],
)
def test_output_is_compared(shown: tuple[str, ...], missing: str | None) -> None:
    assert first_missing(shown, ["one", "two", "three"]) == missing


# --- ears behind a server, as the page on engines has them --------------------------------------------------


class _HearingServer(BaseHTTPRequestHandler):
    """Answers with the length and rate of the WAV file it was sent."""

    def do_POST(self) -> None:
        sent = io.BytesIO(self.rfile.read(int(self.headers["Content-Length"])))
        with wave.open(sent) as sound:
            text = f"{sound.getnframes()} samples at {sound.getframerate()} Hz"
        body = json.dumps({"text": text}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def test_ears_behind_a_server_hear() -> None:
    (code,) = [block.text for block in BLOCKS if block.title == "offhook_house_ears/plugin.py"]
    module = ModuleType("house_ears")
    exec(code, vars(module))
    with HTTPServer(("127.0.0.1", 0), _HearingServer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            ears = vars(module)["HouseEars"](f"http://127.0.0.1:{server.server_port}/hear")
            heard = ears.hear(silence(0.5), ListenerHint())
        finally:
            server.shutdown()
            thread.join()
    assert heard.text == "8000 samples at 16000 Hz"


# --- the tutorials are what `offhook new` writes ------------------------------------------------------------


@pytest.mark.parametrize("page", SCAFFOLDED)
def test_a_tutorial_shows_the_files_of_offhook_new(page: str) -> None:
    kind, name = SCAFFOLDED[page]
    files = plan(kind, name).files
    titled = [block for block in _blocks(DOCS / page) if block.title]
    package = f"offhook_{name.replace('-', '_')}"
    assert [block.title for block in titled] == [
        "pyproject.toml",
        *([f"{package}/twin.py"] if kind == "vendor" else []),
        f"{package}/plugin.py",
        f"tests/test_{name.replace('-', '_')}.py",
    ]
    for block in titled:
        assert block.text == files[block.title], f"{block.where} differs from core/offhook/scaffold/templates"
