"""Makes the frozen View of what a table holds; decides nothing and changes nothing."""

from __future__ import annotations

from sorry_lan.table.audience import Audience
from sorry_lan.table.continuing import Continuing
from sorry_lan.table.desk import Desk
from sorry_lan.table.host import HostLobby
from sorry_lan.table.meeting import Meeting
from sorry_lan.table.phases import IN_PLAY
from sorry_lan.table.play import Game
from sorry_lan.table.seating import rules_of
from sorry_lan.table.view import Ask, GameView, LobbySeatView, LobbyView, Looking, Presence, Prompt, SeatView, View
from sorry_lan.wire.messages import Lobby, LobbyKind, LobbySeat, Stage
from sorry_lan.wire.terms import Option, SeatKind


def view_of(
    desk: Desk, meeting: Meeting | None, game: Game | None, continuing: Continuing | None, audience: Audience
) -> View:
    """The picture now."""
    lobby = None if meeting is None or meeting.picture is None else _lobby(desk, meeting, meeting.picture)
    return View(
        phase=desk.phase,
        lobby=lobby,
        game=None if game is None else _game(desk, game),
        prompts=() if game is None else _prompts(game),
        going_on=None if continuing is None or meeting is not None else continuing.offering.picture(),
        watchers=audience.names(),
        looking=_looking(desk, game) if desk.watches else None,
    )


def _looking(desk: Desk, game: Game | None) -> Looking:
    link = next(reversed(desk.links.values()), None)
    k = 0 if game is None else game.ledger.k
    there_k = k if link is None or link.status is None else max(k, link.status.k)
    return Looking(None if link is None else link.peer.name, there_k, desk.behind)


def _lobby(desk: Desk, meeting: Meeting, lobby: Lobby) -> LobbyView:
    people = {sitter.pk: sitter.index for sitter in meeting.sitters}
    host = meeting.lobby.host
    beside = _beside(desk, lobby, desk.settings.people[0].key.public)
    seats = tuple(
        LobbySeatView(
            kind=LobbyKind(seat.kind),
            colour=seat.colour,
            name=seat.name,
            age=seat.age,
            ready=seat.ready,
            level=seat.level,
            key=seat.pk,
            person=people.get(seat.pk),
            is_host=seat.kind == LobbyKind.HUMAN and seat.client == host,
            presence=_lobby_presence(desk, seat, people),
            beside=beside.get(seat.colour),
        )
        for seat in lobby.seats
    )
    hosting = isinstance(meeting.lobby, HostLobby)
    return LobbyView(lobby.title, rules_of(lobby), Option(lobby.options), lobby.rev, seats, hosting)


def _beside(desk: Desk, lobby: Lobby, own: bytes) -> dict[int, int]:
    """By colour: the first seat at the same address, for those of others who are not the first there themselves."""
    first: dict[bytes | str, int] = {}
    found: dict[int, int] = {}
    for seat in lobby.seats:
        if seat.kind != LobbyKind.HUMAN:
            continue
        link = desk.linked(seat.client)
        where = _LOOPBACK if seat.client == own else () if link is None else (link.peer.host,)
        known = {first[place] for place in (seat.client, *where) if place in first}
        if known and seat.client != own:
            found[seat.colour] = min(known)
        for place in (seat.client, *where):
            first.setdefault(place, seat.colour)
    return found


_LOOPBACK = ("127.0.0.1", "::1")
"""Whoever comes from there sits at this computer."""


def _lobby_presence(desk: Desk, seat: LobbySeat, people: dict[bytes, int]) -> Presence:
    if seat.kind == LobbyKind.BOT:
        return Presence.BOT
    if seat.kind != LobbyKind.HUMAN:
        return Presence.AWAY
    if seat.pk in people:
        return Presence.LOCAL
    if desk.watches:
        # Its host shows the lobby, so whoever sits there is linked to it.
        return Presence.LINKED
    return Presence.RELAYED if desk.linked(seat.client) is None else Presence.LINKED


def _game(desk: Desk, game: Game) -> GameView:
    ledger, now = game.ledger, game.ledger.open
    waits_for = _waited_for(desk, game) if desk.phase in IN_PLAY else frozenset()
    people = {seat: hand.index for seat, hand in game.hands.items()}
    seats = []
    for index, line in enumerate(ledger.terms.seats):
        presence, via = game.presences.reach[index]
        seats.append(
            SeatView(
                index=index,
                kind=SeatKind(line.kind),
                colour=line.colour,
                name=line.name,
                level=line.level,
                key=line.pk,
                person=people.get(index),
                presence=presence,
                via=via,
                owes=index in waits_for,
            )
        )
    counted = now.applied
    return GameView(
        game_id=game.id,
        title=game.title,
        rules=ledger.rules,
        options=Option(ledger.terms.options),
        seats=tuple(seats),
        k=ledger.k,
        turn_number=game.turn_number,
        position=ledger.position if counted is None else counted.position,
        pile=ledger.pile if now.drawn is None else now.drawn.pile,
        card=now.card,
        words=ledger.words,
        first=ledger.first,
        first_by=game.first_by,
        winner=ledger.over,
        unconfirmed=() if ledger.over is None else ledger.final_needs(),
        shares_checked=game.shares_checked,
    )


def _waited_for(desk: Desk, game: Game) -> frozenset[int]:
    """As seen from here; who only watches has it from the word of the one who shows the game."""
    if not desk.watches:
        return owing(game)
    said = next((link.status for link in reversed(desk.links.values())), None)
    humans, turn = game.ledger.humans, game.ledger.position.turn
    if said is None or said.k != game.ledger.k:
        return frozenset()
    match said.stage:
        case Stage.SHARES:
            return frozenset(seat for seat in humans if not said.reveals >> seat & 1)
        case Stage.MOVE:
            return frozenset((turn,))
        case Stage.ACKS:
            mover = turn if said.k else None
            return frozenset(seat for seat in humans if seat != mover and not said.acks >> seat & 1)
        case _:
            return frozenset()


def owing(game: Game) -> frozenset[int]:
    """The seats that the open step waits for."""
    ledger, now = game.ledger, game.ledger.open
    if now.secret is None:
        return frozenset(ledger.humans) - now.shares.keys()
    if now.applied is None:
        return frozenset((ledger.position.turn,))
    return frozenset(ledger.final_needs())


def _prompts(game: Game) -> tuple[Prompt, ...]:
    now, prompts = game.ledger.open, []
    for seat, hand in sorted(game.hands.items()):
        if game.duties.may_draw(hand):
            prompts.append(Prompt(seat, now.k, Ask.DRAW, None, ()))
        elif game.duties.may_decide(hand):
            prompts.append(Prompt(seat, now.k, Ask.CHOOSE, now.card, now.choices))
    return tuple(prompts)
