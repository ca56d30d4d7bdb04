"""A language model as the caller's mind, through any OpenAI-compatible chat completions endpoint, at
temperature 0.

The model judges which rule's prose trigger the agent's turn meets and phrases what no rule covers. It never
words a scripted line: it names the rule and the line is said exactly. Occurrence and conditions of rules
stay with the rules engine, which only offers the model those rules that may fire. What the model improvises
is checked before it is said: a value that is not the caller's never leaves its mouth; the deterministic
mind's reply is said instead.

Set ``OFFHOOK_CALLER_MODEL``, and ``OFFHOOK_CALLER_API_KEY`` or ``OPENAI_API_KEY``;
``OFFHOOK_CALLER_BASE_URL`` names another server.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from typing import Any, Final

import attrs
import httpx

from offhook.callers import CallerBrief
from offhook.packs import Rule, Task
from offhook.storage import clean_text
from offhook_caller.cues import read_turn
from offhook_caller.deterministic import Decider
from offhook_caller.minds import AGENT_ENDED, SATISFIED, CallState, Decision, MindUnavailable
from offhook_caller.offscript import foreign_in
from offhook_caller.script import may_fire, said_event

__all__ = ["ModelSettings", "OpenAIMind", "missing_settings", "openai_mind", "settings_from"]

_DEFAULT_URL: Final = "https://api.openai.com/v1"
_RETRIED: Final = frozenset({408, 409, 429, 500, 502, 503, 504})

_INSTRUCTIONS: Final = """
You play a person who phones a company. You are the caller, never the company's agent.
You talk the way people do on the phone: one or two short sentences.

Each time the agent has spoken you answer with one JSON object and nothing else:
{"rule": <id or null>, "say": <text or null>, "hang_up": <true or false>}

How to choose:
1. Look through the scripted responses. If the agent's latest turn meets one's "when" and none of
its "not when", give its id as "rule" and leave "say" null. Its line is then said for you, word
for word. Of several, take the first in the list.
2. Otherwise give "rule" null and a short "say" in your own words that fits your goal and conduct.
Typical cases: the agent asks you to repeat something (repeat only that), reads a value back (say
yes, or no and the right value), or asks something that your facts answer.
3. If the agent only asks you to wait or makes a statement that needs no answer, give null for
both.

