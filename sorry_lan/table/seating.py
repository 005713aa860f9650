"""From a lobby to the TABLE document, and from one lobby to the next in words; pure functions ([T-2], [T-8], [T-11]).

Who may change a lobby is for host.py, who signs a document for agreement.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorry_lan.fair import genesis
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.rules.profile import Rules, from_uints, to_uints
from sorry_lan.table.news import BecameReady, LobbyChanged, News, SatDown, StoodUp
from sorry_lan.table.sitter import Sitter
from sorry_lan.wire.codec import Value, decode, encode
from sorry_lan.wire.messages import Lobby, LobbyKind, LobbySeat, SeatOffer
from sorry_lan.wire.terms import DOCUMENT_VERSION, PROTO, SeatKind, Terms, TermsSeat

_LOBBY_KINDS = frozenset(LobbyKind)
NOBODY = bytes(32)
"""Key, client, nonce and anchor where no person sits."""


def rules_bytes(rules: Rules) -> bytes:
    """The `rules` field of a LOBBY."""
    return encode(to_uints(rules))


def rules_of(lobby: Lobby) -> Rules:
    """The rules of a lobby; RemoteFault SCHEMA where they are none."""
    value: Value = decode(lobby.rules)
    numbers = value if isinstance(value, tuple) else ()
    try:
        return from_uints([number for number in numbers if type(number) is int])
    except ValueError as wrong:
        raise RemoteFault(Err.SCHEMA, str(wrong)) from wrong


def check_lobby(lobby: Lobby) -> None:
    """Whether what a host shows is a lobby at all; RemoteFault SCHEMA where it is none."""
    rules_of(lobby)
    if len({seat.colour for seat in lobby.seats}) < len(lobby.seats):
        raise RemoteFault(Err.SCHEMA, "two seats of a lobby with one colour")
    for seat in lobby.seats:
        if seat.kind not in _LOBBY_KINDS:
            raise RemoteFault(Err.SCHEMA, "a seat of a lobby for neither a person nor a bot")
        person = seat.kind == LobbyKind.HUMAN
        if person is not (seat.pk != NOBODY) or person is not (seat.client != NOBODY):
            raise RemoteFault(Err.SCHEMA, "a seat of a lobby with somebody's key and without a person, or the reverse")
        if bool(seat.name) is not (seat.kind != LobbyKind.OPEN):
            raise RemoteFault(Err.SCHEMA, "a seat of a lobby without a name, or with nobody's")


def full_and_ready(lobby: Lobby) -> bool:
    """Whether a table could be made of it now."""
    return len(lobby.seats) > 1 and all(
        seat.kind == LobbyKind.BOT or (seat.kind == LobbyKind.HUMAN and seat.ready) for seat in lobby.seats
    )


def youngest(seats: Sequence[LobbySeat]) -> int | None:
    """The seat that begins: every person gave an age and exactly one has the lowest (R17)."""
    ages = {index: seat.age for index, seat in enumerate(seats) if seat.kind == LobbyKind.HUMAN}
    given = sorted(age for age in ages.values() if age is not None)
    if len(given) < len(ages) or given[:1] == given[1:2]:
        return None
    return next(index for index, age in ages.items() if age == given[0])


def terms_of(lobby: Lobby, offers: Mapping[bytes, SeatOffer], engine: bytes) -> Terms:
    """The document of a full lobby; `offers` by key."""
    seats = sorted(lobby.seats, key=lambda seat: seat.colour)
    places = {seat.pk: index for index, seat in enumerate(seats)}
    if any(seat.client not in places for seat in seats):
        raise RemoteFault(Err.STALE_TABLE, "a lobby with a client that has no seat")
    lines = tuple(
        _person_line(seat, offers[seat.pk], places[seat.client])
        if seat.kind == LobbyKind.HUMAN
        else TermsSeat(SeatKind.BOT, index, NOBODY, NOBODY, NOBODY, seat.colour, seat.name, seat.level)
        for index, seat in enumerate(seats)
    )
    numbers = to_uints(rules_of(lobby))
    first = youngest(seats)
    return Terms(DOCUMENT_VERSION, PROTO, numbers, lobby.options, engine, lines, first, None)


def _person_line(seat: LobbySeat, offer: SeatOffer, client: int) -> TermsSeat:
    return TermsSeat(SeatKind.HUMAN, client, seat.pk, offer.nonce, offer.anchor, seat.colour, seat.name, 0)


def check_proposal(terms: Terms, lobby: Lobby, sitters: Sequence[Sitter], engine: bytes) -> None:
    """Whether `terms` is what the last lobby and our own last offers say ([T-11]).

    Raises:
        RemoteFault: ENGINE_DIFFERS, STALE_TABLE for anything that differs from lobby or offers, or as check_terms.
    """
    genesis.check_terms(terms)
    if terms.engine != engine:
        raise RemoteFault(Err.ENGINE_DIFFERS, "a table of another engine")
    lines = {line.pk: line for line in terms.seats}
    shown = {seat.pk for seat in lobby.seats}
    for sitter in sitters:
        line = lines.get(sitter.pk)
        if line is None or sitter.pk not in shown or sitter.sent is None:
            raise RemoteFault(Err.STALE_TABLE, "a table without one of us")
        if (line.nonce, line.anchor) != (sitter.nonce, sitter.chain.anchor):
            raise RemoteFault(Err.STALE_TABLE, "a table with another nonce of ours")
        if (line.colour, line.name) != (sitter.sent.colour, sitter.sent.name):
            raise RemoteFault(Err.STALE_TABLE, "a table that seats one of us otherwise than offered")
    ours, link_key = {sitter.pk for sitter in sitters}, sitters[0].pk
    for line in terms.seats:
        if line.kind == SeatKind.HUMAN and (line.pk in ours) != (terms.seats[line.client].pk == link_key):
            raise RemoteFault(Err.STALE_TABLE, "a table with one of us at another client, or somebody else at ours")
    people = [seat for seat in lobby.seats if seat.kind == LobbyKind.HUMAN]
    if len(lines.keys() - {NOBODY}) != len(people) or any(seat.pk not in lines for seat in people):
        raise RemoteFault(Err.STALE_TABLE, "a table with other people than the lobby")
    # Others' nonces and anchors are not shown in a lobby: they are taken from the document, all the rest is not.
    offers = {line.pk: _offer(line) for line in terms.seats}
    if terms != terms_of(lobby, offers, engine):
        raise RemoteFault(Err.STALE_TABLE, "a table that differs from the last lobby")


def _offer(line: TermsSeat) -> SeatOffer:
    return SeatOffer(
        pk=line.pk,
        colour=line.colour,
        name=line.name,
        age=None,
        ready=True,
        nonce=line.nonce,
        anchor=line.anchor,
        parent=None,
        sig=None,
    )


def told(old: Lobby | None, new: Lobby) -> tuple[News, ...]:
    """What changed from one lobby to the next, for people."""
    before = {seat.pk: seat for seat in (old.seats if old is not None else ()) if seat.kind == LobbyKind.HUMAN}
    now = {seat.pk: seat for seat in new.seats if seat.kind == LobbyKind.HUMAN}
    news: list[News] = [StoodUp(seat.name, seat.colour) for pk, seat in before.items() if pk not in now]
    news += [SatDown(seat.name, seat.colour) for pk, seat in now.items() if pk not in before]
    news += [
        BecameReady(seat.name, seat.colour)
        for pk, seat in now.items()
        if seat.ready and not (pk in before and before[pk].ready)
    ]
    if old is not None and _look(old) != _look(new):
        news.append(LobbyChanged())
    return tuple(news)


def _look(lobby: Lobby) -> tuple[object, ...]:
    seats = tuple(
        (s.colour, s.level, s.kind == LobbyKind.BOT, s.kind == LobbyKind.HUMAN and s.name) for s in lobby.seats
    )
    return (lobby.title, lobby.rules, lobby.options, seats)
