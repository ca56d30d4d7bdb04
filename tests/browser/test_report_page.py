"""The report, driven as a reader would drive it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser._look import faint, flaws, open_everything
from tests.browser._world import ARABIC, LONG, MARKUP
from tests.browser.conftest import OpenPage

WINDOWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


def _call(page: Page, task: str) -> Locator:
    """The call of a task, opened."""
    call = page.locator("details.call", has=page.locator("summary", has_text=task))
    if call.get_attribute("open") is None:
        call.locator("> summary").click()
    call.locator(".body").wait_for()
    return call


def _seconds(clock: str) -> float:
    minutes, seconds = clock.split(":")
    return 60 * int(minutes) + float(seconds)


def _sound(call: Locator, what: str) -> float:
    return float(call.locator("audio").evaluate(f"(audio) => Number(audio.{what})"))


def _wait_past(page: Page, call: Locator, seconds: float) -> None:
    page.wait_for_function(
        "([audio, past]) => audio.currentTime > past", arg=[call.locator("audio").element_handle(), seconds]
    )


# --- the look ---


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
@pytest.mark.parametrize("run", ["plain", "odd"])
def test_nothing_overlaps_or_fades(
    open_page: OpenPage, run: str, width: int, scheme: str, request: pytest.FixtureRequest
) -> None:
    page = open_page(request.getfixturevalue(run), width=width, scheme=scheme)
    assert flaws(page) == []
    open_everything(page)
    assert flaws(page) == []
    assert faint(page) == []


def test_the_colours_follow_the_scheme(open_page: OpenPage, plain: str) -> None:
    papers = [
        open_page(plain, scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert papers == ["rgb(251, 250, 247)", "rgb(21, 23, 26)"]


def test_the_waveform_is_drawn_where_somebody_speaks(open_page: OpenPage, plain: str) -> None:
    page = open_page(plain)
    call = _call(page, "T4-E1")
    filled = """
        (canvas) => {
          const pen = canvas.getContext("2d");
          const share = (top, bottom) => {
            const [y, height] = [Math.round(canvas.height * top), Math.round(canvas.height * (bottom - top))];
            const pixels = pen.getImageData(0, y, canvas.width, height).data;
            let inked = 0;
            for (let at = 3; at < pixels.length; at += 4) if (pixels[at] > 200) inked += 1;
            return inked / (pixels.length / 4);
          };
          return [share(0, 0.44), share(0.44, 0.88)];
        }
    """
    caller, agent = call.locator("canvas").evaluate(filled)
    assert 0.05 < caller < 0.8
    assert 0.05 < agent < 0.8


# --- sound ---


def test_a_turn_is_played_from_its_start(open_page: OpenPage, plain: str) -> None:
    page = open_page(plain)
    call = _call(page, "T4-E1")
    turn = call.locator("button.turn.caller").nth(1)
    start = _seconds(turn.locator(".at").inner_text())
    call.locator("audio").evaluate(
        "(audio) => audio.addEventListener('seeking', () => { audio.dataset.sought = audio.currentTime; })"
    )
    assert start > 5
    turn.click()
    _wait_past(page, call, start + 0.2)
    assert _sound(call, "dataset.sought") == pytest.approx(start, abs=0.1)
    assert call.locator("audio").evaluate("(audio) => audio.paused") is False
    page.wait_for_function("document.querySelector('.turn.now')")
    assert call.locator(".turn.now .who").first.inner_text() == "caller"


def test_the_sound_has_the_length_of_the_call(open_page: OpenPage, plain: str) -> None:
    page = open_page(plain)
    call = _call(page, "T4-M2")
    page.wait_for_function("(audio) => audio.readyState >= 1", arg=call.locator("audio").element_handle())
    shown = _seconds(call.locator("> summary span").last.inner_text())
    assert _sound(call, "duration") == pytest.approx(shown, abs=0.2)


def test_only_one_call_is_heard_at_a_time(open_page: OpenPage, plain: str) -> None:
    page = open_page(plain)
    first, second = _call(page, "T4-E1"), _call(page, "T4-M2")
    for call in (first, second):
        call.locator("button.turn.agent").first.click()
        _wait_past(page, call, 0.2)
    assert first.locator("audio").evaluate("(audio) => audio.paused") is True
    assert second.locator("audio").evaluate("(audio) => audio.paused") is False


def test_a_click_on_the_waveform_goes_there(open_page: OpenPage, plain: str) -> None:
    page = open_page(plain)
    call = _call(page, "T4-E1")
    wave = call.locator("canvas")
    wave.scroll_into_view_if_needed()
    box = wave.bounding_box()
    assert box
    wave.click(position={"x": box["width"] * 0.25, "y": 40})
    length = float(wave.get_attribute("aria-valuemax") or 0)
    assert _sound(call, "currentTime") == pytest.approx(length * 0.25, abs=0.2)
    assert float(wave.get_attribute("aria-valuenow") or 0) == pytest.approx(length * 0.25, abs=0.2)


def test_the_waveform_obeys_the_keys(open_page: OpenPage, plain: str) -> None:
    page = open_page(plain)
    call = _call(page, "T4-E1")
    wave = call.locator("canvas")
    wave.focus()
    at = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft", "End", "Home"):
        page.keyboard.press(key)
        at.append(round(_sound(call, "currentTime"), 1))
    assert at[:5] == [2, 4, 2, 0, 0]
    assert at[5] == pytest.approx(_sound(call, "duration"), abs=0.2)
    assert at[6] == 0
    page.keyboard.press("Space")
    _wait_past(page, call, 0.1)
    page.keyboard.press("Space")
    assert call.locator("audio").evaluate("(audio) => audio.paused") is True
    assert page.evaluate("document.activeElement.tagName") == "CANVAS"


def test_a_call_without_sound_offers_none(open_page: OpenPage, odd: str) -> None:
    page = open_page(odd)
    call = _call(page, "T4-SILENT-1")
    assert call.locator(".turn").count() > 0
    assert call.locator("audio, canvas, button.turn").count() == 0


# --- finding one's way ---


def test_the_filter_leaves_only_its_calls(open_page: OpenPage, odd: str) -> None:
    page = open_page(odd)
    states = page.locator("details.call > summary > b")
    assert sorted(states.all_inner_texts()) == [
        "error", "error", "error", "failed", "passed", "passed", "void",
    ]  # fmt: skip
    for state, number in (("failed", 1), ("void", 1), ("error", 3), ("passed", 2)):
        button = page.locator(f'#filter button[data-state="{state}"]')
        assert button.inner_text() == f"{state} ({number})"
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        seen = [each.inner_text() for each in states.all() if each.is_visible()]
        assert seen == [state] * number
    page.locator('#filter button[data-state="all"]').click()
    assert all(each.is_visible() for each in states.all())
    assert page.locator('#filter [aria-pressed="true"]').all_inner_texts() == ["all (7)"]


def test_a_filter_that_leaves_nothing_says_so(open_page: OpenPage, plain: str) -> None:
    page = open_page(plain)
    page.locator('#filter button[data-state="void"]').click()
    assert page.locator("#none").inner_text() == 'No call is "void".'
    page.locator('#filter button[data-state="passed"]').click()
    assert page.locator("#none").inner_text() == ""


def test_the_first_failure_stands_open(open_page: OpenPage, odd: str) -> None:
    opened = open_page(odd).locator("details.call[open] > summary > b")
    assert opened.all_inner_texts() == ["failed"]


def test_an_address_can_name_a_call(open_page: OpenPage, odd: str) -> None:
    page = open_page(odd + "#call-odd-sixty")
    assert page.locator("details.call[open]").evaluate_all("(all) => all.map((each) => each.id)") == [
        "call-odd-sixty"
    ]
    assert page.locator("#call-odd-sixty .turn.caller, #call-odd-sixty .turn.agent").count() == 60
    page.evaluate("location.hash = '#call-no-sound'")
    page.locator("#call-no-sound .body").wait_for()


def test_all_of_it_works_without_a_mouse(open_page: OpenPage, odd: str) -> None:
    page = open_page(odd)
    page.locator('#filter button[data-state="all"]').focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator('#filter [aria-pressed="true"]').inner_text() == "failed (1)"
    for _ in range(4):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid", "one cannot see where the focus is"
    page.keyboard.press("Enter")
    assert page.locator("details.call[open]").count() == 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "CANVAS"


# --- the evidence ---


def test_a_diff_can_be_opened_and_read(open_page: OpenPage, odd: str) -> None:
    page = open_page(odd)
    call = page.locator("#call-odd-hostile")
    change = call.locator("tr", has=page.locator("code", has_text="customers")).first
    assert change.locator("td").nth(2).inner_text() == f"{ARABIC} → {LONG}"
    assert change.locator("td").nth(4).inner_text() == "✕ missing"
    assert "address: " + LONG + " → " + MARKUP in call.inner_text()
    answer = _call(page, "T4-E1").locator("table details").first
    assert answer.locator("pre").is_hidden()
    answer.locator("summary").click()
    assert answer.locator("pre").inner_text().startswith("{")


def test_the_platform_s_own_words_are_a_click_away(open_page: OpenPage, plain: str) -> None:
    page = open_page(plain)
    call = _call(page, "T4-E1")
    aside = call.locator(".turn.aside").first
    assert aside.is_hidden()
    call.get_by_role("button", name="Platform's own transcripts").click()
    assert aside.is_visible()


def test_a_wait_is_told_between_the_turns(open_page: OpenPage, plain: str) -> None:
    page = open_page(plain)
    waits = _call(page, "T4-E1").locator(".wait").all_inner_texts()
    assert waits
    assert all(0.3 < float(wait.split()[1]) < 6 for wait in waits)


def test_a_call_that_was_not_kept_up_with_says_so(open_page: OpenPage, odd: str) -> None:
    page = open_page(odd)
    assert page.locator("#late").inner_text().startswith("Latency unreliable in 1 of 5 calls")
    assert "91.0 ms late" in " ".join(_call(page, "T4-SIXTY").locator("p.bad").all_inner_texts())


def test_a_folder_that_cannot_be_read_is_named(open_page: OpenPage, odd: str) -> None:
    page = open_page(odd)
    assert "odd-damaged" in page.locator("#all-calls > p.bad").inner_text()


def test_words_of_a_call_stay_words(open_page: OpenPage, odd: str) -> None:
    page = open_page(odd)
    open_everything(page)
    assert page.title().endswith("· offhook report")
    assert page.locator("img").count() == 0
    assert page.locator("body script").count() == 2
    assert MARKUP in page.locator("h1").inner_text()
    assert MARKUP in page.locator("#call-odd-error").inner_text()


def test_the_browser_would_run_no_other_script(browser: Browser, plain: str) -> None:
    page = browser.new_page()  # not a quiet one: the browser logs what it blocks
    page.goto(plain)
    blocked = page.evaluate(
        """
        () => new Promise((tell) => {
          addEventListener("securitypolicyviolation", (event) => tell(event.effectiveDirective));
          const script = document.createElement("script");
          script.textContent = "document.title = 'taken'";
          document.body.append(script);
          setTimeout(() => tell("nothing was blocked"), 3000);
        })
        """
    )
    assert blocked.startswith("script-src")
    assert page.title().endswith("· offhook report")
    page.close()


@pytest.mark.parametrize(
    ("style", "seen"),
    [
        (".turns { margin-top: -60px; }", "overlap"),
        ("table { width: 1400px; }", "scrolls sideways"),
        (".cards { width: 1400px; }", "the page is"),
    ],
)
def test_a_bad_look_would_be_noticed(open_page: OpenPage, plain: str, style: str, seen: str) -> None:
    page = open_page(plain)
    page.add_style_tag(content=style)
    assert seen in " ".join(flaws(page))
    page.add_style_tag(content=":root { --soft: #a0a0a0; }")
    assert faint(page)
