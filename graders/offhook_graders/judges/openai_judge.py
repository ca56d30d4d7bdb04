"""``openai-judge``: a language model that reads the transcript, through any OpenAI-compatible chat
completions endpoint, at temperature 0.

Set ``OFFHOOK_JUDGE_MODEL``, and ``OFFHOOK_JUDGE_API_KEY`` or ``OPENAI_API_KEY``; ``OFFHOOK_JUDGE_BASE_URL``
names another server. ``openai-judge-2`` and ``openai-judge-3``, for panels and swaps, have the same variables
with ``OFFHOOK_JUDGE_2_`` and ``OFFHOOK_JUDGE_3_`` in front; key and address they take over from the first."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Final

import attrs

from offhook.judging import JudgeCase, Judged, JudgeUnavailable, Ruling
from offhook_graders.judges._chat import ChatSettings, ChatUnavailable, ask, chat_settings
from offhook_graders.judges._prompt import PROMPT_SHA256, messages_for, read_rulings, undecided

__all__ = ["OpenAIJudge", "openai_judges", "pinned"]

_FIRST: Final = "JUDGE"


@attrs.frozen
class OpenAIJudge:
    """Asks one model. ``missing`` says what the environment lacks where there are no ``settings``."""

    name: str
    settings: ChatSettings | None
    missing: str = ""

    @property
    def version(self) -> str:
        """Model, prompt and settings; the model's id stands in it as far as a folder's name can hold it."""
        return pinned(self.settings, PROMPT_SHA256)

    def judge(self, case: JudgeCase) -> tuple[Ruling, ...]:
        """Raises JudgeUnavailable without model or key, or where the endpoint gives no answer."""
        return self.report(case).rulings

    def report(self, case: JudgeCase) -> Judged:
        """As ``judge``, with the model that answered. An answer that can't be read leaves everything unclear
        and is not asked for again: at temperature 0 it would be the same."""
        if self.settings is None:
            raise JudgeUnavailable(self.missing)
        try:
            answer = ask(self.settings, messages_for(case))
        except ChatUnavailable as error:
            raise JudgeUnavailable(f"{self.name}: {error}") from error
        evidence = {
            "model": self.settings.model,
            "answered_by": answer.model,
            "fingerprint": answer.fingerprint,
            "endpoint": self.settings.endpoint,
            "temperature": 0,
            "prompt_sha256": PROMPT_SHA256,
        }
        try:
            rulings = read_rulings(answer.text)
        except ValueError as error:
            why = f"the model's answer can't be read: {error}"
            return Judged(undecided(case, why), {**evidence, "unreadable": str(error)})
        return Judged(rulings, evidence)


def pinned(settings: ChatSettings | None, prompt_sha256: str) -> str:
    """A version that changes with the model and the prompt, and can name a folder."""
    model = settings.model if settings is not None else ""
    digest = hashlib.sha256(f"{model}\n{prompt_sha256}\ntemperature 0".encode()).hexdigest()
    told = re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip(".-")[:60] or "no-model"
    return f"{told}-{digest[:12]}"


def openai_judges(environment: Mapping[str, str]) -> list[OpenAIJudge]:
    """The three of them, each as far as the environment sets it up."""
    return [
        _judge("openai-judge", _FIRST, environment),
        _judge("openai-judge-2", f"{_FIRST}_2", environment),
        _judge("openai-judge-3", f"{_FIRST}_3", environment),
    ]


def _judge(name: str, whose: str, environment: Mapping[str, str]) -> OpenAIJudge:
    fallback = _FIRST if whose != _FIRST else ""
    try:
        return OpenAIJudge(name, chat_settings(environment, whose, name, fallback))
    except ChatUnavailable as error:
        return OpenAIJudge(name, None, str(error))
