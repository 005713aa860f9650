"""How signatures are made in a simulator process: for real, for real but verified once, or by a keyed hash.

Production code stays as it is: in the two fast modes its pure functions of bytes are wrapped in caches, wherever a
module has imported them; only a process that runs simulations is ever changed so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from types import ModuleType
from typing import Any

from sorry_lan.fair import chain as fair_chain
from sorry_lan.fair import entry as fair_entry
from sorry_lan.fair import record as fair_record
from sorry_lan.rules import engine as rules_engine
from sorry_lan.table import table, view
from sorry_lan.wire import codec, keys, limits


class Signer(Enum):
    """See the module."""

    REAL = "real"
    MEMO = "memo"
    STANDIN = "standin"


CHAIN_LENGTH = 2048
"""Steps of a chain in the simulator: hashing 4,096 links for every seat would cost more than a short game."""
_installed = Signer.REAL


def install(signer: Signer) -> None:
    """Switch this process over; once, and before any table is made."""
    global _installed  # noqa: PLW0603 - the process as a whole is switched
    limits.CHAIN_LENGTH = CHAIN_LENGTH  # type: ignore[misc]
    if signer is _installed:
        return
    if _installed is not Signer.REAL:
        raise RuntimeError(f"this process already signs by {_installed.value}")
    _installed = signer
    if signer is Signer.STANDIN:
        _replace(keys.verify, lru_cache(maxsize=4096)(_stand_in_holds))
        keys.SecretKey.sign = _stand_in_sign  # type: ignore[method-assign]
    else:
        _replace(keys.verify, lru_cache(maxsize=4096)(keys.verify))
    # Every client decodes and judges the same bytes: in one process once is enough.
    for pure, size in (
        (codec.decode_message, 1024),
        (codec.decode, 2048),
        (fair_entry.decode_body, 2048),
        (fair_entry.entry_id, 256),
        (fair_chain.opens, 512),
        (rules_engine.choices, 64),
        (rules_engine.play, 64),
        (codec.encode, 512),
        (view.SeatView, 512),
    ):
        _replace(pure, lru_cache(maxsize=size)(pure))
    fair_record.unpack = lru_cache(maxsize=2048)(codec.unpack)  # type: ignore[attr-defined]
    fair_chain._STRIDE = 8  # type: ignore[misc]
    table.view_of = _remembered(table.view_of)  # type: ignore[attr-defined]
    for module in list(sys.modules.values()):
        if module.__name__.startswith("sorry_lan"):
            _hasten(module)


def _replace(old: Callable[..., Any], new: Callable[..., Any]) -> None:
    """Put `new` wherever a module of the product names `old`."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("sorry_lan", "tests.sim")):
            for attribute, value in list(vars(module).items()):
                if value is old:
                    setattr(module, attribute, new)


def _remembered(view_of: Callable[..., Any]) -> Callable[..., Any]:
    """The picture of a game, made anew only when something that it shows has changed."""
    last: dict[Any, tuple[Any, Any]] = {}

    def remembered(desk: Any, meeting: Any, game: Any, continuing: Any, audience: Any) -> Any:
        if meeting is not None or game is None:
            return view_of(desk, meeting, game, continuing, audience)
        ledger = game.ledger
        now = ledger.open
        shown = (
            game, audience.names(), game.frozen, None if continuing is None else continuing.offering.picture(),
            desk.phase, desk.disk_works, ledger.k, len(now.seen), len(now.shares), len(now.acks), now.secret,
            now.applied is None, now.contested, game.turn_number, game.shares_checked,
            [*game.presences.reach.values()], [hand.drawn_k for hand in game.hands.values()],
        )  # fmt: skip
        known = last.get(desk)
        if known is not None and known[0] == shown:
            return known[1]
        view = view_of(desk, meeting, game, continuing, audience)
        if len(last) > 64:
            last.clear()
        last[desk] = (shown, view)
        return view

    return remembered


def _hasten(module: ModuleType) -> None:
    """Frozen dataclasses set their slots directly: the same values, in two thirds of the time."""
    for kind in list(vars(module).values()):
        if (
            isinstance(kind, type)
            and kind.__module__ == module.__name__
            and is_dataclass(kind)
            and "__slots__" in vars(kind)
            and not hasattr(kind, "__post_init__")
            and getattr(kind, "__dataclass_params__").frozen  # noqa: B009 - not known to typing
        ):
            _hastened(kind)


def _hastened(kind: type) -> None:
    parts = fields(kind)
    if any(not part.init or part.default_factory is not MISSING or part.kw_only for part in parts):
        return
    names = [part.name for part in parts]
    space: dict[str, Any] = {f"set_{name}": kind.__dict__[name].__set__ for name in names}
    space |= {f"default_{part.name}": part.default for part in parts if part.default is not MISSING}
    arguments = [f"{part.name}=default_{part.name}" if part.default is not MISSING else part.name for part in parts]
    lines = [f"    set_{name}(self, {name})" for name in names] or ["    pass"]
    exec(f"def __init__(self, {', '.join(arguments)}):\n" + "\n".join(lines), space)
    kind.__init__ = space["__init__"]  # type: ignore[misc]


def _stand_in(public: bytes, context: keys.Context, game_id: bytes, body: bytes) -> bytes:
    digest = sha256(public + keys.signed_bytes(context, game_id, body)).digest()
    return digest + digest


def _stand_in_sign(key: keys.SecretKey, context: keys.Context, game_id: bytes, body: bytes) -> bytes:
    return _stand_in(key.public, context, game_id, body)


def _stand_in_holds(public: bytes, context: keys.Context, game_id: bytes, body: bytes, sig: bytes) -> bool:
    return sig == _stand_in(public, context, game_id, body)
