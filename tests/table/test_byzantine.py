"""A sample of the Byzantine schedules; all of them: `python -m tests.table.byzantine --seeds 1000 --seats 2,3,4`."""

import pytest

from sorry_lan.faults import Err
from sorry_lan.table.commands import CloseLink, JournalKind, Sync
from sorry_lan.table.news import FaultProven
from sorry_lan.table.play import Game
from sorry_lan.wire.codec import pack
from sorry_lan.wire.messages import Entry
from tests.table.byzantine import main, schedule
from tests.table.checker import BrokenError

pytestmark = pytest.mark.untraced


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("tens", range(3))
def test_no_schedule_leaks_a_share_forks_a_game_or_blames_the_honest(seats: int, tens: int) -> None:
    for seed in range(tens * 10, tens * 10 + 10):
        schedule(seed, seats)


def test_the_sample_has_honest_clients_that_hold_different_moves_and_proof_of_it() -> None:
    done = [schedule(seed, 3) for seed in range(30)]
    assert sum(checker.equivocations > 0 for checker in done) >= 3
    assert sum(checker.proofs > 0 for checker in done) >= 10
    assert sum(checker.revealed for checker in done) > 200


def test_the_command_says_what_it_ran(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "1", "--first", "3", "--seats", "3"]) == 0
    assert "3 seats: 1 schedules" in capsys.readouterr().out


def test_a_client_that_reveals_without_waiting_for_acknowledgements_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker works: the naive rule of accepting a move and revealing at once does not pass it."""
    careful = Game.advance

    def naive(game: Game) -> None:
        careful(game)
        if game.ledger.open.applied is None or game.ledger.over is not None:
            return
        for hand in game.hands.values():
            signed = hand.sign(game.id, hand.reveal(game.ledger.k + 1))
            payload = pack(signed)
            game.desk.journal(game.id, JournalKind.OWN_ENTRY, payload, Sync.NOW)
            game.desk.cast(Entry(game.id, signed.body, signed.sig), game.links())

    monkeypatch.setattr(Game, "advance", naive)
    monkeypatch.setattr("tests.table.build.World._signed", note_only)
    with pytest.raises(BrokenError, match="a share of step"):
        any(schedule(seed, 3) is None for seed in range(10))


def note_only(_world, node, game, signed) -> None:  # type: ignore[no-untyped-def]
    """The naive client journals a share once more at every event, which is not what is tested here."""
    node.signed.add((game, signed.body))
    node.seats.setdefault(game, set()).update(node.table._game.hands)


def test_blame_of_an_honest_seat_is_caught() -> None:
    checker = schedule(1, 3)
    checker.honest()[0].news.append(FaultProven(min(checker.seats()), Err.EQUIVOCATION, 1))
    with pytest.raises(BrokenError, match="an honest seat is blamed"):
        checker.conclude()


def test_a_link_that_an_honest_client_closes_to_another_is_caught() -> None:
    checker = next(checker for checker in (schedule(seed, 4) for seed in range(9)) if len(checker.honest()) > 1)
    one, two = checker.honest()[:2]
    link = next(
        link for link in checker.world.links_of(one.index) if checker.world.peer_of(one.index, link) == two.index
    )
    one.closed.append(CloseLink(link, Err.SCHEMA, ""))
    with pytest.raises(BrokenError, match="expelled honest client"):
        checker.conclude()
