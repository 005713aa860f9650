"""`--bot-program CMD`: a program takes the place of the person at this client. No shell is asked about CMD."""

from __future__ import annotations

import os
import shlex
import shutil

from sorry_lan.app.wiring import ForegroundFace, Host, RunOptions, problem_exit_code, run_table
from sorry_lan.cli.arguments import Arguments, UsageError
from sorry_lan.cli.logged_face import LoggedFace
from sorry_lan.cli.options import CODE_VARIABLE
from sorry_lan.cli.tries import Tries
from sorry_lan.ui.catalogue import _


def bot_command(arguments: Arguments) -> tuple[str, ...] | None:
    """The words of --bot-program, the first of them a file that can be run; UsageError where it is none."""
    given = arguments.one("--bot-program")
    if given is None:
        return None
    if arguments.has("--auto"):
        raise UsageError(_("--auto and --bot-program exclude each other."))
    try:
        words = shlex.split(given, posix=os.name != "nt")
    except ValueError as wrong:
        raise UsageError(
            _("--bot-program takes a command, and {text} is none: a quotation mark is missing.").format(
                text=ascii(given[:40])
            )
        ) from wrong
    if not words:
        raise UsageError(_("{flag} needs {value} behind it.").format(flag="--bot-program", value=_("CMD")))
    if shutil.which(words[0]) is None:
        raise UsageError(
            _("--bot-program: there is no program {name} that can be run.").format(name=ascii(words[0][:40]))
        )
    return tuple(words)


def run_played(
    chosen: RunOptions,
    face: ForegroundFace,
    arguments: Arguments,
    host: Host | None = None,
    tries: Tries | None = None,
) -> int:
    """Run a table with this face, played by a program where one is asked for; the exit code.

    `tries` is who takes a join that came to nothing.
    """

    def run(inner: ForegroundFace) -> int:
        logged = LoggedFace(inner)
        return run_table(chosen, logged if tries is None else tries.watching(logged), host)

    command = bot_command(arguments)
    if command is None:
        return run(face)
    from sorry_lan.app.bot_program import ProgramFace  # noqa: PLC0415 - few need it

    played = ProgramFace(face, command, frozenset({CODE_VARIABLE}))
    code = run(played)
    return code if played.problem is None else problem_exit_code(played.problem)
