"""Every reason has its sentence, and the sentence tells the truth."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from sorry_lan.rules.board import HOME, START, Colour, safe, track
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.position import Position, problems
from sorry_lan.rules.profile import PROFILES, ElevenPass, SlideOwnPawns, SlidePastEntry, SorryForward
from sorry_lan.rules.reasons import Reason, ReasonCode, reasons
from sorry_lan.ui.texts_reasons import reason_text

STANDARD = PROFILES["standard"]
RULES = (
    STANDARD,
    PROFILES["classic"],
    PROFILES["2013"],
    replace(STANDARD, slide_own_pawns=SlideOwnPawns.BLOCK),
    replace(STANDARD, slide_past_entry=SlidePastEntry.ENTER),
    replace(STANDARD, sorry_forward=SorryForward.FALLBACK),
    replace(STANDARD, split_pawns=1),
    replace(STANDARD, eleven_pass=ElevenPass.NEVER),
)


def found_reasons():
    """(reason, position, rules, card) for every code, from random positions with a fixed seed."""
    dice = random.Random(11)
    found = {}
    for _ in range(6000):
        rules = dice.choice(RULES)
        places = [
            START,
            HOME,
            *(safe(i) for i in range(5)),
            *(track(n) for n in (0, 1, 2, 3, 4, 5, 8, 9, 10, 13, 14, 58)),
        ]
        rows = tuple(tuple(dice.choice(places) for _ in range(rules.pawns)) for _ in range(2))
        position = Position((Colour.RED, Colour.BLUE), rows, 0)
        if problems(position, rules):
            continue
        for card in CARDS:
            for reason in reasons(position, rules, card):
                found.setdefault(reason.code, (reason, position, rules, card))
    return found


FOUND = found_reasons()


@pytest.mark.parametrize("code", ReasonCode)
def test_every_reason_occurs_and_is_one_sentence_with_its_pawn_and_its_rule(code):
    reason, position, rules, card = FOUND[code]
    text = reason_text(reason, position, rules, card)
    assert re.fullmatch(rf"R{reason.pawn} .*\(rule R\d+\)\.", text)
    assert "{" not in text
    assert text.count(". ") == 0


def text_of(rows, card, rules=STANDARD):
    position = Position((Colour.RED, Colour.BLUE), tuple(map(tuple, rows)), 0)
    return [reason_text(reason, position, rules, card) for reason in reasons(position, rules, card)]


OTHER = (START, START, START)


def test_a_card_that_does_not_start_names_those_that_do():
    assert text_of([(START, START, START), OTHER], Card.FOUR)[0] == (
        "R1 stays in Start: a 4 brings no pawn out, only 1, 2, 3, 5, 8, 10, 11, 12 and Sorry! (rule R1)."
    )


def test_overshooting_says_how_many_steps_home_needs():
    assert text_of([(safe(3), HOME, HOME), OTHER], Card.FIVE)[0] == (
        "R1 cannot go forward 5: it would pass Home, which needs exactly 2 (rule R3)."
    )


def test_an_own_pawn_on_the_target_is_named():
    assert text_of([(track(20), track(25), HOME), OTHER], Card.FIVE)[0] == (
        "R1 cannot go forward 5: your own R2 stands on 25 (rule R4)."
    )


def test_steps_home_are_counted_in_one_and_many():
    position = Position((Colour.RED, Colour.BLUE), ((safe(4), HOME, HOME), OTHER), 0)
    one = reason_text(Reason(1, ReasonCode.NO_PARTNER, (1, 0)), position, STANDARD, Card.SEVEN)
    two = reason_text(Reason(1, ReasonCode.NO_PARTNER, (2, 0)), position, STANDARD, Card.SEVEN)
    assert "Home is only 1 step away" in one
    assert "Home is only 2 steps away" in two
