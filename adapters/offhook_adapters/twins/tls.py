"""TLS on loopback, for vendors whose SDK takes nothing less: a certificate for 127.0.0.1, made on demand."""

from __future__ import annotations

import ipaddress
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import attrs

__all__ = ["LoopbackTls", "loopback_tls"]

_HOST: Final = "127.0.0.1"
# Only this process and its clients ever trust it, so its dates need not be near today's.
_FROM: Final = datetime(2020, 1, 1, tzinfo=UTC)
_UNTIL: Final = datetime(2120, 1, 1, tzinfo=UTC)


@attrs.frozen(eq=False)
class LoopbackTls:
    """``context`` is the server's; ``ca_file`` is what a client has to trust."""

    context: ssl.SSLContext
    ca_file: Path


@contextmanager
def loopback_tls() -> Iterator[LoopbackTls]:
    """A new certificate, whose file is there until the end of the block. The private key leaves the disk at
    once.

    Raises:
        ModuleNotFoundError: ``cryptography`` is missing.
    """
    with tempfile.TemporaryDirectory(prefix="offhook-tls-") as folder:
        certificate, key = Path(folder) / "certificate.pem", Path(folder) / "key.pem"
        key.touch(mode=0o600)
        made = _self_signed()
        certificate.write_bytes(made[0])
        key.write_bytes(made[1])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        key.unlink()
        yield LoopbackTls(context, certificate)


def _self_signed() -> tuple[bytes, bytes]:
    """Certificate and private key as PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "offhook twin")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_FROM)
        .not_valid_after(_UNTIL)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(_HOST))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return certificate.public_bytes(serialization.Encoding.PEM), private
