"""What the help page says: keys by phase, the signs of the board, the aim of the game."""

from __future__ import annotations

from sorry_lan.rules.profile import Rules
from sorry_lan.table.view import Phase
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.catalogue import _, n_


def key_rows(phase: Phase) -> tuple[tuple[str, str], ...]:
    """(key, what it does) for the keys that do something in this phase."""
    match phase:
        case Phase.CONNECTING | Phase.CLOSED | Phase.LEFT_OUT:
            return (*_ANYWHERE(),)
        case Phase.LOBBY | Phase.PROPOSED:
            return (*_LOBBY(), *_TALK(), *_ANYWHERE())
        case Phase.OVER:
            return (*_OVER(), *_LOOK(), *_TALK(), *_ANYWHERE())
        case _:
            return (*_GAME(), *_LOOK(), *_TALK(), *_ANYWHERE())


def _LOBBY() -> tuple[tuple[str, str], ...]:  # noqa: N802 - a table, made when it is shown so that the language can change
    return (
        (_("Space"), _("you are ready, or not yet after all")),
        (_("c"), _("the next free colour")),
        (_("n"), _("another name")),
        (_("r"), _("the rules of this table; the host can change them there")),
        (_("Up, Down"), _("choose a seat, for the four keys of the host:")),
        (_("b"), _("put a bot on it")),
        (_("x"), _("take the seat off the table")),
        (_("o"), _("open one more seat")),
        (_("k"), _("free the seat of somebody")),
    )


def _GAME() -> tuple[tuple[str, str], ...]:  # noqa: N802 - as above
    return (
        (_("Enter"), _("draw your card; then play the choice that is marked")),
        (_("1-9"), _("mark a choice and see it on the board")),
        (_("Up, Down"), _("mark the next or previous choice")),
        (_("Esc"), _("back: unmark, close a page, skip an animation")),
        (_("?"), _("why a pawn cannot move, and this help")),
        (_("/"), _("type a move, as in r1 10, r1 -1, 7 r1 3 r2 4, 11 r1 b2, sorry b2, pass")),
    )


def _OVER() -> tuple[tuple[str, str], ...]:  # noqa: N802 - as above
    return (
        (_("r"), _("another game with the same people")),
        (_("q"), _("leave; the game is kept")),
    )


def _LOOK() -> tuple[tuple[str, str], ...]:  # noqa: N802 - as above
    return (
        (_("f"), _("was the deck fair?")),
        (_("d"), _("what is left in the deck")),
        (_("PgUp, PgDn"), _("earlier positions, while the game goes on; End comes back")),
        (_("m"), _("mouse on or off; with it off, text can be copied")),
    )


def _TALK() -> tuple[tuple[str, str], ...]:  # noqa: N802 - as above
    return ((_("t"), _("say something to all")),)


def _ANYWHERE() -> tuple[tuple[str, str], ...]:  # noqa: N802 - as above
    return ((_("Ctrl-C"), _("leave; in a game it asks first, a second one leaves at once")),)


def board_help(signs: Signs) -> tuple[tuple[str, str], ...]:
    """(sign, meaning) of what is drawn on the board."""
    triangle, line, end = ("►", "─", "●") if signs is Signs.UNICODE else (">", "-", "o")
    return (
        ("R1", _("a pawn: the letter of its colour and its number")),
        (f"r{triangle} r{line} r{end}", _("a slide of red: its triangle, its way, its end")),
        ("r=", _("red's safety zone, where only red may go")),
        ("[3]", _("where choice 3 ends")),
        (">R1", _("the pawn that the marked choice moves")),
        ("'", _("the way that was just taken")),
        ("0-59", _("the squares, clockwise from the top left corner")),
    )


def game_aim(rules: Rules) -> str:
    """The game in two sentences."""
    return n_(
        "Bring your pawn round the board to Home, by exact count; who does so first has won.",
        "Bring your {n} pawns round the board to Home, by exact count; who does so first has won.",
        rules.pawns,
    )
