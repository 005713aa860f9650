"""The pages of --help, made from the tables of arguments.py; the program's page begins with four examples."""

from __future__ import annotations

from typing import Final

from sorry_lan.cli.arguments import COMMANDS, FLAGS, GLOBAL, Flag, Takes
from sorry_lan.ui.catalogue import _

EXAMPLES: Final = (
    "sorry-lan host --name Ada",
    "sorry-lan join maple-otter-tulip --name Bob",
    "sorry-lan play --name Ada --name Bob --bots 2",
    "sorry-lan demo",
)


def program_help() -> str:
    """The page of the whole program."""
    lines = [_("Examples:"), *(f"  {example}" for example in EXAMPLES), "", _("Commands:")]
    lines += [f"  {_with(command.name, command.operand):<16} {_(command.about)}" for command in COMMANDS.values()]
    lines += ["", _("Flags of every command:"), *(_flag_line(FLAGS[name]) for name in GLOBAL)]
    lines += ["", _("sorry-lan COMMAND --help shows the flags of one command.")]
    return "\n".join(lines) + "\n"


def command_help(name: str) -> str:
    """The page of one command."""
    command = COMMANDS[name]
    lines = [_("sorry-lan {command}: {about}.").format(command=_with(name, command.operand), about=_(command.about))]
    examples = [example for example in EXAMPLES if example.split()[1] == name]
    if examples:
        lines += ["", _("Example:"), *(f"  {example}" for example in examples)]
    if command.flags:
        lines += ["", _("Flags:"), *(_flag_line(FLAGS[flag]) for flag in command.flags)]
    lines += ["", _("Flags of every command:"), *(_flag_line(FLAGS[flag]) for flag in GLOBAL)]
    return "\n".join(lines) + "\n"


def _flag_line(flag: Flag) -> str:
    left = flag.name if flag.takes is Takes.NOTHING else _with(flag.name, flag.placeholder)
    return f"  {left:<22} {_(flag.about)}"


def _with(name: str, operand: str) -> str:
    return f"{name} {_(operand)}" if operand else name
