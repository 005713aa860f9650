"""Where files lie on macOS and Windows, as those systems' own documents have it."""

from __future__ import annotations

import pytest

from sorry_lan.store import folders
from sorry_lan.store.folders import Base, folder_of, user_name
from sorry_lan.store.system import System

WINDOWS = {
    "USERPROFILE": r"C:\Users\Ada",
    "LOCALAPPDATA": r"C:\Users\Ada\AppData\Local",
    "APPDATA": r"\\server\roaming\Ada",
    "HOME": "/c/Users/Ada",
}


@pytest.fixture(autouse=True)
def no_user_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "home_of_this_user", lambda: None)


def test_on_macos_both_lie_in_application_support() -> None:
    for base in Base:
        found = folder_of(base, {"HOME": "/data/ada"}, System.MACOS)
        assert str(found) == "/data/ada/Library/Application Support/sorry-lan"


def test_on_windows_the_variables_of_the_profile_say_where() -> None:
    assert str(folder_of(Base.STATE, WINDOWS, System.WINDOWS)) == r"C:\Users\Ada\AppData\Local\sorry-lan"
    assert str(folder_of(Base.CONFIG, WINDOWS, System.WINDOWS)) == r"\\server\roaming\Ada\sorry-lan"


def test_on_windows_the_profile_itself_is_enough() -> None:
    only = {"USERPROFILE": r"D:\Ada", "APPDATA": "", "LOCALAPPDATA": r"relative\folder"}
    assert str(folder_of(Base.STATE, only, System.WINDOWS)) == r"D:\Ada\AppData\Local\sorry-lan"
    assert str(folder_of(Base.CONFIG, only, System.WINDOWS)) == r"D:\Ada\AppData\Roaming\sorry-lan"


def test_the_xdg_variables_count_on_every_system() -> None:
    assert str(folder_of(Base.STATE, {"XDG_STATE_HOME": "/s", "HOME": "/h"}, System.MACOS)) == "/s/sorry-lan"
    assert str(folder_of(Base.CONFIG, WINDOWS | {"XDG_CONFIG_HOME": r"E:\c"}, System.WINDOWS)) == r"E:\c\sorry-lan"


def test_a_unix_home_is_no_home_on_windows() -> None:
    assert folder_of(Base.STATE, {"HOME": "/data/ada", "XDG_STATE_HOME": "/s"}, System.WINDOWS) is None


def test_the_user_has_the_name_that_the_system_gives() -> None:
    assert user_name({"USER": "ada", "LOGNAME": "x", "USERNAME": "y"}) == "ada"
    assert user_name({"USER": "", "LOGNAME": "ada"}) == "ada"
    assert user_name({"USERNAME": "Ada"}) == "Ada"
    assert user_name({}) == ""
