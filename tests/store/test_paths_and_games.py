from __future__ import annotations

import datetime as dt
import pwd
from pathlib import Path
from types import SimpleNamespace

import pytest

from sorry_lan.store.disk import Disk, StoreError
from sorry_lan.store.folders import Base, folder_of
from sorry_lan.store.games import file_name, save_game
from sorry_lan.store.paths import identity_folder, state_folder
from sorry_lan.table.commands import FileKind
from sorry_lan.table.notices import StoreTrouble
from tests.store.build import FaultyDisk

DAY = dt.date(2026, 11, 29)
GAME = bytes.fromhex("1a2b3c4d" + "00" * 28)


def test_state_lies_where_xdg_says() -> None:
    assert state_folder({"XDG_STATE_HOME": "/s", "HOME": "/h"}) == Path("/s/sorry-lan")
    assert state_folder({"XDG_STATE_HOME": "relative", "HOME": "/h"}) == Path("/h/.local/state/sorry-lan")
    assert state_folder({"HOME": "/h"}) == Path("/h/.local/state/sorry-lan")
    assert folder_of(Base.CONFIG, {"HOME": "/h"}) == Path("/h/.config/sorry-lan")


def test_without_home_the_user_database_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pwd, "getpwuid", lambda _uid: SimpleNamespace(pw_dir="/users/ada"))
    for home in ({}, {"HOME": ""}, {"HOME": "relative"}):
        assert state_folder(home) == Path("/users/ada/.local/state/sorry-lan")


def test_without_any_home_there_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for use in (lambda: state_folder({"HOME": ""}), lambda: identity_folder({}, "~nobody-of-this-name/x")):
        with pytest.raises(StoreError) as caught:
            use()
        assert caught.value.problem.trouble is StoreTrouble.NO_HOME


def test_the_chosen_identity_folder_wins(tmp_path: Path) -> None:
    assert identity_folder({"HOME": "/h"}, str(tmp_path)) == tmp_path
    assert identity_folder({"HOME": "/h"}, None) == Path("/h/.local/state/sorry-lan/identity")


def test_a_saved_game_is_named_by_day_title_and_game() -> None:
    assert file_name(DAY, "Bob's table", GAME, FileKind.TRANSCRIPT) == "2026-11-29-bobs-table-1a2b3c4d.sorry"
    assert file_name(DAY, "Zoë's table", GAME, FileKind.TRANSCRIPT) == "2026-11-29-zoes-table-1a2b3c4d.sorry"
    assert file_name(DAY, "x", GAME, FileKind.EVIDENCE) == "2026-11-29-x-1a2b3c4d-evidence.sorry"
    assert file_name(DAY, "x", GAME, FileKind.DUMP) == "2026-11-29-x-1a2b3c4d-dump.bin"


@pytest.mark.parametrize("title", ["", "../..", "/etc/passwd", "\x1b[2J", "日本", "a" * 200, ".hidden", "-rf"])
def test_no_title_leaves_the_folder_or_hides_the_file(title: str) -> None:
    name = file_name(DAY, title, GAME, FileKind.TRANSCRIPT)
    assert name.isascii()
    assert len(name) < 80
    assert not set(name) & set("/\\ \x1b'\"")
    assert name.startswith("2026-11-29-")


def test_a_game_is_saved_whole_or_the_old_file_stays(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    path = save_game(Disk(), folder, "g.sorry", b"old")
    for fail_at in range(4):
        with pytest.raises(StoreError):
            save_game(FaultyDisk(fail_at, torn=1), folder, "g.sorry", b"new")
        assert path.read_bytes() == b"old"
        assert [entry.name for entry in folder.iterdir()] == ["g.sorry"]
    save_game(Disk(), folder, "g.sorry", b"new")
    assert path.read_bytes() == b"new"
