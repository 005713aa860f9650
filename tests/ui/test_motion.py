"""The film: real paths, named events, bounded lengths; skipping, falling behind, and never holding anything up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.rules.board import HOME, START, Colour, safe, track
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.effects import Slid, effects_of
from sorry_lan.rules.engine import choices, play
from sorry_lan.rules.moves import Backward, Decline, Forward, LeaveStart, Move, Sorry, Swap
from sorry_lan.rules.position import setup
from sorry_lan.rules.profile import PROFILES, Rules, with_switch
from sorry_lan.table.events import DrawAsked
from sorry_lan.table.news import Played
from sorry_lan.ui import motion
from sorry_lan.ui.board_picture import Spot, spot
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.marks import Marks, after
from sorry_lan.ui.motion import BACKLOG, MOVE_S, SEEN_S, Face, Film, Whose, moving, turning
from sorry_lan.ui.paths import passed
from sorry_lan.ui.taste import Pace, Taste
from tests.rules.walk import walk
from tests.ui.build import at, choose, draw, drawn, game, played, seat, view
from tests.ui.desk import Desk, watching

FOUR = game((seat(0, 0), seat(1), seat(2), seat(3)))


def a_move(card: Card, move: Move, rows, turn: int = 0, rules: Rules | None = None) -> Played:
    of = at(game(rules=rules) if rules else game(), rows, turn)
    effects = effects_of(of.position, of.rules, card, move)
    after = play(of.position, of.rules, card, move)
    return Played(1, turn, card, move, effects, of.position, after, forced=False)


def seen(item: Played, whose: Whose = Whose.OWN) -> list[tuple[int, ...]]:
    return [frame.position.pawns[item.seat] for frame in moving(item, Pace.NORMAL, whose)]


def test_a_pawn_is_seen_on_every_square_of_its_way():
    item = a_move(Card.FIVE, Forward(1, 5), ([track(20), START, START], [START] * 3))
    assert [row[0] for row in seen(item)] == [track(n) for n in range(21, 26)]


def test_it_turns_into_its_safety_zone_and_home():
    item = a_move(Card.EIGHT, Forward(1, 8), ([track(0), START, START], [START] * 3))
    assert [row[0] for row in seen(item)] == [track(1), track(2), *map(safe, range(5)), HOME, HOME]


def test_it_walks_backward_square_by_square():
    item = a_move(Card.FOUR, Backward(1, 4), ([track(2), START, START], [START] * 3))
    assert [row[0] for row in seen(item)] == [track(n) for n in (1, 0, 59, 58)]


def test_a_slide_runs_along_the_track_and_names_what_it_does():
    item = a_move(Card.ONE, Forward(1, 1), ([track(8), START, START], [track(11), START, START]))
    frames = moving(item, Pace.NORMAL, Whose.OWN)
    assert list(dict.fromkeys(row[0] for row in seen(item))) == [track(n) for n in range(9, 14)]
    assert any("Sorry! B1" in frame.caption for frame in frames)
    assert any("slides" in frame.caption for frame in frames)


def test_a_swap_and_a_sorry_are_seen_and_named():
    rows = ([track(20), START, START], [track(30), START, START])
    swap = moving(a_move(Card.ELEVEN, Swap(1, 1, 1), rows), Pace.NORMAL, Whose.OWN)
    assert "R1 and B1 change places" in {frame.caption for frame in swap}
    sorry = moving(a_move(Card.SORRY, Sorry(2, 1, 1), rows), Pace.NORMAL, Whose.OWN)
    assert [frame.caption for frame in sorry][-1] == "Sorry! B1 goes back"


def test_a_slide_into_the_own_zone_goes_by_its_entry():
    assert passed_by_slide(track(1), safe(0)) == (track(2), safe(0))
    assert passed_by_slide(track(1), safe(3)) == (track(2), *map(safe, range(4)))
    assert passed_by_slide(track(9), safe(3)) == (safe(3),)


def passed_by_slide(source: int, target: int) -> tuple[int, ...]:
    return passed(Slid(0, 1, source, target), Colour.RED)


HOUSE = tuple(with_switch(PROFILES["classic"], switch) for switch in ("slide_on=any", "swap_slide=both"))


@pytest.mark.parametrize("rules", [*PROFILES.values(), *HOUSE])
def test_every_film_ends_where_the_move_ends_and_takes_no_longer_than_it_may(rules: Rules):
    start = setup(rules, list(Colour), 0)
    for number, position in enumerate(walk(start, rules, "film", 60)):
        card = CARDS[number % len(CARDS)]
        for move in choices(position, rules, card)[:4]:
            end = play(position, rules, card, move)
            item = Played(
                1, position.turn, card, move, effects_of(position, rules, card, move), position, end, forced=False
            )
            for pace in (Pace.SLOW, Pace.NORMAL, Pace.FAST):
                frames = moving(item, pace, Whose.OWN)
                assert sum(frame.lasts_s for frame in frames) <= MOVE_S + 0.001
                assert not frames or frames[-1].position.pawns == end.pawns
                others = moving(item, pace, Whose.OTHERS)
                assert SEEN_S - 0.001 <= sum(frame.lasts_s for frame in others) <= MOVE_S + 0.001
            assert moving(item, Pace.NONE, Whose.OTHERS) == ()


def test_a_card_turns_over_in_three_frames():
    frames = turning(drawn(game(), Card.TWO), game().position, Pace.NORMAL)
    assert [frame.face for frame in frames] == [Face.DOWN, Face.EDGE, Face.UP]
    assert sum(frame.lasts_s for frame in frames) < MOVE_S
    assert turning(drawn(game(), Card.TWO), game().position, Pace.NONE) == ()


def test_scenes_play_one_after_the_other_and_are_over():
    film = Film()
    scene = turning(drawn(game(), Card.TWO), game().position, Pace.NORMAL)
    film.add((), 1.0)
    assert film.at(1.0) is None
    assert film.next_s(1.0) is None
    film.add(scene, 1.0)
    film.add(scene, 1.0)
    length_s = sum(frame.lasts_s for frame in scene)
    assert film.at(1.0) is scene[0]
    assert film.next_s(1.0) == pytest.approx(1.0 + scene[0].lasts_s)
    assert film.at(1.0 + length_s + 0.001) is scene[0]
    assert film.at(1.001 + 2 * length_s) is None
    film.add(scene, 50.0)
    assert film.at(50.0) is scene[0]
    film.skip()
    assert film.at(50.0) is None


def numbered(count: int, film: Film) -> None:
    scene = turning(drawn(game(), Card.TWO), game().position, Pace.NORMAL)
    for number in range(count):
        film.add(tuple(replace(frame, k=number) for frame in scene), 1.0)


def test_a_film_that_nobody_waits_for_leaves_nothing_out():
    film = Film()
    numbered(10 * BACKLOG, film)
    now_s, seen = 1.0, []
    while (frame := film.at(now_s)) is not None:
        seen.append(frame.k)
        now_s = film.next_s(now_s) or now_s
    assert seen == [number for number in range(10 * BACKLOG) for _ in range(3)]


def test_a_film_that_somebody_waits_for_forgets_its_oldest_scenes():
    film = Film()
    numbered(3 * BACKLOG, film)
    film.hurry(1.0)
    running = film.at(1.0)
    assert running is not None
    assert running.k == 2 * BACKLOG
    film.hurry(1.0)
    assert film.at(1.0) is running


def test_a_film_without_end_is_bounded_and_what_runs_is_shown_to_its_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(motion, "LONGEST", 4)
    film = Film()
    numbered(100, film)
    now_s, seen = 1.0, []
    while (frame := film.at(now_s)) is not None:
        seen.append(frame.k)
        now_s = film.next_s(now_s) or now_s
    assert seen == [k for k in (0, 97, 98, 99) for _ in range(3)]


def bobs_move() -> tuple[object, ...]:
    of = at(game(), ([track(30), START, START], [track(20), START, START]), turn=1)
    following, news = played(of, Card.TEN, Forward(1, 10))
    return of, following, (drawn(of, Card.TEN), *news)


def test_what_bob_does_is_shown_before_the_own_question_and_any_key_skips_it():
    of, following, news = bobs_move()
    desk = Desk(Taste()).show(view(of)).show(draw(following), *news)
    assert "::::" in desk.text()
    assert "YOUR TURN" not in desk.text()
    tick = desk.see().next_tick_s
    assert tick is not None
    assert desk.now_s < tick < desk.now_s + 1
    assert desk.press(Key.ENTER) == ()
    assert "YOUR TURN" in desk.text()
    assert desk.press(Key.ENTER, after_s=0.1) == ()
    assert desk.press(Key.ENTER) == (DrawAsked(0),)


def test_a_film_runs_by_itself_and_says_sorry_when_it_happens():
    of, following, news = bobs_move()
    desk = Desk(Taste()).show(view(of)).show(draw(following), *news)
    texts = [desk.text(0.05) for _ in range(80)]
    assert any("Bob drew 10" in text for text in texts)
    assert any("Sorry! R1 goes back" in text for text in texts)
    assert "YOUR TURN" in texts[-1]
    assert desk.see().next_tick_s is None


def test_keys_that_play_nothing_skip_the_film_and_still_do_their_work():
    of, following, news = bobs_move()
    desk = Desk(Taste()).show(view(of)).show(draw(following), *news)
    desk.press("d")
    assert "What is left in the deck" in desk.text()
    desk.press(Key.ESCAPE)
    assert "YOUR TURN" in desk.text()


def test_a_click_skips_the_film_and_does_nothing_else():
    of, following, news = bobs_move()
    desk = Desk(Taste()).show(view(of)).show(draw(following), *news)
    assert desk.client.clicked(5, 5, desk.now_s).happenings == ()
    assert "YOUR TURN" in desk.text()


def test_the_log_tells_a_move_when_it_is_seen():
    of, following, news = bobs_move()
    desk = Desk(Taste()).show(view(of)).show(draw(following), *news)
    assert "drew 10:" not in desk.text()
    assert "drew 10:" in desk.text(10)


def test_a_typed_line_is_not_disturbed_by_a_film():
    _of, following, news = bobs_move()
    desk = watching(Taste())
    desk.press("t", "h")
    desk.show(draw(following), *news)
    desk.press("i")
    assert "say: hi" in desk.input


def test_the_own_card_turns_over_before_the_choices_are_shown():
    of = at(game(), ([track(22), START, START], [START] * 3))
    desk = Desk(Taste()).show(draw(of))
    desk.press(Key.ENTER)
    desk.show(choose(of, Card.TEN), drawn(of, Card.TEN), after_s=0.01)
    assert "Moves" not in desk.text()
    assert "Moves" in desk.text(2)


def test_marks_of_others_stay_until_the_own_turn_is_over():
    rows = ([track(40), START, START], [track(20), START, START])
    bob = a_move(Card.TEN, Forward(1, 10), rows, turn=1)
    own = a_move(Card.FIVE, Forward(1, 5), rows)
    marks = after(Marks(), bob, frozenset({0}))
    assert Spot(None, track(20)) in marks.trail
    assert Spot(None, track(30)) in marks.trail
    mine = after(marks, own, frozenset({0}))
    assert Spot(None, track(20)) not in mine.trail
    assert Spot(None, track(45)) in mine.trail
    again = after(mine, bob, frozenset({0}))
    assert Spot(None, track(45)) not in again.trail


def test_several_moves_of_one_turn_leave_their_marks_together():
    rows = ([track(40), START, START], [track(20), START, START])
    first = a_move(Card.TWO, Forward(1, 2), rows, turn=1)
    second = a_move(Card.TEN, Forward(1, 10), ([track(32), START, START], [track(22), START, START]), turn=1)
    marks = after(after(Marks(), first, frozenset({0})), second, frozenset({0}))
    assert len(marks.of) == 1
    assert {Spot(None, track(20)), Spot(None, track(32))} <= marks.trail
    assert marks.bumped == ((0, 1),)


def test_a_seats_new_turn_takes_its_old_marks_away():
    rows = ([track(40), START, START], [track(20), START, START])
    bob = a_move(Card.FIVE, Forward(1, 5), rows, turn=1)
    other = replace(a_move(Card.FIVE, Forward(1, 5), rows, turn=0), seat=2)
    later = a_move(Card.FIVE, Forward(1, 5), ([track(40), START, START], [track(25), START, START]), turn=1)
    marks = Marks()
    for item in (bob, other, later):
        marks = after(marks, item, frozenset())
    assert Spot(None, track(21)) not in marks.trail
    assert Spot(None, track(30)) in marks.trail


def test_an_unused_card_leaves_no_marks():
    item = a_move(Card.FOUR, Decline(), ([START] * 3, [START] * 3))
    assert after(Marks(), item, frozenset()).trail == frozenset()
    assert spot(0, START) == Spot(0, START)


def test_leaving_start_is_seen_at_the_exit():
    item = a_move(Card.ONE, LeaveStart(1), ([START] * 3, [START] * 3))
    assert seen(item) == [(track(4), START, START)]
    assert len(CARDS) == 11
