"""What went wrong, in sentences: what happened, why, and what to do; for every error code of the protocol.

Each code has a clause that says why; the frames around it say what happened and what to do next.
"""

from __future__ import annotations

from sorry_lan.faults import Err
from sorry_lan.ui.catalogue import _


def why_text(code: Err) -> str:
    """Why, as a whole sentence, whoever was refused."""
    return {
        Err.GOODBYE: _("The other side said good-bye."),
        Err.BAD_FRAME: _("What arrived was not in the form that sorry-lan speaks."),
        Err.NOT_CANONICAL: _("A message was written in a form that sorry-lan does not allow."),
        Err.SCHEMA: _("A message did not have the fields that it must have."),
        Err.TIMEOUT: _("An answer took too long."),
        Err.TOO_MANY_CONNECTIONS: _("There were too many connections at once."),
        Err.RATE: _("Messages came faster than anybody can play."),
        Err.QUEUE_OVERFLOW: _("One side could not keep up with the messages of the other."),
        Err.SHUTTING_DOWN: _("The other program is ending."),
        Err.VERSION: _("The two programs speak different versions of the protocol."),
        Err.IDENTITY_SIGNATURE: _("The other side could not prove that it is who it says it is."),
        Err.JOIN_CODE: _("The join code was wrong, or had been used up by wrong guesses."),
        Err.CODE_REQUIRED: _("One side uses a join code and the other does not."),
        Err.CONNECTED_ELSEWHERE: _("The same identity is already connected from another program."),
        Err.UNEXPECTED_IDENTITY: _("Somebody else answered than the player who was expected there."),
        Err.OWN_IDENTITY: _("That address leads back to this very player."),
        Err.TABLE_FULL: _("Every seat of the table is taken."),
        Err.ENGINE_DIFFERS: _("The two programs do not play by the same rules or bots."),
        Err.STALE_TABLE: _("The table was changed in the meantime."),
        Err.DUPLICATE: _("Somebody at the table already has that name or colour."),
        Err.PARENT_DIFFERS: _("The two sides remember the game differently."),
        Err.REMOVED: _("The host took the seat away."),
        Err.GAME_IN_PLAY: _("The game has already begun."),
        Err.NOT_A_SEAT: _("That player has no seat in this game."),
        Err.UNKNOWN_GAME: _("The other side does not know this game."),
        Err.BAD_SIGNATURE: _("A signature does not belong to what it stands under."),
        Err.BAD_SHARE: _("A share does not open what its player had sealed before the game."),
        Err.ILLEGAL_ACTION: _("The rules do not allow a move that was signed."),
        Err.EQUIVOCATION: _("A player signed two different things where only one may be."),
        Err.DIVERGED: _("Two computers worked out different boards from the same moves."),
        Err.BEHIND: _("One side is several moves behind."),
        Err.WATCHERS_FULL: _("There is no more room for watchers."),
        Err.WATCHING_NOT_ALLOWED: _("Watching is not allowed at this table."),
    }[code]


def advice_text(code: Err) -> str:
    """What to do next, as one sentence."""
    advices = {
        (
            Err.GOODBYE,
            Err.SHUTTING_DOWN,
            Err.REMOVED,
        ): _("Ask the host whether the table is still open, then join again."),
        (
            Err.VERSION,
            Err.ENGINE_DIFFERS,
        ): _("Install the same version of sorry-lan on both computers (sorry-lan --version shows it)."),
        (Err.JOIN_CODE,): _("Ask the host for the three words that its screen shows now, and try again."),
        (Err.CODE_REQUIRED,): _(
            "Join with --code and the host's three words, or with --open if the host started with --open."
        ),
        (Err.CONNECTED_ELSEWHERE,): _(
            "End the other program, or give this one an identity of its own with --identity DIR."
        ),
        (Err.OWN_IDENTITY,): _("Give each player on this computer an identity of its own with --identity DIR."),
        (
            Err.IDENTITY_SIGNATURE,
            Err.UNEXPECTED_IDENTITY,
        ): _("Check the address; if it is right, somebody may sit in between: do not play on this network."),
        (Err.TABLE_FULL,): _(
            "Ask the host to open a seat, watch with the same command and --watch, or host a table with: sorry-lan host"
        ),
        (Err.GAME_IN_PLAY,): _(
            "Watch with the same command and --watch, or host a table of your own with: sorry-lan host"
        ),
        (
            Err.STALE_TABLE,
            Err.PARENT_DIFFERS,
        ): _("Wait a moment and try again."),
        (Err.DUPLICATE,): _("Choose another one with --name or --colour, or in the lobby with name or colour."),
        (
            Err.NOT_A_SEAT,
            Err.UNKNOWN_GAME,
            Err.WATCHERS_FULL,
            Err.WATCHING_NOT_ALLOWED,
        ): _("Wait for the next game, or host a table of your own with: sorry-lan host"),
        (
            Err.BAD_SIGNATURE,
            Err.BAD_SHARE,
            Err.ILLEGAL_ACTION,
            Err.EQUIVOCATION,
        ): _("The proof is kept in the folder of games; anybody can check it with: sorry-lan verify FILE"),
        (Err.DIVERGED,): _("Nobody is blamed; please report it with the files that both computers saved."),
        (
            Err.TIMEOUT,
            Err.TOO_MANY_CONNECTIONS,
            Err.RATE,
            Err.QUEUE_OVERFLOW,
            Err.BEHIND,
        ): _("Check that both computers are on the same network, and try again."),
        (
            Err.BAD_FRAME,
            Err.NOT_CANONICAL,
            Err.SCHEMA,
        ): _("Check that the address and port are those of a sorry-lan table of this version."),
    }
    return next(advice for codes, advice in advices.items() if code in codes)


def refused_text(code: Err) -> str:
    """The others refused us."""
    return _("You were refused. {why} {advice}").format(why=why_text(code), advice=advice_text(code))


def refused_by_us_text(code: Err) -> str:
    """We refused what the host proposed."""
    return _("Your client did not sign the host's table. {why} {advice}").format(
        why=why_text(code), advice=advice_text(code)
    )


def closed_text(code: Err) -> str:
    """There is no table any more."""
    if code is Err.GOODBYE:
        return _("The table is closed.")
    return _("You are no longer at the table. {why} {advice}").format(why=why_text(code), advice=advice_text(code))


def fault_text(who: str, code: Err, k: int) -> str:
    """Somebody broke a rule in step k, and it can be proven."""
    return _("{who} broke the rules in step {k}, and there is proof. {why} {advice}").format(
        who=who, k=k, why=why_text(code), advice=advice_text(code)
    )
