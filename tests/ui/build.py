"""Pictures and news of small games, made without a table: what the faces are tested with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.effects import effects_of
from sorry_lan.rules.engine import choices, play
from sorry_lan.rules.moves import Decline, Move
from sorry_lan.rules.position import Position, setup
from sorry_lan.rules.profile import PROFILES, Rules
from sorry_lan.table.news import (
    CardDrawn,
    GameStarted,
    LotCast,
    News,
    Played,
    Won,
)
from sorry_lan.table.view import (
    Ask,
    FirstBy,
    GameView,
    LobbySeatView,
    LobbyView,
    Phase,
    Presence,
    Prompt,
    SeatView,
    View,
)
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option, SeatKind

GAME_ID = bytes(range(32))
WORDS = ("maple", "otter", "tulip")
NAMES = ("Ada", "Bob", "Chloe", "Dan")


def seat(index: int, person: int | None = None, name: str | None = None) -> SeatView:
    """A human seat of the colour of its index; `person` where it is one of ours."""
    presence = Presence.LINKED if person is None else Presence.LOCAL
    return SeatView(
        index, SeatKind.HUMAN, index, name or NAMES[index], 0, bytes([index]) * 32, person, presence, None, owes=False
    )


def bot(index: int, name: str = "Robo") -> SeatView:
    """A bot's seat."""
    return SeatView(index, SeatKind.BOT, index, name, 0, bytes(32), None, Presence.BOT, None, owes=False)


def game(seats: Sequence[SeatView] = (), rules: Rules = PROFILES["standard"], first: int = 0) -> GameView:
    """A game before its first card; Ada here, Bob elsewhere where no seats are given."""
    chosen = tuple(seats) or (seat(0, 0), seat(1))
    position = setup(rules, [Colour(s.colour) for s in chosen], first)
    return GameView(
        GAME_ID, "Ada's table", rules, Option.NONE, chosen, 1, 1, position, full_deck(rules), None, WORDS, first,
        FirstBy.LOT, None, (), 0,
    )  # fmt: skip


def view(of: GameView, phase: Phase = Phase.SHARES, prompts: tuple[Prompt, ...] = ()) -> View:
    """A picture of a running game."""
    return View(phase, None, of, prompts)


def at(of: GameView, rows: Sequence[Sequence[int]], turn: int = 0) -> GameView:
    """The game with its pawns at these locations."""
    return replace(of, position=Position(of.position.colours, tuple(map(tuple, rows)), turn))


def choose(of: GameView, card: Card) -> View:
    """The picture in which the seat on turn is asked what to do with the card."""
    found = choices(of.position, of.rules, card)
    return view(of, Phase.MOVE, (Prompt(of.position.turn, of.k, Ask.CHOOSE, card, found),))


def draw(of: GameView) -> View:
    """The picture in which the seat on turn is asked to draw."""
    return view(of, Phase.SHARES, (Prompt(of.position.turn, of.k, Ask.DRAW, None, ()),))


def drawn(of: GameView, card: Card) -> CardDrawn:
    """The news of a card for the seat on turn, made by all."""
    return CardDrawn(of.k, of.position.turn, card, tuple(range(len(of.seats))), sum(of.pile) - 1, reshuffled=False)


def played(of: GameView, card: Card, move: Move) -> tuple[GameView, tuple[News, ...]]:
    """The game after a move of the seat on turn, and the news of it."""
    before = of.position
    after = play(before, of.rules, card, move)
    forced = isinstance(move, Decline) and len(choices(before, of.rules, card)) == 1
    effects = effects_of(before, of.rules, card, move)
    told: list[News] = [Played(of.k, before.turn, card, move, effects, before, after, forced)]
    if after.winner is not None:
        told.append(Won(after.winner, of.k))
    pile = tuple(left - (face is card) for face, left in zip(CARDS, of.pile, strict=True))
    following = replace(of, k=of.k + 1, position=after, pile=pile, winner=after.winner, shares_checked=2 * of.k)
    return following, tuple(told)


def opening(of: GameView) -> tuple[News, ...]:
    """The news up to the first card."""
    return (GameStarted(of.game_id), LotCast(WORDS, of.first or 0, of.first_by))


def lobby_seat(
    colour: int, name: str = "", kind: LobbyKind = LobbyKind.HUMAN, person: int | None = None
) -> LobbySeatView:
    """A seat of a lobby, not ready."""
    presence = Presence.LOCAL if person is not None else Presence.LINKED
    return LobbySeatView(kind, colour, name, None, ready=False, level=0, key=bytes(32), person=person,
                         is_host=person == 0, presence=presence)  # fmt: skip


def lobby(seats: Sequence[LobbySeatView] = ()) -> LobbyView:
    """A lobby we host: Ada here, Bob there, yellow open."""
    chosen = tuple(seats) or (lobby_seat(0, "Ada", person=0), lobby_seat(1, "Bob"), lobby_seat(2, kind=LobbyKind.OPEN))
    return LobbyView("Ada's table", PROFILES["standard"], Option.NONE, 1, chosen, hosting=True)


def in_lobby(of: LobbyView) -> View:
    """A picture of a lobby."""
    return View(Phase.LOBBY, of, None, ())
