"""The games folder: what may go on, what is over, and journals that are damaged, which are kept as they are."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sorry_lan.fair.entry import Leave, Leaving, sign_entry
from sorry_lan.fair.genesis import decode_terms, encode_terms
from sorry_lan.fair.genesis import game_id as genesis_id
from sorry_lan.fair.transcript import EndFrame, Ending
from sorry_lan.store.disk import Disk, StoreError
from sorry_lan.store.games import GameState, judged, kept_games, mended
from sorry_lan.store.journal import encode_record, read_journal, salvaged
from sorry_lan.table.commands import JournalKind
from sorry_lan.table.saved import Header, JournalPair, restore
from sorry_lan.wire.codec import encode, pack, unpack
from sorry_lan.wire.messages import Signed
from tests.table.build import ENGINE, friends, person


@cache
def played() -> tuple[JournalPair, ...]:
    """The journal of a game that broke off: what was signed last is the last that was synced."""
    world = friends(2)
    world.start()
    node = world.nodes[1]
    own = [place for place, record in enumerate(node.journal) if record.kind is JournalKind.OWN_ENTRY]
    world.kill(1, keep=own[-1] + 1)
    return tuple(node.pairs(node.journal[-1].game or b""))


def game_id() -> bytes:
    return restore(played()).game_id


def journal(folder: Path, *more: JournalPair, game: bytes | None = None) -> Path:
    path = folder / f"{(game or game_id()).hex()}.journal"
    path.write_bytes(b"".join(encode_record(kind, payload) for kind, payload in (*played(), *more)))
    return path


def left(reason: Leaving) -> JournalPair:
    return JournalKind.OWN_ENTRY, pack(sign_entry(person(1).key, game_id(), Leave(3, 1, reason)))


def ended(how: Ending) -> JournalPair:
    return JournalKind.END, pack(EndFrame(3, bytes(32), how))


@pytest.mark.parametrize(
    ("more", "state", "can_go_on"),
    [
        ([], GameState.INTERRUPTED, True),
        ([left(Leaving.FOR_NOW)], GameState.LEFT, True),
        ([left(Leaving.FOR_NOW), left(Leaving.FOR_GOOD)], GameState.LEFT_FOR_GOOD, False),
        ([ended(Ending.SAVED)], GameState.SAVED, True),
        ([ended(Ending.WON)], GameState.WON, False),
    ],
)
def test_a_kept_game_says_whether_it_can_go_on(
    tmp_path: Path, more: list[JournalPair], state: GameState, *, can_go_on: bool
) -> None:
    journal(tmp_path, *more)
    (game,) = kept_games(tmp_path)
    assert (game.game, game.state, game.can_go_on) == (game_id(), state, can_go_on)
    assert game.saved is not None


def test_the_latest_game_comes_first_and_other_files_are_no_games(tmp_path: Path) -> None:
    other = bytes(32)
    os.utime(journal(tmp_path), (5, 5))
    os.utime(journal(tmp_path, game=other), (9, 9))
    (tmp_path / "notes.journal").write_bytes(b"x")
    (tmp_path / f"{'z' * 64}.journal").write_bytes(b"x")
    (tmp_path / "a.sorry").write_bytes(b"x")
    games = kept_games(tmp_path)
    assert [(game.game, game.state) for game in games] == [
        (other, GameState.DAMAGED),
        (game_id(), GameState.INTERRUPTED),
    ]
    assert not games[0].can_go_on


def asked() -> bytes:
    raise AssertionError("the engine is not asked for where it does not matter")


def test_only_a_game_that_our_keys_and_our_engine_can_go_on_with_can_go_on(tmp_path: Path) -> None:
    journal(tmp_path)
    games = kept_games(tmp_path)
    keys = (person(3).key.public, person(1).key.public)
    assert judged(games, keys, lambda: ENGINE) == games
    (other,) = judged(games, keys, lambda: bytes(32))
    assert (other.state, other.can_go_on) == (GameState.OTHER_ENGINE, False)
    (foreign,) = judged(games, keys[:1], asked)
    assert (foreign.state, foreign.can_go_on) == (GameState.FOREIGN, False)
    journal(tmp_path, ended(Ending.WON))
    assert [game.state for game in judged(kept_games(tmp_path), (), asked)] == [GameState.WON]


def test_an_own_entry_of_a_kind_that_we_do_not_know_makes_no_game(tmp_path: Path) -> None:
    journal(tmp_path, (JournalKind.OWN_ENTRY, pack(Signed(encode((9, 1, 1)), bytes(64)))))
    (game,) = kept_games(tmp_path)
    assert game.state is GameState.DAMAGED


def test_a_table_that_breaks_a_rule_makes_no_game(tmp_path: Path) -> None:
    (_, header), *_ = played()
    table = unpack(Header, header)
    terms = decode_terms(table.table)
    wrong = replace(table, table=encode_terms(replace(terms, options=128)))
    path = tmp_path / f"{genesis_id(wrong.table).hex()}.journal"
    path.write_bytes(encode_record(JournalKind.HEADER, pack(wrong)))
    (game,) = kept_games(tmp_path)
    assert (game.game, game.state) == (genesis_id(wrong.table), GameState.DAMAGED)


def test_a_folder_that_is_not_there_holds_no_games(tmp_path: Path) -> None:
    assert kept_games(tmp_path / "nowhere") == ()


def test_a_torn_tail_at_every_byte_of_the_last_records_is_cut_and_the_game_kept(tmp_path: Path) -> None:
    path = journal(tmp_path)
    whole = path.read_bytes()
    for cut in range(len(whole) - 400, len(whole)):
        path.write_bytes(whole[:cut])
        (game,) = kept_games(tmp_path)
        assert game.state is GameState.INTERRUPTED, cut
    assert mended(Disk(), path) is None


def test_a_damaged_journal_is_set_aside_whole_and_its_beginning_goes_on(tmp_path: Path) -> None:
    path = journal(tmp_path)
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 1
    for number in (1, 2):
        path.write_bytes(whole)
        assert kept_games(tmp_path)[0].state is GameState.DAMAGED
        aside = mended(Disk(), path)
        assert aside == path.with_name(f"{path.name}.damaged-{number}")
        assert aside.read_bytes() == bytes(whole)
        (game,) = kept_games(tmp_path)
        assert game.state is GameState.INTERRUPTED
        assert 0 < len(read_journal(path)) < len(played())


def test_a_journal_without_a_single_whole_record_gives_nothing(tmp_path: Path) -> None:
    path = tmp_path / f"{game_id().hex()}.journal"
    path.write_bytes(encode_record(JournalKind.HEADER, b"x")[:-1] + b"y" + encode_record(JournalKind.HEADER, b"x"))
    assert salvaged(path) == ()
    path.write_bytes(b"\0\0\0\1\x82\xe8\x91\x10\x07")
    assert mended(Disk(), path) is None or salvaged(path) == ()


def test_what_cannot_be_read_is_not_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / f"{game_id().hex()}.journal"
    path.mkdir()
    with pytest.raises(StoreError):
        mended(Disk(), path)
