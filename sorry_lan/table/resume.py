"""Back to one's seat: from what was saved, or from a table in play that holds a seat of ours ([S-7]).

Makes the game; asking the others what we had signed is mine.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sorry_lan.fair import genesis
from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.table.agreement import Agreement, client_keys
from sorry_lan.table.desk import Desk, known
from sorry_lan.table.hand import hands_of
from sorry_lan.table.news import GoneOn, GoneOnWithoutUs
from sorry_lan.table.phases import Turn
from sorry_lan.table.play import Deal, Game
from sorry_lan.table.presence import Presences
from sorry_lan.table.saved import SavedGame, lineage
from sorry_lan.table.signing import seat_kinds
from sorry_lan.table.story import Story, story_of
from sorry_lan.wire.messages import TableAgreed
from sorry_lan.wire.terms import Terms, Why


def taken_up(desk: Desk, saved: SavedGame) -> Game:
    """The saved game, silent until all others have answered; LocalMisuse where it is not ours."""
    game = _game(desk, saved.agreed, genesis.decode_terms(saved.agreed.table), saved.title, story_of(saved))
    game.take_up(saved)
    return game


def reclaimed(desk: Desk, message: TableAgreed, kept: Sequence[SavedGame]) -> Game | None:
    """The game that a peer shows us, with what we saved of it; None where it goes on from one that is not here.

    Raises:
        RemoteFault: GAME_IN_PLAY where none of us has a seat there, BAD_SIGNATURE, ENGINE_DIFFERS, or as check_terms;
            UNKNOWN_GAME for a first table from which we went on elsewhere.
    """
    terms = genesis.decode_terms(message.table)
    known_table = next((saved for saved in kept if saved.agreed.table == message.table), None)
    if known_table is not None:
        return taken_up(desk, known_table)
    if terms.parent is not None:
        before = next((saved for saved in kept if saved.game_id == terms.parent.game), None)
        return None if before is None else taken_up(desk, before)
    if any(one.agreed.table == message.table for saved in kept for one in lineage(saved)):
        raise RemoteFault(Err.UNKNOWN_GAME, "a game that went on elsewhere for us")
    genesis.check_terms(terms)
    if terms.engine != desk.settings.engine:
        raise RemoteFault(Err.ENGINE_DIFFERS, "a table of another engine")
    if desk.settings.people[0].key.public not in client_keys(terms):
        raise RemoteFault(Err.GAME_IN_PLAY, "a game is in play, without a seat of ours")
    if not genesis.consents_complete(terms, message.table, message.consents):
        raise RemoteFault(Err.BAD_SIGNATURE, "a table that was not signed by all")
    fresh = SavedGame(message, desk.settings.title)
    game = _game(desk, message, terms, fresh.title, Story())
    game.write_header()
    game.take_up(fresh)
    return game


def gone_on(desk: Desk, game: Game, message: TableAgreed, signed: Agreement | None) -> Game:
    """The table at which `game` goes on; `signed` is ours where we consented in this process, else we are silent first.

    LocalMisuse where `game` stands short of where the table takes up.
    """
    terms = genesis.decode_terms(message.table)
    parent = known(terms.parent)
    story = game.story.goes_on(game.agreed, game.ledger, parent)
    hands = hands_of(() if desk.watches else desk.settings.people, terms) if signed is None else signed.hands
    child = Game(desk, Deal(message, terms, hands), game.title, story)
    left, _ = seat_kinds(terms, game.ledger.terms)
    child.shunned = game.shunned | game.trouble.blamed | frozenset(left if parent.why == Why.OWED else ())
    _tell(child)
    if hands and signed is None:
        child.write_header()
        child.take_up(SavedGame(message, game.title))
    else:
        child.begin()
    return child


def again(game: Game) -> Game:
    """Back from a table that came to nothing, or to one that did not after all: what was signed here stands."""
    desk = game.desk
    game.frozen = game.waits_for_tail = False
    game.announced_links = None
    game.presences = Presences(desk, game.ledger.terms, frozenset(game.hands), game.trouble.blamed)
    desk.meet_again(game.clients, game.id, game.whereabouts.addresses, game.followers)
    desk.turn(Turn.TABLE_AGREED if game.hands else Turn.LEFT_OUT)
    _tell(game)
    return game


def _tell(game: Game) -> None:
    """Which table this is, to the people of a game that went on."""
    terms = game.ledger.terms
    left, back = seat_kinds(terms, game.story.terms[-1])
    why = Why(known(terms.parent).why)
    with_us = game.hands or game.desk.watches
    game.desk.tell(GoneOn(game.id, left, back, why) if with_us else GoneOnWithoutUs(game.id))


def _bring_all(desk: Desk, terms: Terms) -> None:
    """Whoever of this identity sits at the table sits here again, named or not."""
    names = {line.pk: line.name for line in terms.seats}
    settings, spare = desk.settings, desk.settings.spare
    count = max((number for number, person in enumerate(spare, 1) if person.key.public in names), default=0)
    more = [replace(person, name=names.get(person.key.public, person.name)) for person in spare[:count]]
    desk.settings = replace(settings, people=(*settings.people, *more), spare=spare[count:])


def _game(desk: Desk, agreed: TableAgreed, terms: Terms, title: str, story: Story) -> Game:
    _bring_all(desk, terms)
    hands = hands_of(desk.settings.people, terms)
    own = desk.settings.people[0].key.public
    mine = {seat for seat in genesis.humans(terms) if terms.seats[terms.seats[seat].client].pk == own}
    if mine != hands.keys() or not (mine or story.chapters):
        raise LocalMisuse("a game whose seats here are not those of our people")
    return Game(desk, Deal(agreed, terms, hands), title, story)
