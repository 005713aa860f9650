"""Back to one's seat: from what was saved, or from a table in play that holds a seat of ours ([S-7]).

Makes the game; asking the others what we had signed is mine.py's.
"""

from __future__ import annotations

from collections.abc import Iterable

from sorry_lan.fair import genesis
from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.table.agreement import client_keys
from sorry_lan.table.desk import Desk
from sorry_lan.table.hand import hands_of
from sorry_lan.table.play import Game
from sorry_lan.table.saved import SavedGame
from sorry_lan.wire.messages import TableAgreed
from sorry_lan.wire.terms import Terms


def taken_up(desk: Desk, saved: SavedGame) -> Game:
    """The saved game, silent until all others have answered; LocalMisuse where it is not ours."""
    game = _game(desk, saved.agreed, genesis.decode_terms(saved.agreed.table), saved.title)
    game.take_up(saved)
    return game


def reclaimed(desk: Desk, message: TableAgreed, kept: Iterable[SavedGame]) -> Game:
    """The game that a peer shows us, with what we saved of it, if anything.

    Raises:
        RemoteFault: GAME_IN_PLAY where none of us has a seat there, BAD_SIGNATURE, ENGINE_DIFFERS, or as check_terms.
    """
    terms = genesis.decode_terms(message.table)
    genesis.check_terms(terms)
    if terms.engine != desk.settings.engine:
        raise RemoteFault(Err.ENGINE_DIFFERS, "a table of another engine")
    if desk.settings.people[0].key.public not in client_keys(terms):
        raise RemoteFault(Err.GAME_IN_PLAY, "a game is in play, without a seat of ours")
    if not genesis.consents_complete(terms, message.table, message.consents):
        raise RemoteFault(Err.BAD_SIGNATURE, "a table that was not signed by all")
    fresh = SavedGame(message, desk.settings.title)
    saved = next((saved for saved in kept if saved.agreed.table == message.table), fresh)
    game = _game(desk, message, terms, saved.title)
    if saved is fresh:
        game.write_header()
    game.take_up(saved)
    return game


def _game(desk: Desk, agreed: TableAgreed, terms: Terms, title: str) -> Game:
    hands = hands_of(desk.settings.people, terms)
    own = desk.settings.people[0].key.public
    mine = {seat for seat in genesis.humans(terms) if terms.seats[terms.seats[seat].client].pk == own}
    if not mine or mine != hands.keys():
        raise LocalMisuse("a game whose seats here are not those of our people")
    return Game(desk, agreed, terms, hands, title)
