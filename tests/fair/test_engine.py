"""The engine digest."""

import pytest

from sorry_lan.fair import engine
from sorry_lan.fair.entry import head_start
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import Rules, variations
from sorry_lan.wire.digest import tagged_hash, u8

VARIED = tuple(enumerate(variations()))[1:]


@pytest.fixture(autouse=True)
def _fresh():
    engine.engine_digest.cache_clear()
    yield
    engine.engine_digest.cache_clear()


@pytest.mark.untraced
def test_the_digest_is_the_same_every_time():
    first = engine.engine_digest()
    engine.engine_digest.cache_clear()
    assert engine.engine_digest() == first
    assert len(first) == 32


@pytest.mark.untraced
def test_another_version_of_the_bots_is_another_engine(monkeypatch):
    before = engine.engine_digest()
    engine.engine_digest.cache_clear()
    monkeypatch.setattr(engine, "BOTS_VERSION", engine.BOTS_VERSION + 1)
    assert engine.engine_digest() != before


@pytest.mark.untraced
def test_another_outcome_of_one_corpus_game_is_another_engine(monkeypatch):
    before = engine.engine_digest()
    engine.engine_digest.cache_clear()
    corpus_head = engine.corpus_head
    monkeypatch.setattr(engine, "corpus_head", lambda n, rules: bytes(32) if n == 26 else corpus_head(n, rules))
    assert engine.engine_digest() != before


RARE = {
    "two_draws_again=if_moved",
    "slide_own_pawns=block",
    "swap_slide=both",
    "swap_slide=none",
    "sorry_slide=false",
    "eleven_pass=never",
}
"""Switches whose moment does not come in their game; the state digest of each move still tells them apart."""


@pytest.mark.untraced
def test_the_corpus_tells_every_switch_from_standard_whose_moment_comes():
    heads = {name: (engine.corpus_head(n, rules), engine.corpus_head(n, Rules())) for n, (name, rules) in VARIED}
    assert {name for name, (one, standard) in heads.items() if one == standard} == RARE


def test_a_corpus_game_begins_with_the_lot_of_all_four_bots():
    start = head_start(tagged_hash("corpus", u8(5)))
    assert engine.opening(Rules(), tuple(Colour), start).head == start
    assert engine.corpus_head(5, Rules()) != engine.corpus_head(6, Rules())


def test_a_corpus_game_that_is_won_ends_there(monkeypatch):
    monkeypatch.setattr(engine, "STEPS", 100_000)
    assert len(engine.corpus_head(0, Rules(pawns=1))) == 32
