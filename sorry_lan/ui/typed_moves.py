"""From what was typed to a choice, or to the sentence that says why it is none; and why a useless card was useless."""

from __future__ import annotations

from sorry_lan.rules.moves import Decline, Move, parse_text
from sorry_lan.rules.reasons import reasons
from sorry_lan.table.news import Played
from sorry_lan.table.view import GameView, Prompt
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.numbers import number_of
from sorry_lan.ui.shown import shown
from sorry_lan.ui.texts import a_card_text
from sorry_lan.ui.texts_misread import misread_text
from sorry_lan.ui.texts_prompts import numbered
from sorry_lan.ui.texts_reasons import reason_text
from sorry_lan.ui.why_not import why_not


def chosen(text: str, prompt: Prompt, game: GameView) -> Move | str:
    """The choice that a number or a notation names, or the sentence that says why it names none."""
    if prompt.card is None:
        return unknown_text(text)
    number = number_of(text)
    if number is not None:
        moves = numbered(prompt, game)
        if 1 <= number <= len(moves):
            return moves[number - 1]
        return _("There is no choice {n}; the last one is {last}.").format(n=number, last=len(moves))
    try:
        move = parse_text(text, game.position, prompt.card)
    except ValueError as wrong:
        return _("{why} h shows what can be typed.").format(why=misread_text(wrong))
    if move in prompt.choices:
        return move
    reason = why_not(game.position, game.rules, prompt.card, move)
    if reason is not None:
        return reason_text(reason, game.position, game.rules, prompt.card)
    return _("The rules do not allow that with {card}; w says why.").format(card=a_card_text(prompt.card))


def useless_lines(item: Played, game: GameView) -> tuple[str, ...]:
    """Where a card was of no use to a person here: why, pawn by pawn, because nobody was asked."""
    if not item.forced or not isinstance(item.move, Decline) or game.seats[item.seat].person is None:
        return ()
    return tuple(
        "  " + reason_text(why, item.before, game.rules, item.card)
        for why in reasons(item.before, game.rules, item.card)
    )


def unknown_text(text: str) -> str:
    """What is said to a word that means nothing."""
    return _("I do not know {what}. Type h for help.").format(what=f"'{shown(text, 40)}'")
