"""The two codecs of a mobile call that ends on a landline, each with bit errors in what it sends.

AMR-NB and G.711 are the reference implementations behind PyAV, in fixed point: equal input, equal bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from offhook.audio import Samples
from offhook.speech import SpeechUnavailable

if TYPE_CHECKING:
    import av

__all__ = ["AMR_MODES", "CODEC_RATE", "PACKET_SAMPLES", "ULAW_SILENCE", "AmrLeg", "UlawLeg"]

CODEC_RATE: Final = 8000
PACKET_SAMPLES: Final = 160

ULAW_SILENCE: Final = 0xFF

AMR_MODES: Final[Mapping[int, tuple[int, int]]] = MappingProxyType(
    {
        4750: (95, 42),
        5150: (103, 49),
        5900: (118, 55),
        6700: (134, 58),
        7400: (148, 61),
        7950: (159, 75),
        10200: (204, 65),
        12200: (244, 81),
    }
)
"""Bit/s of each mode to the bits of a frame and how many of them are of class A (3GPP TS 26.101), which come
first in a stored frame and are guarded by a checksum."""

_NO_DATA: Final = bytes((15 << 3 | 4,))
_BLOCK: Final = 64  # frames whose errors are drawn at once


def _library() -> None:
    try:
        import av  # noqa: F401
    except ImportError as error:
        raise SpeechUnavailable(
            "audio profile degraded needs the codecs of PyAV; install with: pip install 'offhook[speech]'"
        ) from error


class _BitErrors:
    """Which bits of each frame are wrong: independent, each with the same probability."""

    def __init__(self, rng: np.random.Generator, bits: int, rate: float) -> None:
        self._rng, self._bits, self._rate = rng, bits, rate
        self._counts: list[int] = []

    def next(self) -> NDArray[np.int64] | None:
        """Positions in ``0..bits - 1``, each once; None where all bits are right."""
        if not self._counts:
            self._counts = self._rng.binomial(self._bits, self._rate, _BLOCK).tolist()
        count = self._counts.pop()
        return None if count == 0 else self._rng.choice(self._bits, count, replace=False)


class AmrLeg:
    """From the phone over the air: AMR-NB frames with bit errors. A frame whose class A bits are hit fails
    its checksum and is withheld from the decoder, which then conceals it by itself.

    ``frames``, ``hit`` and ``withheld`` count.

    Raises:
        SpeechUnavailable: PyAV is missing, or built without AMR-NB.
    """

    def __init__(self, rng: np.random.Generator, bit_rate: int, error_rate: float) -> None:
        _library()
        bits, self._class_a = AMR_MODES[bit_rate]
        self._errors = _BitErrors(rng, bits, error_rate)
        self._encoder, self._decoder = _amr(bit_rate)
        self.frames = self.hit = self.withheld = 0

    def push(self, packet: Samples) -> Samples:
        """20 ms at 8 kHz, ``int16`` of shape ``(160,)``, through encoder, air and decoder; 5 ms late, which
        is how far the encoder looks ahead."""
        from av import AudioFrame, Packet

        frame = AudioFrame.from_ndarray(packet[np.newaxis], format="s16", layout="mono")
        frame.sample_rate = CODEC_RATE
        frame.pts = self.frames * PACKET_SAMPLES
        (sent,) = self._encoder.encode(frame)
        self.frames += 1
        (heard,) = self._decoder.decode(Packet(self._on_air(bytes(sent))))
        samples: Samples = heard.to_ndarray()[0]
        return samples

    def _on_air(self, encoded: bytes) -> bytes:
        wrong = self._errors.next()
        if wrong is None:
            return encoded
        self.hit += 1
        if wrong.min() < self._class_a:
            self.withheld += 1
            return _NO_DATA
        return _flipped(encoded, 8 + wrong)


class UlawLeg:
    """From the exchange over the landline network: G.711 mu-law, one byte a sample, with bit errors. ``hit``
    counts the packets that have some.

    Raises:
        SpeechUnavailable: PyAV is missing.
    """

    def __init__(self, rng: np.random.Generator, error_rate: float) -> None:
        _library()
        self._errors = _BitErrors(rng, 8 * PACKET_SAMPLES, error_rate)
        self._encode, self._decode = _ulaw_tables()
        self.hit = 0

    def encode(self, packet: Samples) -> bytes:
        """The packet as it arrives: ``int16`` of shape ``(n,)`` to ``n`` bytes."""
        sent: bytes = self._encode[packet.view(np.uint16)].tobytes()
        wrong = self._errors.next()
        if wrong is None:
            return sent
        self.hit += 1
        return _flipped(sent, wrong)

    def decode(self, packet: bytes) -> Samples:
        samples: Samples = self._decode[np.frombuffer(packet, np.uint8)]
        return samples


def _flipped(packet: bytes, bits: NDArray[np.int64]) -> bytes:
    """With these bits inverted; bit 0 is the first byte's most significant."""
    changed = bytearray(packet)
    for bit in bits.tolist():
        changed[bit >> 3] ^= 0x80 >> (bit & 7)
    return bytes(changed)


def _amr(bit_rate: int) -> tuple[av.AudioCodecContext, av.AudioCodecContext]:
    import av

    contexts = []
    for mode in ("w", "r"):
        try:
            context = av.AudioCodecContext.create("libopencore_amrnb", mode)
        except (ValueError, av.FFmpegError) as error:
            raise SpeechUnavailable(
                "audio profile degraded needs AMR-NB, which this PyAV was built without; "
                "install its wheel with: pip install --force-reinstall --only-binary av av"
            ) from error
        context.sample_rate = CODEC_RATE
        context.layout = "mono"
        if mode == "w":
            context.format = "s16"
            context.bit_rate = bit_rate
        context.open()
        contexts.append(context)
    return contexts[0], contexts[1]


def _ulaw_tables() -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """What the codec makes of each of the 65,536 samples, by its bits, and of each byte: a look-up is much
    faster than a codec that is called for every packet."""
    import av

    every = np.arange(1 << 16, dtype=np.uint16).view(np.int16)
    encoder = av.AudioCodecContext.create("pcm_mulaw", "w")
    encoder.sample_rate, encoder.layout, encoder.format = CODEC_RATE, "mono", "s16"
    frame = av.AudioFrame.from_ndarray(every[np.newaxis], format="s16", layout="mono")
    frame.sample_rate = CODEC_RATE
    frame.pts = 0
    encoded = b"".join(bytes(packet) for packet in [*encoder.encode(frame), *encoder.encode(None)])
    decoder = av.AudioCodecContext.create("pcm_mulaw", "r")
    decoder.sample_rate, decoder.layout = CODEC_RATE, "mono"
    decoded = decoder.decode(av.Packet(bytes(range(256))))
    return np.frombuffer(encoded, np.uint8), np.concatenate([part.to_ndarray()[0] for part in decoded])
