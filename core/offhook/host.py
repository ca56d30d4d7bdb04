"""The plugin host: discovers plugins one at a time, keeps what works and names what does not."""

from __future__ import annotations

import difflib
import importlib
import inspect
import sys
from collections.abc import Iterable, Mapping
from contextlib import redirect_stdout
from importlib import metadata
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import attrs
import pluggy

from offhook._raised import raised_line
from offhook.hooks import ENTRY_POINT_GROUP, CommandSpec, HookSpecs

if TYPE_CHECKING:
    from offhook.callers import Caller
    from offhook.drills import Drill
    from offhook.grading import Grader, Measurer, Reviewer
    from offhook.judging import Judge
    from offhook.line import AudioProfile
    from offhook.packs import Pack
    from offhook.records import ComponentInfo
    from offhook.selecting import ModelSelector
    from offhook.sessions import Adapter
    from offhook.speech import Listener, SentenceEmbedder, Voice, VoiceActivityDetector
    from offhook.verifying import Verifier

__all__ = ["Component", "PluginHost", "PluginInfo", "Problem"]


@attrs.frozen
class Problem:
    """One plugin, or one part of it, that could not be used."""

    plugin: str
    distribution: str
    what: str

    def __str__(self) -> str:
        return f"{self.plugin} ({self.distribution}): {self.what}"


@attrs.frozen
class PluginInfo:
    """A plugin that works. ``file`` is where its code is, empty for an object without one."""

    name: str
    distribution: str
    version: str
    file: str = ""


@attrs.frozen
class Component:
    """Something a plugin provides, with its origin."""

    kind: str
    name: str
    value: Any
    plugin: PluginInfo


@attrs.frozen
class _Kind:
    """How one component hook's results are checked. ``contract`` is ``module:Class``, resolved only when
    the hook is called. ``reserved`` names are built in, and no plugin's.
    """

    hook: str
    contract: str
    reserved: tuple[str, ...] = ()


_KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "adapter": _Kind("offhook_adapters", "offhook.sessions:Adapter"),
        "industry": _Kind("offhook_industries", "offhook.packs:Pack"),
        "caller": _Kind("offhook_callers", "offhook.callers:Caller"),
        "voice": _Kind("offhook_voices", "offhook.speech:Voice"),
        "listener": _Kind("offhook_listeners", "offhook.speech:Listener"),
        "vad": _Kind("offhook_vads", "offhook.speech:VoiceActivityDetector"),
        "embedder": _Kind("offhook_embedders", "offhook.speech:SentenceEmbedder"),
        "audio_profile": _Kind("offhook_audio_profiles", "offhook.line:AudioProfile", ("clean",)),
        "grader": _Kind("offhook_graders", "offhook.grading:Grader"),
        "measurer": _Kind("offhook_measurers", "offhook.grading:Measurer"),
        "reviewer": _Kind("offhook_reviewers", "offhook.grading:Reviewer"),
        "judge": _Kind("offhook_judges", "offhook.judging:Judge"),
        "verifier": _Kind("offhook_verifiers", "offhook.verifying:Verifier"),
        "model_selector": _Kind("offhook_model_selectors", "offhook.selecting:ModelSelector"),
        "drill": _Kind("offhook_drills", "offhook.drills:Drill"),
        "command": _Kind("offhook_commands", "offhook.hooks:CommandSpec"),
    }
)


def _spec_names() -> tuple[str, ...]:
    return tuple(name for name in vars(HookSpecs) if name.startswith("offhook_"))


