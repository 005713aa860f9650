"""Keys of the game: drawing, picking, playing, looking back, pages, leaving, what is asked about going on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.fair.entry import Leaving
from sorry_lan.rules.board import HOME, START, safe, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import choices
from sorry_lan.rules.moves import Backward, Decline, Forward, LeaveStart, Split, Swap
from sorry_lan.table.events import DrawAsked, GoOnAnswered, LeaveAsked, Ready, RematchAsked, SeatDecided
from sorry_lan.table.view import GoingOn, Phase, View
from sorry_lan.ui.answers import Stay
from sorry_lan.ui.full_screen import Key, Mouse
from sorry_lan.ui.screen_state import Over
from sorry_lan.ui.taste import Bell, Confirm, Pace, Taste
from sorry_lan.wire.terms import Option, Why
from tests.ui.build import at, choose, draw, drawn, game, in_lobby, lobby, played, seat, view
from tests.ui.desk import STILL, Desk, asked, to_draw, watching

OUT = track(22)
TEN = ([OUT, START, START], [track(32), START, START])


def test_enter_on_the_own_turn_draws_once():
    desk = to_draw()
    assert desk.press(Key.ENTER) == (DrawAsked(0),)
    assert desk.press(Key.ENTER) == ()


def test_a_digit_alone_plays_nothing_and_enter_then_plays():
    desk = asked(Card.TEN, TEN)
    assert desk.press("2") == ()
    assert desk.press(Key.ENTER) == (SeatDecided(0, 1, Card.TEN, Forward(1, 10)),)
    assert desk.press("1", Key.ENTER) == ()


def test_enter_without_a_pick_plays_nothing_and_says_what_to_do():
    desk = asked(Card.TEN, TEN)
    assert desk.press(Key.ENTER) == ()
    assert "Pick a choice first" in desk.text()


def test_the_only_choice_is_picked_already():
    desk = asked(Card.EIGHT, ([OUT, HOME, HOME], [START] * 3))
    assert desk.press(Key.ENTER) == (SeatDecided(0, 1, Card.EIGHT, Forward(1, 8)),)


def test_arrows_go_round_the_list():
    desk = asked(Card.TEN, TEN)
    desk.press(Key.DOWN)
    assert desk.input.startswith("> 1")
    desk.press(Key.UP)
    assert desk.input.startswith("> 3")
    desk.press(Key.DOWN)
    assert desk.press(Key.DOWN, Key.ENTER) == (SeatDecided(0, 1, Card.TEN, Forward(1, 10)),)


def test_escape_takes_the_pick_back():
    desk = asked(Card.TEN, TEN)
    desk.press("1", Key.ESCAPE)
    assert desk.press(Key.ENTER) == ()


def test_a_digit_without_a_choice_says_so():
    desk = asked(Card.TEN, TEN)
    assert desk.press("9", Key.ENTER) == ()
    desk.press("9")
    assert "no choice 9" in desk.text()


def test_a_pick_is_marked_on_the_board_and_told_in_words():
    desk = asked(Card.TEN, TEN)
    desk.press("2")
    text = desk.text()
    assert ">R1" in text
    assert "sends B1 back to Start. Sorry!" in text
    assert ">2 R1 +10 22>32" in text


@pytest.mark.parametrize("key", ["1", Key.ENTER])
def test_a_key_right_after_the_question_changed_plays_nothing(key: Key | str):
    desk = asked(Card.EIGHT, ([OUT, HOME, HOME], [START] * 3))
    assert desk.press(key, after_s=0.2) == ()
    assert desk.press(key, after_s=0.1) == ()
    assert desk.press(Key.ENTER, after_s=0.3) != ()


def test_keys_typed_while_the_computer_was_slow_play_nothing():
    desk = asked(Card.TEN, TEN, Taste(pace=Pace.NONE, confirm=Confirm.NEVER))
    assert desk.press("1") == ()
    assert desk.press(Key.ENTER, after_s=0.01) == ()
    assert desk.press(Key.ENTER) != ()


def test_with_confirm_always_enter_asks_once_more_and_a_second_one_plays():
    desk = asked(Card.TEN, TEN, replace(STILL, confirm=Confirm.ALWAYS))
    assert desk.press("2", Key.ENTER) == ()
    assert "Really R1 +10" in desk.text()
    assert desk.press(Key.ENTER, after_s=0.1) == ()
    assert desk.press(Key.ENTER) == (SeatDecided(0, 1, Card.TEN, Forward(1, 10)),)


def test_a_question_whether_it_is_meant_can_be_taken_back():
    desk = asked(Card.TEN, TEN, replace(STILL, confirm=Confirm.ALWAYS))
    desk.press("2", Key.ENTER, Key.ESCAPE)
    assert "Really" not in desk.text()
    assert desk.press(Key.ENTER, "3", Key.ENTER) == ()


def test_only_what_costs_something_is_asked_about_when_risky():
    eleven = ([track(30), HOME, HOME], [track(10), START, START])
    free = asked(Card.ELEVEN, eleven)
    assert free.press("1", Key.ENTER) == (SeatDecided(0, 1, Card.ELEVEN, Forward(1, 11)),)
    swap = asked(Card.ELEVEN, eleven)
    assert swap.press("2", Key.ENTER) == ()
    assert "Really" in swap.text()
    assert swap.press(Key.ENTER) == (SeatDecided(0, 1, Card.ELEVEN, Swap(1, 1, 1)),)


def test_leaving_a_card_unused_is_asked_about_unless_never():
    rows = ([safe(0), HOME, HOME], [track(10), START, START])
    position = at(game(), rows).position
    before = ([track(59), HOME, HOME], [track(10), START, START])
    position = at(game(), before).position
    found = choices(position, game().rules, Card.ELEVEN)
    if Decline() in found:
        number = str(found.index(Decline()) + 1)
        assert asked(Card.ELEVEN, before).press(number, Key.ENTER) == ()
        never = asked(Card.ELEVEN, before, replace(STILL, confirm=Confirm.NEVER))
        assert never.press(number, Key.ENTER) == (SeatDecided(0, 1, Card.ELEVEN, Decline()),)


def test_a_seven_of_many_ways_is_picked_pawn_part_partner():
    rows = ([track(20), track(30), track(40)], [START] * 3)
    desk = asked(Card.SEVEN, rows)
    assert "R2: 13 ways" in desk.text()
    desk.press("2")
    assert "R2 +3: 2 ways" in desk.text()
    desk.press("3")
    assert "R3 +4" in desk.text()
    assert ">R2" in desk.text()
    (decided,) = desk.press("2", Key.ENTER)
    assert isinstance(decided, SeatDecided)
    assert isinstance(decided.move, Split)
    assert {(decided.move.first, decided.move.a), (decided.move.second, decided.move.b)} == {(2, 3), (3, 4)}


def test_escape_goes_back_step_by_step():
    rows = ([track(20), track(30), track(40)], [START] * 3)
    desk = asked(Card.SEVEN, rows)
    first = desk.text()
    desk.press("2", "3", Key.ESCAPE)
    assert "R2 +3: 2 ways" in desk.text()
    desk.press(Key.ESCAPE)
    assert desk.text() == first


def test_arrows_and_enter_take_steps_too():
    rows = ([track(20), track(30), track(40)], [START] * 3)
    desk = asked(Card.SEVEN, rows)
    assert desk.press(Key.DOWN, Key.DOWN, Key.ENTER) == ()
    assert "R2 +3: 2 ways" in desk.text()


def test_swaps_are_picked_own_pawn_first_then_whom_and_paged():
    rows = ([track(50), track(51), START], [track(30), track(31), track(32)], [track(5), track(6), track(8)],
            [track(11), track(12), track(13)])  # fmt: skip
    four = game((seat(0, 0), seat(1), seat(2), seat(3)))
    desk = asked(Card.ELEVEN, rows, of=four)
    assert "R1: 10 ways" in desk.text()
    desk.press("1")
    assert "Moves 1/2  0 more" in desk.text()
    desk.press("0")
    assert "Moves 2/2" in desk.text()
    (decided,) = desk.press("1", Key.ENTER, Key.ENTER)
    assert isinstance(decided, SeatDecided)
    assert isinstance(decided.move, Swap)
    desk = asked(Card.ELEVEN, rows, of=four)
    desk.press("1", "0", "0")
    assert "Moves 1/2" in desk.text()


def test_right_and_left_and_p_filter_by_pawn():
    rows = ([track(20), track(30), START], [START] * 3)
    desk = asked(Card.EIGHT, rows)
    whole = desk.text()
    desk.press(Key.RIGHT)
    assert "R2 +8" not in desk.text()
    assert desk.press(Key.ENTER) == (SeatDecided(0, 1, Card.EIGHT, Forward(1, 8)),)
    desk = asked(Card.EIGHT, rows)
    desk.press("p", "p")
    assert "R1 +8" not in desk.text()
    desk.press(Key.LEFT, Key.LEFT)
    assert desk.text() == whole
    desk.press(Key.ESCAPE)
    assert desk.text() == whole


def test_why_opens_the_page_of_reasons_where_a_digit_picks_and_enter_plays():
    desk = asked(Card.TEN, TEN)
    desk.press("?")
    assert "Why not?" in desk.text()
    # A key of some keyboards, and a digit to Python.
    desk.press(Key.DOWN, Key.DOWN, Key.UP, Key.UP, "2", "²")
    assert desk.press(Key.ENTER) == (SeatDecided(0, 1, Card.TEN, Forward(1, 10)),)
    assert desk.state.over is Over.NOTHING


def test_pages_open_scroll_close_and_follow_each_other():
    desk = watching()
    for key, over in (("f", Over.FAIRNESS), ("d", Over.DECK), ("h", Over.HELP)):
        desk.press(key)
        assert desk.state.over is over
    desk.press(Key.DOWN, Key.PAGE_DOWN, Key.UP)
    assert desk.state.scroll == 10
    desk.press(Key.PAGE_UP)
    assert desk.state.scroll == 0
    desk.press("z", "h")
    assert desk.state.over is Over.NOTHING
    desk.press("?", Key.ENTER)
    assert desk.state.over is Over.NOTHING
    desk.press("d", "?")
    assert desk.state.over is Over.HELP
    desk.press(Key.ESCAPE)
    assert desk.state.over is Over.NOTHING


def test_a_question_closes_the_page_about_the_last_one():
    desk = asked(Card.TEN, TEN)
    desk.press("?")
    desk.show(view(at(game(), TEN), Phase.ACKS))
    assert desk.state.over is Over.NOTHING


def test_a_hint_is_picked_and_said():
    desk = asked(Card.TEN, TEN)
    desk.press("H")
    assert "strongest bot" in desk.input
    assert desk.press(Key.ENTER) != ()


def test_a_table_can_forbid_hints():
    of = replace(game(), options=Option.NO_HINTS)
    desk = asked(Card.TEN, TEN, of=of)
    desk.press("H")
    assert "no hints" in desk.input
    assert desk.press(Key.ENTER) == ()


def test_before_the_card_there_is_no_hint_and_digits_do_nothing():
    desk = to_draw()
    assert desk.press("H", "1", "?") == ()
    assert desk.state.over is Over.HELP


def test_who_is_not_asked_reads_whom_the_game_waits_for():
    desk = watching()
    assert desk.press(Key.ENTER, "1") == ()
    assert "Bob" in desk.input


def test_mouse_and_pace_are_switched_by_keys():
    desk = watching(Taste())
    assert desk.see().mouse is Mouse.ON
    desk.press("m")
    assert desk.see().mouse is Mouse.OFF
    desk.press("m", "+", "+", "+")
    assert desk.state.pace is Pace.FAST
    desk.press("-", "-", "-", "-", "-")
    assert desk.state.pace is Pace.NONE


def test_ctrl_c_in_a_game_asks_and_a_second_one_ends_with_interrupt():
    desk = watching()
    assert desk.press(Key.INTERRUPT) == ()
    assert "Leave the running game?" in desk.text()
    assert desk.press(Key.INTERRUPT) == (LeaveAsked(),)
    assert desk.last.stay is Stay.INTERRUPT


def test_the_question_about_leaving_stays_while_the_game_appears():
    desk = Desk().show(View(Phase.LOT, None, None, ()))
    assert desk.press(Key.INTERRUPT) == ()
    desk.show(view(game()))
    assert "Leave the running game?" in desk.text()
    assert desk.press(Key.INTERRUPT) == (LeaveAsked(),)


@pytest.mark.parametrize(("key", "reason"), [("n", Leaving.FOR_NOW), ("g", Leaving.FOR_GOOD)])
def test_leaving_says_for_now_or_for_good(key: str, reason: Leaving):
    desk = watching()
    assert desk.press(Key.INTERRUPT, key) == (LeaveAsked(reason),)
    assert desk.last.stay is Stay.LEAVE


@pytest.mark.parametrize("key", ["s", Key.ESCAPE, Key.ENTER])
def test_anything_else_stays(key: Key | str):
    desk = watching()
    assert desk.press(Key.INTERRUPT, key) == ()
    assert desk.last.stay is Stay.ON
    assert "Leave" not in desk.text()


def test_the_end_of_input_leaves_and_keeps_the_seat():
    desk = watching()
    assert desk.press(Key.END_OF_INPUT) == (LeaveAsked(),)
    assert desk.last.stay is Stay.LEAVE


def test_without_a_table_ctrl_c_ends_at_once_and_so_does_q():
    assert Desk().press(Key.INTERRUPT) == (LeaveAsked(),)
    desk = Desk()
    assert desk.press("q") == (LeaveAsked(),)
    assert desk.last.stay is Stay.LEAVE
    assert Desk().press("t", Key.ENTER, "1") == ()


OFFER = GoingOn((1,), (), Why.UNREACHABLE, saves=False, asked_by=(), agreed=False, missing=())


@pytest.mark.parametrize(("key", "answer"), [("y", Ready.YES), ("n", Ready.NO)])
def test_what_is_offered_is_asked_in_words_and_answered_by_a_key(key: str, answer: Ready):
    desk = watching().show(View(Phase.SHARES, None, game(), (), OFFER))
    assert "Bob is away." in desk.text()
    assert "Go on without them?" in desk.text()
    assert desk.press(key) == (GoOnAnswered(answer),)


def test_an_offer_can_be_answered_with_a_click_and_not_right_when_it_comes():
    desk = watching().show(View(Phase.SHARES, None, game(), (), OFFER))
    assert desk.press("y", after_s=0.1) == ()
    assert desk.click("y") == (GoOnAnswered(Ready.YES),)


def test_an_offer_agreed_to_is_not_asked_again():
    desk = watching().show(View(Phase.SHARES, None, game(), (), replace(OFFER, agreed=True)))
    assert "You said yes" in desk.text()
    back = replace(OFFER, without=(), back=(1,))
    for offer, words in ((replace(OFFER, saves=True), "Save the game?"), (back, "Play on together?")):
        assert words in watching().show(View(Phase.SHARES, None, game(), (), offer)).text()
    assert watching().press("y", "n") == ()


def over_view() -> View:
    won = at(game(), ([HOME] * 3, [START] * 3))
    won = replace(won, winner=0, position=replace(won.position, winner=0))
    return view(won, Phase.OVER)


def test_after_the_end_r_is_a_rematch_and_q_leaves():
    desk = Desk().show(over_view())
    assert desk.press("z", "r") == (RematchAsked(),)
    assert desk.press("q") == (LeaveAsked(),)
    assert desk.last.stay is Stay.LEAVE


def test_after_the_end_its_page_opens_by_itself_and_with_enter():
    of = at(game(), ([HOME, HOME, safe(3)], [START] * 3))
    following, news = played(of, Card.TWO, Forward(3, 2))
    desk = Desk().show(choose(of, Card.TWO)).show(view(following, Phase.OVER), *news)
    assert "The game is over" in desk.text()
    desk.press(Key.ESCAPE)
    assert "The game is over" not in desk.text().splitlines()[0]
    assert "r rematch" in desk.text()
    desk.press(Key.ENTER)
    assert "The game is over" in desk.text()
    assert desk.press("r") == (RematchAsked(),)
    desk.show(in_lobby(lobby()))
    assert "The game is over" not in desk.text()


def some_moves(desk: Desk) -> Desk:
    of = game()
    for move, card in ((LeaveStart(1), Card.ONE), (Decline(), Card.FOUR), (Forward(1, 5), Card.FIVE)):
        following, news = played(of, card, move)
        desk.show(view(following), drawn(of, card), *news)
        of = following
    return desk.show(view(of))


def test_page_up_steps_back_through_positions_while_the_game_goes_on():
    desk = some_moves(Desk())
    now = desk.text()
    desk.press(Key.PAGE_UP)
    assert "LOOKING BACK 3/4" in desk.text()
    desk.press(Key.PAGE_UP, Key.PAGE_UP, Key.PAGE_UP, Key.PAGE_UP)
    assert "LOOKING BACK 1/4" in desk.text()
    desk.press(Key.PAGE_DOWN)
    assert "LOOKING BACK 2/4" in desk.text()
    desk.press(Key.END)
    assert desk.text() == now
    desk.press(Key.HOME)
    assert "LOOKING BACK 1/4" in desk.text()
    desk.press("1")
    assert "End returns" in desk.text()
    desk.press(Key.ESCAPE)
    assert desk.text() == now


def test_who_looks_back_plays_nothing():
    desk = some_moves(Desk())
    desk.press(Key.PAGE_UP)
    desk.show(draw(at(game(), TEN)))
    assert desk.press(Key.ENTER) == ()
    assert desk.press(Key.ENTER) == (DrawAsked(0),)


def test_the_bell_rings_once_for_a_turn_and_not_while_somebody_types():
    desk = watching(Taste(pace=Pace.NONE))
    assert desk.see().bells == 0
    desk.show(draw(game()))
    assert desk.see().bells == 1
    desk.show(choose(at(game(), TEN), Card.TEN))
    assert desk.see().bells == 1
    later = replace(game(), k=5)
    desk.show(view(later))
    desk.press("t")
    desk.show(draw(later))
    assert desk.see().bells == 1


def test_no_bell_where_it_is_not_wanted_and_none_for_drawing_again():
    assert to_draw(Taste(pace=Pace.NONE, bell=Bell.OFF)).see().bells == 0
    again = to_draw().show(draw(replace(game(), k=2)))
    assert again.see().bells == 1


def test_the_title_of_the_window_tells_whose_turn_it_is():
    assert to_draw().see().title == "YOUR TURN, Ada - Ada's table - sorry-lan"
    assert watching().see().title == "Bob plays - Ada's table - sorry-lan"
    assert Desk().see().title == "sorry-lan"
    assert Desk().show(View(Phase.CLOSED, None, None, ())).see().title == "sorry-lan"


def test_backward_moves_can_be_typed_and_picked():
    desk = asked(Card.FOUR, ([OUT, START, START], [START] * 3))
    assert desk.press(Key.ENTER) == (SeatDecided(0, 1, Card.FOUR, Backward(1, 4)),)


def test_page_up_on_the_page_of_the_end_looks_back():
    of = at(game(), ([HOME, HOME, safe(3)], [START] * 3))
    following, news = played(of, Card.TWO, Forward(3, 2))
    desk = Desk().show(choose(of, Card.TWO)).show(view(following, Phase.OVER), *news)
    desk.press(Key.PAGE_UP)
    assert "LOOKING BACK 1/2" in desk.text()


def test_an_offer_that_only_counts_answers_does_not_hold_keys_back():
    desk = asked(Card.TEN, TEN)
    prompts = choose(at(game(), TEN), Card.TEN).prompts
    desk.show(View(Phase.MOVE, None, at(game(), TEN), prompts, OFFER))
    desk.press("2")
    desk.show(View(Phase.MOVE, None, at(game(), TEN), prompts, replace(OFFER, missing=(1,))))
    assert desk.press(Key.ENTER, after_s=0.1) == (SeatDecided(0, 1, Card.TEN, Forward(1, 10)),)


def test_a_saved_game_says_so():
    text = Desk().show(view(game(), Phase.OVER)).text()
    assert "SAVED" in text
    assert "The game is saved." in text


def test_picking_is_never_held_back():
    desk = asked(Card.TEN, TEN)
    assert desk.press("2", after_s=0.05) == ()
    assert desk.input.startswith("> 2")
    assert desk.press(Key.ENTER, after_s=0.3) == (SeatDecided(0, 1, Card.TEN, Forward(1, 10)),)


def test_whoever_keeps_pressing_is_told_that_it_was_too_quick_and_heard_after_a_second():
    desk = to_draw()
    presses = [desk.press(Key.ENTER, after_s=0.15) for _ in range(10)]
    assert presses.index((DrawAsked(0),)) in range(5, 8)
    hasty = to_draw()
    hasty.press(Key.ENTER, after_s=0.1)
    assert "came too quickly" in hasty.text()
