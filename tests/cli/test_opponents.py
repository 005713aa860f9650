"""Our bots against those of the package `apologies`, which is no dependency: where it is missing, one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from random import Random

import pytest

from benchmarks.apologies_bot import TheirBot
from benchmarks.opponents import COLOURS, RULES, Part, parts, play
from sorry_lan.arena.match import Deal, Entrant, Match, decider
from sorry_lan.rules import fast
from sorry_lan.rules.board import HOME, OUTER
from sorry_lan.rules.cards import CARDS

THERE = find_spec("apologies") is not None
with_package = pytest.mark.skipif(not THERE, reason="needs the extra `benchmark`: pip install '.[benchmark]'")
MATCH = Match((Entrant("easy", 0), Entrant("their reward", None)), RULES["agreed"], COLOURS[2], 5)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.opponents", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_the_parts_of_a_match_are_its_deals_once_each():
    found = list(parts(MATCH, "reward", 47))
    assert [number for part in found for number in range(part.first, part.first + part.count)] == list(range(47))


@pytest.mark.skipif(THERE, reason="the package is there")
def test_without_the_package_it_is_one_sentence_and_3():
    found = run("easy", "--games", "2")
    assert (found.returncode, found.stdout) == (3, "")
    assert found.stderr.splitlines() == [
        "The package apologies is not installed here; install it with: pip install 'sorry-lan[benchmark]'"
    ]


@pytest.mark.parametrize("words", [("clever",), ("easy", "--players", "5"), ("easy", "--games", "0")])
def test_what_makes_no_match_is_refused(words: tuple[str, ...]):
    found = run(*words)
    assert found.returncode == 2
    assert "error: " in found.stderr


def positions(count: int) -> list[tuple[fast.Cells, int]]:
    """Positions of games between players without a plan."""
    core = fast.core(MATCH.rules, MATCH.colours)
    anybody = decider(Entrant("random", None), MATCH)
    found: list[tuple[fast.Cells, int]] = []
    number = 0
    while len(found) < count:
        deal = Deal(MATCH, number)
        cells, seat, winner, k = core.opening, deal.first(), fast.NO_WINNER, 0
        while winner == fast.NO_WINNER:
            k += 1
            card, secret = deal.step(k)
            found.append((cells, seat))
            cells, seat, winner = core.step(cells, seat, card, anybody(cells, seat, card, secret))
        number += 1
    return Random(1).sample(found, count)


@with_package
def test_their_bot_sees_and_evaluates_as_in_its_own_program():
    bot = TheirBot(MATCH, "reward")
    moves = 0
    for cells, seat in positions(60):
        view = bot.view(cells, seat)
        for card in CARDS:
            for move in bot._rules.construct_legal_moves(view, card=bot._cards[card]):
                assert bot.view(bot.after(cells, move), seat) == bot._rules.evaluate_move(view, move)
                moves += 1
    assert moves > 1000


@with_package
@pytest.mark.parametrize("name", ["reward", "random"])
def test_whatever_their_bot_answers_is_one_of_our_choices(name: str):
    bot = TheirBot(MATCH, name)
    core = fast.core(MATCH.rules, MATCH.colours)
    for number, (cells, seat) in enumerate(positions(100)):
        for card in CARDS:
            secret = bytes([number, card])
            answer = bot(cells, seat, card, secret)
            assert answer in core.choices(cells, seat, card)
            assert answer == bot(cells, seat, card, secret)
    assert 0 < bot.differing < bot.asked / 10


@with_package
def test_a_move_of_theirs_that_is_none_of_ours_is_never_played():
    # Going 3 on would send a pawn home that stands in its own safety zone, on a square of the same number.
    bot = TheirBot(MATCH, "reward")
    core = fast.core(MATCH.rules, MATCH.colours)
    entry = 3
    red = bytes([entry, HOME, HOME, HOME])
    yellow = bytes([OUTER + 3, HOME, HOME, HOME])
    bot(red + yellow, 0, CARDS[2], b"x")
    assert bot.differing == 1
    assert core.apply(red + yellow, 0, CARDS[2], (2, 1, 3)) == bytes([OUTER + 3, HOME, HOME, HOME]) + yellow


@with_package
def test_a_part_is_played_alike_twice():
    first = play(Part(MATCH, "reward", 0, 30))
    assert play(Part(MATCH, "reward", 0, 30)).scores == first.scores
    assert first.scores.games == 60
    assert first.asked > 30 * 60


@with_package
def test_figures_for_programs():
    found = run("easy", "--games", "4", "--players", "3", "--json", "--jobs", "1")
    assert found.returncode == 0, found.stderr
    (figure,) = json.loads(found.stdout)["figures"]
    assert (figure["ours"], figure["players"], figure["games"], figure["deals"]) == ("easy", 3, 6, 2)
    assert figure["low"] <= figure["share"] <= figure["high"]
    assert sum(figure["seats"].values()) == pytest.approx(1, abs=0.001)
