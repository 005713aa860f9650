"""The wheel, as people get it: built from the sources, looked into, installed where nothing else is, and used there.

`python -m tools.wheel`        ends with 1 and the first thing that is wrong
`python -m tools.wheel DIR`    leaves the wheel in DIR, too
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = ("pyproject.toml", "README.md", "LICENSE", "sorry_lan", "docs/sorry-lan.6")
"""All that a wheel is made of; copied, so that what earlier builds left does not get into it."""


class Wrong(Exception):  # noqa: N818 - a sentence for people
    """Something about the wheel is not as it should be; the text says what."""


def built(folder: Path) -> Path:
    """The wheel, in `folder`."""
    sources = folder / "sources"
    for name in SOURCES:
        kept, copy = ROOT / name, sources / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if kept.is_dir():
            shutil.copytree(kept, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(kept, copy)
    _run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(sources)], folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def check_contents(wheel: Path) -> None:
    """Raise Wrong where a file is missing, or one is there that has no business in it."""
    names = set(zipfile.ZipFile(wheel).namelist())
    package = [path.relative_to(ROOT).as_posix() for path in (ROOT / "sorry_lan").rglob("*.py")]
    catalogues = [path.relative_to(ROOT).as_posix() for path in (ROOT / "sorry_lan" / "locale").glob("*.mo")]
    for name in (*package, *catalogues, "sorry_lan/bots/pairs.bin", "sorry_lan/py.typed"):
        if name not in names:
            raise Wrong(f"{name} is not in the wheel")
    if not wheel.name.endswith("-py3-none-any.whl"):
        raise Wrong(f"{wheel.name} is not for every system")
    for name in names:
        if not name.startswith(("sorry_lan/", "sorry_lan-")):
            raise Wrong(f"{name} would be installed beside the package")
        if not name.endswith((".py", ".mo", ".bin", ".typed", "/sorry-lan.6")) and ".dist-info/" not in name:
            raise Wrong(f"{name} is for developers")


def check_use(wheel: Path, folder: Path) -> None:
    """Install the wheel where nothing else is, and use it from a folder without the sources."""
    environment = folder / "environment"
    venv.create(environment, with_pip=True)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    python = str(programs / "python")
    _run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)], folder)
    command = str(programs / "sorry-lan")
    game = ["play", "--plain", "--auto", "--rule", "pawns=1", "--identity", str(folder / "identity")]
    said = {
        "version": _run([command, "--version"], folder),
        "module": _run([python, "-m", "sorry_lan", "--version"], folder),
        "game": _run([command, *game], folder),
        "german": _run([command, "--help", "--language", "de"], folder),
        "man": _run([command, "man"], folder),
    }
    page = environment / "share" / "man" / "man6" / "sorry-lan.6"
    for what, holds in {
        "the version is told": said["version"].startswith("sorry-lan ") and said["version"] == said["module"],
        "a game ends": "verify" in said["game"],
        "German is there": "Befehle:" in said["german"],
        "the manual page is installed": page.is_file() and page.read_text(encoding="utf-8") == said["man"],
    }.items():
        if not holds:
            raise Wrong(f"not so: {what}\n{said}")


def _run(command: list[str], folder: Path) -> str:
    """What a command says, in a home of its own; Wrong where it fails."""
    own = {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"), "LANGUAGE": "en", "PYTHONPATH": ""}
    found = subprocess.run(
        command, cwd=folder, env={**os.environ, **own}, capture_output=True, text=True, check=False, timeout=600
    )
    if found.returncode != 0:
        raise Wrong(f"{' '.join(command)} ended with {found.returncode}\n{found.stdout}{found.stderr}")
    return found.stdout


def main(words: list[str]) -> int:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            wheel = built(folder)
            check_contents(wheel)
            check_use(wheel, folder)
        except Wrong as wrong:
            sys.stderr.write(f"{wrong}\n")
            return 1
        kilobytes, took_s = wheel.stat().st_size // 1000, time.monotonic() - began
        sys.stdout.write(f"{wheel.name}: {kilobytes} kB, built, installed and used in {took_s:.0f} s\n")
        for kept in words:
            shutil.copy(wheel, kept)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