class PluginHost:
    """Holds the plugins of one process or test. There is no global host.

    ``problems`` grows as hooks are called: a hook that returns the wrong thing is only known once it has
    been asked.
    """

    def __init__(self) -> None:
        self._manager = pluggy.PluginManager("offhook")
        self._manager.add_hookspecs(HookSpecs)
        self._infos: dict[str, PluginInfo] = {}
        self._problems: list[Problem] = []
        self._components: dict[str, dict[str, Component]] = {}
        self._idle_blocks: tuple[str, ...] = ()

    @classmethod
    def discover(cls, *, block: Iterable[str] = ()) -> PluginHost:
        """Loads every entry point of group ``offhook``, offhook's own first, then by distribution and name.

        Args:
            block: names of distributions or entry points that are left out.
        """
        host = cls()
        blocked = set(block)
        points = [
            (_distribution_of(point), point) for point in metadata.entry_points(group=ENTRY_POINT_GROUP)
        ]
        names = {name for (distribution, _), point in points for name in (distribution, point.name)}
        host._idle_blocks = tuple(sorted(blocked - names))
        points.sort(key=lambda pair: (pair[0][0] != "offhook", pair[0][0], pair[1].name))
        for (distribution, version), point in points:
            if distribution in blocked or point.name in blocked:
                continue
            try:
                with redirect_stdout(
                    sys.stderr
                ):  # what is printed on stdout is a command's result, such as JSON
                    plugin = point.load()
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # a plugin may even call sys.exit() while it is imported
                host._note(
                    point.name, distribution, f"cannot be imported from {point.value}: {_one_line(error)}"
                )
                continue
            host.register(plugin, name=point.name, distribution=distribution, version=version)
        return host

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(self._problems)

    @property
    def idle_blocks(self) -> tuple[str, ...]:
        """The names given to ``discover`` to be left out that no plugin and no distribution has."""
        return self._idle_blocks

    @property
    def plugins(self) -> tuple[PluginInfo, ...]:
        return tuple(self._infos.values())

    def register(
        self, plugin: object, *, name: str, distribution: str = "(local)", version: str = "0"
    ) -> bool:
        """Adds a plugin object; False, and a line in ``problems``, if it can't be used."""
        key = f"{distribution}:{name}"
        faults = _hook_faults(plugin)
        if faults:
            for fault in faults:
                self._note(name, distribution, fault)
            return False
        try:
            self._manager.register(plugin, name=key)
        except (ValueError, pluggy.PluginValidationError) as error:
            # pluggy may have kept part of a plugin whose later hook was refused
            if self._manager.get_plugin(key) is not None:
                self._manager.unregister(name=key)
            self._note(name, distribution, _one_line(error))
            return False
        self._infos[key] = PluginInfo(name, distribution, version, _file_of(plugin))
        return True

    def components(self, kind: str) -> Mapping[str, Component]:
        """Everything of one kind, by name. Hooks are called once; later calls return the same objects.

        Raises:
            KeyError: an unknown kind.
        """
        if kind not in self._components:
            self._components[kind] = self._collect(kind)
        return MappingProxyType(self._components[kind])

    def all_components(self) -> tuple[Component, ...]:
        """Every component of every kind, in the order of kinds, then names."""
        return tuple(component for kind in _KINDS for _, component in sorted(self.components(kind).items()))

    def provenance(self, kind: str, name: str, *, sha256: str = "") -> ComponentInfo:
        """What a record keeps of a component's origin."""
        from offhook.records import ComponentInfo

        plugin = self.components(kind)[name].plugin
        return ComponentInfo(f"{kind}:{name}", plugin.distribution, plugin.version, sha256)

    def adapters(self) -> Mapping[str, Adapter]:
        return cast("Mapping[str, Adapter]", self._values("adapter"))

    def packs(self) -> Mapping[str, Pack]:
        return cast("Mapping[str, Pack]", self._values("industry"))

    def callers(self) -> Mapping[str, Caller]:
        return cast("Mapping[str, Caller]", self._values("caller"))

    def voices(self) -> Mapping[str, Voice]:
        return cast("Mapping[str, Voice]", self._values("voice"))

    def listeners(self) -> Mapping[str, Listener]:
        return cast("Mapping[str, Listener]", self._values("listener"))

    def vads(self) -> Mapping[str, VoiceActivityDetector]:
        return cast("Mapping[str, VoiceActivityDetector]", self._values("vad"))

    def embedders(self) -> Mapping[str, SentenceEmbedder]:
        return cast("Mapping[str, SentenceEmbedder]", self._values("embedder"))

    def audio_profiles(self) -> Mapping[str, AudioProfile]:
        """The profiles of the plugins; `offhook.line.CLEAN` is built in and not among them."""
        return cast("Mapping[str, AudioProfile]", self._values("audio_profile"))

    def graders(self) -> Mapping[str, Grader]:
        return cast("Mapping[str, Grader]", self._values("grader"))

    def measurers(self) -> Mapping[str, Measurer]:
        return cast("Mapping[str, Measurer]", self._values("measurer"))

    def reviewers(self) -> Mapping[str, Reviewer]:
        return cast("Mapping[str, Reviewer]", self._values("reviewer"))

    def judges(self) -> Mapping[str, Judge]:
        return cast("Mapping[str, Judge]", self._values("judge"))

    def verifiers(self) -> Mapping[str, Verifier]:
        return cast("Mapping[str, Verifier]", self._values("verifier"))

    def model_selectors(self) -> Mapping[str, ModelSelector]:
        return cast("Mapping[str, ModelSelector]", self._values("model_selector"))

    def grade_versions(self) -> Mapping[str, str]:
        """Whose grades count, and in which version: graders, reviewers, judges and verifiers by name. Of two
        with one name the first of that order is meant."""
        found: dict[str, str] = {}
        for kind in ("grader", "reviewer", "judge", "verifier"):
            for name, value in self._values(kind).items():
                found.setdefault(name, value.version)
        return found

    def drills(self) -> Mapping[str, Drill]:
        return cast("Mapping[str, Drill]", self._values("drill"))

    def commands(self) -> Mapping[str, CommandSpec]:
        return cast("Mapping[str, CommandSpec]", self._values("command"))

    def why_not(self, kind: str, name: str) -> str:
        """Why a thing that a plugin would bring can't be used, in one line; empty where nothing is known."""
        self.components(kind)
        return next((str(each) for each in self._problems if each.what.startswith(f"{kind} {name!r} ")), "")

    def notify(self, hook: str, **arguments: object) -> None:
        """Calls a lifecycle hook on each plugin; one that raises becomes a problem and stops nothing."""
        for key, info in self._infos.items():
            try:
                self._only(hook, key)(**arguments)
            except (Exception, SystemExit) as error:
                self._note(info.name, info.distribution, f"{hook} raised {_one_line(error)}")

    def _values(self, kind: str) -> dict[str, Any]:
        return {name: component.value for name, component in sorted(self.components(kind).items())}

    def _collect(self, kind: str) -> dict[str, Component]:
        spec = _KINDS[kind]
        contract = _resolve(spec.contract)
        found: dict[str, Component] = {}
        for key, info in self._infos.items():
            if not hasattr(self._manager.get_plugin(key), spec.hook):
                continue
            try:
                with redirect_stdout(sys.stderr):
                    results = self._ask(spec.hook, key)
            except (Exception, SystemExit) as error:
                self._note(info.name, info.distribution, f"{spec.hook} raised {_one_line(error)}")
                continue
            for result in results:
                for fault in self._accept(kind, spec.hook, contract, result, info, found):
                    self._note(info.name, info.distribution, fault)
        return found

    def _ask(self, hook: str, key: str) -> list[object]:
        """What one plugin's implementation returns; asked directly, because pluggy drops a None."""
        implementations = self._only(hook, key).get_hookimpls()
        return [
            implementation.function()
            for implementation in implementations
            if implementation.plugin_name == key
        ]

    def _only(self, hook: str, key: str) -> pluggy.HookCaller:
        others = [self._manager.get_plugin(other) for other in self._infos if other != key]
        return self._manager.subset_hook_caller(hook, [plugin for plugin in others if plugin is not None])

    def _accept(
        self,
        kind: str,
        hook: str,
        contract: type,
        result: object,
        info: PluginInfo,
        found: dict[str, Component],
    ) -> list[str]:
        if not isinstance(result, list | tuple):
            if inspect.iscoroutine(result):
                result.close()
            return [f"{hook} returned {_type_name(result)}, expected a list or tuple of {contract.__name__}"]
        faults = []
        for position, item in enumerate(result):
            name = None
            try:
                name = getattr(item, "name", None)
                fault = _part_fault(kind, hook, position, item, contract)
            except (Exception, SystemExit) as error:  # a property of it; the others are not affected
                who = _who(kind, name, item)
                faults.append(f"{who} at [{position}] of {hook} cannot be read: {_one_line(error)}")
                continue
            if fault:
                faults.append(fault)
                continue
            if not isinstance(name, str) or not name:
                faults.append(f"{hook} returned a {contract.__name__} at [{position}] without a name")
            elif name in _KINDS[kind].reserved:
                faults.append(f"{kind} {name!r} is offhook's own; give yours another name")
            elif name in found:
                holder = found[name].plugin
                faults.append(f"{kind} {name!r} is already provided by {holder.name} ({holder.distribution})")
            else:
                found[name] = Component(kind, name, item, info)
        return faults

    def _note(self, plugin: str, distribution: str, what: str) -> None:
        self._problems.append(Problem(plugin, distribution, what))


