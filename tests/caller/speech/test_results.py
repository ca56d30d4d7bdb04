"""The store of results: shared, bounded, checked, and harmless when the disk is not."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from offhook_caller.speech.results import DEFAULT_LIMIT_MB, ResultStore

MEGABYTE = 1 << 20


def _key(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def _files(store: ResultStore) -> list[Path]:
    return sorted(path for path in store.folder.glob("??/*"))


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    return ResultStore(tmp_path / "results", 100 * MEGABYTE)


def test_what_was_put_is_got(store: ResultStore) -> None:
    assert store.get(_key(1)) is None
    store.put(_key(1), b"sound")
    store.put(_key(2), b"")
    assert store.get(_key(1)) == b"sound"
    assert store.get(_key(2)) == b""
    assert ResultStore(store.folder, store.limit_bytes).get(_key(1)) == b"sound"


def test_any_damage_reads_as_absent_and_is_healed(store: ResultStore) -> None:
    store.put(_key(1), bytes(range(200)))
    (path,) = _files(store)
    good = path.read_bytes()
    for bad in (good[:-1], good[: len(good) // 2], b"", good[:-1] + b"?", good + b"?", b"?" + good[1:]):
        path.write_bytes(bad)
        assert store.get(_key(1)) is None, bad
    store.put(_key(1), bytes(range(200)))
    assert store.get(_key(1)) == bytes(range(200))


def test_an_entry_in_the_wrong_place_reads_as_absent(store: ResultStore) -> None:
    store.put(_key(1), b"sound")
    (path,) = _files(store)
    other = store.folder / _key(2)[:2] / _key(2)
    other.parent.mkdir(exist_ok=True)
    path.rename(other)
    assert store.get(_key(2)) is None


def test_the_longest_unused_go_first(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results", MEGABYTE)
    content = bytes(100_000)
    for number in range(9):
        store.put(_key(number), content)
        path = store.folder / _key(number)[:2] / _key(number)
        os.utime(path, (1_000_000 + number, 1_000_000 + number))
    assert store.get(_key(0)) == content, "using an entry makes it young"
    for number in range(9, 13):
        store.put(_key(number), content)
    assert sum(path.stat().st_size for path in _files(store)) <= MEGABYTE + MEGABYTE // 8
    assert store.get(_key(0)) == content
    assert store.get(_key(12)) == content
    assert store.get(_key(1)) is None


def test_a_store_left_too_full_is_cleared_at_the_first_write(tmp_path: Path) -> None:
    roomy = ResultStore(tmp_path / "results", 100 * MEGABYTE)
    for number in range(30):
        roomy.put(_key(number), bytes(100_000))
    ResultStore(tmp_path / "results", MEGABYTE).put(_key(99), b"sound")
    assert sum(path.stat().st_size for path in _files(roomy)) <= MEGABYTE


def test_files_of_killed_writers_are_swept(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results", MEGABYTE)
    left, fresh = tmp_path / "results" / "ab" / ".writing-old", tmp_path / "results" / "ab" / ".writing-new"
    left.parent.mkdir(parents=True)
    left.touch()
    fresh.touch()
    os.utime(left, (1_000_000, 1_000_000))
    store.put(_key(1), b"sound")
    assert not left.exists()
    assert fresh.exists()


def test_a_folder_that_cannot_be_written_warns_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = ResultStore(tmp_path / "file" / "results", MEGABYTE)
    with pytest.warns(RuntimeWarning, match="going on without it"):
        store.put(_key(1), b"sound")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.put(_key(2), b"sound")
    assert store.get(_key(1)) is None


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_leaves_no_torn_entry(store: ResultStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def on_full_disk(prefix: str, dir: Path) -> tuple[int, str]:
        link = dir / f"{prefix}full"
        link.symlink_to("/dev/full")
        return os.open(link, os.O_WRONLY), str(link)

    monkeypatch.setattr("offhook_caller.speech.results.tempfile.mkstemp", on_full_disk)
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        store.put(_key(1), bytes(1000))
    assert _files(store) == []


def test_a_limit_of_nothing_keeps_nothing(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results", 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.put(_key(1), b"sound")
    assert store.get(_key(1)) is None
    assert not store.folder.exists()


def test_the_environment_sets_folder_and_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path))
    monkeypatch.delenv("OFFHOOK_CACHE_MB", raising=False)
    assert ResultStore.from_environment().limit_bytes == DEFAULT_LIMIT_MB * MEGABYTE
    monkeypatch.setenv("OFFHOOK_CACHE_MB", "3")
    store = ResultStore.from_environment()
    assert (store.folder, store.limit_bytes) == (tmp_path / "results", 3 * MEGABYTE)
    monkeypatch.setenv("OFFHOOK_CACHE_MB", "much")
    with pytest.raises(ValueError, match="OFFHOOK_CACHE_MB must be a whole number of megabytes, got 'much'"):
        ResultStore.from_environment()


def test_processes_write_and_read_side_by_side(tmp_path: Path) -> None:
    code = (
        "import hashlib, sys\n"
        "from pathlib import Path\n"
        "from offhook_caller.speech.results import ResultStore\n"
        "store = ResultStore(Path(sys.argv[1]), 1 << 20)\n"
        "for turn in range(150):\n"
        "    key = hashlib.sha256(str(turn % 20).encode()).hexdigest()\n"
        "    content = key.encode() * 1000\n"
        "    found = store.get(key)\n"
        "    assert found is None or found == content\n"
        "    store.put(key, content)\n"
    )
    folder = tmp_path / "results"
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", code, str(folder)], stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    failures = [process.communicate()[1] for process in started]
    assert failures == ["", "", ""]
    assert [process.returncode for process in started] == [0, 0, 0]
