from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.faults import Err
from sorry_lan.rules.cards import Card
from sorry_lan.table.news import EnginesDiffer, FaultProven
from sorry_lan.table.view import FirstBy
from sorry_lan.ui.canvas import Ink
from sorry_lan.ui.draw_fairness import FairnessPage, draw_fairness
from sorry_lan.ui.tally import SeatTally, Tally
from sorry_lan.ui.texts_fairness import Fair, finding_of
from sorry_lan.wire.terms import SeatKind
from tests.ui.build import bot, game, seat
from tests.ui.pages import FILE, middle, shown_on, tally, text_of


def flat(page, width=120, height=60):
    return " ".join(text_of(draw_fairness, page, width, height).split())


def at_step(k, *seats, card=None, **changed):
    return replace(game(seats), k=k, card=card, **changed)


def test_before_the_first_card_the_answer_is_not_yet():
    finding = finding_of(at_step(1, seat(0, 0), seat(1)), ())
    assert finding.fair is Fair.NOT_YET
    assert "NOT YET. No card has been drawn so far." in flat(FairnessPage(at_step(1, seat(0, 0), seat(1)), Tally()))


@pytest.mark.parametrize(
    ("now", "wanted"),
    [
        (at_step(1, seat(0, 0), seat(1), card=Card.ONE), "The 1 card so far was made by Ada and Bob together."),
        (at_step(3, seat(0, 0), seat(1)), "Each of the 2 cards so far was made by Ada and Bob together."),
        (at_step(3, seat(0, 0), seat(1), bot(2)), "Each of the 2 cards so far was made by Ada and Bob together."),
        (
            at_step(3, seat(0, 0), seat(1), first_by=FirstBy.PARENT),
            "Each of the 2 cards since the game went on was made by Ada and Bob together.",
        ),
        (at_step(3, seat(0, 0), bot(1)), "The 2 cards so far were made by Ada's computer alone"),
        (at_step(3, seat(0, 0), seat(1, 1)), "The 2 cards so far were made by this computer alone"),
        (at_step(2, seat(0, 0), bot(1)), "The 1 card so far was made by Ada's computer alone"),
        (at_step(2, seat(0, 0), seat(1, 1)), "The 1 card so far was made by this computer alone"),
    ],
)
def test_yes_says_who_made_the_cards(now, wanted):
    finding = finding_of(now, ())
    assert finding.fair is Fair.YES
    assert wanted in finding.sentence


def test_a_stand_in_makes_no_card():
    now = at_step(5, seat(0, 0), seat(1), replace(seat(2), kind=SeatKind.STAND_IN))
    assert "Ada and Bob together" in finding_of(now, ()).sentence


@pytest.mark.parametrize(
    ("trouble", "wanted"),
    [
        (FaultProven(1, Err.EQUIVOCATION, 26), "NO. Bob (Blue) broke the rules in step 26, and there is proof."),
        (EnginesDiffer(9, (1,)), "NO. In step 9 two computers worked out different boards. Nobody is blamed"),
    ],
)
def test_no_says_what_happened(trouble, wanted):
    page = FairnessPage(middle(), tally(), (trouble,))
    assert wanted in flat(page)
    assert (Ink.BAD, "NO.") in shown_on(draw_fairness, page)


@pytest.mark.parametrize(
    ("seats", "wanted"),
    [
        ((seat(0, 0), seat(1)), "One is always yours, so nobody else could choose or foresee a card."),
        ((seat(0), seat(1)), "As long as one player's number is honest"),
        ((seat(0, 0), seat(1, 1)), "it is practice, with nobody to deceive"),
    ],
)
def test_how_we_know_is_true_for_whoever_reads_it(seats, wanted):
    assert wanted in flat(FairnessPage(at_step(3, *seats), Tally()))


def test_the_shares_that_were_checked_are_counted():
    assert "81 checked, 0 wrong" in flat(FairnessPage(middle(), tally()))


def test_luck_stands_beside_what_the_piles_promised():
    rows = text_of(draw_fairness, FairnessPage(middle(), tally()), 80, 40).split("\n")
    ada = next(row for row in rows if "Ada" in row and "7 cards" in row)
    assert ada.split() == ["Ada", "7", "cards", "1/0.8", "2/0.6", "1/0.6", "1/0.6", "0/0.6"]


def test_what_fair_games_seldom_show_has_a_star_and_an_explanation():
    told = flat(FairnessPage(middle(), tally()))
    assert "5*/0.8" in told
    assert "among 20 such numbers about 1 is normal" in told


def test_without_anything_unusual_there_is_no_star():
    plain = Tally((SeatTally((1, *(0,) * 10), (5 / 45, *(4 / 45,) * 10)),) * 4)
    assert "*" not in flat(FairnessPage(middle(), plain))


def test_a_tally_from_the_middle_says_since_when():
    assert "Luck since step 12" in flat(FairnessPage(middle(), replace(tally(), since_k=12)))


def test_a_narrow_window_tells_luck_in_rows_of_text():
    told = " ".join(text_of(draw_fairness, FairnessPage(middle(), tally()), 30, 90).split())
    assert "Ada: 1: 1/0.8, 2: 2/0.6" in told


def test_check_words_are_shown_where_there_is_somebody_to_compare_them_with():
    assert "Check words: maple otter tulip." in flat(FairnessPage(middle(), tally()))
    assert "Check words" not in flat(FairnessPage(at_step(3, seat(0, 0), bot(1)), Tally()))
    assert "Check words" not in flat(FairnessPage(replace(middle(), words=None), tally()))


def test_the_file_is_named_once_it_is_written():
    assert "sorry-lan verify FILE" in flat(FairnessPage(middle(), tally()))
    assert f"sorry-lan verify {FILE}" in flat(FairnessPage(middle(), tally(), file=FILE))


def test_a_path_that_is_too_long_for_the_row_stands_in_rows_of_its_own():
    told = text_of(draw_fairness, FairnessPage(middle(), tally(), file=FILE), 80, 40)
    rows = [row.strip() for row in told.split("\n")]
    assert rows[rows.index("sorry-lan verify") + 1] == FILE
