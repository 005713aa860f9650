"""What may listen where somebody looks for a table: `python -m tests.lan.strangers KIND PORT`, in the lab or here.

Kinds: http, mute, version (a later protocol), rules (another engine), listener (takes connections and closes them).
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import trio

from sorry_lan.net import handshake
from sorry_lan.net.handshake import Introduction, LinkLost
from sorry_lan.net.tls import Credentials, fresh_credentials, secure_listener
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.keys import SecretKey
from sorry_lan.wire.messages import Hello, Intent

Serve = Callable[[trio.SocketStream], Awaitable[None]]
_ENGINE: Final = b"\xaa" * 32


async def _http(stream: trio.SocketStream) -> None:
    await stream.receive_some()
    await stream.send_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
    await stream.aclose()


async def _mute(stream: trio.SocketStream) -> None:
    while await stream.receive_some():
        pass


async def _closes(stream: trio.SocketStream) -> None:
    await stream.aclose()


async def _says_hello(credentials: Credentials, hello: Hello, stream: trio.SocketStream) -> None:
    try:
        wire = await secure_listener(stream, credentials)
        await wire.receive()
        await wire.send(encode_message(hello))
        await wire.drain()
        await wire.part(None)
    except LinkLost:
        await stream.aclose()


def strangers(folder: Path) -> Mapping[str, Serve]:
    """Every kind; a certificate lies in `folder` for a moment."""
    credentials = fresh_credentials(folder)
    me = Introduction(SecretKey(os.urandom(32)), "Stranger", "9.9.9", bytes(16), 1, _ENGINE, None)
    hello = handshake._my_hello(me, bytes(32), None, Intent.LOBBY, None)
    return {
        "http": _http,
        "mute": _mute,
        "listener": _closes,
        "version": partial(_says_hello, credentials, replace(hello, vmin=2, vmax=3)),
        "rules": partial(_says_hello, credentials, hello),
    }


async def _serve(kinds: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        known = strangers(Path(folder))
    async with trio.open_nursery() as nursery:
        for kind, port in kinds:
            await nursery.start(trio.serve_tcp, known[kind], port)
        print("ready", flush=True)


def main(words: list[str]) -> None:
    """`KIND PORT` pairs, until killed."""
    trio.run(_serve, [(kind, int(port)) for kind, port in zip(words[::2], words[1::2], strict=True)])


if __name__ == "__main__":
    main(sys.argv[1:])
