"""Start, the way to a table, list, deck, rules and help."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.profile import PROFILES, SWITCHES, allowed_values, variations, with_switch
from sorry_lan.table.view import Phase
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.draw_deck import DeckPage, draw_deck
from sorry_lan.ui.draw_help import HelpPage, draw_help
from sorry_lan.ui.draw_list import ListPage
from sorry_lan.ui.draw_rules import RulesPage, draw_rules
from sorry_lan.ui.draw_start import JoiningPage, StartChoice, StartPage, draw_joining
from sorry_lan.ui.sheet import draw_sheet
from sorry_lan.ui.texts_rules import card_about_text, differs_text, switch_words
from tests.ui.build import choose, draw, game, seat
from tests.ui.pages import middle, shown_on, text_of

STANDARD = PROFILES["standard"]


def flat(drawing, page, width=120, height=60):
    return " ".join(text_of(drawing, page, width, height).split())


def test_the_start_screen_shows_each_choice_with_its_key_and_marks_one():
    told = flat(draw_sheet, StartPage("Ada", "1.0", StartChoice.JOIN))
    assert "> j Join a game the tables in this network" in told
    assert all(f"{choice.value} " in told for choice in StartChoice)
    assert "you are Ada" in told


def test_every_choice_of_the_start_screen_can_be_clicked():
    canvas = Canvas(80, 24)
    draw_sheet(canvas, StartPage("Ada", "1.0"), Signs.UNICODE)
    picture = canvas.picture()
    assert {zone.key for zone in picture.zones} >= {choice.value for choice in StartChoice}


def test_a_narrow_start_screen_explains_only_what_is_marked():
    told = flat(draw_sheet, StartPage("Ada", "1.0", StartChoice.PLAY), 50, 24)
    assert "Against bots, or together at this keyboard." in told
    assert "pen a table" not in told


def test_before_anything_is_known_people_are_asked_to_wait():
    assert "Please wait for the table." in flat(draw_joining, JoiningPage())


def test_what_was_said_last_stands_out_on_the_way_to_a_table():
    page = JoiningPage(("Connecting to 192.0.2.7 ...", "You were refused."), Phase.CLOSED)
    inks = shown_on(draw_joining, page)
    assert (Ink.PLAIN, "Connecting to 192.0.2.7 ...") in inks
    assert (Ink.STRONG, "You were refused.") in inks
    assert "The table is closed" in flat(draw_joining, page)


def test_in_a_low_window_only_the_last_sentence_is_left():
    rows = text_of(draw_joining, JoiningPage(("one", "two")), 30, 2).split("\n")
    assert [row.strip() for row in rows] == ["two", ""]


def test_the_list_says_whose_turn_it_is_with_which_card():
    now = middle()
    asked, drawing = choose(now, Card.TEN).prompts[0], draw(now).prompts[0]
    assert ListPage(now, Phase.MOVE, asked).title() == ("YOUR TURN, Ada: 10", "Home 1/4")
    assert ListPage(now, Phase.SHARES, drawing).title()[0] == "YOUR TURN, Ada"
    assert ListPage(now, Phase.MOVE).title()[0] == "Please wait a moment."
    assert ListPage(game((seat(0), seat(1))), Phase.MOVE).title()[1] == ""


def test_the_list_tells_where_everybody_is_the_people_here_first():
    told = _list_rows(ListPage(middle(), Phase.MOVE, log=("Bob is here.",)), 40, 12)
    assert told == [
        "Bob is here.",
        "",
        ">Ada: R1 22 R2 Start R3 S2 R4 Home",
        " Bob: B1 32 B2 Start B3 Start B4 20",
        " Chloe: Y1 Start Y2 40 Y3 Home Y4 Start",
        " Robo: G1 50 G2 Start G3 Start G4 Start",
    ]


def test_after_the_end_nobody_is_on_turn():
    assert not [row for row in _list_rows(ListPage(replace(middle(), winner=0), Phase.OVER), 40, 12) if row[:1] == ">"]


def _list_rows(page, width, height):
    return ["".join(text for _, text in line.spans) for line in page.lines(width, height, Signs.ASCII)]


def test_the_deck_shows_how_many_of_each_card_are_left_and_how_likely_each_is():
    told = flat(draw_deck, DeckPage(middle(), (0, 2, 1, 2, 2, 3, 2, 2, 3, 1, 2)))
    assert "20 cards are left." in told
    assert "1 0 ····· 0 %" in told
    assert "7 3 ■■■· 15 %" in told
    assert "Sorry! 2 ■■·· 10 %" in told


def test_the_last_card_is_no_secret():
    assert "1 card is left, so everybody knows which." in flat(draw_deck, DeckPage(middle(), (1, *(0,) * 10)))


def test_an_empty_pile_is_made_anew():
    told = flat(draw_deck, DeckPage(middle(), (0,) * 11))
    assert "The pile is empty" in told
    assert "0 %" not in told


def test_a_low_window_shows_the_deck_in_two_columns():
    rows = [row.split() for row in text_of(draw_deck, DeckPage(middle(), (1,) * 11), 60, 12).split("\n")]
    assert ["1", "1", "■····", "9", "%", "8", "1", "■···", "9", "%"] in rows


def test_the_rules_say_what_differs_and_then_everything():
    told = flat(draw_rules, RulesPage(PROFILES["classic"]))
    assert "What differs from standard 4 pawns each." in told
    assert "start_by_count=false" in told
    assert "These are the standard rules" in flat(draw_rules, RulesPage(STANDARD))


def test_only_the_host_chooses_a_profile():
    told = flat(draw_rules, RulesPage(PROFILES["classic"], chooses=True, selected=2))
    assert "> 3 2013" in told
    assert "classic (now)" in told
    assert "Profiles" not in flat(draw_rules, RulesPage(PROFILES["classic"]))


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_value_of_a_switch_has_a_sentence_of_its_own(switch):
    told = [switch_words(with_switch(STANDARD, f"{switch}={value}"), switch) for value in allowed_values(switch)]
    assert len(set(told)) == len(told)


def test_what_differs_is_told_for_every_single_change():
    for name, rules in variations():
        assert bool(differs_text(rules)) == (name != "standard")


@pytest.mark.parametrize(
    ("card", "change", "wanted"),
    [
        (Card.ONE, "", "1 forward or out of Start"),
        (Card.TWO, "", "2 forward or out of Start; then draw again"),
        (Card.TWO, "two_draws_again=if_moved", "2 forward or out of Start; then draw again, if a pawn moved"),
        (Card.TWO, "two_draws_again=never", "2 forward or out of Start"),
        (Card.FOUR, "", "4 backward"),
        (Card.SEVEN, "", "7 forward, whole or divided between two pawns in play"),
        (Card.SEVEN, "split_pawns=1", "7 forward"),
        (Card.TEN, "", "10 forward, out of Start or 1 backward"),
        (Card.TWELVE, "start_cards=1,2", "12 forward"),
        (Card.ELEVEN, "", "11 forward, out of Start or change places with an opponent's pawn"),
        (Card.SORRY, "sorry_forward=choice", "goes to its Start; or 4 forward"),
        (Card.SORRY, "sorry_forward=fallback", "4 forward where nobody can be replaced"),
    ],
)
def test_a_card_is_explained_by_the_rules_in_force(card, change, wanted):
    assert wanted in card_about_text(card, with_switch(STANDARD, change) if change else STANDARD)


def test_the_help_of_a_game_has_keys_cards_and_the_aim():
    told = flat(draw_help, HelpPage(Phase.MOVE, STANDARD), 120, 80)
    assert "Ctrl-C leave" in told
    assert all(card_about_text(card, STANDARD) in told for card in CARDS)
    assert "Bring your 3 pawns round the board to Home" in told


def test_each_phase_has_the_keys_that_do_something_then():
    assert "you are ready" in flat(draw_help, HelpPage(Phase.LOBBY))
    assert "another game with the same people" in flat(draw_help, HelpPage(Phase.OVER))
    assert "draw your card" not in flat(draw_help, HelpPage(Phase.OVER))
    assert "draw your card" not in flat(draw_help, HelpPage(Phase.CONNECTING))


def test_the_help_names_no_function_key_and_no_alt():
    for phase in Phase:
        told = flat(draw_help, HelpPage(phase, STANDARD), 120, 80)
        assert "Alt" not in told
        assert "F1" not in told
