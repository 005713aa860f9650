"""What the strongest bot there is would play for a person who asks; a table can forbid that. Plays nothing."""

from __future__ import annotations

from sorry_lan.bots.choose import OFFERED, choose
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import play
from sorry_lan.rules.moves import Move
from sorry_lan.table.view import GameView, Prompt
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import level_text
from sorry_lan.ui.texts_moves import choice_text
from sorry_lan.ui.texts_prompts import numbered
from sorry_lan.wire.digest import tagged_hash, u32
from sorry_lan.wire.terms import Option

STRONGEST = max(OFFERED)


def hint(prompt: Prompt, card: Card, game: GameView) -> Move:
    """The bot's move for this question, one of the numbered ones and the same however often it is asked."""
    # The step's own secret picks for real bots; a hint needs any 32 bytes that stay the same.
    secret = tagged_hash("hint", game.game_id, u32(prompt.k))
    move = choose(game.position, game.rules, card, STRONGEST, secret)
    return numbered_like(move, prompt, card, game)


def numbered_like(move: Move, prompt: Prompt, card: Card, game: GameView) -> Move:
    """The numbered choice that leads to the same board as `move`, which is one of the choices."""
    after = play(game.position, game.rules, card, move)
    return next(same for same in numbered(prompt, game) if play(game.position, game.rules, card, same) == after)


def hint_text(prompt: Prompt, game: GameView) -> str:
    """The hint as a sentence, or why there is none."""
    if Option.NO_HINTS in game.options:
        return _("There are no hints at this table.")
    if prompt.card is None:
        return _("Draw a card first.")
    move = hint(prompt, prompt.card, game)
    return _("The strongest bot there is ({level}) would play {n}: {move}").format(
        level=level_text(STRONGEST),
        n=numbered(prompt, game).index(move) + 1,
        move=choice_text(move, game.position, game.rules, prompt.card),
    )
