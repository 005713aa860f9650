"""One page of every sort with things on it, as the client would make them: what the pages are tested with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from sorry_lan.faults import Err
from sorry_lan.rules.board import HOME, START, safe, track
from sorry_lan.rules.cards import Card as Face
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.encounters import KeyChanged
from sorry_lan.table.news import FaultProven
from sorry_lan.table.notices import (
    Card,
    CodeUse,
    Connecting,
    Fit,
    FoundTable,
    Openness,
    Program,
    Silence,
    TableOpened,
)
from sorry_lan.table.view import GameView, Phase
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.draw_deck import DeckPage
from sorry_lan.ui.draw_end import EndPage
from sorry_lan.ui.draw_fairness import FairnessPage
from sorry_lan.ui.draw_help import HelpPage
from sorry_lan.ui.draw_lobby import LobbyPage
from sorry_lan.ui.draw_rules import RulesPage
from sorry_lan.ui.draw_start import JoiningPage, StartPage
from sorry_lan.ui.draw_tables import Sight, TablesPage
from sorry_lan.ui.draw_why import WhyPage
from sorry_lan.ui.sheet import Page, Typed, draw_sheet
from sorry_lan.ui.tally import Leap, SeatTally, Tally
from sorry_lan.ui.texts_errors import closed_text
from sorry_lan.ui.texts_notices import notice_lines
from sorry_lan.ui.texts_people import encounter_text
from sorry_lan.ui.texts_prompts import numbered
from sorry_lan.wire.messages import LobbyKind
from tests.ui.build import at, bot, choose, game, lobby, lobby_seat, seat

Drawn = TypeVar("Drawn")
SIZES = ((120, 40), (80, 24), (60, 20), (40, 12))
FILE = "/data/ada/.local/state/sorry-lan/games/2026-11-29-adas-table-1a2b3c4d.sorry"


def middle(names: tuple[str, str, str] = ("Ada", "Bob", "Chloe")) -> GameView:
    """A game of three people and a bot under classic rules, in its middle; Ada is here and on turn."""
    seats = (seat(0, 0, names[0]), seat(1, None, names[1]), seat(2, None, names[2]), bot(3))
    rows = (
        (track(22), START, safe(2), HOME),
        (track(32), START, START, track(20)),
        (START, track(40), HOME, START),
        (track(50), START, START, START),
    )
    told = replace(game(seats, PROFILES["classic"]), k=27, turn_number=24, shares_checked=81)
    return at(told, rows)


def tally() -> Tally:
    """Counts of that game."""

    def counts(cards: tuple[int, ...], **more: int) -> SeatTally:
        total = sum(cards)
        expected = tuple(total * (5 if face == 0 else 4) / 45 for face in range(11))
        return replace(SeatTally(cards, expected), **more)

    return Tally(
        (
            counts((1, 2, 0, 1, 1, 0, 0, 1, 1, 0, 0), turns=5, bumps_given=2, bumps_taken=1, slides=3, steps=41),
            counts((0, 0, 2, 1, 0, 0, 1, 0, 0, 1, 2), turns=7, bumps_given=3, bumps_taken=2, sorries=2, steps=28),
            counts((5, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0), turns=7, bumps_taken=2, swaps=1, own_bumped=1, unused=3),
            counts((1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0), turns=6, slides=1, steps=30, unused=1),
        ),
        pile=(0, 2, 1, 2, 2, 3, 2, 2, 3, 1, 2),
        longest=Leap(0, 1, 12, Face.FOUR, 57),
    )


def a_lobby(*names: str) -> LobbyPage:
    """A lobby we host, with one seat still open."""
    ada, bob = names or ("Ada", "Bob")
    seats = (
        replace(lobby_seat(0, ada, person=0), age=34),
        replace(lobby_seat(1, bob), ready=True),
        lobby_seat(2, kind=LobbyKind.OPEN),
        lobby_seat(3, "Robo", LobbyKind.BOT),
    )
    return LobbyPage(
        replace(lobby(seats), rules=PROFILES["classic"], title=f"{ada}'s table"),
        opened=TableOpened(("192.168.1.20", "fe80::1%wlan0"), 7777, "maple-plum-otter"),
        log=("Bob (Blue) sits down.", "Bob is ready.", f"{bob} says: hi! Chloe is coming in a minute"),
    )


def a_why(
    game_now: GameView | None = None, card: Face = Face.TEN, asked: str = "r2 10", selected: int | None = None
) -> WhyPage:
    """The page after an impossible move was typed."""
    now = game_now or middle()
    prompt = choose(now, card).prompts[0]
    return WhyPage(now, now.position, card, numbered(prompt, now), asked, selected)


def an_end() -> EndPage:
    """The end: Ada has won."""
    won = middle()
    rows = ((HOME,) * 4, *won.position.pawns[1:])
    position = replace(at(won, rows).position, winner=0)
    return EndPage(
        replace(won, position=position, winner=0), tally(), file=FILE,
        last="R1 moves from safe 4 to Home.", log=("Bob says: well played!",),
    )  # fmt: skip


def found_ones(words: str | None = None) -> Sight:
    """Four tables: one to join, one that is full, one that is played at, one of another version."""
    program = Program(1, 1, "1.4.0", b"\x01\x02\x03\x04")
    bob = Card(words or "Bob's table", ("Bob", "Chloe"), 4, 2, "standard", Openness.LOBBY, CodeUse.NEEDED, program)
    other = Program(2, 2, "2.0.0", b"\x05\x06\x07\x08")
    cards = (
        replace(bob, people=(words,)) if words else bob,
        replace(bob, title="Kitchen game", people=("Eve", "Mallory the Great", "Trent"), free=0, rules="classic"),
        replace(bob, title="Chloe's table", people=("Chloe",), program=other),
        replace(bob, title="Old table", people=(), openness=Openness.PLAY, rules="own", code=CodeUse.NONE),
    )
    fits = (Fit.FITS, Fit.FITS, Fit.VERSION, Fit.FITS)
    tables = tuple(
        FoundTable(f"t{n}", card, f"192.168.1.{20 + n}:7777", 3.2 * n, fit)
        for n, (card, fit) in enumerate(zip(cards, fits, strict=True))
    )
    return Sight(tables, program, Silence.UNHEARD, ("wlan0 192.168.1.23", "lo 127.0.0.1"))


def a_list() -> TablesPage:
    """The tables in this network, the second one chosen."""
    return TablesPage("Ada", found_ones(), "t1", patient=False)


def a_lobby_with_another_bob() -> LobbyPage:
    """The same lobby, but Bob has a key that he never had, and sits at Ada's address."""
    page = a_lobby()
    changed = KeyChanged(b"\x0b" * 32, "Bob", 1, "2026-10-01")
    bob = replace(page.lobby.seats[1], key=changed.key, beside=0)
    seats = (page.lobby.seats[0], bob, *page.lobby.seats[2:])
    return replace(page, lobby=replace(page.lobby, seats=seats), changed={changed.key: encounter_text(changed)})


