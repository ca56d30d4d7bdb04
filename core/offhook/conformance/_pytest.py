"""The kit as pytest tests: one a check, all of them run together when the first is asked for."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import attrs
import pytest

from offhook._pytest_session import base_name, session_of
from offhook.conformance._checks import pick_checks
from offhook.conformance._result import CheckResult, Verdict
from offhook.conformance._run import NotReady, NoTwin, conform
from offhook.runner import UnknownName

__all__ = ["checked", "parametrise_checks"]

FIXTURE: Final = "offhook_conformance"


def parametrise_checks(metafunc: pytest.Metafunc, mark: pytest.Mark) -> None:
    """One test a check. Loads no adapter."""
    name = metafunc.definition.nodeid
    if FIXTURE not in metafunc.fixturenames:
        if not any(mark is own for own in metafunc.definition.own_markers):
            return  # the mark of a class or module is for those of its tests that take the fixture
        pytest.fail(f"{name}: a test that is marked {mark.name} has to take {FIXTURE}", pytrace=False)
    unknown = sorted(set(mark.kwargs) - {"platform"})
    wrong = (
        f"the marker {mark.name} takes no {', '.join(unknown)}; it takes checks, platform" if unknown else ""
    )
    names: list[str] = []
    if not wrong:
        try:
            names = [check.name for check in pick_checks(mark.args)]
        except UnknownName as error:
            wrong = str(error)
    if wrong:
        pytest.fail(f"{name}: {wrong}", pytrace=False)
    metafunc.parametrize(FIXTURE, names, ids=names, indirect=True)


def checked(request: pytest.FixtureRequest) -> CheckResult:
    """What came of the test's check. One that does not apply is skipped with its reason."""
    mark = request.node.get_closest_marker(FIXTURE)
    if mark is None or not hasattr(request, "param"):
        pytest.fail(
            f"{request.node.nodeid}: mark the test function with @pytest.mark.{FIXTURE}(platform=...)",
            pytrace=False,
        )
    name, function = request.param, base_name(request.node)
    platform = _platform(request, mark)
    # a fixture may give each test an adapter of its own; the checks are run once all the same
    whose = platform if isinstance(platform, str) else id(platform)
    kept = session_of(request.config).kept((FIXTURE, function, whose), _Kept, usable=lambda _: True)
    if name not in kept.results:
        names = [name] if kept.ran else _selected(request, function)  # a test may be run again
        kept.ran = True
        kept.results |= _all(_adapter(request, platform), names)
    result = kept.results.pop(name)
    request.node.user_properties.append(("offhook_check", name))
    request.node.user_properties.append(("offhook_verdict", result.verdict.value))
    if result.verdict is Verdict.NOT_APPLICABLE:
        pytest.skip(result.reason)
    return result


@attrs.define(eq=False)
class _Kept:
    """Results of one test function that no test has asked for yet."""

    results: dict[str, CheckResult] = attrs.field(factory=dict)
    ran: bool = False


def _platform(request: pytest.FixtureRequest, mark: pytest.Mark) -> Any:
    platform = mark.kwargs.get("platform") or session_of(request.config).default_platform
    if platform is None:
        pytest.fail(
            "offhook: say who is checked: platform=... in the marker, or --offhook-platform", pytrace=False
        )
    return platform


def _adapter(request: pytest.FixtureRequest, platform: Any) -> Any:
    if isinstance(platform, str):
        try:
            platform = request.getfixturevalue(platform)
        except pytest.FixtureLookupError as error:
            if error.argname != platform:  # the fixture is there, and lacks one of its own
                raise
    if not isinstance(platform, str):
        return platform
    found = session_of(request.config).host().adapters()
    if platform not in found:
        pytest.fail(f"offhook: {UnknownName('platform', platform, found)}", pytrace=False)
    return found[platform]


def _selected(request: pytest.FixtureRequest, function: str) -> list[str]:
    """The checks of this test function that are to be run in this session."""
    found = []
    for item in request.session.items:
        called = getattr(item, "callspec", None)
        if called is not None and FIXTURE in called.params and base_name(item) == function:
            found.append(str(called.params[FIXTURE]))
    return found or [request.param]


def _all(adapter: Any, names: list[str]) -> dict[str, CheckResult]:
    """Runs checks in a thread of their own: a loop may be running in this one."""
    stop, wrong, lacking = threading.Event(), "", ""
    with ThreadPoolExecutor(1, "offhook-conformance") as pool:
        work = pool.submit(conform, adapter, only=names, stop=stop)
        try:
            told = work.result()
        except NoTwin as error:
            wrong = str(error)
        except NotReady as error:
            lacking = str(error)
        except BaseException:
            stop.set()
            raise
        else:
            return {result.check: result for result in told.results}
    if lacking:  # outside of the handler, so that pytest shows the line alone
        pytest.skip(lacking)
    pytest.fail(f"offhook: {wrong}", pytrace=False)
