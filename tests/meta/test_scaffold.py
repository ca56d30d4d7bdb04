"""``offhook new``: each kind of plugin is written, installed as a user would, and passes its own tests."""

from __future__ import annotations

import json
import re
from pathlib import Path

import attrs
import pytest

from offhook.scaffold import KINDS, BadName, FolderInUse, plan, write
from tests.plugins.plugin_venv import PluginVenv

NAMES = {
    "adapter": "my-desk",
    "vendor": "far-desk",
    "pack": "reading-room",
    "drill": "my_drill",
    "grader": "call-share",
}

SHOWS = {
    "adapter": "1 of 1 calls pass",
    "vendor": "1 of 1 calls pass",
    "pack": "1 of 1 calls pass",
    "drill": "5 of 5 words came back",
    "grader": "1 graded",
}


@attrs.frozen
class Made:
    venv: PluginVenv
    folder: Path

    def of(self, kind: str) -> Path:
        return self.folder / f"offhook-{NAMES[kind]}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """One environment with all of them, made and installed by the commands that a user types."""
    folder = tmp_path_factory.mktemp("new")
    venv = PluginVenv.make(folder / "venv")
    plugins = folder / "plugins"
    for kind, name in NAMES.items():
        done = venv.run(f"offhook new {kind} {name} --out plugins", folder)
        assert done.returncode == 0, done.stdout
        assert done.stdout == _expected(kind, name)
    folders = " ".join(f"-e 'plugins/offhook-{name}[test]'" for name in NAMES.values())
    installed = venv.run(f"pip install {folders}", folder)
    assert installed.returncode == 0, installed.stdout
    return Made(venv, plugins)


def _expected(kind: str, name: str) -> str:
    plugin = plan(kind, name)
    count = 7 if kind == "vendor" else 6
    changed = f"the one to change is {plugin.package}/plugin.py"
    if kind == "vendor":
        changed = f"those to change are {plugin.package}/twin.py and then {plugin.package}/plugin.py"
    made = f"Made plugins/offhook-{name} with {count} files; {changed}."
    steps = (f"cd plugins/offhook-{name}", *plugin.commands)
    return "\n".join([made, "Next:", *(f"  {step}" for step in steps), ""])


def test_every_new_plugin_is_discovered_without_a_problem(made: Made) -> None:
    listing = json.loads(made.venv.run("offhook plugins --json", made.folder).stdout)
    assert listing["problems"] == []
    provided = {
        (plugin["distribution"], item["kind"], item["name"])
        for plugin in listing["plugins"]
        for item in plugin["provides"]
    }
    for kind, name in NAMES.items():
        assert (f"offhook-{name}", KINDS[kind].component, name) in provided


def test_the_new_plugins_are_typed_and_tidy(made: Made) -> None:
    typed = made.venv.run("mypy --strict .", made.folder)
    assert typed.returncode == 0, typed.stdout
    for kind in NAMES:
        done = made.venv.run("ruff check . && ruff format --check .", made.of(kind))
        assert done.returncode == 0, f"{kind}\n{done.stdout}"


def test_their_own_tests_pass(made: Made) -> None:
    for kind in NAMES:
        some = " -k 'tool-call or cut or refused or wrong-key'" if kind == "vendor" else ""
        done = made.venv.run(f"pytest{some}", made.of(kind))
        assert done.returncode == 0, done.stdout
        assert re.search(r"\d passed", done.stdout)


@pytest.mark.parametrize("kind", NAMES)
def test_the_readme_has_the_commands_that_are_told(made: Made, kind: str) -> None:
    readme = (made.of(kind) / "README.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^\$ (.*)$", readme, re.M)) == plan(kind, NAMES[kind]).commands


# The tutorials, which show the same files, run them in the default suite.
@pytest.mark.speech
@pytest.mark.slow
@pytest.mark.parametrize("kind", NAMES)
def test_the_commands_of_the_readme_run(made: Made, kind: str) -> None:
    commands = plan(kind, NAMES[kind]).commands
    for command in commands[1:-1]:
        done = made.venv.run(command, made.of(kind))
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        if " conformance " in command:
            assert re.search(rf"{NAMES[kind]}: \d+ passed, 0 failed, 0 not applicable", done.stdout)
    assert SHOWS[kind] in done.stdout
    if kind == "grader":
        (grade,) = made.of(kind).glob("runs/first/grades/call-share/1/*.json")
        assert 0.05 < json.loads(grade.read_text())["numbers"]["share"] < 0.95


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("My-Desk", "lower-case letters"),
        ("2nd", "a letter first"),
        ("my--desk", "single hyphens or underscores"),
        ("my-_desk", "single hyphens or underscores"),
        ("desk-", "single hyphens or underscores"),
        ("_desk", "a letter first"),
        ("", "2 to 40"),
        ("x", "2 to 40"),
        ("d" * 41, "2 to 40"),
        ("../desk", "lower-case letters"),
        ("désk", "lower-case letters"),
        ("offhook", "offhook- is put before it anyway"),
        ("offhook-desk", "offhook- is put before it anyway"),
        ("offhook_desk", "offhook- is put before it anyway"),
        ("class", "a word of the Python language"),
        ("match", "a word of the Python language"),
        ("graders", "a package of offhook's own"),
    ],
)
def test_a_bad_name_is_refused(name: str, says: str) -> None:
    with pytest.raises(BadName, match=re.escape(says)) as refused:
        plan("adapter", name)
    assert "\n" not in str(refused.value)


def test_a_bad_name_is_one_line_on_the_command_line(made: Made) -> None:
    done = made.venv.run("offhook new adapter My-Desk", made.folder)
    assert done.returncode == 2
    assert done.stdout.startswith("Error: 'My-Desk' can't be a plugin's name")
    assert done.stdout.count("\n") == 1


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = write(plan("grader", "mine"), tmp_path)
    changed = folder / "offhook_mine" / "plugin.py"
    changed.write_text("# my work\n")
    with pytest.raises(FolderInUse, match="is left as it is"):
        write(plan("adapter", "mine"), tmp_path)
    assert changed.read_text() == "# my work\n"
    assert not (folder / "tests" / "test_mine.py").read_text().startswith('"""A call')