PAGES: dict[str, Callable[[], Page]] = {
    "start": lambda: StartPage("Ada", "1.0"),
    "tables": a_list,
    "tables-typing": lambda: replace(a_list(), typed=Typed("192.168.1.20", 12, "Address or code: ")),
    "tables-told": lambda: replace(a_list(), selected=None, told="Nobody answers at 192.168.1.20."),
    "tables-none": lambda: TablesPage("Ada", replace(found_ones(), tables=()), None, patient=False),
    "tables-first": lambda: TablesPage("Ada", None, None, patient=True),
    "joining": lambda: JoiningPage(notice_lines(Connecting("192.168.1.20:7777"))),
    "joining-closed": lambda: JoiningPage(("Connecting to 192.168.1.20 ...", closed_text(Err.REMOVED)), Phase.CLOSED),
    "lobby": a_lobby,
    "lobby-typing": lambda: replace(a_lobby(), typed=Typed("hello every", 11)),
    "lobby-changed": a_lobby_with_another_bob,
    "lobby-guest": lambda: replace(
        a_lobby(), opened=None, joined="192.168.1.20:7777", lobby=replace(a_lobby().lobby, hosting=False)
    ),
    "why-typed": a_why,
    "why-card": lambda: a_why(card=Face.ELEVEN, asked="", selected=1),
    "fairness": lambda: FairnessPage(middle(), tally()),
    "fairness-no": lambda: FairnessPage(middle(), tally(), (FaultProven(1, Err.EQUIVOCATION, 26),), FILE),
    "help-lobby": lambda: HelpPage(Phase.LOBBY),
    "help-game": lambda: HelpPage(Phase.MOVE, PROFILES["standard"]),
    "deck": lambda: DeckPage(middle(), (0, 2, 1, 2, 2, 3, 2, 2, 3, 1, 2)),
    "rules": lambda: RulesPage(PROFILES["classic"]),
    "rules-host": lambda: RulesPage(PROFILES["classic"], chooses=True, selected=0),
    "end": an_end,
}


def drawn(page: Page, width: int, height: int, signs: Signs = Signs.UNICODE) -> Canvas:
    """A canvas with the page on it."""
    canvas = Canvas(width, height)
    draw_sheet(canvas, page, signs)
    return canvas


def named_pages(words: str) -> tuple[Page, ...]:
    """Pages on which everything that others may write is `words`."""
    now = replace(middle((words, words, words)), title=words)
    lobby_now = a_lobby(words, words)
    won = an_end()
    return (
        StartPage(words, "1.0"),
        TablesPage(words, found_ones(words), "t0", patient=False),
        JoiningPage(notice_lines(Connecting(words))),
        replace(lobby_now, lobby=replace(lobby_now.lobby, title=words), log=()),
        replace(lobby_now, opened=None, joined=words, log=()),
        a_why(now, asked=words),
        FairnessPage(now, tally(), file=words),
        DeckPage(now, now.pile),
        replace(won, game=replace(now, position=won.game.position, winner=0), file=words, log=(), last=""),
    )


def text_of(draw: Callable[[Canvas, Drawn, Signs], None], page: Drawn, width: int = 80, height: int = 24) -> str:
    """The signs that a draw function puts on a canvas of that size."""
    canvas = Canvas(width, height)
    draw(canvas, page, Signs.UNICODE)
    return canvas.picture().text()


def shown_on(
    draw: Callable[[Canvas, Drawn, Signs], None], page: Drawn, width: int = 80, height: int = 24
) -> set[tuple[Ink, str]]:
    """Every stretch of ink on that canvas, without the spaces at its ends."""
    canvas = Canvas(width, height)
    draw(canvas, page, Signs.UNICODE)
    return {(ink, text.strip()) for row in canvas.picture().rows for ink, text in row}
