"""Why a program that was to play a seat plays no more (--bot-program)."""

from __future__ import annotations

from typing import assert_never

from sorry_lan.table.programs import BotProblem, BotTrouble
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import shown

_DETAIL_CELLS = 200


def bot_text(problem: BotProblem) -> str:
    """What happened, and how to go on; a program's own words come harmless."""
    match problem.trouble:
        case BotTrouble.BOT_NOT_STARTED:
            told = _("The bot program cannot be started ({detail}).")
        case BotTrouble.BOT_ENDED:
            told = _("The bot program has ended before the game{code}{last}.")
        case BotTrouble.BOT_GARBLED:
            told = _("The bot program writes line after line that does nothing (the last one: {detail}).")
        case BotTrouble.BOT_SILENT:
            told = _("The bot program has left a question without an answer for half a minute.")
        case BotTrouble.BOT_FLOODS:
            told = _("The bot program writes far more than a game takes.")
        case BotTrouble.BOT_DEAF:
            told = _("The bot program does not read what it is told.")
        case _:
            assert_never(problem.trouble)
    detail = shown(problem.detail, _DETAIL_CELLS)
    told = told.format(
        detail=detail.rstrip("."),
        code="" if problem.code is None else _(" (exit code {code})").format(code=problem.code),
        last=_(", saying: {last}").format(last=detail.rstrip(".")) if detail else "",
    )
    return _("{told} The seat stays yours; the same command, or sorry-lan resume, goes on with the game.").format(
        told=told
    )
