"""``offhook conformance``: hold an adapter to the contract."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import click

from offhook.cli._before import NotReady
from offhook.cli._carry import in_thread
from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, print_json, print_table
from offhook.host import PluginHost

if TYPE_CHECKING:
    from offhook.conformance import CheckResult, Conformance
    from offhook.sessions import Adapter

__all__ = ["conformance"]


@click.command(
    epilog="""\b
Examples:
  offhook conformance openai-realtime
  offhook conformance openai-realtime --only tool-call --only barge-in
  offhook conformance my-platform --json
  offhook conformance my-platform --live
  offhook conformance --list
"""
)
@click.argument("adapter", required=False)
@click.option(
    "--twin/--live",
    "on_twin",
    default=True,
    help="Against the twin that the adapter brings, offline; or one short call to the platform itself, with "
    "the keys of the environment, which costs money.  [default: --twin]",
)
@click.option(
    "--only", multiple=True, metavar="CHECK", help="Run this check alone (repeatable; names: --list)."
)
@click.option("--list", "listed", is_flag=True, help="List the checks and run none.")
@click.option(
    "--block", multiple=True, metavar="NAME", help="Leave out a plugin or distribution (repeatable)."
)
@json_option
@click.pass_context
def conformance(
    ctx: click.Context,
    adapter: str | None,
    on_twin: bool,
    only: tuple[str, ...],
    listed: bool,
    block: tuple[str, ...],
    as_json: bool,
) -> int:
    """Hold a platform's adapter to the contract.

    ADAPTER is a platform's name (names: offhook plugins). Each check holds a call of its own: prompt,
    greeting and tools must arrive byte for byte, sound must flow both ways, tool calls reach the tool server
    once and in order, hang-ups and faults end as they should, and no key may show up anywhere. Each failing
    line says what was expected and what arrived.

    Ctrl-C shows what is done so far. The exit code is 1 where a check failed.
    """
    if listed:
        _list(on_twin, as_json=as_json)
        return ExitCode.DONE
    if adapter is None:
        raise click.UsageError("say which adapter (names: offhook plugins)", ctx)
    host = PluginHost.discover(block=block)
    found = host.adapters()
    if adapter not in found:
        from offhook.runner.plan import UnknownName

        if why := host.why_not("adapter", adapter):
            raise NotReady(why)
        raise UnknownName("platform", adapter, found)
    stop = threading.Event()
    progress = _Progress()
    told = _against_twin(found[adapter], only, stop, progress) if on_twin else _live(found[adapter], only)
    _show(told, as_json=as_json)
    if stop.is_set():
        click.echo(f"stopped; done so far: {count(len(told.results), 'check')}", err=True)
        return ExitCode.INTERRUPTED
    return ExitCode.DONE if told.holds else ExitCode.CALLS_IN_ERROR


class _Progress:
    """A line on stderr for each check that is done."""

    def __init__(self) -> None:
        self.total = 0
        self._done = 0

    def finished(self, result: CheckResult) -> None:
        self._done += 1
        of = f"/{self.total}" if self.total else ""
        self.say(f"[{self._done}{of}] {result.verdict.value:<14} {result.check} ({result.seconds:.1f} s)")

    def say(self, text: str) -> None:
        click.echo(text, err=True)

    def close(self) -> None:
        """Nothing is held open."""


def _against_twin(
    adapter: Adapter, only: Sequence[str], stop: threading.Event, progress: _Progress
) -> Conformance:
    from offhook.conformance import NotReady as Lacking
    from offhook.conformance import NoTwin, conform, pick_checks

    checks = pick_checks(only)
    progress.total = len(checks)
    if callable(getattr(adapter, "twin", None)):
        progress.say(f"holding {adapter.name} to {count(len(checks), 'check')} against its twin ...")
    try:
        with redirect_stdout(sys.stderr):
            return in_thread(
                lambda: conform(adapter, only=only, stop=stop, on_done=progress.finished),
                stop,
                progress,
                "stopped at once",
                things="checks",
            )
    except NoTwin as error:
        raise NotReady(str(error)) from error
    except Lacking as error:
        raise NotReady(f"{adapter.name}: {error}") from error


def _live(adapter: Adapter, only: Sequence[str]) -> Conformance:
    from offhook._program import NotReady as Lacking
    from offhook._program import check_part
    from offhook.conformance import conform_live

    try:
        check_part(adapter.name, adapter)
    except Lacking as error:
        raise NotReady(str(error)) from error
    click.echo(f"placing one call to {adapter.name}; {_price(adapter)}", err=True)
    progress = _Progress()
    with redirect_stdout(sys.stderr):
        return conform_live(adapter, only=only, on_done=progress.finished)


def _price(adapter: Adapter) -> str:
    from offhook.conformance import LIVE_SECONDS
    from offhook.runner import list_price

    usd = list_price(adapter, LIVE_SECONDS)
    if usd is None:
        return f"what the platform charges for {LIVE_SECONDS:.0f} s is not known"
    return f"it may cost about ${usd:.2f} ({LIVE_SECONDS:.0f} s)"


def _list(on_twin: bool, *, as_json: bool) -> None:
    from offhook.conformance import CHECKS, LIVE_CHECKS

    lines = {check.name: check.line for check in CHECKS.values()} if on_twin else dict(LIVE_CHECKS)
    if as_json:
        print_json([{"check": name, "holds": line} for name, line in lines.items()])
        return
    print_table(
        f"{count(len(lines), 'check')} {'against the twin' if on_twin else 'of the platform itself'}",
        ("check", "what has to hold"),
        list(lines.items()),
        whole=("check",),
    )


def _show(told: Conformance, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "adapter": told.adapter,
                "holds": told.holds,
                "checks": [
                    {
                        "check": result.check,
                        "verdict": result.verdict.value,
                        "expected": result.expected,
                        "arrived": result.arrived,
                        "reason": result.reason,
                        "evidence": dict(result.evidence),
                        "seconds": result.seconds,
                    }
                    for result in told.results
                ],
            }
        )
        return
    counts = [
        f"{sum(result.verdict.value == verdict for result in told.results)} {verdict.replace('-', ' ')}"
        for verdict in ("passed", "failed", "not-applicable")
    ]
    print_table(
        f"{told.adapter}: {', '.join(counts)}",
        ("check", "result", "seconds", "why"),
        [
            (result.check, result.verdict.value.replace("-", " "), result.seconds, _why(result))
            for result in told.results
        ],
        whole=("check", "result"),
    )
    for result in told.results:
        if not result.holds:
            click.echo(f"failed: {result.told}")


def _why(result: CheckResult) -> str:
    if result.holds:
        return result.reason
    return f"expected {result.expected}; arrived: {result.arrived}"
