"""Calls to Kestrel's tools."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from offhook.packs import Pack
from offhook.toolserver import SeedImages, ToolServer
from tests.industries.customer_support._phone import Desk, Phone, small_pack


@pytest.fixture(scope="package")
def tools_pack() -> Pack:
    return small_pack()


@pytest.fixture(scope="package")
def tools_images(tmp_path_factory: pytest.TempPathFactory) -> SeedImages:
    return SeedImages(tmp_path_factory.mktemp("images"))


@pytest.fixture
def phone(tools_pack: Pack, tools_images: SeedImages, tmp_path: Path) -> Iterator[Phone]:
    with ToolServer(tools_pack, tmp_path, clock=lambda: 0.0, images=tools_images) as server:
        server.open_call("call", "token")
        yield Phone(server, tmp_path / "call" / "state.sqlite")


@pytest.fixture
def desk(tools_pack: Pack) -> Iterator[Desk]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        db.executescript(tools_pack.schema)
        tools_pack.seed(db)
        yield Desk(tools_pack, db, tools_pack.now)
