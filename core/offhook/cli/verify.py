"""``offhook verify``: have the checks of stored calls decided, and see how far two verifiers agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from offhook.checks import Assertion
from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, open_run, print_json, print_table, tell_damage
from offhook.cli._reading import Reading, completed_calls, read_calls
from offhook.grading import Grade, Outcome
from offhook.host import PluginHost
from offhook.runner.plan import UnknownName
from offhook.storage import RunFolder
from offhook.verified import (
    ASSERTION_NAMES,
    Agreement,
    agreement,
    assertion_outcomes,
    checked_of,
    verify_call,
)
from offhook.verifying import CheckVerdict, Verifier

__all__ = ["verify"]


@click.command(
    epilog="""\b
Examples:
  offhook verify runs/reference-20261130-101500
  offhook verify RUN --verifier llm-verifier --resume
  offhook verify RUN --agree code-verifier llm-verifier
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--verifier",
    "name",
    default="code-verifier",
    show_default=True,
    help="Who verifies (names: offhook plugins).",
)
@click.option(
    "--agree", nargs=2, metavar="A B", help="Compare what two verifiers decided before, check by check."
)
@click.option("--only", multiple=True, metavar="CALL", help="Only the call with this id (repeatable).")
@click.option("--resume", is_flag=True, help="Leave calls alone that this verifier has decided before.")
@json_option
def verify(
    run: Path,
    name: str,
    agree: tuple[str, str] | None,
    only: tuple[str, ...],
    resume: bool,
    as_json: bool,
) -> int:
    """Have the checks of stored calls decided, one after the other, each with its evidence.

    Three assertions are graded apart and all have to hold: the access rules, the account changes, and the
    task's own checks. code-verifier needs nothing; llm-verifier needs OFFHOOK_VERIFIER_MODEL and a key, and
    exits with 3 without them. The grades lie beside the calls; they change no platform score.
    """
    host = PluginHost.discover()
    folder = open_run(run)
    call_ids = completed_calls(folder, only)
    if agree is not None:
        return _compare(folder, host, call_ids, agree, as_json=as_json)
    verifier = _verifier(host, name)
    with folder.lock():
        reading = read_calls(
            folder,
            host,
            call_ids,
            lambda call: verify_call(verifier, call),
            stored=lambda call_id: _stored(folder, call_id, verifier) if resume else None,
            keep=lambda grade: folder.write_grades(grade.call_id, [grade]),
        )
    _show(verifier, reading, as_json=as_json)
    return reading.code


def _verifier(host: PluginHost, name: str) -> Verifier:
    verifiers = host.verifiers()
    if name not in verifiers:
        raise UnknownName("verifier", name, verifiers)
    return verifiers[name]


def _stored(folder: RunFolder, call_id: str, verifier: Verifier) -> Grade | None:
    found = folder.grades(call_id, {verifier.name: verifier.version})
    return next((grade for grade in found if grade.outcome is not Outcome.ERROR), None)


def _set_up(verifier: Verifier) -> str:
    """Whose results are looked for. A verifier's version is a fingerprint, which tells a person nothing."""
    bare = verifier.version.startswith("no-model-")
    return f"{verifier.name} ({'no model set' if bare else 'as it is set up now'})"


