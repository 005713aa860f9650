"""A sample of the uniformity tests, and whether they would see a draw that is not fair (A59)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from sorry_lan.fair import draw
from sorry_lan.rules.cards import CARDS
from sorry_lan.wire import limits
from sorry_lan.wire.digest import tagged_hash, u32
from tests.fair import uniformity
from tests.fair.uniformity import STRATEGIES, decks, honest, judge_decks, judge_tables, tail

pytestmark = pytest.mark.untraced

DECK = uniformity.DECK
RULES = uniformity.RULES
DECKS = 300
TABLES = 500


def failures(findings: list[uniformity.Finding]) -> list[str]:
    return [str(finding) for finding in findings if not finding.holds]


def test_honest_decks_are_shuffled_evenly() -> None:
    assert failures(list(judge_decks("honest", decks(DECKS, 4, (honest,))))) == []


def test_decks_with_one_honest_seat_are_shuffled_evenly() -> None:
    mixed = decks(DECKS, 4, tuple(STRATEGIES.values()))
    assert failures(list(judge_decks("one honest", mixed))) == []


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", ["honest", *STRATEGIES])
def test_who_begins_and_the_first_card_are_even(name: str, seats: int) -> None:
    strategy = STRATEGIES.get(name, honest)
    assert failures(list(judge_tables(name, TABLES, seats, (strategy,)))) == []


def test_the_cut_chains_of_the_sample_are_whole_again_afterwards() -> None:
    list(judge_tables("honest", 1, 2, (honest,)))
    assert limits.CHAIN_LENGTH == 4096


def test_a_pick_by_remainder_alone_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_cards() -> uniformity.Finding:
        found = Counter(draw.draw_card(uniformity.noise(6, n), DECK, RULES)[0] for n in range(20_000))
        return uniformity.equally("first", [found[card] for card in CARDS], [count / sum(DECK) for count in DECK])

    def unfair(name: str, secret: bytes, ways: int) -> int:
        return tagged_hash(name, secret, u32(0))[0] % ways

    assert first_cards().holds
    monkeypatch.setattr(draw, "pick", unfair)
    assert not first_cards().holds


def test_a_seat_that_could_choose_its_share_late_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def rushing(game: bytes, k: int, shares: dict[int, bytes]) -> bytes:
        # What the commitment prevents: seat 1 sees the others' shares and takes the better of two.
        both = ({**shares, 1: tagged_hash("late", bytes((n,)), shares[1])} for n in (0, 1))
        return max(
            (draw.joint_secret(game, k, one) for one in both), key=lambda s: uniformity.draw_card(s, DECK, RULES)[0]
        )

    monkeypatch.setattr(uniformity, "joint_secret", rushing)
    assert len(failures(list(judge_tables("rushing", TABLES, 2, (honest,))))) >= 1


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (0, 5, 1.0),
        (3.841459, 1, 0.05),
        (18.307038, 10, 0.05),
        (6.634897, 1, 0.01),
        (10.0, 10, 0.440493),
        (493.12, 440, 0.04),
    ],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(statistic: float, freedom: int, p: float) -> None:
    assert tail(statistic, freedom) == pytest.approx(p, abs=2e-3 if freedom > 100 else 1e-6)


def test_the_position_by_card_statistic_has_its_stated_distribution() -> None:
    """Shuffles from another source give p-values that are spread evenly, not heaped at one end."""
    ordered = [card for card, count in zip(CARDS, DECK, strict=True) for _ in range(count)]
    rng = Random(1)
    ps = []
    for _ in range(60):
        sample = iter([rng.sample(ordered, len(ordered)) for _ in range(150)])
        ps.append(next(judge_decks("shuffled", sample)).p)
    quarters = Counter(min(3, int(4 * p)) for p in ps)
    assert all(5 <= quarters[quarter] <= 28 for quarter in range(4))
