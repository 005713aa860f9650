"""The whole screen, for a table or a kept game: whether there is a terminal for it, how it looks, what runs behind it.

What needs the terminal library is loaded only here, when a screen is really shown.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sorry_lan.app.alone import run_alone
from sorry_lan.app.wiring import RunOptions
from sorry_lan.cli.arguments import Arguments
from sorry_lan.cli.bot_program import run_played
from sorry_lan.cli.options import NoScreen, Screen, taste
from sorry_lan.cli.tries import Tries
from sorry_lan.ui.full_screen import FullScreen
from sorry_lan.ui.glyphs import signs_for
from sorry_lan.ui.replay_model import Timeline
from sorry_lan.ui.taste import Taste

if TYPE_CHECKING:
    from sorry_lan.app.guest import Guest
    from sorry_lan.ui.screen import ScreenFace

_NO_SCREENS: Final = ("", "dumb", "unknown")


def screen(environment: Mapping[str, str]) -> Screen:
    """Whether standard input and output are one terminal that can move its cursor."""
    known = sys.platform == "win32" or environment.get("TERM", "").lower() not in _NO_SCREENS
    both = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    return Screen.THERE if both and known else Screen.NONE


def run_on_screen(
    chosen: RunOptions, arguments: Arguments, environment: Mapping[str, str], tries: Tries | None = None
) -> int:
    """Run a table on the whole screen; its exit code. NoScreen before anything was done.

    `tries` is who takes a join that came to nothing: then nothing is said of it on the normal screen.
    """
    from sorry_lan.app.advice import AdvisedFace  # noqa: PLC0415 - as below
    from sorry_lan.cli.examining import ExaminingFace  # noqa: PLC0415 - as below
    from sorry_lan.ui.client import Client  # noqa: PLC0415 - as below

    client = Client(liked(arguments, environment))
    with opened(client, arguments, environment) as (face, guest):
        examining = AdvisedFace(ExaminingFace(face, client.examination))
        code = run_played(chosen, examining, arguments, guest, tries)
        if tries is not None and tries.problem is not None:
            face.say_nothing()
        return code


def replay_on_screen(timeline: Timeline, arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Show a kept game on the whole screen until its people leave; 0, or the code of a signal. NoScreen as above."""
    from sorry_lan.ui.replay_screen import ReplayScreen  # noqa: PLC0415 - as below

    with opened(ReplayScreen(timeline, liked(arguments, environment)), arguments, environment) as (face, guest):
        return run_alone(face, guest)


def liked(arguments: Arguments, environment: Mapping[str, str]) -> Taste:
    """How the screen is to be on this terminal."""
    return taste(arguments, signs_for(environment, sys.stdout.encoding))


@contextmanager
def opened(
    client: FullScreen, arguments: Arguments, environment: Mapping[str, str]
) -> Iterator[tuple[ScreenFace, Guest]]:
    """The client on the terminal, which is in order again afterwards; signals stay ignored.

    NoScreen where it is none.
    """
    from sorry_lan.app.guest import Guest  # noqa: PLC0415 - with the terminal library a fifth of a second to load
    from sorry_lan.ui.palette import Depth, depth_for, ground_for, styles  # noqa: PLC0415 - as above
    from sorry_lan.ui.screen import ScreenFace  # noqa: PLC0415 - as above
    from sorry_lan.ui.terminal import TerminalTrouble, open_terminal  # noqa: PLC0415 - as above

    depth = Depth.ONE_BIT if arguments.has("--no-color") else depth_for(_coloured(arguments, environment))
    try:
        terminal = open_terminal(sys.stdin, sys.stdout, environment.get("TERM", ""), depth)
    except TerminalTrouble as wrong:
        raise NoScreen(str(wrong)) from wrong
    with Guest(terminal.rescue) as guest:
        face = ScreenFace(client, terminal, guest, styles(depth, ground_for(environment)))
        try:
            yield face, guest
        finally:
            face.close()


def _coloured(arguments: Arguments, environment: Mapping[str, str]) -> Mapping[str, str]:
    """The environment, without the NO_COLOR of every program where this one was told to use colours."""
    if "--no-color" not in arguments.undone:
        return environment
    return {name: value for name, value in environment.items() if name != "NO_COLOR"}
