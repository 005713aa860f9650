"""`sorry-lan man`: the manual page sorry-lan(6) in the language of man(7), made from arguments.py.

docs/sorry-lan.6 is its output in English, for packages; a test holds the two together.
"""

from __future__ import annotations

from sorry_lan import __version__
from sorry_lan.cli.arguments import COMMANDS, FLAGS, GLOBAL, TASTE, Flag, Takes
from sorry_lan.cli.config import FILE, key, variable
from sorry_lan.cli.help import EXAMPLES
from sorry_lan.cli.output import say
from sorry_lan.cli.values import spellings
from sorry_lan.ui.catalogue import _


def run() -> int:
    """Print the page; 0."""
    say(page().splitlines())
    return 0


def page() -> str:
    """The manual page in the language in use."""
    lines = [f'.TH SORRY-LAN 6 "" "sorry-lan {__version__}" ""']
    lines += [f'.SH "{_("NAME")}"', f"sorry\\-lan \\- {_roff(_('the board game Sorry! between peers in one network'))}"]
    lines += [f'.SH "{_("SYNOPSIS")}"', f".B sorry\\-lan\n[{_roff(_('COMMAND'))}] [{_roff(_('FLAGS'))}]"]
    lines += [f'.SH "{_("DESCRIPTION")}"', _roff(_description())]
    lines += [f'.SH "{_("COMMANDS")}"', *_commands()]
    lines += [f'.SH "{_("FLAGS")}"', *(line for flag in FLAGS.values() for line in _flag(flag))]
    lines += [f'.SH "{_("SETTINGS")}"', *_settings()]
    lines += [f'.SH "{_("FILES")}"', *_tagged(_files())]
    lines += [f'.SH "{_("EXIT STATUS")}"', *_tagged(exit_codes())]
    lines += [f'.SH "{_("EXAMPLES")}"', ".nf", *map(_roff, EXAMPLES), ".fi"]
    return "\n".join(lines) + "\n"


def exit_codes() -> tuple[tuple[str, str], ...]:
    """Every exit code and what it means (docs/play.md)."""
    return (
        ("0", _("all went well")),
        ("2", _("the command line or a setting cannot be understood; verify, replay: not a game file")),
        ("3", _("nothing found")),
        ("4", _("the other side cannot be reached, or was lost")),
        ("5", _("version or rules differ")),
        ("6", _("fairness broken: something is false, and there is proof")),
        ("7", _("refused: wrong code, full table, not a seat of this game")),
        ("8", _("the identity is in use by another program")),
        ("9", _("own files, or standard output, cannot be written")),
        ("10", _("verify, replay: all holds, but the win is unconfirmed")),
        ("70", _("a bug; the line says where the log is, --debug shows the trace")),
        ("129", _("hung up: the terminal, or whoever read the output, has gone")),
        ("130", _("interrupted: Ctrl-C, the second one in a running game")),
        ("143", _("terminated")),
    )


def _description() -> str:
    return _(
        "People in one room play the board game Sorry!, each at their own computer, without a server. "
        "Every client checks every move, and all of them make every card together. "
        "Without a command a terminal is asked what to do."
    )


def _commands() -> list[str]:
    lines = []
    for command in COMMANDS.values():
        name = f"{command.name} {_(command.operand)}" if command.operand else command.name
        lines += [".TP", f".B {_roff(name)}", f"{_roff(_(command.about))}."]
        if command.flags:
            lines.append(_roff(_("Flags: {flags}.").format(flags=", ".join(command.flags))))
    lines += [".PP", _roff(_("Flags of every command: {flags}.").format(flags=", ".join(GLOBAL)))]
    return lines


def _flag(flag: Flag) -> list[str]:
    value = "" if flag.takes is Takes.NOTHING else f" {_(flag.placeholder)}"
    names = ", ".join(name + value for name in spellings(flag.name))
    return [".TP", f".B {_roff(names)}", f"{_roff(_(flag.about))}."]


def _settings() -> list[str]:
    about = _(
        "What you always want can stand in {file}, one setting a line: a flag without its dashes, = and a text in "
        "quotes, a number, true or false. "
        "An environment variable stands above the file, and the command line above both; "
        "--FLAG=no takes back a flag without a value."
    ).format(file=FILE)
    lines = [_roff(about), ".nf", *map(_roff, EXAMPLE.splitlines()), ".fi", ".PP"]
    lines.append(_roff(_("The settings and their variables: {all}.").format(all=_keys())))
    return lines


EXAMPLE = """\
name = "Ada"
colour = "green"
speed = "fast"
no-bell = true
"""


def _keys() -> str:
    return ", ".join(f"{key(flag)} ({variable(flag)})" for flag in TASTE)


def _files() -> tuple[tuple[str, str], ...]:
    return (
        (f"~/.config/sorry-lan/{FILE}", _("settings")),
        ("~/.local/state/sorry-lan/identity", _("your key and your games; nobody else may have a copy")),
        ("~/.local/state/sorry-lan/sorry-lan.log", _("what happened, without codes and keys")),
    )


def _tagged(pairs: tuple[tuple[str, str], ...]) -> list[str]:
    return [line for tag, text in pairs for line in (".TP", f".B {_roff(tag)}", f"{_roff(text)}.")]


def _roff(text: str) -> str:
    """A line of text that holds no commands of the formatter."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
