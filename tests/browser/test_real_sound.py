"""A call of real voices, seen and heard in the report."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from offhook.host import PluginHost
from offhook.report import write_report
from tests.browser._look import flaws
from tests.browser._world import make_run
from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.speech


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> str:
    host = PluginHost.discover()
    out = tmp_path_factory.mktemp("spoken") / "run"
    with ThreadPoolExecutor(1) as thread:  # the browser's own event loop may be on this one
        folder = thread.submit(make_run, host, out, tasks=("T4-E1",)).result()
    return write_report(folder, host).as_uri()


def test_a_real_call_can_be_played_from_any_turn(spoken: str, open_page: OpenPage) -> None:
    page = open_page(spoken, width=390)
    assert flaws(page) == []
    turn = page.locator("button.turn.agent").last
    minutes, seconds = turn.locator(".at").inner_text().split(":")
    start = 60 * int(minutes) + float(seconds)
    turn.click()
    page.wait_for_function("(past) => document.querySelector('audio').currentTime > past", arg=start + 0.2)
    loud = """
        async () => {
          const [context, audio] = [new AudioContext(), document.querySelector("audio")];
          const bytes = Uint8Array.from(atob(audio.src.split(",")[1]), (letter) => letter.charCodeAt(0));
          const sound = await context.decodeAudioData(bytes.buffer);
          const louder = (most, value) => Math.max(most, Math.abs(value));
          return [0, 1].map((side) => sound.getChannelData(side).reduce(louder, 0));
        }
    """
    caller, agent = page.evaluate(loud)
    assert caller > 0.05
    assert agent > 0.05
