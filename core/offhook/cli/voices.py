"""``offhook voices``: the voices that callers have, one of them to listen to, and how well they are heard."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import click

from offhook.cli._output import count, json_option, print_json, print_table
from offhook.host import PluginHost
from offhook.runner.plan import UnknownName, assign_voices

if TYPE_CHECKING:
    from offhook._voicecheck import VoiceError
    from offhook.audio import Clip
    from offhook.packs import Pack
    from offhook.speech import Voice

__all__ = ["voices"]

_FORMATS: Final = {".wav": "WAV", ".flac": "FLAC"}
_SHOWN_TASKS: Final = 6


@click.group(
    invoke_without_command=True,
    epilog="""\b
Examples:
  offhook voices
  offhook voices --pack customer-support
  offhook voices say us-male-joe "Hello, it's me." -o hello.wav
  offhook voices error us-male-joe
""",
)
@click.option("--pack", "pack_name", metavar="NAME", help="Also say which of this pack's tasks have a voice.")
@json_option
@click.pass_context
def voices(ctx: click.Context, pack_name: str | None, as_json: bool) -> None:
    """List the callers' voices, hear one, or measure how well they are heard.

    The tasks of a pack, sorted by id, take turns in offhook's own eight voices: a task has one voice on every
    platform, in every run and audio condition. Other voices, from plugins, are used where they are asked for.
    """
    if ctx.invoked_subcommand is not None:
        return
    from offhook.runner import default_slots

    host = PluginHost.discover()
    packs = host.packs()
    if pack_name is not None and pack_name not in packs:
        raise UnknownName("pack", pack_name, packs)
    slots = default_slots(host)
    tasks = _tasks_of(packs[pack_name], slots) if pack_name is not None else None
    rows = [_row(host, name, name in slots, tasks) for name in host.voices()]
    if as_json:
        print_json(rows)
        return
    columns = ("voice", "accent", "gender", "engine", *(("tasks",) if tasks is not None else ()))
    print_table(
        count(len(rows), "voice"),
        columns,
        [tuple(_cell(row[column]) for column in columns) for row in rows],
        whole=("voice",),
    )
    for row in rows:
        click.echo(f"{row['voice']}: {row['description']}")


def _tasks_of(pack: Pack, slots: tuple[str, ...]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    if slots:
        for (_, task_id), voice in assign_voices([pack], slots).items():
            found.setdefault(voice, []).append(task_id)
    return found


def _row(
    host: PluginHost, name: str, in_rotation: bool, tasks: Mapping[str, list[str]] | None
) -> dict[str, object]:
    from offhook.speech import VoiceSlot

    component = host.components("voice")[name]
    voice = component.value
    accent, gender = (voice.accent, voice.gender) if isinstance(voice, VoiceSlot) else ("", "")
    row: dict[str, object] = {
        "voice": name,
        "accent": accent,
        "gender": gender,
        "engine": f"{voice.info.engine} {voice.info.version}",
        "licence": voice.info.licence,
        "description": voice.description,
        "in_rotation": in_rotation,
        "distribution": component.plugin.distribution,
    }
    return row if tasks is None else {**row, "tasks": tasks.get(name, [])}


def _cell(value: object) -> object:
    if not isinstance(value, list):
        return value or "-"
    more = f" and {len(value) - _SHOWN_TASKS} more" if len(value) > _SHOWN_TASKS else ""
    return ", ".join(value[:_SHOWN_TASKS]) + more or "-"


@voices.command(epilog='Example: offhook voices say us-male-joe "Hello, it\'s me." -o hello.wav')
@click.argument("voice")
@click.argument("text")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    required=True,
    help="The sound file, .wav or .flac.",
)
@click.option(
    "--tempo", type=click.FloatRange(0.5, 2.0), default=1.0, show_default=True, help="1 is the voice's own."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.pass_context
def say(ctx: click.Context, voice: str, text: str, out: Path, tempo: float, force: bool) -> None:
    """Have VOICE say TEXT into a sound file, mono, 16 bit."""
    kind = _FORMATS.get(out.suffix.lower())
    if kind is None:
        raise click.UsageError(f"--out {out}: end it in {' or '.join(_FORMATS)}", ctx)
    if out.is_dir():
        raise click.UsageError(f"--out {out} is a folder; name a file in it", ctx)
    if out.exists() and not force:
        raise click.UsageError(f"{out} is there already; add --force to write over it", ctx)
    clip = _spoken(ctx, _known(PluginHost.discover(), voice), text, tempo)
    _write(out, clip, kind)
    click.echo(f"{out}: {clip.seconds:.1f} s")


def _known(host: PluginHost, name: str) -> Voice:
    found = host.voices()
    if name not in found:
        raise UnknownName("voice", name, found)
    return found[name]


def _spoken(ctx: click.Context, voice: Voice, text: str, tempo: float) -> Clip:
    from offhook.speech import SpeechStyle

    try:
        clip = voice.speak(text, SpeechStyle(tempo=tempo))
    except ValueError as fault:
        raise click.UsageError(f"{voice.name} can't say that: {fault}", ctx) from fault
    if not clip.samples.size:
        raise click.UsageError(f"there is nothing to say in {text!r}", ctx)
    return clip


def _write(out: Path, clip: Clip, kind: str) -> None:
    """Encoded first, so that a file is written whole.

    Raises:
        AudioFileError: the file can't be written.
    """
    import soundfile

    from offhook.line import AudioFileError

    encoded = io.BytesIO()
    soundfile.write(encoded, clip.samples, clip.rate, format=kind, subtype="PCM_16")
    try:
        out.write_bytes(encoded.getbuffer())
    except OSError as error:
        raise AudioFileError(f"{out}: can't be written: {error.strerror or error}") from error


@voices.command(
    epilog="""\b
