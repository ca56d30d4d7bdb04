"""Benchmark calls, meeting drills and the conformance kit as pytest tests.

    import pytest

    @pytest.mark.offhook("customer-support", platform="reference", line="text")
    def test_agent(offhook_call):
        assert offhook_call.passed, offhook_call.why

    @pytest.mark.offhook_drill("count_off", platform="recruit")
    def test_meeting(offhook_drill):
        assert offhook_drill.mark >= 60, offhook_drill.why

    @pytest.mark.offhook_conformance(platform=AcmeAdapter())
    def test_conformance(offhook_conformance):
        assert offhook_conformance.holds, offhook_conformance.told

Each test is run once per task (and run), drill or check, under its name: ``test_agent[T4-H1]``. The plugin
is there wherever offhook is installed, and does nothing to tests that use none of it.

``@pytest.mark.offhook(*tasks, platform=None, runs=1, seed=None, caller="scripted", line="audio",
ears="whisper-tiny", options={})``
    Tasks are named as on the command line; none means all. ``platform`` is a platform's name, an adapter of
    your own, or the name of a fixture that gives either; left out, ``--offhook-platform`` or the ini option
    ``offhook_platform`` says it, else it is ``reference``. ``seed`` is ``--offhook-seed``, or 1.
``@pytest.mark.offhook_drill(*drills, platform=None, runs=1, seed=None, options={})``
    The same for drills, and there is no platform of last resort.
``@pytest.mark.offhook_conformance(*checks, platform=None)``
    One test a check of the conformance kit, against the twin that the platform's adapter brings.
``offhook_call``, ``offhook_drill``, ``offhook_conformance``
    The fixtures that place the call, hold the drill and run the check (`PlacedCall`, `HeldDrill`,
    `offhook.conformance.CheckResult`). A check that does not apply to a platform is skipped.
``offhook_run``
    A function that takes what `offhook.run` takes and returns its result, for tests that place calls of
    their own: ``result = offhook_run(tasks="T4-H1", line="text")``.
``pytest_offhook_plugins(config)``
    A hook for ``conftest.py``: returns plugin objects, adapters or callers of the project itself.

A call that was graded fails or passes its test. One that was not, because the platform took no call (void)
or the harness or its set-up failed (error), is an error of the test's set-up, never a failure. A platform
that lacks its key or extra on this machine is skipped with that reason.

The evidence is kept: run folders lie in pytest's temporary folder, or in ``--offhook-out``. Each test's
properties (``--junitxml``) name the call, its folder, state, cause and score parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from offhook._pytest_items import HeldDrill, PlacedCall
    from offhook.api import RunResult
    from offhook.conformance import CheckResult

__all__ = [
    "offhook_call",
    "offhook_conformance",
    "offhook_drill",
    "offhook_run",
    "pytest_addhooks",
    "pytest_addoption",
    "pytest_configure",
    "pytest_generate_tests",
]


class _Hooks:
    """The hooks that a project's ``conftest.py`` may implement."""

    @pytest.hookspec
    def pytest_offhook_plugins(self, config: pytest.Config) -> list[object]:
        """Plugin objects, adapters or callers of the project, used beside the installed plugins."""
        raise AssertionError("a specification is never called")


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(_Hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("offhook", "benchmark calls (offhook)")
    group.addoption(
        "--offhook-platform", metavar="NAME", help="Who answers where a marker names no platform."
    )
    group.addoption("--offhook-seed", type=int, metavar="N", help="The seed where a marker gives none.  [1]")
    group.addoption(
        "--offhook-out",
        metavar="DIR",
        help="Where run folders go.  [pytest's temporary folder]",
    )
    parser.addini("offhook_platform", "Who answers where a marker names no platform.")
    parser.addini("offhook_block", "Plugins or distributions that offhook leaves out.", type="args")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "offhook(*tasks, platform=None, runs=1, seed=None, caller='scripted', line='audio', "
        "ears='whisper-tiny', options={}): one test per benchmark task; the test takes offhook_call",
    )
    config.addinivalue_line(
        "markers",
        "offhook_drill(*drills, platform=None, runs=1, seed=None, options={}): one test "
        "per meeting drill; the test takes offhook_drill",
    )
    config.addinivalue_line(
        "markers",
        "offhook_conformance(*checks, platform=None): one test per check of the conformance kit; the test "
        "takes offhook_conformance",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for marker, fixture in (("offhook", "offhook_call"), ("offhook_drill", "offhook_drill")):
        mark = metafunc.definition.get_closest_marker(marker)
        if mark is None:
            continue
        from offhook._pytest_items import parametrise

        parametrise(metafunc, mark, fixture)
    mark = metafunc.definition.get_closest_marker("offhook_conformance")
    if mark is not None:
        from offhook.conformance._pytest import parametrise_checks

        parametrise_checks(metafunc, mark)


@pytest.fixture
def offhook_call(request: pytest.FixtureRequest) -> PlacedCall:
    """The call of this test, placed and graded."""
    from offhook._pytest_items import placed_call

    return placed_call(request)


@pytest.fixture
def offhook_drill(request: pytest.FixtureRequest) -> HeldDrill:
    """The drill of this test, held and marked."""
    from offhook._pytest_items import held_drill

    return held_drill(request)


@pytest.fixture
def offhook_conformance(request: pytest.FixtureRequest) -> CheckResult:
    """What came of this test's check."""
    from offhook.conformance._pytest import checked

    return checked(request)


@pytest.fixture
def offhook_run(request: pytest.FixtureRequest) -> Callable[..., RunResult]:
    """Takes what `offhook.run` takes, and waits for its result. ``platform``, ``seed``, ``out`` and ``host``
    default to what the command line says.
    """
    from offhook._pytest_items import runner

    return runner(request)
