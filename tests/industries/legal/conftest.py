"""A call to the firm's line for every test, from one seed image."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from offhook.packs import Pack
from offhook.toolserver import SeedImages, ToolServer
from tests.industries.legal._line import Line, bare_pack


@pytest.fixture(scope="session")
def legal_tools() -> Pack:
    return bare_pack()


@pytest.fixture(scope="session")
def legal_images(tmp_path_factory: pytest.TempPathFactory) -> SeedImages:
    return SeedImages(tmp_path_factory.mktemp("legal-images"))


@pytest.fixture(scope="session")
def legal_image(legal_tools: Pack, legal_images: SeedImages) -> Path:
    return legal_images.image(legal_tools)


@pytest.fixture
def line(legal_tools: Pack, legal_images: SeedImages, tmp_path: Path) -> Iterator[Line]:
    with ToolServer(legal_tools, tmp_path, clock=lambda: 0.0, images=legal_images) as server:
        server.open_call("call", "token")
        yield Line(server, tmp_path / "call" / "state.sqlite")