def _show(verifier: Verifier, reading: Reading, *, as_json: bool) -> None:
    decided = [grade for grade in reading.grades if grade.outcome is not Outcome.ERROR]
    outcomes = {each: Counter(assertion_outcomes(grade)[each] for grade in decided) for each in Assertion}
    passed = sum(grade.outcome is Outcome.PASS for grade in decided)
    broken = Counter(
        (check.check, check.kind)
        for grade in decided
        for check in checked_of(grade)
        if check.verdict is CheckVerdict.BROKEN
    )
    if as_json:
        print_json(
            {
                "verifier": verifier.name,
                "version": verifier.version,
                "calls": len(decided),
                "passed": passed,
                "assertions": {
                    str(each): {str(outcome): n for outcome, n in found.items()}
                    for each, found in outcomes.items()
                },
                "broken": [
                    {"check": check, "kind": kind, "calls": n} for (check, kind), n in sorted(broken.items())
                ],
                "results": [
                    {"call_id": grade.call_id, "outcome": str(grade.outcome), "summary": grade.summary}
                    for grade in reading.grades
                ],
                "damaged": [{"call_id": each.call_id, "why": each.why} for each in reading.damaged],
            }
        )
    else:
        rows: list[tuple[object, ...]] = [
            (ASSERTION_NAMES[each], found[Outcome.PASS], found[Outcome.FAIL], found[Outcome.UNCLEAR])
            for each, found in outcomes.items()
        ]
        rows.append(
            (
                "all three",
                passed,
                *(sum(g.outcome is o for g in decided) for o in (Outcome.FAIL, Outcome.UNCLEAR)),
            )
        )
        title = f"{count(len(decided), 'call')} verified by {verifier.name} {verifier.version}"
        print_table(title, ("assertion", "holds", "broken", "unclear"), rows)
        if broken:
            worst = sorted(broken.items(), key=lambda each: (-each[1], each[0]))
            print_table(
                "broken checks", ("check", "kind", "calls"), [(check, kind, n) for (check, kind), n in worst]
            )
    tell_damage(reading.damaged)
    for grade in reading.grades:
        if grade.outcome is Outcome.ERROR:
            click.echo(f"call {grade.call_id}: {grade.summary}", err=True)


def _compare(
    folder: RunFolder, host: PluginHost, call_ids: Sequence[str], names: tuple[str, str], *, as_json: bool
) -> int:
    sides = []
    for verifier in (_verifier(host, name) for name in names):
        grades = [grade for call_id in call_ids if (grade := _stored(folder, call_id, verifier)) is not None]
        if not grades:
            raise click.UsageError(
                f"{folder.path} holds nothing decided by {_set_up(verifier)}; run "
                f"offhook verify {folder.path} --verifier {verifier.name} first",
                click.get_current_context(),
            )
        sides.append(grades)
    found = agreement(*sides)
    if as_json:
        print_json(_agreement_json(found, names))
    else:
        _print_agreement(found, names)
    return ExitCode.DONE


def _agreement_json(found: Agreement, names: tuple[str, str]) -> dict[str, object]:
    return {
        "verifiers": list(names),
        "checks": found.checks,
        "agreed": found.agreed,
        "share": found.share,
        "kappa": found.kappa.kappa,
        "kappa_told": found.kappa.told,
        "kinds": {kind: {"checks": n, "agreed": agreed} for kind, (n, agreed) in found.kinds.items()},
        "only_one": found.only_one,
        "disagreements": [
            {
                "call_id": each.first.call_id,
                "check": each.first.check,
                "kind": each.first.kind,
                **{
                    name: {"verdict": str(side.verdict), "evidence": side.evidence, "why": side.why}
                    for name, side in zip(names, (each.first, each.second), strict=True)
                },
            }
            for each in found.disagreements
        ],
    }


def _print_agreement(found: Agreement, names: tuple[str, str]) -> None:
    rows: list[tuple[object, ...]] = [
        (kind, n, agreed, f"{agreed / n:.1%}") for kind, (n, agreed) in found.kinds.items()
    ]
    if found.share is not None:
        rows.append(("all checks", found.checks, found.agreed, f"{found.share:.1%}"))
    print_table(f"{names[0]} and {names[1]}", ("kind of check", "checks", "agree", "share"), rows)
    click.echo(found.kappa.told)
    if found.only_one:
        click.echo(f"{count(found.only_one, 'check')} decided by only one of them")
    for each in found.disagreements:
        click.echo(f"\n{each.first.check} ({each.first.kind}), call {each.first.call_id}")
        for name, side in zip(names, (each.first, each.second), strict=True):
            shown = "; ".join(text for text in (side.why, side.evidence) if text)
            click.echo(f"  {name}: {side.verdict}{f' - {shown}' if shown else ''}")
