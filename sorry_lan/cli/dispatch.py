"""From a command line to a command, and from whatever happens in it to an exit code (docs/play.md).

No trace is ever shown without --debug; each command's own work is in its own module.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Final

from sorry_lan import __version__
from sorry_lan.cli import config
from sorry_lan.cli.arguments import COMMANDS, Arguments, UsageError, parse
from sorry_lan.cli.back import WentBack
from sorry_lan.cli.help import command_help, program_help
from sorry_lan.cli.output import OutputFailed, ascii_only, complain, prepare, printing, say
from sorry_lan.ui import languages
from sorry_lan.ui.catalogue import _

OK: Final = 0
USAGE: Final = 2
NOT_WRITABLE: Final = 9
BUG: Final = 70
HANG_UP: Final = 129
INTERRUPTED: Final = 130
_TABLES: Final = ("host", "join", "play", "resume")
_ABOUT_ITSELF: Final = ("completion", "man", "config")


def run(words: list[str]) -> int:
    """Run one command line; every way out is an exit code."""
    prepare()
    _speak(words)
    try:
        arguments = parse(words)
    except UsageError as wrong:
        complain(str(wrong))
        return USAGE
    try:
        return _obey(words, arguments)
    except UsageError as wrong:
        complain(str(wrong))
        return USAGE
    except WentBack:
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last line of defence: a bug is one sentence and a log
        if _only(BrokenPipeError, error):
            _silence()
            return HANG_UP
        if _only(OutputFailed, error):
            _silence()
            complain(_("Standard output cannot be written ({why}).").format(why=_first(error)))
            return NOT_WRITABLE
        return _bug(error, arguments)
    finally:
        _close_log()


def _speak(words: list[str]) -> None:
    """Choose the language before anything is said, though the command line may turn out to be wrong."""
    if "--ascii" in words or (config.ascii_only(os.environ) and "--ascii=no" not in words):
        ascii_only()
    encoding = sys.stdout.encoding or "ascii"
    given = [value for word, value in pairwise(words) if word == "--language"]
    given += [word.partition("=")[2] for word in words if word.startswith("--language=")]
    wanted = given[-1] if given else config.language(os.environ)
    if wanted is not None:
        languages.speak(wanted.lower(), encoding)
    else:
        languages.speak_as(os.environ, encoding)


def _only(kind: type[Exception], error: Exception) -> bool:
    """Whether nothing else is behind this, however deep it nests."""
    if isinstance(error, ExceptionGroup):
        return all(_only(kind, inner) for inner in error.exceptions)
    return isinstance(error, kind)


def _first(error: Exception) -> Exception:
    """The error itself, or the first one in a group."""
    return _first(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error


def _obey(words: list[str], arguments: Arguments) -> int:
    if arguments.has("--language"):
        from sorry_lan.cli import options  # noqa: PLC0415 - as in _command

        options.language(arguments)
    if arguments.has("--version"):
        say([f"sorry-lan {__version__}"])
        return OK
    if arguments.has("--help"):
        page = command_help(arguments.command) if arguments.command else program_help()
        say(page.splitlines())
        return OK
    if arguments.command in _ABOUT_ITSELF:
        return _about_itself(arguments)
    arguments = config.with_settings(arguments, os.environ)
    if not arguments.command:
        return _start(words, arguments)
    if COMMANDS[arguments.command].operand == "FILE" and arguments.operand is None:
        raise UsageError(_("{command} needs a file behind it.").format(command=arguments.command))
    return _logged(arguments)


def _about_itself(arguments: Arguments) -> int:
    """A command that shows what the program is, whatever the settings are."""
    match arguments.command:
        case "completion":
            from sorry_lan.cli import completion  # noqa: PLC0415 - as in _command

            return completion.run(arguments)
        case "man":
            from sorry_lan.cli import man  # noqa: PLC0415 - as in _command

            return man.run()
        case _:
            from sorry_lan.cli import settings  # noqa: PLC0415 - as in _command

            return settings.run(arguments, os.environ)


def _start(words: list[str], arguments: Arguments) -> int:
    """No command: a terminal is asked for one, with the flags that were given; anything else gets the help."""
    from sorry_lan.cli import options, screens  # noqa: PLC0415

    if options.table_manner(arguments, screens.screen(os.environ)) is options.Manner.SCREEN:
        from sorry_lan.cli import start  # noqa: PLC0415

        with suppress(options.NoScreen):
            while not isinstance(wanted := start.ask(arguments, os.environ), int):
                with suppress(WentBack):
                    return _obey([*wanted, *words], parse([*wanted, *words]))
            return wanted
    say(program_help().splitlines())
    return OK


def _command(arguments: Arguments) -> int:
    # Each command loads only what it needs: none of them is slow for the sake of another.
    words = [] if arguments.operand is None else [arguments.operand]
    match arguments.command:
        case "moves":
            from sorry_lan.cli import moves  # noqa: PLC0415

            with printing():
                return moves.run(words, sys.stdin, sys.stdout)
        case "rules":
            from sorry_lan.cli import rules  # noqa: PLC0415

            with printing():
                code = rules.run(words, sys.stdout)
                sys.stdout.flush()
                return code
        case "verify":
            from sorry_lan.cli import options, verify  # noqa: PLC0415

            return verify.run(arguments.operand or "", options.manner(arguments))
        case "replay":
            from sorry_lan.cli import options, replay, screens  # noqa: PLC0415

            manner = options.table_manner(arguments, screens.screen(os.environ))
            on_screen = partial(screens.replay_on_screen, arguments=arguments, environment=os.environ)
            return replay.run(arguments.operand or "", manner, on_screen)
        case "list":
            from sorry_lan.cli import find  # noqa: PLC0415

            return find.run(arguments)
        case "games":
            if arguments.has("--stats"):
                from sorry_lan.cli import stats  # noqa: PLC0415

                return stats.run(arguments, os.environ)
            from sorry_lan.cli import games  # noqa: PLC0415

            return games.run(arguments, os.environ)
        case "doctor":
            from sorry_lan.cli import doctor  # noqa: PLC0415

            return doctor.run(arguments)
        case "arena":
            from sorry_lan.cli import arena  # noqa: PLC0415

            return arena.run(arguments, os.environ)
        case "demo":
            from sorry_lan.cli import demo  # noqa: PLC0415

            return demo.run(arguments)
        case _:
            from sorry_lan.cli import tables  # noqa: PLC0415

            return tables.run(arguments, os.environ)


def _logged(arguments: Arguments) -> int:
    """Do what the command says, with a log where it or the command line asks for one."""
    chosen = arguments.one("--log")
    if chosen is None and arguments.command not in _TABLES:
        return _command(arguments)
    from sorry_lan.cli import logs  # noqa: PLC0415 - logging is slow to load, and short commands do without

    detail = logs.Detail.ALL if arguments.has("--debug") else logs.Detail.USUAL
    try:
        if chosen is None:
            logs.start_own_log(os.environ, detail)
        else:
            logs.start_log(chosen, detail)
    except logs.LogTrouble as wrong:
        complain(str(wrong))
        return NOT_WRITABLE
    with logs.strays_logged():
        return _command(arguments)


def _bug(error: Exception, arguments: Arguments) -> int:
    from sorry_lan.cli import logs  # noqa: PLC0415 - as above

    where = logs.note_crash(error, os.environ)
    if arguments.has("--debug"):
        sys.stderr.write(logs.trace(error))
    if where is None:
        complain(_("This is a bug in sorry-lan. Run the same command with --debug to see where, and please report it."))
    else:
        complain(_("This is a bug in sorry-lan. Please report it with the log in {path}").format(path=where))
    return BUG


def _close_log() -> None:
    """Close the log, if this command line has opened one; what opens none does not load the module either."""
    if "sorry_lan.cli.logs" in sys.modules:
        from sorry_lan.cli import logs  # noqa: PLC0415 - it is there already

        logs.stop_logs()


def _silence() -> None:
    """Keep the interpreter from complaining at its end about a reader that has gone."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
