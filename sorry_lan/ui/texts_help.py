"""What the help page says: keys by phase, the signs of the board, the aim of the game."""

from __future__ import annotations

from sorry_lan.rules.profile import Rules
from sorry_lan.table.view import Phase
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.glyphs import glyphs


def key_rows(phase: Phase, *, looks_on: bool = False) -> tuple[tuple[str, str], ...]:
    """(key, what it does) for the keys that do something in this phase, for a player or for whoever only watches."""
    if looks_on:
        rules = (("r", _("the rules of this table")),) if phase is Phase.LOBBY else _looking()
        return (*rules, ("q", _("leave; the others play on")))
    match phase:
        case Phase.CONNECTING | Phase.CLOSED:
            return _leaving()
        case Phase.LOBBY | Phase.PROPOSED:
            return (*_lobby(), *_talking(), *_leaving())
        case Phase.OVER:
            return (*_over(), *_looking(), *_talking(), *_leaving())
        case _:
            return (*_playing(), *_looking(), *_talking(), *_leaving())


def _lobby() -> tuple[tuple[str, str], ...]:
    return (
        (_("Space"), _("you are ready, or not yet after all")),
        ("c", _("the next free colour")),
        ("n, a", _("another name; your age, which may decide who begins")),
        ("r", _("the rules of this table; the host can change them there")),
        ("d", _("the doctor: what keeps others from this table")),
        (_("Up, Down"), _("choose a seat, for these keys of the host:")),
        ("b", _("put a bot on it; once more: a stronger one")),
        ("x", _("take the seat off the table")),
        ("o", _("open one more seat")),
        ("k", _("free the seat of somebody")),
        ("/", _("type a command, as in plain mode; Tab completes it")),
    )


def _playing() -> tuple[tuple[str, str], ...]:
    return (
        (_("Enter"), _("draw your card; then play the choice that is marked")),
        (_("1-9, Up, Down"), _("mark a choice and see it on the board; 0 shows more of them")),
        (_("p, Left, Right"), _("only the choices of the next pawn")),
        (_("Esc"), _("back: unmark, close a page, skip an animation")),
        ("/", _("type a move: r1 10, r1 -1, 7 r1 3 r2 4, 11 r1 b2, sorry b2, pass")),
        ("?", _("why a pawn cannot move; h is this help")),
        ("H", _("a hint: what the best bot would do")),
        ("y, n", _("yes or no, where it is asked whether the game goes on")),
    )


def _over() -> tuple[tuple[str, str], ...]:
    return (
        ("r", _("another game with the same people")),
        (_("Enter"), _("the end in numbers; Esc shows the board")),
        ("q", _("leave; the game is kept")),
    )


def replay_rows() -> tuple[tuple[str, str], ...]:
    """(key, what it does) where a kept game is watched."""
    return (
        (_("Right, Left"), _("the next step, the one before; Enter is the next, too")),
        (_("Space"), _("play on by itself, or stop")),
        (_("1-9 Enter"), _("go to the step of that number")),
        (_("Home, End"), _("the first step, the last")),
        ("f", _("was the deck fair?")),
        ("d", _("what is left in the deck")),
        ("+, -", _("faster or slower animation")),
        ("q", _("leave")),
    )


def _looking() -> tuple[tuple[str, str], ...]:
    return (
        ("f", _("was the deck fair?")),
        ("d", _("what is left in the deck")),
        (_("PgUp, PgDn"), _("earlier positions, while the game goes on; End comes back")),
        ("+, -", _("faster or slower animation")),
        ("m", _("mouse on or off; with it off, text can be copied")),
    )


def _talking() -> tuple[tuple[str, str], ...]:
    return (
        ("t", _("say something to all; 1-6 are ready phrases")),
        ("x", _("in a game: mute who spoke last, or hear everybody again")),
    )


def _leaving() -> tuple[tuple[str, str], ...]:
    return ((_("Ctrl-C"), _("leave; in a game it asks first, a second one leaves at once")),)


def board_help(signs: Signs) -> tuple[tuple[str, str], ...]:
    """(sign, meaning) of what is drawn on the board."""
    table = glyphs(signs)
    return (
        ("R1", _("a pawn: the letter of its colour and its number")),
        (f"r{table.arrows[0]} r{table.across} r{table.end}", _("a slide of red: its triangle, its way, its end")),
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
