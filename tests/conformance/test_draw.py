"""draw.json: chains, shares, joint secrets, picks, decks, the lot, check words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sorry_lan.fair.chain import Chain, opens
from sorry_lan.fair.draw import check_words, draw_card, first_seat, joint_secret
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.digest import pick, tagged_hash, u32
from tests.conformance.cases import Case, judge, load, params


def _chain(given: Any) -> object:
    chain = Chain(*(bytes.fromhex(given[name]) for name in ("root", "public", "nonce")))
    steps = (0, 1, 2, 63, 64, 65, 2047, 4095)
    return {"anchor": chain.anchor.hex(), "shares": {str(k): chain.share(k).hex() for k in steps}}


def _share(given: Any) -> object:
    public, nonce, share, last = (bytes.fromhex(given[name]) for name in ("public", "nonce", "share", "last"))
    return {"opens": opens(public, nonce, given["k"], share, last)}


def _joint(given: Any) -> object:
    # Handed over in descending order: the secret must not depend on who came first.
    shares = {int(seat): bytes.fromhex(share) for seat, share in reversed(given["shares"].items())}
    return {"secret": joint_secret(bytes.fromhex(given["game"]), given["k"], shares).hex()}


def _pick(given: Any) -> object:
    secret, ways = bytes.fromhex(given["secret"]), given["ways"]
    stream = b"".join(tagged_hash(given["tag"], secret, u32(block)) for block in range(4))
    passed = next(place for place, byte in enumerate(stream) if byte < 256 - 256 % ways)
    return {"result": pick(given["tag"], secret, ways), "bytes_passed_over": passed}


def _deck(given: Any) -> object:
    rules, pile = replace(Rules(), ones=given["ones"]), tuple(given["pile"])
    cards, piles = [], []
    for secret in given["secrets"]:
        card, pile = draw_card(bytes.fromhex(secret), pile, rules)
        cards.append(int(card))
        piles.append(list(pile))
    return {"cards": cards, "piles": piles}


def _first(given: Any) -> object:
    return {"seat": first_seat(bytes.fromhex(given["secret"]), given["seats"])}


def _words(given: Any) -> object:
    secret = bytes.fromhex(given["secret"])
    return {"places": list(tagged_hash("words", secret)[:3]), "words": list(check_words(secret))}


GROUPS = {
    "chain": _chain,
    "share": _share,
    "joint": _joint,
    "pick": _pick,
    "deck": _deck,
    "first": _first,
    "words": _words,
}


@pytest.mark.parametrize("case", params("draw"))
def test_what_is_drawn_comes_out_alike(case: Case) -> None:
    judge(case, GROUPS)


def test_the_vectors_pick_at_both_sides_of_the_boundary_for_each_number_of_ways() -> None:
    names = {case["id"] for case in load("draw")}
    for ways in range(1, 65):
        assert f"pick/last-accepted-{ways}" in names
        assert 256 % ways == 0 or f"pick/first-refused-{ways}" in names
