"""What hard and expert bots look ahead to: whole numbers that add up, every number of seats, the tables of pairs."""

from __future__ import annotations

import hashlib
from itertools import permutations
from pkgutil import get_data

import pytest

from sorry_lan.bots import pairs, search
from sorry_lan.bots.bench import bench
from sorry_lan.bots.choose import BOTS_VERSION
from sorry_lan.bots.race import UNIT, draws_home
from sorry_lan.bots.shares import SCALE
from sorry_lan.bots.threats import bumps
from sorry_lan.rules.board import EXIT, HOME, START, Colour, safe, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.profile import PROFILES, Rules

RULES = Rules()
TWO, THREE = (Colour.RED, Colour.YELLOW), (Colour.RED, Colour.BLUE, Colour.YELLOW)
SECRET = bytes(32)


def cells(*rows: tuple[int, ...]) -> bytes:
    return b"".join(map(bytes, rows))


@pytest.mark.parametrize("name", PROFILES)
def test_the_shares_of_all_seats_make_one_win(name: str) -> None:
    rules = PROFILES[name]
    for colours in (TWO, THREE, tuple(Colour)):
        table = bench(rules, colours, 0)
        for following in range(len(colours)):
            for judge in (table.judge, table.pairs):
                shares = [judge.share(table.core.opening, following, seat) for seat in range(len(colours))]
                assert abs(sum(shares) - SCALE) < SCALE // 1000


def test_equal_seats_have_equal_shares_up_to_whose_turn_it_is() -> None:
    table = bench(RULES, TWO, 0)
    opening = table.core.opening
    for judge in (table.judge, table.pairs):
        assert judge.share(opening, 0, 0) == judge.share(opening, 1, 1)
        assert judge.two_shares(opening, 0, 1, 1) == (judge.share(opening, 0, 1),) * 2


def test_a_barred_seat_takes_no_share_from_the_others() -> None:
    ahead = cells((HOME, HOME, safe(4)), (START,) * 3, (START,) * 3)
    free, barred = bench(RULES, THREE, 0), bench(RULES, THREE, 1)
    for one, two in ((free.judge, barred.judge), (free.pairs, barred.pairs)):
        assert one.share(ahead, 1, 1) < SCALE // 4
        assert abs(two.share(ahead, 1, 1) + two.share(ahead, 1, 2) - SCALE) < SCALE // 1000


def test_the_race_of_one_pawn() -> None:
    for colour in Colour:
        race = draws_home(RULES, colour)
        assert race[HOME] == 0
        # Home is one step away: the 1 of five cards of 45, and a 2 draws again for nothing.
        assert 8 * UNIT < race[safe(4)] < 14 * UNIT
        # Four back from the exit is the short way.
        assert race[EXIT[colour] - 2] < race[EXIT[colour]] < race[START] + UNIT
    assert draws_home(RULES, Colour.RED)[track(10)] == draws_home(RULES, Colour.GREEN)[track(55)]


def test_threats_are_counted_in_cards_of_the_deck() -> None:
    red = bumps(RULES, Colour.RED)
    # Twice the cards, a part of a split counting half: five ahead are the 5s and a part of each 7.
    assert red[track(20)][track(25)] == 2 * 4 + 4
    assert red[track(20)][track(16)] == 2 * 4
    # From Start: eight kinds of cards onto the exit, and every Sorry! wherever it is.
    assert red[START][track(30)] == 2 * 4
    assert red[START][EXIT[Colour.RED]] == 2 * (5 + 7 * 4 + 4)
    assert bumps(Rules(split_pawns=1), Colour.RED)[track(20)][track(25)] == 2 * 4


def test_a_hard_bot_sees_the_win_of_the_next_card() -> None:
    table = bench(RULES, TWO, 0)
    # Yellow wins with a 1, a 2 or a 3 wherever it is not sent back; red can reach one of its pawns.
    position = cells((track(20), START, START), (HOME, HOME, track(25)))
    assert search.hard(table, position, 0, Card.FIVE, SECRET) == (2, 1, 5)


