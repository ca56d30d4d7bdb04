"""The pack's data and tools on the real tool server, without tasks, prompts or guide."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from offhook.packs import Agent, FollowerGuide, Pack
from offhook.toolserver import SeedImages, ToolServer
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.seed import seed
from offhook_industries.healthcare.tables import pack_tables
from offhook_industries.healthcare.tools import all_tools
from tests.industries.healthcare._phone import Phone

FOLDER = Path(policy.__file__).parent


def bare_pack() -> Pack:
    tools = all_tools()
    return Pack(
        name="healthcare",
        title="Healthcare",
        version="0.0.1",
        now=policy.NOW,
        schema=(FOLDER / "schema.sql").read_text(encoding="utf-8"),
        seed=seed,
        tables=pack_tables(),
        tools=tools,
        agent=Agent("Straus Dermatology", "Help.", "Hello.", tuple(tool.name for tool in tools)),
        guide=FollowerGuide((), "Pardon?", "Anything else?", "Goodbye.", "Sorry."),
        tasks=(),
    )


@pytest.fixture(scope="session")
def healthcare() -> Pack:
    return bare_pack()


@pytest.fixture(scope="session")
def healthcare_images(tmp_path_factory: pytest.TempPathFactory) -> SeedImages:
    return SeedImages(tmp_path_factory.mktemp("healthcare-images"))


@pytest.fixture
def phone(healthcare: Pack, healthcare_images: SeedImages, tmp_path: Path) -> Iterator[Phone]:
    with ToolServer(healthcare, tmp_path, clock=lambda: 0.0, images=healthcare_images) as server:
        server.open_call("call", "token")
        yield Phone(server, tmp_path / "call" / "state.sqlite")


@pytest.fixture
def clinic_db(healthcare: Pack, healthcare_images: SeedImages) -> Iterator[sqlite3.Connection]:
    """The seed, read-only."""
    path = healthcare_images.image(healthcare)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        db.row_factory = sqlite3.Row
        yield db
