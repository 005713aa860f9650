"""`sorry-lan` alone on a terminal: the screen that asks what to do. What it ends in is a command line of its own."""

from __future__ import annotations

import signal
from collections.abc import Mapping

from sorry_lan import __version__
from sorry_lan.app.alone import run_alone
from sorry_lan.app.wishes import BY_SIGNAL
from sorry_lan.cli import options
from sorry_lan.cli.arguments import Arguments
from sorry_lan.cli.screens import liked, opened
from sorry_lan.ui.start_client import StartClient


def ask(arguments: Arguments, environment: Mapping[str, str]) -> tuple[str, ...] | int:
    """The words of a command, or the exit code where nothing is wanted. NoScreen before anything was shown."""
    before = {number: signal.getsignal(number) for number in BY_SIGNAL}
    name = options.people(arguments, environment)[0].name
    client = StartClient(name, __version__, liked(arguments, environment).signs)
    with opened(client, arguments, environment) as (face, guest):
        code = run_alone(face, guest)
    # The command that follows takes the signals anew; the screen has left them ignored.
    for number, handler in before.items():
        signal.signal(number, handler)
    return client.command if code == 0 and client.command else code