def _distribution_of(point: metadata.EntryPoint) -> tuple[str, str]:
    if point.dist is None:
        return ("(unknown)", "0")
    return (point.dist.name, point.dist.version)


def _hook_faults(plugin: object) -> list[str]:
    """What is wrong with a plugin's hooks before any is called; pluggy would ignore or half-accept these."""
    known = _spec_names()
    faults = []
    for name in dir(plugin):
        function = inspect.getattr_static(plugin, name, None)
        marked = getattr(function, "offhook_impl", None) is not None
        if not marked and not (name.startswith("offhook_") and inspect.isroutine(function)):
            continue
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f", did you mean {near[0]}?" if near else ""
            faults.append(f"there is no hook {name}{hint}")
        elif not marked:
            faults.append(f"{name} lacks the @hookimpl decorator")
        elif inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            faults.append(f"{name} is async, hooks are ordinary functions")
    if not faults and not any(hasattr(plugin, name) for name in known):
        faults.append("implements no hook")
    return faults


def _file_of(plugin: object) -> str:
    try:
        return inspect.getfile(plugin if inspect.ismodule(plugin) else type(plugin))
    except (TypeError, OSError):
        return ""


def _resolve(target: str) -> type:
    module, _, attribute = target.partition(":")
    found: type = getattr(importlib.import_module(module), attribute)
    return found


def _part_fault(kind: str, hook: str, position: int, item: object, contract: type) -> str:
    """What is wrong with a thing that a hook returned; empty where nothing is. Raises what its properties
    raise.
    """
    if not isinstance(item, contract):
        return f"{hook} returned {_type_name(item)} at [{position}], expected {contract.__name__}"
    if kind == "adapter":
        adapter = cast("Adapter", item)
        told = adapter.capabilities
        if not isinstance(told, _resolve("offhook.sessions:Capabilities")):
            who = f"{_who(kind, adapter.name, item)} at [{position}] of {hook}"
            return f"{who} cannot be used: its capabilities are {_type_name(told)}, expected Capabilities"
    return ""


def _who(kind: str, name: object, item: object) -> str:
    return f"{kind} {name!r}" if isinstance(name, str) and name else _type_name(item)


def _type_name(value: object) -> str:
    return "None" if value is None else f"a {type(value).__name__}"


def _one_line(error: BaseException) -> str:
    return raised_line(error, __file__)
