"""The simulator in every run: a sample of tables with all that can go wrong, and tests of the simulator itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sorry_lan.fair import continuation, step
from sorry_lan.fair.entry import encode_snapshot, state_digest
from sorry_lan.fair.record import Ledger
from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.cards import Card
from sorry_lan.rules.profile import Rules
from sorry_lan.table import continuing, following
from sorry_lan.table.continuing import Continuing
from sorry_lan.table.host import HostLobby
from sorry_lan.table.table import Table
from sorry_lan.wire import limits
from sorry_lan.wire.terms import Parent, Why
from tests.sim.__main__ import main
from tests.sim.adversaries import ADVERSARIES
from tests.sim.clock import MS, Dice, Loop, S
from tests.sim.fairness import Draws, UnfairError, hashed
from tests.sim.kills import everywhere
from tests.sim.plan import LASTING, Fault, Kind, Profile, Wanted, plan_of
from tests.sim.shrink import fewest, shrink
from tests.sim.world import World, run, runs

HERE = Path(__file__).resolve().parents[2]


def simulator(*arguments: str, hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, which may sign by the stand-in."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(HERE)}
    return subprocess.run(
        [sys.executable, "-m", "tests.sim", *arguments],
        cwd=HERE, env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def test_tables_with_faults_and_cheats_break_no_invariant() -> None:
    done = simulator("run", "--seeds", "0:45")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("45 tables")


def test_tables_with_real_signatures_break_no_invariant() -> None:
    done = simulator("run", "--seeds", "100:104", "--signer", "real")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_seed_plays_alike_whatever_signs_and_however_python_hashes() -> None:
    traces = {
        line.split()[1]
        for signer, hash_seed in (("real", "1"), ("memo", "2"), ("standin", "3"), ("standin", "4"))
        for line in simulator("replay", "11", "--signer", signer, hash_seed=hash_seed).stdout.splitlines()
        if line.startswith("trace ")
    }
    assert len(traces) == 1


def test_another_seed_plays_otherwise() -> None:
    wanted = Wanted(faults=(), seats=(2,))
    assert run(1, wanted).trace != run(2, wanted).trace


def test_a_fault_that_is_left_out_changes_nothing_else_of_the_plan() -> None:
    wanted = Wanted(profile=Profile.FULL, adversaries=tuple(ADVERSARIES))
    whole = plan_of(5, wanted)
    less = plan_of(5, replace(wanted, without=frozenset((1,))))
    assert replace(less, faults=whole.faults) == whole
    assert less.faults == (whole.faults[0], *whole.faults[2:])


def test_a_broken_client_is_found_and_the_command_says_how(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    handle = Table.handle

    def forgetful(table: Table, event: object) -> tuple[object, ...]:
        if table._desk.disk_works:
            return handle(table, event)  # type: ignore[arg-type]
        raise LocalMisuse("no disk, no game")

    monkeypatch.setattr(Table, "handle", forgetful)
    monkeypatch.setattr(limits, "CHAIN_LENGTH", limits.CHAIN_LENGTH)
    options = ["--signer", "real", "--seats", "2", "--adversaries", "none", "--faults", "disk,reset", "--show", "1"]
    assert main(["run", "--seeds", "0:12", *options]) == 1
    told = capsys.readouterr().out
    assert "raised LocalMisuse" in told
    replay = next(line for line in told.splitlines() if "replay with" in line).split("tests.sim ")[1]
    assert main(replay.split()) == 1
    assert "raised LocalMisuse" in capsys.readouterr().out
    seed = int(replay.split()[1])
    _, faults, _ = shrink(seed, Wanted(seats=(2,), faults=(Kind.DISK, Kind.RESET)))
    assert [fault.kind for fault in faults] == [Kind.DISK]


def test_a_game_that_stands_still_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    handle = Table.handle

    def stubborn(table: Table, event: object) -> tuple[object, ...]:
        commands = handle(table, event)  # type: ignore[arg-type]
        game = table._game
        return () if game is not None and game.ledger.k > 3 else commands

    monkeypatch.setattr(Table, "handle", stubborn)
    wrong = run(1, Wanted(faults=(), seats=(2,))).wrong
    assert wrong is not None
    assert wrong.startswith("I4")


def test_a_fault_of_the_simulator_itself_names_its_seed_and_stops_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(world: World) -> None:
        if world.plan.seed == 1:
            raise StopIteration

    monkeypatch.setattr(World, "play", gone)
    wrong = [result.wrong for result in runs(range(3), Wanted(faults=(), seats=(2,)))]
    assert wrong == [None, "the simulator itself broke: StopIteration()", None]


@pytest.mark.parametrize("needed", [(), (3,), (0, 7), (2, 3, 4)])
def test_the_fewest_items_that_fail_are_found(needed: tuple[int, ...]) -> None:
    assert fewest(list(range(9)), lambda kept: set(needed) <= set(kept)) == list(needed)


def test_what_is_due_at_one_moment_happens_in_the_order_it_was_asked_for() -> None:
    loop, done = Loop(), []
    for name in "abc":
        loop.at(5 * S, done.append, name)
    loop.after(MS, done.append, "first")
    loop.run(lambda: False, 10 * S)
    assert done == ["first", "a", "b", "c"]


def test_a_dice_of_another_concern_changes_nothing() -> None:
    one = Dice(1, "network")
    first = [one.under(1000) for _ in range(5)]
    other, again = Dice(1, "disk"), Dice(1, "network")
    assert [(other.under(9), again.under(1000))[1] for _ in range(5)] == first


def test_a_share_that_opens_nothing_is_found_by_the_second_draw() -> None:
    anchor = hashed("chain", b"p" * 32, b"n" * 32, bytes(4), b"x" * 32)
    draws = Draws(b"g" * 32, 5, {0: (b"p" * 32, b"n" * 32, anchor)})
    with pytest.raises(UnfairError):
        draws.step(0, {0: b"y" * 32})
    assert draws.step(0, {0: b"x" * 32}) is None


def test_every_kind_of_cheat_and_fault_sits_at_some_table() -> None:
    wanted = Wanted(adversaries=tuple(ADVERSARIES), faults=tuple(Kind))
    plans = [plan_of(seed, wanted) for seed in range(600)]
    assert {name for plan in plans for _, name in plan.evil} == set(ADVERSARIES)
    assert {fault.kind for plan in plans for fault in plan.faults} == set(Kind)


@pytest.mark.parametrize(("seed", "seats", "step"), [(0, 2, 43), (4, 3, 211)])
def test_whoever_is_killed_behind_any_command_comes_back_to_the_same_game(seed: int, seats: int, step: int) -> None:
    assert len(list(everywhere(seed, Wanted(seats=(seats,)), step))) >= seats


LASTING_ONLY = Wanted(seats=(3,), faults=LASTING)
"""Tables where people leave, stay away and part, and nothing else happens."""


def test_the_others_go_on_without_whoever_leaves_or_stays_away_and_each_way_is_seen() -> None:
    results = [run(seed, LASTING_ONLY) for seed in (23, 38, 54, 55)]
    assert [result.wrong for result in results] == [None] * 4
    seen = {probe for result in results for probe, times in result.probes.items() if times}
    assert {"went on: LEFT", "went on: UNREACHABLE", "GameSaved", "a stand-in moved", "a card stayed pending"} <= seen


def test_a_card_that_is_drawn_anew_when_a_game_goes_on_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    pending = step.pending

    def another(standing: step.Standing, rules: Rules, card: Card) -> step.Drawn:
        return pending(standing, rules, Card.FIVE if card is Card.ONE else Card.ONE)

    monkeypatch.setattr(step, "pending", another)
    wrong = run(23, LASTING_ONLY).wrong
    assert wrong is not None
    assert wrong.startswith("I9")


def test_a_card_that_everybody_forgets_when_a_game_goes_on_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(ledger: Ledger, why: Why) -> Parent | None:
        view = continuation.view_of(ledger, why)
        if view is None or view.pending is None or view.k != ledger.k:
            return view
        snapshot = encode_snapshot(ledger.standing.position, ledger.standing.pile)
        return replace(view, pending=None, snapshot=snapshot, state=state_digest(snapshot))

    for module in (continuing, following):
        monkeypatch.setattr(module, "view_of", forgetful)
    wrong = run(23, LASTING_ONLY).wrong
    assert wrong is not None
    assert re.match("I9: client . saw card [0-9]+, and plays on as if it had not", wrong)


def test_people_who_never_go_on_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(going_on: Continuing, plan: object) -> None:
        """Proposes nothing."""

    monkeypatch.setattr(Continuing, "_propose", nobody)
    wrong = run(55, LASTING_ONLY).wrong
    assert wrong is not None
    assert wrong.startswith("I4")


def test_a_guest_that_the_host_forgot_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links break while people sign: the host must let whoever signed come back."""
    monkeypatch.setattr(HostLobby, "signed", property(lambda _: frozenset(), lambda *_: None), raising=False)
    resets = tuple(Fault(Kind.RESET, 20 * MS * number, 1, 0, 1, 2) for number in range(1, 40))
    wrong = []
    for seed in range(12):
        world = World(replace(plan_of(seed, Wanted(seats=(2,), faults=())), in_lobby=resets))
        try:
            world.play()
        except AssertionError as broken:
            wrong.append(str(broken))
    assert any(text.startswith("I4") for text in wrong)


def test_a_share_of_the_sample_holds_and_says_what_it_did() -> None:
    done = simulator("sample", "--share", "0.01")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        "whole tables of four",
        "short tables",
        "short tables, really signed",
        "all",
    ]
