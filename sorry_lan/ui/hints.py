"""What the strongest bot there is would play for a person who asks, and why; a table can forbid that. Plays nothing."""

from __future__ import annotations

from functools import lru_cache

from sorry_lan.bots.choose import OFFERED, choose
from sorry_lan.bots.explain import Reason, explain
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import play
from sorry_lan.rules.moves import Move
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules
from sorry_lan.table.view import GameView, Prompt, View
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import level_text
from sorry_lan.ui.texts_hints import reasons_text
from sorry_lan.ui.texts_moves import choice_text
from sorry_lan.ui.texts_prompts import numbered
from sorry_lan.wire.digest import tagged_hash, u32
from sorry_lan.wire.terms import Option

STRONGEST = max(OFFERED)


def questions(view: View) -> tuple[tuple[Prompt, Card, GameView], ...]:
    """What somebody may ask a hint for, as the picture stands."""
    game = view.game
    if game is None or Option.NO_HINTS in game.options:
        return ()
    return tuple((prompt, prompt.card, game) for prompt in view.prompts if prompt.card is not None)


def hint(prompt: Prompt, card: Card, game: GameView) -> Move:
    """The bot's move for this question, one of the numbered ones and the same however often it is asked.

    Takes some milliseconds at the first call for a question, more for the first of all; from any thread.
    """
    # The step's own secret picks for real bots; a hint needs any 32 bytes that stay the same.
    secret = tagged_hash("hint", game.game_id, u32(prompt.k))
    return numbered_like(_chosen(game.position, game.rules, card, secret), prompt, card, game)


def hint_reasons(move: Move, card: Card, game: GameView) -> tuple[Reason, ...]:
    """What speaks for this answer to the card."""
    return _reasons(game.position, game.rules, card, move)


def numbered_like(move: Move, prompt: Prompt, card: Card, game: GameView) -> Move:
    """The numbered choice that leads to the same board as `move`, which is one of the choices."""
    after = play(game.position, game.rules, card, move)
    return next(same for same in numbered(prompt, game) if play(game.position, game.rules, card, same) == after)


def hint_text(prompt: Prompt, game: GameView) -> str:
    """The hint as a sentence with its reasons, or why there is none."""
    if Option.NO_HINTS in game.options:
        return _("There are no hints at this table.")
    if prompt.card is None:
        return _("Draw a card first.")
    move = hint(prompt, prompt.card, game)
    told = _("The strongest bot there is ({level}) would play {n}: {move}").format(
        level=level_text(STRONGEST),
        n=numbered(prompt, game).index(move) + 1,
        move=choice_text(move, game.position, game.rules, prompt.card),
    )
    return _("{hint} Why? {reasons}").format(
        hint=told, reasons=reasons_text(hint_reasons(move, prompt.card, game), game)
    )


@lru_cache(maxsize=16)
def _chosen(position: Position, rules: Rules, card: Card, secret: bytes) -> Move:
    return choose(position, rules, card, STRONGEST, secret)


@lru_cache(maxsize=16)
def _reasons(position: Position, rules: Rules, card: Card, move: Move) -> tuple[Reason, ...]:
    return explain(position, rules, card, move)
