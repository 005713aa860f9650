"""The simulator's commands: `python -m tests.sim run|replay|shrink|sample|soak|kills`; see docs/testing.md."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sorry_lan.table.events import Happening
from tests.sim.adversaries import ADVERSARIES
from tests.sim.batch import CHUNK, Totals, chunk_of, played
from tests.sim.clock import S
from tests.sim.kills import everywhere
from tests.sim.node import Node
from tests.sim.plan import Kind, Pace, Profile, Wanted, plan_of
from tests.sim.shrink import shrink
from tests.sim.signer import Signer, install
from tests.sim.world import Result, World, runs

PROBES = """a card had no effect|a cheat stopped the game|a dial was refused for want of a code|a seat is away
    a seat is linked|a seat is reconnecting|a seat is relayed|a silent link was given up|closed for BAD_FRAME
    closed for BAD_SHARE|closed for BAD_SIGNATURE|closed for NOT_CANONICAL|closed for RATE|closed for SCHEMA
    DiskState|EnginesDiffer|FaultProven|Said|StoodUp|TableClosed|the deck was shuffled anew|the newer link stayed
    GameSaved|GoneOn|GoneOnWithoutUs|NobodyMoves|OfferVoid|OfferedToGoOn|SaidGoodbye|TakenUp|WaitsForWord
    a card stayed pending|a client caught up several steps|a client joined again|a client was resumed|a stand-in moved
    two games went on from one|went on: CHAIN_END|went on: FAULT|went on: LEFT|went on: OWED|went on: RETURN
    went on: SAVE|went on: UNREACHABLE|fault: away|fault: leave|fault: split|a new process took over a link
    two dials crossed|wrote a dump|wrote a evidence|wrote a transcript""".replace("\n    ", "|").split("|")
"""I12: what a thousand tables with everything switched on reach at least once."""
TELL_S = 60
"""So often a long run tells how far it has come."""


def tell_broken(part: Totals) -> None:
    """Name a violation at once: a long run need not end before somebody looks."""
    for result in part.broken:
        print(f"seed {result.seed}: {result.wrong}", flush=True)


def show_broken(results: Iterable[Result], wanted: Wanted, options: argparse.Namespace) -> None:
    """For each failing seed the shrunk list of faults, and the command that plays it again."""
    for result in list(results)[: options.show]:
        smaller, faults, wrong = shrink(result.seed, replace(wanted, without=frozenset()))
        print(f"\nseed {result.seed}: {wrong}")
        print(f"  {result.plan.seats} seats, evil: {result.plan.evil or 'nobody'}; the faults that it takes:")
        for fault in faults:
            print(f"    {fault}")
        print(f"  replay with: {command(result.seed, smaller, options)}")


def command(seed: int, wanted: Wanted, options: argparse.Namespace) -> str:
    """The one command that plays a seed again."""
    without = ",".join(str(number) for number in sorted(wanted.without))
    return (
        f"python -m tests.sim replay {seed} --seats {options.seats} --profile {options.profile}"
        f" --pace {options.pace} --signer {options.signer} --faults {options.faults}"
        f" --adversaries {options.adversaries}" + (f" --without {without}" if without else "")
    )


def run_command(options: argparse.Namespace, wanted: Wanted) -> int:
    """`run`: a range of seeds."""
    totals = Totals()
    first, last = (int(number) for number in options.seeds.split(":"))
    if options.stop:
        return _until_broken(range(first, last), wanted, options)
    told = time.monotonic()
    for part in played(range(first, last), wanted, Signer(options.signer), options.jobs):
        totals.join(part)
        tell_broken(part)
        if time.monotonic() - told > TELL_S:
            told = time.monotonic()
            print(totals, flush=True)
    print(totals)
    return _concluded(totals, wanted, options)


def _until_broken(seeds: range, wanted: Wanted, options: argparse.Namespace) -> int:
    """Seed by seed to the first violation, which is only named: for finding planted bugs."""
    install(Signer(options.signer))
    began = time.process_time()
    for number, result in enumerate(runs(seeds, wanted), 1):
        if result.wrong is not None:
            print(f"found after {number} seeds, {time.process_time() - began:.1f} CPU s: {result.wrong}")
            return 1
    print(f"nothing found in {len(seeds)} seeds, {time.process_time() - began:.1f} CPU s")
    return 0


def sample_command(options: argparse.Namespace, wanted: Wanted) -> int:
    """`sample`: what stands for all tables: whole ones of four, short ones, and some that are really signed."""
    parts = (
        ("whole tables of four", 200, Signer.STANDIN, replace(wanted, seats=(4,), profile=Profile.FULL)),
        ("short tables", 2000, Signer.STANDIN, wanted),
        ("short tables, really signed", 40, Signer.REAL, wanted),
    )
    whole, first = Totals(), options.first
    for name, count, signer, asked in parts:
        totals, size = Totals(), max(1, int(count * options.share))
        for part in played(range(first, first + size), asked, signer, max(2, options.jobs)):
            totals.join(part)
        print(f"{name}: {totals}", flush=True)
        for result in totals.broken:
            kind = argparse.Namespace(**vars(options))
            kind.seats, kind.profile = ",".join(map(str, asked.seats)), asked.profile.value
            print(f"  {result.wrong}\n  {command(result.seed, asked, kind)}")
        whole.join(totals)
        first += size
    print(f"all: {whole}")
    unmet = [probe.strip() for probe in PROBES if not whole.probes[probe.strip()]]
    if unmet and options.share >= 1:
        print("I12: never reached: " + ", ".join(unmet))
    return 1 if whole.broken or whole.unlike or (unmet and options.share >= 1) else 0


def soak_command(options: argparse.Namespace, wanted: Wanted) -> int:
    """`soak`: fresh seeds until the time is over; one chunk in forty plays whole games."""
    totals, end = Totals(), time.monotonic() + 60 * options.minutes
    first, told = options.first, time.monotonic()
    signer = Signer(options.signer)
    with multiprocessing.get_context("spawn").Pool(options.jobs, install, (signer,)) as pool:
        for part in pool.imap_unordered(chunk_of, _fresh(first, wanted, end), 1):
            totals.join(part)
            tell_broken(part)
            if time.monotonic() - told > TELL_S:
                told = time.monotonic()
                print(totals, flush=True)
    print(totals)
    install(signer)
    return _concluded(totals, wanted, options)


def _fresh(first: int, wanted: Wanted, end: float) -> Iterator[tuple[list[int], Wanted]]:
    number = 0
    while time.monotonic() < end:
        profile = Profile.SHORT if number % 40 else Profile.FULL
        size = CHUNK if number % 40 else 2
        yield list(range(first, first + size)), replace(wanted, profile=profile)
        first += size
        number += 1
        # The pool takes whatever it is given: what is not begun at the end is begun all the same.
        time.sleep(0 if number < 8 else 0.2)


def _concluded(totals: Totals, wanted: Wanted, options: argparse.Namespace) -> int:
    install(Signer(options.signer))
    if options.probes:
        for probe in sorted({*PROBES, *totals.probes}):
            print(f"  {totals.probes[probe]:9} {probe.strip()}")
    if totals.unlike:
        print(f"I5: seeds {totals.unlike} do not play alike twice")
    show_broken(totals.broken, wanted, options)
    return 1 if totals.broken or totals.unlike else 0


def replay_command(options: argparse.Namespace, wanted: Wanted) -> int:
    """`replay`: one seed, on demand with every event."""
    install(Signer(options.signer))
    seed = options.seed
    world = World(plan_of(seed, wanted))
    print(f"seed {seed}: {world.plan.seats} seats, evil: {world.plan.evil or 'nobody'}, rules {world.plan.rules}")
    for fault in world.plan.faults:
        print(f"  {fault}")
    if options.events:
        _tell_events(world)
    wrong = None
    try:
        world.play()
    except AssertionError as broken:
        wrong = str(broken)
    print(
        f"trace {world.judge.trace.hexdigest()[:16]} after {(world.loop.now_us - S) / S:.1f} s: {wrong or 'all holds'}"
    )
    return 0 if wrong is None else 1


def _tell_events(world: World) -> None:
    judge = world.judge
    before = judge.before

    def told(node: Node, what: Happening) -> None:
        print(f"{(world.loop.now_us - S) / S:10.6f} client {node.index}: {str(what)[:160]}")
        before(node, what)

    judge.before = told  # type: ignore[method-assign]


def shrink_command(options: argparse.Namespace, wanted: Wanted) -> int:
    """`shrink`: the fewest faults that make a seed fail."""
    install(Signer(options.signer))
    smaller, faults, wrong = shrink(options.seed, wanted)
    print(f"seed {options.seed}: {wrong}")
    for fault in faults:
        print(f"  {fault}")
    print(command(options.seed, smaller, options))
    return 0


def kills_command(options: argparse.Namespace, wanted: Wanted) -> int:
    """`kills`: one death behind every command of a game."""
    install(Signer(options.signer))
    began, count = time.process_time(), 0
    for client, command, loss in everywhere(options.seed, wanted, options.step):
        count += 1
        if options.events:
            print(f"client {client} died behind command {command} ({loss.value}): the same game")
    print(f"{count} deaths, each with the same transcript, {time.process_time() - began:.0f} CPU s")
    return 0


COMMANDS = {
    "kills": kills_command,
    "run": run_command,
    "replay": replay_command,
    "sample": sample_command,
    "shrink": shrink_command,
    "soak": soak_command,
}


def wanted_of(options: argparse.Namespace) -> Wanted:
    """What was asked for."""
    every = tuple(Kind)
    kinds = {"all": every, "none": ()}.get(options.faults)
    names = {"all": tuple(ADVERSARIES), "none": ()}.get(options.adversaries)
    return Wanted(
        seats=tuple(int(number) for number in options.seats.split(",")),
        profile=Profile(options.profile),
        pace=Pace(options.pace),
        faults=tuple(Kind(kind) for kind in options.faults.split(",")) if kinds is None else kinds,
        adversaries=tuple(options.adversaries.split(",")) if names is None else names,
        without=frozenset(int(number) for number in options.without.split(",") if number),
    )


def parser() -> argparse.ArgumentParser:
    """The command line."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--seats", default="2,3,4", help="table sizes; the seed picks one")
    common.add_argument("--profile", default="short", choices=[each.value for each in Profile])
    common.add_argument("--pace", default="quick", choices=[each.value for each in Pace])
    common.add_argument("--signer", default="standin", choices=[each.value for each in Signer])
    common.add_argument("--faults", default="all", help="all, none, or kinds: " + ",".join(kind.value for kind in Kind))
    common.add_argument("--adversaries", default="all", help="all, none, or kinds: " + ",".join(ADVERSARIES))
    common.add_argument("--without", default="", help="numbers of faults to leave out")
    common.add_argument("--show", type=int, default=3, help="how many failing seeds to shrink")
    common.add_argument("--probes", action="store_true", help="how often each rare branch was reached")
    whole = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    commands = whole.add_subparsers(dest="command", required=True)
    many = commands.add_parser("run", parents=[common])
    many.add_argument("--seeds", default="0:200", help="first:last, the last not included")
    many.add_argument("--jobs", type=int, default=1)
    many.add_argument("--stop", action="store_true", help="end at the first violation")
    one = commands.add_parser("replay", parents=[common])
    one.add_argument("seed", type=int)
    one.add_argument("--events", action="store_true", help="tell every event")
    kills = commands.add_parser("kills", parents=[common])
    kills.add_argument("seed", type=int)
    kills.add_argument("--step", type=int, default=1, help="only every so many-th command")
    kills.add_argument("--events", action="store_true", help="tell every death")
    commands.add_parser("shrink", parents=[common]).add_argument("seed", type=int)
    sample = commands.add_parser("sample", parents=[common])
    sample.add_argument("--first", type=int, default=0, help="the first seed")
    sample.add_argument("--share", type=float, default=1.0, help="how much of it")
    sample.add_argument("--jobs", type=int, default=2)
    soak = commands.add_parser("soak", parents=[common])
    soak.add_argument("--minutes", type=float, default=60.0)
    soak.add_argument("--first", type=int, default=1_000_000, help="the first seed")
    soak.add_argument("--jobs", type=int, default=2)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command."""
    options = parser().parse_args(arguments)
    return COMMANDS[options.command](options, wanted_of(options))


if __name__ == "__main__":
    sys.exit(main())