Examples:
  offhook voices error
  offhook voices error us-male-joe us-female-heart
  offhook voices error us-male-joe --sentences mine.txt --json
"""
)
@click.argument("names", metavar="[VOICE]...", nargs=-1)
@click.option(
    "--sentences",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What is said, a sentence a line, instead of the built-in set.",
)
@json_option
@click.pass_context
def error(ctx: click.Context, names: tuple[str, ...], sentences: Path | None, as_json: bool) -> None:
    """Measure each voice's synthesis error: the word errors of a faithful recogniser.

    Where a voice drops or slurs a word, no platform can hear it. The reference recogniser, which grades runs
    too, listens to a set of sentences that callers say. `offhook floor` measures the same on the calls of a
    run. What is said and heard is kept in the cache, so a second time is quick.
    """
    from offhook._voicecheck import SENTENCES, hear_sentence, voice_error
    from offhook.runner.measured import HostEngines

    host = PluginHost.discover()
    texts = SENTENCES if sentences is None else _read(ctx, sentences)
    chosen = [_known(host, name) for name in dict.fromkeys(names or host.voices())]
    listener = HostEngines(host).listener()
    found: list[VoiceError] = []
    with _progress(len(chosen) * len(texts)) as tell:
        for voice in chosen:
            heard = []
            for text in texts:
                heard.append(hear_sentence(voice, listener, text))
                tell(voice.name)
            found.append(voice_error(voice, listener, heard))
    _show(found, as_json=as_json)


def _read(ctx: click.Context, path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "it is not UTF-8 text"
        raise click.UsageError(f"--sentences {path}: {why}", ctx) from fault
    found = tuple(line.strip() for line in lines if line.strip())
    if not found:
        raise click.UsageError(f"--sentences {path}: it holds no sentence", ctx)
    return found


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """Sentences heard, on stderr: a bar on a terminal, a line a voice elsewhere."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if console.is_terminal:
        with Progress(console=console) as bar:
            task = bar.add_task("listening", total=total)
            yield lambda name: bar.update(task, advance=1, description=name)
        return
    told: set[str] = set()

    def line(name: str) -> None:
        if name not in told:
            told.add(name)
            click.echo(f"listening to {name} ...", err=True)

    yield line


def _show(found: list[VoiceError], *, as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {
                    **attrs.asdict(one),
                    "reference_words": one.reference_words,
                    "errors": one.errors,
                    "wer": one.wer,
                }
                for one in found
            ]
        )
        return
    rows = [
        (
            one.voice,
            len(one.sentences),
            one.reference_words,
            one.errors,
            "not measured" if one.wer is None else f"{100 * one.wer:.1f} %",
        )
        for one in found
    ]
    columns = ("voice", "sentences", "words", "errors", "WER")
    heard_by = ", ".join(dict.fromkeys(f"{one.engine}, {one.version}" for one in found))
    print_table(f"Synthesis error (heard by {heard_by})", columns, rows, whole=("voice",))
    for voice, heard in [(one.voice, heard) for one in found for heard in one.sentences]:
        if heard.substitutions + heard.deletions + heard.insertions:
            click.echo(f"{voice}: {heard.said!r} was heard as {heard.heard!r}")
