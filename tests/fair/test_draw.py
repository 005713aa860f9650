"""Draws: formulas written out a second time, piles that never lose a card, picks that nobody's order changes."""

from __future__ import annotations

import hashlib
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_lan.fair.draw import check_words, draw_card, first_seat, joint_secret
from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.profile import PROFILES, Rules
from sorry_lan.wire.digest import pick
from sorry_lan.wire.words import WORDS

RULES = Rules()
GAME = b"\x0a" * 32
SHARES = {0: b"\x01" * 32, 2: b"\x02" * 32, 3: b"\x03" * 32}
EMPTY = (0,) * 11

secrets = st.binary(min_size=32, max_size=32)
piles = st.lists(st.integers(0, 5), min_size=11, max_size=11).map(tuple).filter(any)


def plain_hash(name: bytes, text: bytes) -> bytes:
    return hashlib.sha256((b"sorry-lan/1\x00" + name).ljust(32, b"\x00") + text).digest()


def test_the_joint_secret_follows_the_formula() -> None:
    text = GAME + (7).to_bytes(4, "big") + b"\x03\x00" + b"\x01" * 32 + b"\x02" + b"\x02" * 32 + b"\x03" + b"\x03" * 32
    assert joint_secret(GAME, 7, SHARES) == plain_hash(b"draw", text)


def test_the_order_in_which_shares_arrive_does_not_matter() -> None:
    assert {joint_secret(GAME, 7, dict(order)) for order in permutations(SHARES.items())} == {
        joint_secret(GAME, 7, SHARES)
    }


def test_every_part_changes_the_joint_secret() -> None:
    others = [
        joint_secret(b"\x0b" * 32, 7, SHARES),
        joint_secret(GAME, 8, SHARES),
        joint_secret(GAME, 7, {0: SHARES[0], 2: SHARES[2]}),
        joint_secret(GAME, 7, {1: SHARES[0], 2: SHARES[2], 3: SHARES[3]}),
        joint_secret(GAME, 7, {**SHARES, 3: b"\x04" * 32}),
        joint_secret(GAME, 7, {0: SHARES[2], 2: SHARES[0], 3: SHARES[3]}),
        joint_secret(GAME, 7, SHARES),
    ]
    assert len(set(others)) == len(others)


@pytest.mark.parametrize(
    ("game", "shares"), [(GAME, {}), (bytes(31), SHARES), (GAME, {0: bytes(31)}), (GAME, {**SHARES, 1: bytes(33)})]
)
def test_parts_of_another_size_are_a_bug(game: bytes, shares: dict[int, bytes]) -> None:
    with pytest.raises(LocalMisuse):
        joint_secret(game, 0, shares)


@given(secrets, piles)
def test_a_card_is_taken_from_the_list_of_the_cards_left(secret: bytes, pile: tuple[int, ...]) -> None:
    remaining = [card for card, count in zip(CARDS, pile, strict=True) for _ in range(count)]
    drawn = remaining.pop(pick("card", secret, len(remaining)))
    card, left = draw_card(secret, pile, RULES)
    assert card is drawn
    assert left == tuple(remaining.count(face) for face in CARDS)


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_an_empty_pile_is_refilled_when_a_card_is_due(profile: str) -> None:
    rules = PROFILES[profile]
    deck = full_deck(rules)
    secret = bytes(32)
    assert draw_card(secret, EMPTY, rules) == draw_card(secret, deck, rules)


def test_the_last_card_leaves_an_empty_pile() -> None:
    only_sorry = (*(0,) * 10, 1)
    assert draw_card(bytes(32), only_sorry, RULES) == (Card.SORRY, EMPTY)


def test_each_deck_of_a_long_game_holds_all_its_cards() -> None:
    pile = EMPTY
    drawn = []
    for k in range(3 * 45):
        card, pile = draw_card(joint_secret(GAME, k, SHARES), pile, RULES)
        drawn.append(card)
    for deck in (drawn[:45], drawn[45:90], drawn[90:]):
        assert tuple(deck.count(face) for face in CARDS) == full_deck(RULES)
    assert drawn[:45] != drawn[45:90]


@pytest.mark.parametrize("pile", [(), (1,) * 10, (1,) * 12, (-1, *(1,) * 10)])
def test_what_is_no_pile_is_a_bug(pile: tuple[int, ...]) -> None:
    with pytest.raises(LocalMisuse):
        draw_card(bytes(32), pile, RULES)


@given(secrets, st.integers(2, 4))
def test_the_first_seat_is_a_pick_of_its_own(secret: bytes, seats: int) -> None:
    assert first_seat(secret, seats) == pick("first", secret, seats)
    assert 0 <= first_seat(secret, seats) < seats


@given(secrets)
def test_check_words_are_three_bytes_of_their_own_hash(secret: bytes) -> None:
    assert check_words(secret) == tuple(WORDS[byte] for byte in plain_hash(b"words", secret)[:3])


def test_a_host_that_runs_two_tables_and_relays_cannot_make_their_check_words_equal() -> None:
    ada, bob = b"\xa1" * 32, b"\xb0" * 32

    def words(table: int, guest: bytes, attempt: int) -> tuple[str, str, str]:
        return check_words(joint_secret(bytes([table]) * 32, 0, {0: attempt.to_bytes(32, "big"), 1: guest}))

    shown_to_ada = words(1, ada, 0)
    assert all(words(2, bob, attempt) != shown_to_ada for attempt in range(500))
