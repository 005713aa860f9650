"""The lobby after a game: anybody of the table opens one, the same people sit down again ([T-20]).

Of two lobbies opened at once the one of the lower seat stands. The finished game is still answered for meanwhile.
"""

from __future__ import annotations

from sorry_lan.table.desk import Desk, known
from sorry_lan.table.guest import GuestLobby
from sorry_lan.table.host import HostLobby, Offered, Place
from sorry_lan.table.links import Link
from sorry_lan.table.meeting import Meeting, new_sitters
from sorry_lan.table.news import RematchOpened
from sorry_lan.table.play import Game
from sorry_lan.table.settings import Naming
from sorry_lan.table.sitter import Sitter
from sorry_lan.wire.messages import LobbyKind, Stage
from sorry_lan.wire.terms import Option, SeatKind


def opened(desk: Desk, game: Game | None) -> Meeting | None:
    """A lobby hosted here: our people and the bots as before, an open seat for everybody else; None before the end."""
    if game is None or not game.ended:
        return None
    places = [
        Place(LobbyKind.BOT if line.kind == SeatKind.BOT else LobbyKind.OPEN, line.colour, line.level)
        for line in game.ledger.terms.seats
    ]
    offered = Offered(game.title, game.ledger.rules, Option(game.ledger.terms.options))
    lobby = HostLobby(desk, _again(desk, game), places, offered)
    desk.keep_company(game.id)
    meeting = Meeting(desk, lobby, rematch=True)
    desk.tell(RematchOpened(meeting.sitters[0].name))
    meeting.open(lobby)
    return meeting


def followed(desk: Desk, meeting: Meeting | None, game: Game) -> Meeting | None:
    """The meeting to go on with, now that lobbies of others may have come; none of them before the end."""
    if not game.ended:
        return meeting
    for link in list(desk.links.values()):
        if link.status is None or link.status.stage != Stage.OVER:
            # A lobby shown before its host saw the end is the one this game began in, overtaken by the beginning.
            continue
        lobby, link.lobby = link.lobby, None
        # Whoever was left out since it showed its lobby has no place in the order of this table.
        if lobby is None or link.peer.pk not in game.clients:
            continue
        if meeting is not None and _rank(game, meeting.lobby.host) <= _rank(game, link.peer.pk):
            continue
        if meeting is None:
            desk.keep_company(game.id)
        else:
            meeting.abandon()
        meeting = Meeting(desk, GuestLobby(desk, _again(desk, game), link.peer.pk), rematch=True)
        desk.tell(RematchOpened(_name(game, link)))
        meeting.heard_lobby(link, lobby)
    return meeting


def _again(desk: Desk, game: Game) -> tuple[Sitter, ...]:
    """Our people with the colours and names of the game, or as they are where they were left out of it."""
    lines = {hand.index: game.ledger.terms.seats[seat] for seat, hand in game.hands.items()}
    sitters = new_sitters(desk)
    for sitter in sitters:
        line = lines.get(sitter.index)
        if line is None:
            continue
        sitter.colour, sitter.likes, sitter.name, sitter.naming = None, line.colour, line.name, Naming.LOOSE
    return sitters


def _rank(game: Game, client: bytes) -> int:
    """The place of a client in the order that decides between two lobbies: its link key's seat."""
    return known(next((seat for seat, line in enumerate(game.ledger.terms.seats) if line.pk == client), None))


def _name(game: Game, link: Link) -> str:
    return game.ledger.terms.seats[_rank(game, link.peer.pk)].name
