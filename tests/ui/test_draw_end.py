from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.faults import Err
from sorry_lan.rules.board import HOME, START
from sorry_lan.table.news import FaultProven
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.draw_end import EndPage, draw_end
from sorry_lan.ui.sheet import Typed
from sorry_lan.ui.tally import SeatTally, Tally
from sorry_lan.ui.texts_end import headline, highlights
from tests.ui.build import at, game, seat
from tests.ui.pages import FILE, an_end, middle, shown_on, tally, text_of


def flat(page, width=120, height=60):
    return " ".join(text_of(draw_end, page, width, height).split())


def won_by(seats, winner):
    now = at(game(seats), [(HOME,) * 3 if who == winner else (START,) * 3 for who in range(len(seats))], winner)
    return replace(now, winner=winner)


def test_the_one_person_here_reads_you_won():
    assert headline(won_by((seat(0, 0), seat(1)), 0)) == "YOU WON, Ada! Every pawn of yours is Home."


@pytest.mark.parametrize("seats", [(seat(0, 0), seat(1, 1)), (seat(0), seat(1, 0))])
def test_anybody_else_is_named_as_the_winner(seats):
    assert headline(won_by(seats, 0)) == "Ada (Red) WON: every pawn is Home."


def test_the_winner_stands_on_a_plate_of_the_winning_colour():
    assert (Ink.RED_PAWN, "YOU WON, Ada! Every pawn of yours is Home.") in shown_on(draw_end, an_end())


def test_the_last_move_and_the_length_of_the_game_are_told():
    assert "R1 moves from safe 4 to Home. It took 24 turns and 27 cards." in flat(an_end())


def test_of_a_game_taken_up_in_its_middle_no_number_of_cards_is_claimed():
    told = flat(replace(an_end(), tally=replace(tally(), since_k=9)))
    assert "It took 24 turns." in told


def test_the_story_has_a_row_for_every_seat():
    rows = text_of(draw_end, an_end()).split("\n")
    bob = next(row for row in rows if row.startswith(" Bob"))
    assert bob.split() == ["Bob", "0", "3", "2", "0", "2", "0", "7", "7", "28"]


def test_a_narrow_window_leaves_the_last_columns_out():
    rows = text_of(draw_end, an_end(), 30, 40).split("\n")
    bob = next(row for row in rows if row.startswith("Bob"))
    assert bob.split() == ["Bob", "0", "3", "2", "0"]


def test_without_room_for_a_single_column_the_highlights_remain():
    assert "Most hits: Bob" in " ".join(text_of(draw_end, an_end(), 14, 300).split())


def test_what_was_most_remarkable_is_told():
    assert highlights(middle(), tally()) == (
        "Longest leap: R1 of Ada came 57 squares nearer to Home with a 4, in step 12.",
        "Most hits: Bob sent 3 pawns back to Start.",
        "Most cards of no use: Chloe with 3.",
        "Chloe slid over 1 pawn of the own colour.",
    )


def test_where_all_are_alike_nothing_is_remarkable():
    assert highlights(middle(), Tally((SeatTally(bumps_given=2),) * 4)) == ()
    assert highlights(middle(), Tally()) == ()


def test_the_fairness_verdict_and_the_confirmation_are_on_the_page():
    told = flat(an_end())
    assert "YES. Each of the 26 cards so far was made by Ada, Bob and Chloe together." in told
    assert "The end is confirmed by all." in told


def test_who_never_confirmed_the_end_is_named():
    page = an_end()
    told = flat(replace(page, game=replace(page.game, unconfirmed=(1,))))
    assert "The end is not confirmed by Bob: the result holds" in told


def test_a_broken_rule_makes_the_verdict_no():
    assert "NO. Bob (Blue) broke the rules" in flat(replace(an_end(), troubles=(FaultProven(1, Err.BAD_SHARE, 3),)))


def test_the_file_and_how_to_check_it_are_named():
    assert f"sorry-lan verify {FILE}" in flat(an_end())
    assert "The proof file is written when the game is over." in flat(replace(an_end(), file=None))


def test_what_was_said_since_is_shown():
    assert "Bob says: well played!" in flat(an_end())


def test_the_keys_are_those_of_the_end_and_can_be_clicked():
    canvas = Canvas(80, 24)
    draw_end(canvas, an_end(), Signs.UNICODE)
    assert canvas.picture().zone_at(2, 23).key == "r"
    assert "Enter say it" in text_of(draw_end, replace(an_end(), typed=Typed("hi", 2)))


def test_a_game_that_nobody_won_can_be_shown():
    page = EndPage(middle(), Tally())
    assert "Nobody has won." in flat(page)
    assert "confirmed" not in flat(page)
    assert headline(middle()) == "Nobody has won."
