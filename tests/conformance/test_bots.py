"""bots.json: what the easy and the medium bot choose, each corpus game step by step, the engine digest."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from sorry_lan.bots.choose import BOTS_VERSION, EASY, choose
from sorry_lan.fair import step
from sorry_lan.fair.engine import STEPS, corpus_head, engine_digest
from sorry_lan.fair.entry import encode_snapshot, head_start
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import choices
from sorry_lan.rules.moves import to_action
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import from_uints, variations
from sorry_lan.wire.digest import tagged_hash, u8, u32
from sorry_lan.wire.terms import PROTO
from tests.conformance.cases import Case, judge, params


def _level(level: int, given: Any) -> object:
    rules, card = from_uints(given["rules"]), Card(given["card"])
    rows = tuple(tuple(row) for row in given["locations"])
    position = Position(tuple(map(Colour, given["colours"])), rows, given["turn"])
    offered = [list(to_action(move)) for move in choices(position, rules, card)]
    taken = list(to_action(choose(position, rules, card, level, bytes.fromhex(given["secret"]))))
    return {"choices": offered, "action": taken}


def _corpus(given: Any) -> object:
    number, rules = given["game"], from_uints(given["rules"])
    assert variations()[number] == (given["name"], rules)
    standing = step.opening(rules, tuple(Colour), head_start(tagged_hash("corpus", u8(number))))
    secret = tagged_hash("corpus", u8(number), u32(0))
    standing = step.begin(standing, rules, secret, step.cast_lot(secret, None, 4)).after
    played = []
    while standing.k < STEPS and standing.position.winner is None:
        secret = tagged_hash("corpus", u8(number), u32(standing.k))
        drawn = step.draw(standing, rules, secret)
        move = choose(standing.position, rules, drawn.card, EASY, secret)
        played.append([standing.position.turn, int(drawn.card), list(to_action(move))])
        result = step.outcome(standing, rules, drawn, move)
        standing = step.count(standing, secret, drawn, result, step.computed_id(result)).after
    assert standing.head == corpus_head(number, rules)
    snapshot = encode_snapshot(standing.position, standing.pile)
    return {"head": standing.head.hex(), "snapshot": snapshot.hex(), "played": played}


def _engine(given: Any) -> object:
    assert given == {"proto": PROTO, "bots": BOTS_VERSION}
    return {"digest": engine_digest().hex()}


GROUPS = {"easy": partial(_level, 0), "medium": partial(_level, 1), "corpus": _corpus, "engine": _engine}


@pytest.mark.parametrize("case", params("bots"))
def test_bots_choose_alike(case: Case) -> None:
    judge(case, GROUPS)
