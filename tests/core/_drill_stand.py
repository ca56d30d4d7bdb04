"""A plugin that brings all that drills need, with fast stand-ins for the engines; as a program, the command
line with that plugin and no other.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from offhook.drills import CastMember, DrillGround, DrillMark, DrillRecord, MarkPart
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.sessions import Ability, Capabilities
from offhook.testing import EnergyVad, FakeListener, FakeVoice, HashEmbedder, ScriptedRecruit

# At least one thing of every kind is named as the defaults of the command line are.
EARS = (FakeListener("whisper-tiny"), FakeListener("whisper-base"))


@attrs.frozen
class Repeat:
    """A word that has to come back within two seconds; ``pause`` seconds are waited first."""

    name: str = "repeat"
    pause: float = 0.1
    version: str = "1"
    title: str = "Repeat <b>After</b> Me"
    measures: str = "whether one word comes back"
    needs: frozenset[Ability] = frozenset({Ability.AUDIO})
    cast: tuple[CastMember, ...] = (CastMember("Sergeant"), CastMember("../Major"))
    limit: float = 20.0

    def draw(self, rng: np.random.Generator) -> Mapping[str, Any]:
        return {"word": ["red", "green", "blue"][int(rng.integers(3))]}

    async def conduct(self, ground: DrillGround) -> None:
        await ground.room.sleep_until(self.pause)
        line = await ground.say("Sergeant", ground.draw["word"], purpose="order")
        ground.moment("ordered", words=1)
        await ground.next_heard(0, line.end + 1.0)

    def mark(self, record: DrillRecord) -> DrillMark:
        right = bool(record.heard) and record.heard[0].text == record.draw["word"]
        mark, why = (100.0, "the word came back") if right else (0.0, "it did not come back")
        parts = (MarkPart("word", mark, why, evidence={"expected": record.draw["word"]}),)
        return DrillMark(self.name, self.version, record.drill_id, mark, why, parts=parts)


class Breaks(Repeat):
    async def conduct(self, ground: DrillGround) -> None:
        raise LookupError("</script> a bug of its own")


def needs_camera(name: str) -> Repeat:
    return Repeat(name, needs=frozenset({Ability.AUDIO, Ability.VIDEO_OUT}))


class Slow(ScriptedRecruit):
    """The recruit in real time."""

    @property
    def capabilities(self) -> Capabilities:
        return attrs.evolve(super().capabilities, virtual_time=False)


@attrs.define(eq=False)
class Stand:
    """The plugin. ``finished`` notes what its lifecycle hook was told."""

    drills: Sequence[Any] = (Repeat(),)
    adapters: Sequence[Any] = ()
    finished: list[tuple[str, float | None, bool]] = attrs.field(factory=list)

    @hookimpl
    def offhook_adapters(self) -> Sequence[Any]:
        said = ScriptedRecruit(answer=lambda order: order, name="obedient")
        return (
            said,
            ScriptedRecruit(name="mute"),
            Slow(answer=lambda order: order, name="slow"),
            *self.adapters,
        )

    @hookimpl
    def offhook_drills(self) -> Sequence[Any]:
        return list(self.drills)

    @hookimpl
    def offhook_voices(self) -> Sequence[Any]:
        return (FakeVoice("one"), FakeVoice("two"))

    @hookimpl
    def offhook_listeners(self) -> Sequence[Any]:
        return EARS

    @hookimpl
    def offhook_vads(self) -> Sequence[Any]:
        return (EnergyVad(name="silero"),)

    @hookimpl
    def offhook_embedders(self) -> Sequence[Any]:
        return (HashEmbedder(name="minilm"),)

    @hookimpl
    def offhook_drill_finished(self, record: Any, mark: Any, folder: Any) -> None:
        whole = (folder / "record.json").is_file()
        self.finished.append((record.drill, mark.mark if mark else None, whole))


def stand_host(stand: Stand) -> PluginHost:
    host = PluginHost()
    assert host.register(stand, name="stand"), host.problems
    return host


def three_drills() -> Stand:
    """Drills that take about a second each in real time."""
    return Stand(drills=[Repeat(name, pause=0.3) for name in ("first", "second", "third")])


def main() -> None:
    """``offhook`` with three drills."""
    from offhook.cli import main as command_line

    stand = Stand(
        drills=(Repeat("first", pause=0.5), Repeat("second", pause=0.5), Repeat("third", pause=0.5))
    )
    PluginHost.discover = lambda **_: stand_host(stand)  # type: ignore[method-assign]
    command_line(sys.argv[1:])


if __name__ == "__main__":
    main()