Facts are the only names, numbers, dates and addresses you may state. Never invent one; say you
don't know.
Never accept, refuse or request anything that your goal and conduct don't cover.
Set "hang_up" true only when the agent said goodbye or your goal and conduct tell you to end the
call now.
"""


@attrs.frozen
class ModelSettings:
    """Where the model is. ``timeout`` is in seconds and per request, ``tries`` counts the first attempt."""

    model: str
    api_key: str = attrs.field(repr=False)
    base_url: str = _DEFAULT_URL
    timeout: float = 30.0
    tries: int = 3


def settings_from(environment: Mapping[str, str]) -> ModelSettings:
    """Reads the settings.

    Raises:
        MindUnavailable: model or key is not set, the key can't be one, or the URL holds a password.
    """
    model = environment.get("OFFHOOK_CALLER_MODEL", "")
    key = (environment.get("OFFHOOK_CALLER_API_KEY") or environment.get("OPENAI_API_KEY", "")).strip()
    if not model:
        raise MindUnavailable("the openai caller needs a model: set OFFHOOK_CALLER_MODEL to its exact id")
    if not key:
        raise MindUnavailable("the openai caller needs a key: set OFFHOOK_CALLER_API_KEY or OPENAI_API_KEY")
    if not (key.isascii() and key.isprintable()) or " " in key:  # no header could carry it
        raise MindUnavailable(
            "the openai caller's key holds a blank or another character that no key has: copy it once more"
        )
    base_url = environment.get("OFFHOOK_CALLER_BASE_URL", _DEFAULT_URL)
    if "@" in base_url:  # it would be shown in errors, and so end up in records
        raise MindUnavailable(
            "OFFHOOK_CALLER_BASE_URL holds a user or password: put the key in OFFHOOK_CALLER_API_KEY instead"
        )
    return ModelSettings(model, key, base_url.rstrip("/"))


def missing_settings() -> str | None:
    """What the environment lacks, in one line, or None."""
    try:
        settings_from(os.environ)
    except MindUnavailable as error:
        return str(error)
    return None


def openai_mind(brief: CallerBrief, decider: Decider) -> OpenAIMind:
    """The mind of one call, set up from the environment.

    Raises:
        MindUnavailable: model or key is not set.
    """
    return OpenAIMind(brief.task, decider, settings_from(os.environ))


@attrs.frozen
class _Choice:
    """What the model answered."""

    rule: str
    say: str
    hang_up: bool


class OpenAIMind:
    """Talks to the endpoint; one instance serves one call."""

    def __init__(self, task: Task, decider: Decider, settings: ModelSettings) -> None:
        self._task = task
        self._decider = decider
        self._settings = settings
        self._client = httpx.AsyncClient(
            base_url=settings.base_url,
            headers={"Authorization": f"Bearer {settings.api_key}"},
            timeout=settings.timeout,
        )

    async def open(self, state: CallState) -> Decision:
        return self._decider.open(state)

    async def answer(self, heard: str, state: CallState) -> Decision:
        """Asks the model.

        Raises:
            MindUnavailable: the endpoint refused, could not be reached or kept answering something else
            than was asked for.
        """
        turn = read_turn(heard)
        marked = self._decider.script.mark(turn, state.after_agent(heard))
        usable = tuple(rule for rule in self._task.rules if may_fire(rule, marked))
        choice = await self._ask(usable, marked)
        owed = self._decider.rule_for(turn, state.after_agent(heard))
        by_cues = owed.rule.id if owed is not None and owed.match.by == "pattern" else ""
        if choice.rule:
            rule = next(rule for rule in usable if rule.id == choice.rule)
            reply = self._decider.repairs.scripted(rule.line, f"rule:{rule.id}")
            after = marked.after_reply(reply, said_event(rule.id))
            return Decision(
                reply,
                after,
                self._ends(rule.ends_call or choice.hang_up, after),
                rule.id,
                "the model chose the rule",
            )
        if choice.say:
            foreign = foreign_in(choice.say, self._task)
            if foreign:
                fallback = self._decider.decide(heard, state)
                return attrs.evolve(
                    fallback, why=f"the model's line stated {', '.join(foreign)}; {fallback.why}"
                )
            reply = self._decider.repairs.scripted(choice.say, "repair:improvised")
            after = marked.after_reply(reply)
            return Decision(reply, after, self._ends(choice.hang_up, after), by_cues, "the model improvised")
        return Decision(None, marked, self._ends(choice.hang_up, marked), by_cues, "the model stays silent")

    async def aclose(self) -> None:
        await self._client.aclose()

    def _ends(self, hang_up: bool, state: CallState) -> str:
        if not hang_up:
            return ""
        return SATISFIED if self._decider.script.satisfied(state) else AGENT_ENDED

    async def _ask(self, usable: tuple[Rule, ...], state: CallState) -> _Choice:
        body = {
            "model": self._settings.model,
            "temperature": 0,
            "response_format": {"type": "json_object"},
            "messages": self._messages(usable, state),
        }
        problem = ""
        for attempt in range(self._settings.tries):
            if attempt:
                await asyncio.sleep(0.5 * 2 ** (attempt - 1))
            try:
                response = await self._client.post("/chat/completions", json=body)
            except httpx.HTTPError as error:
                problem = f"could not be reached ({type(error).__name__}): check OFFHOOK_CALLER_BASE_URL"
                continue
            if response.status_code in _RETRIED:
                problem = f"answered {response.status_code}"
                continue
            if response.status_code in (401, 403):
                raise self._unavailable(
                    f"refused the key (HTTP {response.status_code}): check OFFHOOK_CALLER_API_KEY"
                )
            if response.status_code != 200:
                told = _excerpt(_without_key(response.text, self._settings.api_key))
                raise self._unavailable(f"answered {response.status_code}: {told}")
            try:
                return _read_choice(response.json(), {rule.id for rule in usable})
            except (ValueError, KeyError, IndexError, TypeError) as error:
                problem = f"gave no usable answer: {_without_key(str(error), self._settings.api_key)}"
        raise self._unavailable(f"{problem} ({self._settings.tries} tries)")

    def _unavailable(self, what: str) -> MindUnavailable:
        return MindUnavailable(
            f"the openai caller's model {self._settings.model} at {self._settings.base_url} {what}"
        )

    def _messages(self, usable: tuple[Rule, ...], state: CallState) -> list[dict[str, str]]:
        messages = [{"role": "system", "content": f"{_INSTRUCTIONS.strip()}\n\n{self._about_the_call()}"}]
        for speaker, text in state.dialogue:
            if speaker == "agent":
                messages.append({"role": "user", "content": text})
            else:
                messages.append(
                    {
                        "role": "assistant",
                        "content": json.dumps({"rule": None, "say": text, "hang_up": False}),
                    }
                )
        happened = ", ".join(dict.fromkeys(state.events)) or "nothing yet"
        messages.append(
            {
                "role": "system",
                "content": f"Scripted responses now:\n{_rules_text(usable)}\nSo far: {happened}.",
            }
        )
        return messages

    def _about_the_call(self) -> str:
        task = self._task
        conduct = "\n".join(f"- {line}" for line in task.intent.conduct)
        facts = "\n".join(f"- {trait.name.replace('_', ' ')}: {trait.value}" for trait in task.traits)
        opened = f'You opened the call with: "{task.intent.opening}"'
        return f"{opened}\nGoal and conduct:\n{conduct}\nFacts:\n{facts}"


def _rules_text(rules: tuple[Rule, ...]) -> str:
    ordered = sorted(enumerate(rules), key=lambda entry: (entry[1].order, entry[0]))
    return "\n".join(
        json.dumps({"id": rule.id, "when": rule.when, "not when": list(rule.not_when), "line": rule.line})
        for _, rule in ordered
    )


def _read_choice(body: Any, usable: set[str]) -> _Choice:
    """Raises:
    ValueError, KeyError, IndexError, TypeError: the body is not a completion, or not of the asked-for form.
    """
    content = clean_text(_text(body["choices"][0]["message"]["content"]))
    answer = json.loads(content)
    if not isinstance(answer, dict):
        raise ValueError(f"expected a JSON object, got {_excerpt(content)}")
    rule, say, hang_up = answer.get("rule"), answer.get("say"), answer.get("hang_up", False)
    if rule is not None and rule not in usable:
        raise ValueError(f"rule {rule!r} is none of those offered")
    if not (say is None or isinstance(say, str)) or not isinstance(hang_up, bool):
        raise ValueError(
            f"expected say as text or null and hang_up as true or false, got {_excerpt(content)}"
        )
    return _Choice(rule or "", "" if say is None else " ".join(clean_text(say).split()), hang_up)


def _text(content: object) -> str:
    """What a message says. Some servers send a list of parts, of which the text ones count.

    Raises:
        TypeError: it says nothing.
    """
    if isinstance(content, list):
        texts = (part.get("text") if isinstance(part, dict) else part for part in content)
        content = "".join(text for text in texts if isinstance(text, str))
    if not isinstance(content, str):
        raise TypeError("the message holds no text")
    return content


def _without_key(text: str, key: str) -> str:
    """Text from outside without the key, plain or as JSON would hold it."""
    return text.replace(key, "[key]").replace(json.dumps(key)[1:-1], "[key]")


def _excerpt(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 160 else flat[:157] + "..."