def test_three_seats_and_a_second_draw_are_looked_into() -> None:
    table = bench(RULES, THREE, 0)
    position = cells((track(20), track(40), START), (track(30), track(50), START), (track(5), START, START))
    for card in (Card.TWO, Card.SEVEN):
        offered = table.core.choices(position, 0, card)
        assert search.hard(table, position, 0, card, SECRET) in offered
        assert search.expert(table, position, 0, card, SECRET) in offered


def test_futures_end_with_the_game() -> None:
    table = bench(Rules(pawns=1), TWO, 0)
    position = cells((safe(2),), (safe(2),))
    for card in (Card.ONE, Card.TWO, Card.TEN):
        assert search.expert(table, position, 0, card, SECRET) in table.core.choices(position, 0, card)
    both = bench(Rules(pawns=2), TWO, 0)
    position = cells((safe(2), safe(0)), (safe(3), HOME))
    for think in (search.hard, search.expert):
        assert think(both, position, 0, Card.TEN, SECRET) in both.core.choices(position, 0, Card.TEN)
    swap_or_win = cells((track(57),), (track(20),))
    for think in (search.hard, search.expert):
        assert think(table, swap_or_win, 0, Card.ELEVEN, SECRET) == (2, 1, 11)


@pytest.mark.parametrize("colours", [TWO, tuple(Colour)])
def test_the_order_of_a_seats_pawns_makes_no_difference(colours: tuple[Colour, ...]) -> None:
    judge = bench(PROFILES["classic"], colours, 0).pairs
    others = (START, HOME, track(30), track(31)) * (len(colours) - 1)
    found = {
        tuple(judge.scores(bytes(row) + bytes(others), 0)) for row in permutations((START, START, HOME, track(20)))
    }
    assert len(found) == 1


def test_a_turned_board_is_worth_the_same() -> None:
    for turns in range(1, 4):
        colours = tuple(Colour((colour + turns) % 4) for colour in TWO)
        one, two = bench(RULES, TWO, 0).pairs, bench(RULES, colours, 0).pairs
        placed = cells((track(9), track(40), START), (track(30), safe(1), HOME))
        turned = bytes(1 + (loc - 1 + 15 * turns) % 60 if 0 < loc <= 60 else loc for loc in placed)
        assert one.scores(placed, 1) == two.scores(turned, 1)


def test_the_tables_know_what_every_player_knows() -> None:
    judge = bench(RULES, TWO, 0).pairs

    def share(*own: int) -> int:
        return judge.share(cells(own, (track(40), START, START)), 1, 0)

    assert share(HOME, START, START) > share(safe(4), START, START) > share(track(20), START, START)
    assert share(track(20), START, START) > share(START, START, START)
    # Four back from the exit is the short way.
    assert share(EXIT[Colour.RED] - 2, START, START) > share(EXIT[Colour.RED] + 2, START, START)
    # Yellow draws next and hits with an 8.
    assert share(track(48), START, START) < share(track(46), START, START)


def test_rules_have_the_tables_of_the_nearest_profile_with_as_many_pawns() -> None:
    assert [pairs.profile_for(rules) for rules in PROFILES.values()] == list(PROFILES)
    assert pairs.profile_for(Rules(slide_on=PROFILES["classic"].slide_on)) == "standard"
    assert pairs.profile_for(Rules(pawns=4)) == "classic"
    few = bench(Rules(pawns=2), TWO, 0)
    assert pairs.profile_for(few.core.rules) is None
    assert few.pairs is few.judge


def test_remembered_rows_are_forgotten_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = pairs.pairs(RULES, TWO, 0)
    assert judge is not None
    position = cells((track(20), track(40), START), (track(30), track(50), START))
    before = judge.scores(position, 0)
    monkeypatch.setattr(pairs, "ROWS_KEPT", 1)
    judge.scores(cells((START, START, track(1)), (START, START, track(2))), 0)
    assert [len(rows) for rows in judge._rows] == [1, 1]
    assert judge.scores(position, 0) == before


def test_the_tables_are_pinned_for_this_version() -> None:
    stored = get_data("sorry_lan.bots", "pairs.bin")
    assert stored is not None
    assert (BOTS_VERSION, hashlib.sha256(stored).hexdigest()[:16]) == (3, "b2399c55fd508059")
