"""Listening sockets: one port for IPv4 and IPv6, and a loop that accepts whatever comes and never dies of it.

Says nothing to callers; net/mesh.py talks to them.
"""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import trio

from sorry_lan.table.notices import ListenProblem, ListenTrouble
from sorry_lan.wire import limits

log = logging.getLogger(__name__)

_TRIES: Final = 20
"""How many ports behind the default one are tried."""
_BACKLOG: Final = 64
_BACK_OFF_S: Final = 0.1
_NO_SUCH_FAMILY: Final = frozenset((errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT))
_EXHAUSTED: Final = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))


class ListenError(Exception):
    """No listener could be opened; `problem` is the value that people are shown."""

    def __init__(self, problem: ListenProblem) -> None:
        super().__init__(f"{problem.trouble.value}: {problem.port}: {problem.reason}")
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Listening:
    """Open sockets, all at one port."""

    sockets: tuple[trio.socket.SocketType, ...]
    port: int

    def close(self) -> None:
        """Stop listening."""
        for sock in self.sockets:
            sock.close()


async def open_port(port: int | None) -> Listening:
    """Listen at `port` (0: any), or for None at the default one or the next that is free.

    Raises:
        ListenError: the port is busy or forbidden, or there is no network to listen on.
    """
    if port is not None:
        return await _open_one(port)
    wanted = limits.DEFAULT_PORT
    for candidate in range(wanted, wanted + _TRIES):
        try:
            return await _open_one(candidate)
        except ListenError as wrong:
            if wrong.problem.trouble is not ListenTrouble.PORT_BUSY:
                raise
    return await _open_one(0)


async def _open_one(port: int) -> Listening:
    """Both families at `port`; with 0, whatever port both have free."""
    for _try in range(_TRIES if port == 0 else 1):
        opened: list[trio.socket.SocketType] = []
        try:
            at = port
            for family in (socket.AF_INET, socket.AF_INET6):
                sock = await _open_family(family, at)
                if sock is not None:
                    opened.append(sock)
                    at = sock.getsockname()[1]
        except OSError as wrong:
            for sock in opened:
                sock.close()
            if port == 0 and wrong.errno == errno.EADDRINUSE:
                continue
            raise _problem(port, wrong) from wrong
        if not opened:
            raise ListenError(ListenProblem(ListenTrouble.NO_NETWORK, port, "neither IPv4 nor IPv6"))
        return Listening(tuple(opened), at)
    raise ListenError(ListenProblem(ListenTrouble.PORT_BUSY, port, "no port is free"))


async def _open_family(family: socket.AddressFamily, port: int) -> trio.socket.SocketType | None:
    """A listening socket of one family, or None where this system has no such network."""
    try:
        sock = trio.socket.socket(family, socket.SOCK_STREAM)
    except OSError as wrong:
        if wrong.errno in _NO_SUCH_FAMILY:
            return None
        raise
    try:
        sock.setsockopt(socket.SOL_SOCKET, owning_option(socket), 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        await sock.bind(("::" if family == socket.AF_INET6 else "0.0.0.0", port))  # noqa: S104 - friends come by any way
        sock.listen(_BACKLOG)
    except OSError as wrong:
        sock.close()
        if wrong.errno in _NO_SUCH_FAMILY:
            return None
        raise
    return sock


def owning_option(module: object) -> int:
    """The option of this system's `socket` module by which a port is ours alone, and free once we have closed it.

    On Unix a port stays blocked for minutes without SO_REUSEADDR; on Windows it never does, and that option would let
    two programs share one.
    """
    return int(getattr(module, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR))


def _problem(port: int, wrong: OSError) -> ListenError:
    if wrong.errno == errno.EADDRINUSE:
        trouble = ListenTrouble.PORT_BUSY
    elif wrong.errno in (errno.EACCES, errno.EPERM):
        trouble = ListenTrouble.PORT_FORBIDDEN
    else:
        trouble = ListenTrouble.NO_NETWORK
    return ListenError(ListenProblem(trouble, port, wrong.strerror or str(wrong)))


async def accept_forever(
    listener: trio.socket.SocketType, take: Callable[[trio.SocketStream, str], Awaitable[None]]
) -> None:
    """Hand every connection to `take` with its address; out of descriptors it waits a little and goes on."""
    while True:
        try:
            sock, address = await listener.accept()
        except OSError as wrong:
            # Anything else is a caller that was gone before we looked.
            if wrong.errno in _EXHAUSTED:
                log.warning("cannot accept: %s", wrong.strerror)
                await trio.sleep(_BACK_OFF_S)
            continue
        if not address:
            # So macOS hands over whoever reset the connection before we looked.
            sock.close()
            continue
        await take(trio.SocketStream(sock), str(address[0]))
