"""Which saved game a command takes up, and who sits at this keyboard then.

Reads journals; what it changes is only that damaged ones are set aside.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

from sorry_lan.app.wishes import Resume, RunOptions, Sitting
from sorry_lan.fair import genesis
from sorry_lan.net.where import BadAddress, parse_address
from sorry_lan.store.disk import Disk
from sorry_lan.store.games import GameState, KeptGame, judged, kept_games, mended
from sorry_lan.store.identity import Identity
from sorry_lan.table.agreement import client_keys
from sorry_lan.table.notices import GameProblem, GameTrouble, JoinProblem, JournalSetAside, Problem
from sorry_lan.table.saved import SavedGame, lineage
from sorry_lan.table.settings import Role
from sorry_lan.wire import limits
from sorry_lan.wire.keys import person_key


@dataclass(frozen=True, slots=True)
class Memory:
    """`saved` is taken up at once; `kept` (the latest first) may be met again where somebody joins."""

    saved: SavedGame | None = None
    kept: tuple[SavedGame, ...] = ()


def remembered(
    options: RunOptions,
    disk: Disk,
    notice: Callable[[JournalSetAside], None],
    keys: Collection[bytes],
    engine: Callable[[], bytes],
) -> Memory | GameProblem:
    """What the identity with these `keys` has to go on with, or why what was asked for can't. Blocks; StoreError.

    `engine` gives our digest, and may block.
    """
    if (
        options.resume is Resume.NEVER
        or options.role is Role.WATCHER
        or (options.role is Role.LOCAL and options.resume is not Resume.ASKED)
    ):
        return Memory()
    games = judged(_whole(options.folder / "games", disk, notice), keys, engine)
    if options.resume is Resume.ASKED:
        chosen = _asked(games, options.game)
        return chosen if isinstance(chosen, GameProblem) else Memory(chosen)
    alive = tuple(game for game in games if game.can_go_on)
    kept = tuple(game.saved for game in alive if game.saved is not None and is_networked(game.saved, keys))
    broken = tuple(game.saved for game in alive if game.state is GameState.INTERRUPTED and game.saved in kept)
    if options.role is Role.HOST and broken:
        return Memory(broken[0], kept)
    return Memory(None, kept)


def _whole(folder: Path, disk: Disk, notice: Callable[[JournalSetAside], None]) -> tuple[KeptGame, ...]:
    games = kept_games(folder)
    aside = [mended(disk, game.path) for game in games if game.state is GameState.DAMAGED]
    for path in aside:
        if path is not None:
            notice(JournalSetAside(str(path)))
    return kept_games(folder) if any(aside) else games


def _asked(games: tuple[KeptGame, ...], wanted: str) -> SavedGame | GameProblem:
    if not wanted:
        latest = next((game.saved for game in games if game.can_go_on and game.saved is not None), None)
        return GameProblem(GameTrouble.NONE, wanted) if latest is None else latest
    found = [game for game in games if game.saved is not None and game.game.hex().startswith(wanted.lower())]
    if len(found) != 1 or found[0].saved is None:
        return GameProblem(GameTrouble.UNKNOWN, wanted)
    return found[0].saved if found[0].can_go_on else GameProblem(_STAYS.get(found[0].state, GameTrouble.OVER), wanted)


_STAYS = {GameState.FOREIGN: GameTrouble.FOREIGN, GameState.OTHER_ENGINE: GameTrouble.OTHER_ENGINE}


def own_keys(identity: Identity) -> tuple[bytes, ...]:
    """The keys of all people whom this identity can seat, its own first."""
    return tuple(person_key(identity.seed, index).public for index in range(limits.MAX_SEATS))


def is_networked(saved: SavedGame, keys: Collection[bytes]) -> bool:
    """Whether other clients than that of these keys belong to the game."""
    return not client_keys(genesis.decode_terms(saved.agreed.table)) <= frozenset(keys)


def people_of(saved: SavedGame, identity: Identity) -> tuple[Sitting, ...]:
    """Who sits at this keyboard in the saved game, with the names of its tables: also whom it went on without."""
    line = [genesis.decode_terms(one.agreed.table) for one in lineage(saved)]
    names = {seat.pk: seat.name for terms in line for seat in terms.seats}
    return tuple(Sitting(names[key], None, None) for key in own_keys(identity) if key in names)


def resuming(options: RunOptions, saved: SavedGame, identity: Identity) -> RunOptions:
    """The options with which a saved game is taken up: its people, its title, the port where others look for it."""
    port = options.port
    own = person_key(identity.seed, 0).public
    for peer in saved.peers:
        if peer.pk == own and peer.addresses and not port:
            port = _port(peer.addresses[0])
    role = Role.JOINER if is_networked(saved, own_keys(identity)) else Role.LOCAL
    return replace(options, role=role, people=people_of(saved, identity), title=saved.title, port=port, address=None)


def _port(text: str) -> int | None:
    try:
        return parse_address(text, limits.DEFAULT_PORT).port
    except BadAddress:
        return None


def lives_at(memory: Memory, problem: JoinProblem) -> SavedGame | None:
    """The kept game one of whose clients was last seen at the address where now nobody answers."""
    if problem.problem not in _NOBODY_THERE:
        return None
    return next(
        (saved for saved in memory.kept if any(problem.address in peer.addresses for peer in saved.peers)), None
    )


_NOBODY_THERE = frozenset((Problem.REFUSED, Problem.TIMED_OUT, Problem.UNREACHABLE, Problem.RESET))
