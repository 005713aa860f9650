"""TLS 1.3 for both ends of a link: a certificate for this process, and the handshake over any stream ([H-1], [H-2]).

A certificate proves nothing here by itself: HELLO and AUTH sign it (net/handshake.py).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from sorry_lan.net.frames import Wire
from sorry_lan.net.handshake import LinkLost

ALPN: Final = "sorry-lan"
"""Never changes, so that other versions of the protocol can still say which they are."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a process listens with: the context holds the key, `fingerprint` is SHA-256 of the certificate."""

    context: ssl.SSLContext = field(repr=False)
    fingerprint: bytes


def fresh_credentials(folder: Path) -> Credentials:
    """A new key and certificate for this process; the key lies in `folder` for a moment, 0600. Blocks. OSError."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, ALPN)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        # Fixed, so that a wrong clock on either side never matters.
        .not_valid_before(dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
        .not_valid_after(dt.datetime(2100, 1, 1, tzinfo=dt.UTC))
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ) + certificate.public_bytes(serialization.Encoding.PEM)
    context = _context(ssl.PROTOCOL_TLS_SERVER)
    context.num_tickets = 0
    # The standard library loads keys from files only.
    path = folder / f".tls.{os.getpid()}"
    path.unlink(missing_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
            file.write(pem)
        context.load_cert_chain(path)
    finally:
        path.unlink(missing_ok=True)
    return Credentials(context, hashlib.sha256(certificate.public_bytes(serialization.Encoding.DER)).digest())


def client_context() -> ssl.SSLContext:
    """For callers: any certificate will do here, because HELLO and AUTH sign it."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _context(protocol: int) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols([ALPN])
    return context


async def secure_listener(stream: trio.abc.Stream, credentials: Credentials) -> Wire:
    """The frames of a caller; LinkLost where it speaks no TLS 1.3 of ours."""
    tls = trio.SSLStream(stream, credentials.context, server_side=True)
    await _shake(tls)
    return Wire(tls, credentials.fingerprint)


async def secure_caller(stream: trio.abc.Stream, context: ssl.SSLContext) -> Wire:
    """The frames of a listener; LinkLost where it speaks no TLS 1.3 of ours."""
    tls = trio.SSLStream(stream, context, server_side=False)
    await _shake(tls)
    certificate = tls.getpeercert(binary_form=True)
    if not isinstance(certificate, bytes):
        raise NotOurs("TLS without a certificate")
    return Wire(tls, hashlib.sha256(certificate).digest())


async def _shake(tls: trio.SSLStream[trio.abc.Stream]) -> None:
    try:
        await tls.do_handshake()
    except (trio.BrokenResourceError, trio.ClosedResourceError, OSError) as wrong:
        raise _not_tls(wrong) from wrong
    if tls.selected_alpn_protocol() != ALPN:
        raise NotOurs("TLS, but another protocol inside")


def _not_tls(wrong: BaseException) -> LinkLost:
    """What is no TLS at all is an SSLError somewhere inside; a TLS that merely ended is a broken connection."""
    cause: BaseException | None = wrong
    while cause is not None:
        if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError):
            return NotOurs("no TLS of ours")
        cause = cause.__cause__
    return LinkLost("gone during the TLS handshake")


class NotOurs(LinkLost):
    """Somebody speaks, but nothing of ours."""
