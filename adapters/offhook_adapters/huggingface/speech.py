"""Hearing and speaking by Hugging Face, one utterance and one sentence a request."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import attrs
import numpy as np

from offhook.audio import Clip, silence
from offhook_adapters.cascade.meter import HEARD_SECONDS, SPOKEN_CHARACTERS
from offhook_adapters.cascade.parts import PartFailed, Sound
from offhook_adapters.huggingface.config import HUGGINGFACE, HuggingFaceSettings
from offhook_adapters.wires.stream import CallStream
from offhook_adapters.wires.trouble import failed_connect, one_line
from offhook_adapters.wires.vendor import VendorError

if TYPE_CHECKING:
    from huggingface_hub import AsyncInferenceClient
    from openai import AsyncOpenAI

__all__ = ["HEARD_RATE", "Hearing", "Speech", "as_wave", "read_sound", "sounds_of"]

HEARD_RATE: Final = 16_000
_WARM_SECONDS: Final = 0.5
# Half a millisecond of work or less, whatever the format.
_STEP_SECONDS: Final = 0.5


@attrs.frozen(eq=False)
class Hearing:
    """Speech-to-text. ``client`` has to send ``Content-Type: audio/wav``: the hub's client names no type
    of its own for bytes, and the server does not guess. ``key`` is held only to keep it out of messages.
    """

    client: AsyncInferenceClient
    settings: HuggingFaceSettings
    stream: CallStream
    key: str = attrs.field(repr=False)

    async def warm(self) -> None:
        """Has a moment of silence heard, so that a model that sleeps is awake for the caller's first words.

        Raises:
            VendorError: it does not hear; VendorUnusable where it never will.
        """
        await self._ask(silence(_WARM_SECONDS))

    async def transcribe(self, clip: Clip) -> str:
        """The words of an utterance; raises PartFailed where it was not heard."""
        try:
            return await self._ask(clip)
        except VendorError as error:
            raise PartFailed("not_heard", f"speech-to-text: {error}") from None

    async def _ask(self, clip: Clip) -> str:
        url = self.settings.hearing_url
        wave = await asyncio.to_thread(as_wave, clip)
        self.stream.metered({HEARD_SECONDS: round(clip.seconds, 3)})
        try:
            heard = await self.client.automatic_speech_recognition(wave, model=url)
            text = heard.text
        except Exception as error:
            raise _refused(error, url, self.key, "hearing_model") from None
        if not isinstance(text, str):
            raise VendorError(f"{urlsplit(url).netloc} answered without a text: check hearing_model")
        return text.strip()


class Speech:
    """Text-to-speech. ``key`` is held only to keep it out of messages."""

    def __init__(
        self,
        client: AsyncInferenceClient,
        openai: AsyncOpenAI,
        settings: HuggingFaceSettings,
        stream: CallStream,
        key: str,
    ) -> None:
        self._client = client
        self._openai = openai
        self._settings = settings
        self._stream = stream
        self._key = key
        self._prepared: dict[str, tuple[Sound, ...]] = {}

    async def prepare(self, text: str) -> None:
        """Has something spoken beforehand, to be said at once when it is time.

        Raises:
            VendorError: it does not speak; VendorUnusable where it never will.
        """
        raw = await self._ask(text)
        self._prepared[text] = await asyncio.to_thread(lambda: tuple(self._heard(raw)))

    async def speak(self, texts: AsyncIterator[str]) -> AsyncGenerator[Sound, None]:
        """See ``CascadeVoice``."""
        async for text in texts:
            try:
                prepared = self._prepared.pop(text, None)
                for sound in self._heard(await self._ask(text)) if prepared is None else prepared:
                    yield sound
            except VendorError as error:
                raise PartFailed("not_spoken", f"text-to-speech: {error}") from None

    async def _ask(self, text: str) -> bytes:
        settings, url = self._settings, self._settings.speech_url
        self._stream.metered({SPOKEN_CHARACTERS: float(len(text))})
        try:
            if url.endswith("/openai"):
                answer = await self._openai.audio.speech.create(
                    model=settings.speech_model,
                    voice=settings.voice,
                    input=text.strip(),
                    response_format="wav",
                )
                return await answer.aread()
            return await self._client.text_to_speech(text.strip(), model=url)
        except Exception as error:
            raise _refused(error, url, self._key, "speech_model and voice") from None

    def _heard(self, raw: bytes) -> Iterator[Sound]:
        try:
            yield from sounds_of(raw)
        except (ValueError, RuntimeError) as error:
            where = urlsplit(self._settings.speech_url).netloc
            told = one_line(f"{type(error).__name__}: {error}", self._key)
            raise VendorError(f"{where} sent no sound ({told}): check speech_model") from None


def as_wave(clip: Clip) -> bytes:
    """A clip as a 16 kHz WAV file of 16-bit samples."""
    import soundfile

    file = io.BytesIO()
    soundfile.write(file, clip.at_rate(HEARD_RATE).samples, HEARD_RATE, format="WAV", subtype="PCM_16")
    return file.getvalue()


def sounds_of(raw: bytes) -> Iterator[Sound]:
    """A sound file of any usual format, its channels mixed to one, step by step: read whole, the file of a
    long sentence would hold the loop for some milliseconds. There is one step at the least.

    Raises:
        RuntimeError, ValueError: it is none.
    """
    import soundfile

    with soundfile.SoundFile(io.BytesIO(raw)) as file:
        step = max(1, round(_STEP_SECONDS * file.samplerate))
        while True:
            floats = file.read(step, dtype="float32", always_2d=True)
            mono = np.clip(np.rint(floats.mean(axis=1) * 32768), -32768, 32767).astype(np.int16)
            yield Sound(mono, int(file.samplerate))
            if len(floats) < step:
                return


def read_sound(raw: bytes) -> Sound:
    """The same as a whole.

    Raises:
        RuntimeError, ValueError: it is none.
    """
    sounds = list(sounds_of(raw))
    return Sound(np.concatenate([sound.samples for sound in sounds]), sounds[0].rate)


def _refused(error: Exception, url: str, key: str, check: str) -> VendorError:
    """What an answer that is no success means, whichever of the two SDKs had it."""
    where = urlsplit(url).netloc
    if isinstance(error, (ValueError, TypeError, AttributeError, LookupError, RecursionError)):
        told = one_line(f"{type(error).__name__}: {error}", key)
        return VendorError(f"{where} answered what this adapter can't read ({told}): check {check}")
    return failed_connect(error, HUGGINGFACE, where, key, check=check)
