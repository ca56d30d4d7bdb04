"""Measurements of a run's calls: read where they are stored, made and stored where not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import attrs

from offhook.grading import CallEvidence, GradingEngines, Measurement, Measurer, NotMeasured
from offhook.host import PluginHost
from offhook.runner.engines import EngineChoice
from offhook.runner.plan import UnknownName
from offhook.speech import Listener, SentenceEmbedder, SpeechUnavailable
from offhook.storage import RunFolder, StorageError, from_json, is_safe_name, one_line, to_json

__all__ = ["HostEngines", "StoredMeasurements"]

T = TypeVar("T")


@attrs.frozen(eq=False)
class HostEngines:
    """The grading engines out of what the plugins provide: the embedder, and the careful ears as the
    reference recogniser. Nothing loads before it is used."""

    host: PluginHost
    choice: EngineChoice = attrs.field(factory=EngineChoice)

    def embedder(self) -> SentenceEmbedder:
        """Raises SpeechUnavailable."""
        return _provided(self.choice.embedder, self.host.embedders())

    def listener(self) -> Listener:
        """Raises SpeechUnavailable."""
        return _provided(self.choice.careful_ears, self.host.listeners())


@attrs.frozen(eq=False)
class StoredMeasurements:
    """Keeps each measurement under ``measurements/<measurer>/<version>/`` of the run folder, tied to the
    record it was made from. What failed for want of an engine is tried again next time."""

    folder: RunFolder
    measurers: Mapping[str, Measurer]
    engines: GradingEngines

    def get(self, call: CallEvidence, name: str) -> Measurement:
        call_id = call.record.call_id
        measurer = self.measurers.get(name)
        if measurer is None:
            return Measurement(name, "0", call_id, error=f"no measurer {name!r} is installed")
        if not (is_safe_name(name) and is_safe_name(measurer.version)):
            return Measurement(
                name, "0", call_id, error=f"measurer {name!r} has a name or version that no folder can have"
            )
        stored = self.folder.measurement(call_id, name, measurer.version)
        return self._made(measurer, call) if stored is None else stored

    def _made(self, measurer: Measurer, call: CallEvidence) -> Measurement:
        blank = Measurement(measurer.name, measurer.version, call.record.call_id)
        try:
            made = attrs.evolve(blank, values=measurer.measure(call, self.engines))
            # Whoever reads it sees what will be read back: JSON data, equal from the store and at first.
            made = from_json(to_json(made), Measurement, source="the measurement")
        except NotMeasured as error:
            made = attrs.evolve(blank, error=one_line(str(error)))
        except SpeechUnavailable as error:
            return attrs.evolve(blank, error=one_line(str(error)))
        except (Exception, SystemExit) as error:  # a plugin may even call sys.exit()
            return attrs.evolve(blank, error=one_line(error))
        try:
            self.folder.write_measurement(made)
        except StorageError:
            return made  # it is derived: a full disk shows when the grades are written
        return made


def _provided(name: str, found: Mapping[str, T]) -> T:
    if name not in found:
        raise SpeechUnavailable(f"{UnknownName('engine', name, found)}; pip install 'offhook[speech]'")
    return found[name]
