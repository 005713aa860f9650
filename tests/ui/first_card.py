"""Two people who have never seen the program, each at a terminal: from nothing to the first card, every key counted.

`python -m tests.ui.first_card [--pace SECONDS]`: what they typed, and how long it took at that pace for a key.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sorry_lan.ui.tables_client import completed_code
from sorry_lan.ui.typing import line
from tests.ui.tty import TOP, Tty

_LIMIT_S: Final = 120.0
_AGAIN_S: Final = 0.4
"""A key that comes too soon after a question counts for nothing: people press it once more."""
_CODE: Final = re.compile(r"\bcode ([a-z]+-[a-z]+-[a-z]+)")
_SHELL: Final = "$ "


@dataclass
class Count:
    """What somebody typed: command lines, words besides them, and every key."""

    commands: int = 0
    words: int = 0
    keys: int = 0


class Somebody:
    """A new user in a shell of their own: an empty home, an environment of nothing but what a login gives."""

    def __init__(self, name: str, folder: Path, pace_s: float) -> None:
        home, programs = folder / name, folder / "bin"
        home.mkdir()
        self.table = f"{name}'s table"
        self.count = Count()
        self._pace_s = pace_s
        login = {"HOME": home, "USER": name, "PATH": f"{programs}:/usr/bin:/bin", "TERM": "xterm-256color"}
        words = [f"{key}={value}" for key, value in {**login, "LANG": "C.UTF-8", "PS1": _SHELL}.items()]
        self.tty = Tty(["env", "-i", *words, "sh", "-i"])

    def key(self, key: str) -> None:
        """One key, at the pace of a person."""
        time.sleep(self._pace_s)
        self.count.keys += 1
        self.tty.key(key.encode())

    def command(self, words: str) -> None:
        """A command line."""
        for key in f"{words}\r":
            self.key(key)
        self.count.commands += 1


class Room:
    """Both of them: what either terminal writes is read, whoever is waited for."""

    def __init__(self, *people: Somebody) -> None:
        self._people = people

    def until(self, seen: Callable[[], bool]) -> None:
        """Wait until something is the case; AssertionError with all screens where it does not come about."""
        end_s = time.monotonic() + _LIMIT_S
        while not seen():
            for somebody in self._people:
                somebody.tty.read(0.02)
            assert time.monotonic() < end_s, "\n".join(somebody.tty.text() for somebody in self._people)

    def sees(self, somebody: Somebody, text: str) -> None:
        """Wait until a text stands on a screen."""
        self.until(lambda: text in somebody.tty.text())

    def press(self, somebody: Somebody, key: str, seen: Callable[[], bool]) -> None:
        """Press a key until it has done what it does; twice does no harm."""
        while not seen():
            somebody.key(key)
            self.pause(seen)

    def pause(self, seen: Callable[[], bool]) -> None:
        """Wait until something is the case, or not for long."""
        end_s = time.monotonic() + _AGAIN_S
        self.until(lambda: seen() or time.monotonic() > end_s)


def installed(folder: Path) -> None:
    """`sorry-lan` as a command in folder/bin, as an installer puts it there."""
    script = folder / "bin" / "sorry-lan"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nPYTHONPATH={TOP} exec {sys.executable} -m sorry_lan "$@"\n')
    script.chmod(0o755)


def first_card(pace_s: float) -> tuple[Count, Count, float]:
    """What host and guest typed, and the seconds from the first key to the first card."""
    with tempfile.TemporaryDirectory() as folder:
        installed(Path(folder))
        # Others in this network may well be called Ada.
        ada, bob = (Somebody(f"{name}{os.getpid()}", Path(folder), pace_s) for name in ("ada", "bob"))
        with ada.tty, bob.tty:
            room = Room(ada, bob)
            for somebody in (ada, bob):
                room.sees(somebody, _SHELL.strip())
            began_s = time.monotonic()
            _play(room, ada, bob)
            return ada.count, bob.count, time.monotonic() - began_s


def _play(room: Room, ada: Somebody, bob: Somebody) -> None:
    ada.command("sorry-lan host")
    bob.command("sorry-lan join")
    room.sees(ada, f"{ada.table} (lobby)")
    for left in (1, 0):
        ada.key("x")
        room.until(lambda left=left: ada.tty.text().count("- open -") == left + 1)  # type: ignore[misc]
    found = _CODE.search(ada.tty.text())
    assert found is not None, ada.tty.text()
    room.sees(bob, ada.table)
    _choose(room, bob, ada.table)
    room.press(bob, "\r", lambda: "Its code" in bob.tty.text())
    _type_code(room, bob, found[1])
    room.press(bob, "\r", lambda: "(lobby)" in bob.tty.text())
    for somebody in (bob, ada):
        room.sees(somebody, "Press Space")
        somebody.key(" ")  # only once: a second one takes it back
        room.until(lambda somebody=somebody: "Press Space" not in somebody.tty.text())  # type: ignore[misc]
    draws = "Press Enter to draw a card."
    room.until(lambda: any(draws in somebody.tty.text() for somebody in (ada, bob)))
    first = ada if draws in ada.tty.text() else bob
    room.press(first, "\r", lambda: " drew " in first.tty.text())


def _choose(room: Room, bob: Somebody, table: str) -> None:
    """Down to the table, where others are listed before it."""
    while not re.search(rf"> \d?\s+{table}", bob.tty.text()):
        bob.key("\x1b[B")
        room.pause(lambda: False)


def _type_code(room: Room, bob: Somebody, code: str) -> None:
    """As little of each word as Tab needs."""
    for word in code.split("-"):
        bob.count.words += 1
        typed = ""
        for sign in ("-" if bob.count.words > 1 else "") + word:
            bob.key(sign)
            typed += sign
            room.until(lambda end=typed: bob.tty.text().split("\n")[-2].endswith(end))  # type: ignore[misc]
            begun = typed.lstrip("-")
            if begun and begun != word and completed_code(line(begun)).text == word:
                bob.key("\t")
                break
        room.until(lambda word=word: bob.tty.text().split("\n")[-2].endswith(word))  # type: ignore[misc]


def main() -> None:
    """Say what it took."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.first_card")
    parser.add_argument("--pace", type=float, default=0.25, metavar="SECONDS", help="from key to key (0.25)")
    pace_s = parser.parse_args().pace
    ada, bob, took_s = first_card(pace_s)
    for who, count in (("host", ada), ("guest", bob)):
        print(f"{who}: {count.commands} command, {count.words} words of the code, {count.keys} keys")
    print(f"{took_s:.1f} s from the first key to the first card, {pace_s} s from key to key")


if __name__ == "__main__":
    main()
