"""What a table says of itself to the whole network: never a secret, and from others never to be trusted.

Pure: a Card becomes the TXT record of DNS-SD and back. Sending it is net/discovery.py's matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from sorry_lan.table.notices import Card, CodeUse, Fit, Openness, Program, Watch
from sorry_lan.wire import limits

_DIGEST: Final = 4
"""Bytes of the engine's digest that tell one version from another."""
_MOST_RULES: Final = 16
_RANGE: Final = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")


def card_record(card: Card) -> dict[str, str]:
    """The keys and values of the record; each pair is far below the 255 bytes that fit."""
    people = {f"p{number}": name for number, name in enumerate(card.people)}
    return {
        "v": f"{card.program.vmin}-{card.program.vmax}",
        "app": card.program.app,
        "engine": (card.program.engine or b"")[:_DIGEST].hex(),
        "title": card.title,
        "seats": str(card.seats),
        "free": str(card.free),
        "rules": card.rules,
        "open": card.openness.value,
        "code": card.code.value,
        "watch": card.watch.value,
        **people,
    }


def read_card(record: Mapping[bytes, bytes | None]) -> Card | None:
    """The card in a record of anybody's, every field bounded; None where it is no table of any version."""
    told = {
        key.decode("ascii", "replace"): (value or b"")[: limits.MAX_TITLE].decode("utf-8", "replace")
        for key, value in record.items()
    }
    versions = _RANGE.fullmatch(told.get("v", ""))
    if versions is None:
        return None
    seats = min(_number(told.get("seats", "")), limits.MAX_SEATS)
    app = told.get("app", "")[: limits.MAX_APP]
    program = Program(int(versions[1]), int(versions[2]), app, _hex(told.get("engine", "")))
    return Card(
        title=told.get("title", ""),
        people=tuple(told[key][: limits.MAX_NAME] for key in ("p0", "p1", "p2", "p3") if told.get(key)),
        seats=seats,
        free=min(_number(told.get("free", "")), seats),
        rules=told.get("rules", "")[:_MOST_RULES],
        openness=Openness.PLAY if told.get("open") == Openness.PLAY.value else Openness.LOBBY,
        code=CodeUse.NONE if told.get("code") == CodeUse.NONE.value else CodeUse.NEEDED,
        program=program,
        watch=Watch.NO if told.get("watch") == Watch.NO.value else Watch.YES,
    )


def fit(ours: Program, theirs: Program) -> Fit:
    """Whether the two programs can play together; an engine that is not told counts as equal."""
    if min(ours.vmax, theirs.vmax) < max(ours.vmin, theirs.vmin):
        return Fit.VERSION
    if ours.engine and theirs.engine and ours.engine[:_DIGEST] != theirs.engine[:_DIGEST]:
        return Fit.ENGINE
    return Fit.FITS


def _number(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,3}", text) else 0


def _hex(text: str) -> bytes | None:
    return bytes.fromhex(text) if re.fullmatch(r"([0-9a-f]{2}){1,32}", text) else None
