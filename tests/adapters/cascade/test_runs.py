"""The cascades on their twins, as a user starts them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from offhook_adapters.gradium import plugin as gradium_plugin
from offhook_adapters.huggingface import plugin as huggingface_plugin
from offhook_adapters.mistral import plugin as mistral_plugin
from tests.core._integrators import world_host
from tests.core._runs import Placed, placed

PLUGINS = {"mistral": mistral_plugin, "gradium": gradium_plugin, "huggingface": huggingface_plugin}


def run(folder: Path, name: str, plugin: ModuleType, **options: str) -> Placed:
    return placed(folder, world_host(plugin), f"{name}-twin", tasks=("B-E1",), platform_options=options)


@pytest.mark.slow
def test_a_task_passes_on_each(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ThreadPoolExecutor() as pool:
        started = {
            name: pool.submit(run, tmp_path_factory.mktemp(name), name, plugin)
            for name, plugin in PLUGINS.items()
        }
        finished = {name: future.result(120) for name, future in started.items()}
    for name, done in finished.items():
        assert done.summary.passed == 1, name
        assert done.errors == (), name
        assert (done.record.cost_usd, done.record.cost_basis) == (0.0, "usage")
        assert done.record.usage["llm_input_tokens"] > 100
        assert done.record.usage["spoken_characters"] > 40
        assert [entry.tool for entry in done.folder.tools(done.record.call_id)][:1] == ["get_service_price"]
