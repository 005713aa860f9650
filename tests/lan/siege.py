"""Strangers who make trouble at a port: `python -m tests.lan.siege HOST PORT`, until killed.

Connections that say nothing and are opened anew when they are closed, two hundred a second that come and go, a scan
of all ports, and noise.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import trio

_SILENT = 40
_FLOOD_S = 1 / 200
_NOISE_S = 0.1


async def _silent(host: str, port: int) -> None:
    """One connection that never says a word, again and again."""
    while True:
        with suppress(OSError, trio.BrokenResourceError):
            async with await trio.open_tcp_stream(host, port) as stream:
                while await stream.receive_some():
                    pass
        await trio.sleep(_NOISE_S)


async def _knock(host: str, port: int) -> None:
    with suppress(OSError):
        await (await trio.open_tcp_stream(host, port)).aclose()


async def _flood(host: str, port: int, nursery: trio.Nursery) -> None:
    while True:
        nursery.start_soon(_knock, host, port)
        await trio.sleep(_FLOOD_S)


async def _scan(host: str) -> None:
    while True:
        for port in range(1, 65_536):
            await _knock(host, port)
            await trio.sleep(_FLOOD_S)


async def _noise(host: str, port: int) -> None:
    while True:
        with suppress(OSError, trio.BrokenResourceError):
            async with await trio.open_tcp_stream(host, port) as stream:
                await stream.send_all(os.urandom(65_536))
        await trio.sleep(_NOISE_S)


async def _besiege(host: str, port: int) -> None:
    async with trio.open_nursery() as nursery:
        for _ in range(_SILENT):
            nursery.start_soon(_silent, host, port)
        nursery.start_soon(_flood, host, port, nursery)
        nursery.start_soon(_scan, host)
        nursery.start_soon(_noise, host, port)
        await trio.sleep(1.0)
        print("ready", flush=True)


if __name__ == "__main__":
    trio.run(_besiege, sys.argv[1], int(sys.argv[2]))