def test_a_folder_in_use_is_one_line(made: Made, tmp_path: Path) -> None:
    (tmp_path / "offhook-unused").mkdir()
    done = made.venv.run("offhook new adapter unused", tmp_path)
    assert done.returncode == 3
    assert re.search(r"^Error: .*is there already and is left as it is", done.stdout, re.M)
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize(
    ("what", "owner"),
    [
        ("adapter reference", "offhook"),
        ("drill count_off", "offhook"),
        (f"grader {NAMES['grader']}", f"offhook-{NAMES['grader']}"),
    ],
)
def test_a_name_that_is_taken_is_refused(made: Made, tmp_path: Path, what: str, owner: str) -> None:
    done = made.venv.run(f"offhook new {what}", tmp_path)
    kind, name = what.split()
    assert done.returncode == 2
    assert done.stdout.startswith(f"Error: {kind} {name!r} is already provided by {owner}, ")
    assert done.stdout.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_a_plugin_of_another_kind_is_warned_about(made: Made, tmp_path: Path) -> None:
    done = made.venv.run("offhook new grader reference", tmp_path)
    assert done.returncode == 0
    assert "warning: offhook has a plugin called 'reference' too" in done.stdout
    assert (tmp_path / "offhook-reference").is_dir()


def test_an_environment_that_is_not_active_is_activated_first(made: Made, tmp_path: Path) -> None:
    steps = made.venv.run("VIRTUAL_ENV= offhook new grader elsewhere", tmp_path).stdout.splitlines()
    activate = next(step.strip() for step in steps if step.endswith("/activate"))
    assert steps.index(f"  {activate}") + 1 == steps.index("  cd offhook-elsewhere")
    seen = made.venv.run(f"VIRTUAL_ENV=; {activate}; python -c 'import sys; print(sys.prefix)'", tmp_path)
    assert Path(seen.stdout.strip()).resolve() == made.venv.folder.resolve()


def test_a_drill_may_have_underscores_and_keeps_them() -> None:
    plugin = plan("drill", "say_it_twice")
    assert (plugin.folder, plugin.package) == ("offhook-say_it_twice", "offhook_say_it_twice")
    module = plugin.files["offhook_say_it_twice/plugin.py"]
    assert 'name: str = "say_it_twice"' in module
    assert "class SayItTwiceDrill:" in module


@pytest.mark.parametrize("kind", KINDS)
def test_no_class_is_taken_for_one_of_tests(kind: str) -> None:
    texts = "\n".join(plan(kind, "test-lat").files.values())
    assert re.findall(r"\bTest[A-Z]\w*(?:Session|Adapter|Drill|Grader)\b", texts) == []
    if kind != "pack":
        named = "Adapter" if kind == "vendor" else kind.capitalize()
        assert f"class OffhookTestLat{named}:" in texts


@pytest.mark.parametrize("kind", KINDS)
def test_every_placeholder_is_filled(kind: str) -> None:
    plugin = plan(kind, "a-new-one")
    for path, text in plugin.files.items():
        assert "${" not in text, path
        assert not re.search(r"\$(name|module|upper|title|requires)", text), path
    assert compile(plugin.files["offhook_a_new_one/plugin.py"], "plugin.py", "exec")
    assert 'a-new-one = "offhook_a_new_one.plugin"' in plugin.files["pyproject.toml"]
