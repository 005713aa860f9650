"""What the game screen shows: turn, card, players, presence, reasons, log, deck; at every size and for any name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.faults import Err
from sorry_lan.rules.board import HOME, START, safe, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import choices
from sorry_lan.rules.moves import Forward, LeaveStart, to_text
from sorry_lan.rules.reasons import Reason, ReasonCode
from sorry_lan.table.commands import FileKind
from sorry_lan.table.news import (
    EnginesDiffer,
    FaultProven,
    GameStarted,
    PresenceChanged,
    Refused,
    RematchOpened,
    Said,
    TableClosed,
)
from sorry_lan.table.notices import FileSaved
from sorry_lan.table.view import Phase, Presence, View
from sorry_lan.ui import choosing
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.draw_panel import Place, draw_panel
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.shown import cells
from sorry_lan.ui.taste import Pace, Taste, Turned
from sorry_lan.ui.texts_screen import short_reason
from sorry_lan.wire.terms import SeatKind
from tests.ui.build import at, bot, choose, draw, drawn, game, in_lobby, lobby, opening, played, seat, view
from tests.ui.desk import STILL, Desk, asked, to_draw, watching

SIZES = ((120, 40), (80, 24), (60, 20), (40, 12))
TEN = ([track(22), START, START], [track(32), START, START])
FOUR = game((seat(0, 0), seat(1), seat(2), bot(3)))


def sized(desk: Desk, size: tuple[int, int]) -> str:
    desk.size = size
    return desk.text()


@pytest.mark.parametrize("size", SIZES)
def test_whose_turn_it_is_and_every_choice_are_in_sight_at_every_size(size: tuple[int, int]):
    desk = asked(Card.TEN, TEN)
    text = sized(desk, size)
    assert "YOUR TURN, Ada" in text
    assert "3 R1 -1 22>21" in text
    assert "2 R1 +10 22>32" in text
    assert "Not possible" not in text or "R2" in text


@pytest.mark.parametrize("size", SIZES)
def test_what_is_not_possible_is_always_in_sight(size: tuple[int, int]):
    assert "no start card" in sized(asked(Card.FOUR, TEN), size)


@pytest.mark.parametrize("size", SIZES[:3])
def test_reasons_that_find_no_room_beside_the_board_stand_below_it(size: tuple[int, int]):
    rows = ([track(20), track(27), START], [START] * 3)
    assert "R3 7: no start card" in sized(asked(Card.SEVEN, rows), size)


def test_the_card_box_asks_for_enter_and_then_shows_the_card():
    assert "draws" in to_draw().text()
    assert to_draw().click("enter") != ()
    assert "or back 1" in asked(Card.TEN, TEN).text()
    for card, words in ((Card.TWO, "draw again"), (Card.FOUR, "backwards"), (Card.SEVEN, "or split"),
                        (Card.ELEVEN, "or swap"), (Card.SORRY, "SORRY!")):  # fmt: skip
        assert words in asked(card, TEN).text()


def test_ascii_has_no_other_signs():
    for size in SIZES:
        assert sized(asked(Card.TEN, TEN, replace(STILL, signs=Signs.ASCII)), size).isascii()


def test_the_board_can_be_turned_so_that_the_own_side_is_below():
    of = at(game(), TEN)
    turned = Desk(replace(STILL, board=Turned.OWN_BELOW)).show(draw(of)).text().splitlines()
    printed = Desk().show(draw(of)).text().splitlines()
    assert turned != printed
    assert "R Start" in "".join(printed[:5])
    assert "R Start" in "".join(turned[10:17])


def test_who_is_away_is_named_with_the_time_in_title_and_panel_and_it_counts():
    gone = replace(FOUR, seats=(*FOUR.seats[:1], replace(FOUR.seats[1], presence=Presence.AWAY), *FOUR.seats[2:]))
    desk = watching(of=FOUR)
    desk.show(view(gone), PresenceChanged(1, Presence.AWAY, None))
    assert desk.see().next_tick_s == pytest.approx(desk.now_s + 1)
    text = desk.text(42)
    assert text.count("Bob is away, 0:42") >= 2
    back = desk.show(view(FOUR))
    assert "is away, 0:42" not in back.text()
    assert back.see().next_tick_s is None
    lost = replace(gone, seats=(*FOUR.seats[:1], replace(FOUR.seats[1], presence=Presence.RECONNECTING)))
    assert "Bob: RECONNECTING 0:00" in desk.show(view(replace(lost, seats=(*lost.seats, *FOUR.seats[2:])))).text()


def test_a_saved_game_says_so_and_waits_for_nobody_who_is_gone():
    gone = replace(FOUR, seats=(FOUR.seats[0], replace(FOUR.seats[1], presence=Presence.AWAY), *FOUR.seats[2:]))
    desk = watching(of=FOUR).show(view(gone)).show(view(gone, Phase.OVER))
    text = desk.text(42)
    assert "SAVED" in text
    assert "is away" not in text
    assert desk.see().next_tick_s is None


def test_a_narrow_title_leaves_out_the_name_of_the_program_before_the_deck():
    of = replace(FOUR, title="Ada's long table")
    title = sized(watching(of=of), (60, 20)).splitlines()[0]
    assert "deck 45 left" in title
    assert "sorry-lan" not in title
    assert "sorry-lan" in sized(watching(of=of), (80, 24)).splitlines()[0]


def test_a_window_too_small_for_a_board_says_once_what_is_waited_for():
    assert sized(watching(of=FOUR), (40, 12)).count("It is the turn of Bob") == 1


def test_the_ways_to_leave_are_told_where_the_row_of_keys_has_no_room_for_them():
    desk = watching(of=FOUR)
    desk.press(Key.INTERRUPT)
    text = " ".join(sized(desk, (40, 12)).split())
    for way in ("s stay", "n leave for now", "g leave for good", "Ctrl-C at once"):
        assert way in text
    assert sized(desk, (80, 24)).count("leave for good") == 1


def test_a_large_panel_says_how_everybody_is_reached():
    seats = (
        FOUR.seats[0],
        replace(FOUR.seats[1], presence=Presence.RELAYED, via=2),
        replace(FOUR.seats[2], kind=SeatKind.STAND_IN),
        FOUR.seats[3],
    )
    text = sized(watching(of=replace(FOUR, seats=seats)), (120, 40))
    for words in ("you", "via Chloe", "stand-in", "bot, easy"):
        assert words in text
    away = tuple(replace(one, presence=where) for one, where in zip(
        FOUR.seats, (Presence.LOCAL, Presence.AWAY, Presence.RECONNECTING, Presence.RELAYED), strict=True))  # fmt: skip
    text = sized(watching(of=replace(FOUR, seats=away)), (120, 40))
    assert "away" in text
    assert "lost" in text


def test_a_large_panel_shows_the_deck_and_what_was_said():
    desk = watching()
    desk.show(view(game()), Said("Bob", 1, "hello"), Said("Bob", 1, "again"))
    text = sized(desk, (120, 40))
    assert "Left in the deck" in text
    assert "Sorry! x4" in text
    assert "Bob says: again" in text


def test_the_log_has_a_step_and_its_card_in_one_line():
    of = game()
    following, news = played(of, Card.ONE, LeaveStart(1))
    desk = Desk().show(view(of), *opening(of))
    desk.show(view(following), drawn(of, Card.ONE), *news)
    assert "1   Ada (Red) drew 1: R1 comes out of Start to 4." in desk.text()
    desk.show(view(following), replace(drawn(following, Card.TWO), k=2, reshuffled=True))
    assert "shuffled again" in desk.text()


def test_a_card_of_no_use_says_why_in_the_log():
    of = game()
    card = Card.FOUR
    (only,) = choices(of.position, of.rules, card)
    following, news = played(of, card, only)
    desk = Desk().show(view(of)).show(view(following), drawn(of, card), *news)
    assert "Ada (Red) cannot use a 4. (R1 4: no start card" in desk.text()


def test_the_same_reason_is_not_told_twice_at_the_end():
    desk = Desk().show(in_lobby(lobby()))
    desk.show(View(Phase.CLOSED, None, None, ()), Refused(Err.TABLE_FULL, by_us=False), TableClosed(Err.TABLE_FULL))
    assert "You are not at the table." in desk.text()


def test_before_there_is_a_table_what_was_said_is_shown():
    assert "Please wait for the table." in Desk().text()
    desk = Desk()
    desk.client.notice(FileSaved(FileKind.TRANSCRIPT, "/games/one.sorry"), 1.0)
    assert "/games/one.sorry" in desk.text()


def test_the_page_of_the_end_names_the_file_and_troubles_make_it_unfair():
    of = at(game(), ([HOME, HOME, safe(3)], [START] * 3))
    following, news = played(of, Card.TWO, Forward(3, 2))
    desk = Desk(size=(120, 40)).show(choose(of, Card.TWO))
    desk.client.notice(FileSaved(FileKind.TRANSCRIPT, "/games/one.sorry"), desk.now_s)
    desk.show(view(following, Phase.OVER), *news, FaultProven(1, Err.EQUIVOCATION, 1), EnginesDiffer(1, (1,)))
    assert "/games/one.sorry" in desk.text()
    desk.press("f")
    assert "NO." in desk.text()
    desk.show(view(following, Phase.OVER), RematchOpened("Bob"))
    desk.show(view(game()), GameStarted(game().game_id))
    desk.press("f")
    assert "NO." not in desk.text()


def test_a_frozen_game_says_so_in_the_title():
    assert "THE GAME STANDS STILL" in Desk().show(view(game(), Phase.FROZEN)).text()


def test_nobody_is_lost_while_a_saved_game_waits_for_all():
    desk = Desk().show(view(game(), Phase.RESUMING), PresenceChanged(1, Presence.RECONNECTING, None))
    assert "reconnecting" not in desk.text().lower()


@pytest.mark.parametrize("name", ["\x1b[2J", "a\u202eb", "宽宽宽宽宽宽宽宽", "e\u0301" * 12, "x" * 24, "\u200b\u200b"])
def test_any_name_leaves_the_layout_intact(name: str):
    of = replace(FOUR, seats=tuple(replace(one, name=name) for one in FOUR.seats), title=name)
    for size in SIZES:
        desk = asked(Card.TEN, ([track(22), START, START], *[[START] * 3] * 3), of=of)
        desk.size = size
        for over in ("", "f", "d", "h", "?"):
            desk.press(*over)
            for row in desk.see().picture.rows:
                assert sum(cells(text) for _, text in row) == size[0]
            desk.press(*([Key.ESCAPE] if over else []))


def test_a_chosen_line_is_inked_and_so_is_the_pawn_of_the_turn():
    desk = asked(Card.TEN, TEN)
    desk.press("1")
    inks = {ink for row in desk.see().picture.rows for ink, _ in row}
    assert {Ink.CHOSEN, Ink.TITLE, Ink.KEYS, Ink.INPUT, Ink.RED_PAWN} <= inks


def test_a_click_on_a_line_picks_and_a_second_one_plays_but_not_a_double_click():
    desk = asked(Card.TEN, TEN)
    assert desk.click("line:1") == ()
    assert desk.click("line:1", after_s=0.1) == ()
    (decided,) = desk.click("line:1")
    assert to_text(decided.move, at(game(), TEN).position, Card.TEN) == "r1 10"


def test_a_click_on_the_board_picks_by_mark_and_by_pawn():
    desk = asked(Card.TEN, TEN)
    desk.click("2")
    assert desk.input.startswith("> 2")
    two = asked(Card.FIVE, ([track(20), track(30), HOME], [START] * 3))
    two.click("pawn:0:2")
    assert "R2 moves" in two.input


def test_a_click_on_a_key_is_that_key_and_one_on_nothing_is_nothing():
    desk = watching()
    desk.click("d")
    assert "What is left in the deck" in desk.text()
    assert desk.client.clicked(79, 12, desk.now_s + 1).happenings == ()
    desk.press(Key.ESCAPE)
    assert desk.client.clicked(500, 500, desk.now_s + 1).happenings == ()
    assert desk.client.clicked(10, 5, desk.now_s + 2).happenings == ()


def test_clicks_play_nothing_while_somebody_looks_back_or_types():
    desk = asked(Card.TEN, TEN)
    zone = desk.zone("line:1")
    desk.press("/")
    assert desk.client.clicked(zone.x, zone.y, desk.now_s + 1).happenings == ()
    assert choosing.picked(desk.client._screen.choices, desk.state.picking) is None


def test_every_reason_is_short_enough_for_the_panel():
    values = {
        ReasonCode.NOT_A_START_CARD: (4,), ReasonCode.EXIT_TAKEN: (5, 2), ReasonCode.LOWER_NUMBER_FIRST: (1,),
        ReasonCode.OVERSHOOT: (10, 4), ReasonCode.OWN_PAWN: (10, 33, 2), ReasonCode.OWN_ON_SLIDE: (-4, 33, 2),
        ReasonCode.ZONE_TAKEN: (10, 33, 2), ReasonCode.NEITHER_WAY: (4, 0, 2), ReasonCode.NO_PARTNER: (4, 0),
        ReasonCode.NO_SPLIT: (4, 0), ReasonCode.NO_SWAP: (4, 0),
    }  # fmt: skip
    silent = {ReasonCode.AT_HOME, ReasonCode.LOWER_NUMBER_FIRST}
    for code in ReasonCode:
        for card in (Card.TEN, Card.SORRY):
            text = short_reason(Reason(1, code, values.get(code, ())), game().position, card)
            assert len(text) <= 31
            assert bool(text) == (code not in silent)


def test_a_panel_in_next_to_no_room_draws_what_it_can():
    desk = asked(Card.TEN, TEN)
    screen = desk.client._screen
    for width in range(20):
        for height in range(8):
            canvas = Canvas(20, 8)
            draw_panel(canvas, Place(0, 0, width, height), screen, at(game(), TEN))
            assert len(canvas.picture().rows) == 8


def test_an_animation_in_ascii_turns_the_card():
    of = at(game(), TEN)
    desk = Desk(Taste(signs=Signs.ASCII, pace=Pace.SLOW)).show(choose(of, Card.TEN), drawn(of, Card.TEN))
    assert "::::" in desk.text()
    assert "||" in desk.text(0.4)
