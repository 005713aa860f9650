"""The end of a game in sentences: who won and how, what was most remarkable, who confirmed it."""

from __future__ import annotations

from sorry_lan.table.view import GameView
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.tally import Leap, SeatTally, Tally
from sorry_lan.ui.texts import a_card_text, name_text, names_text, pawn_text, seat_text


def headline(game: GameView) -> str:
    """Who won."""
    winner = game.winner
    if winner is None:
        return _("Nobody has won.")
    if game.seats[winner].person is not None and sum(seat.person is not None for seat in game.seats) == 1:
        return _("YOU WON, {name}! Every pawn of yours is Home.").format(name=name_text(game.seats[winner].name))
    return _("{who} WON: every pawn is Home.").format(who=seat_text(game, winner))


def won_text(game: GameView, tally: Tally) -> str:
    """How long it took."""
    turns = n_("It took {n} turn", "It took {n} turns", game.turn_number)
    if tally.since_k > 1:
        return turns + "."
    cards = n_("{n} card", "{n} cards", tally.drawn)
    return _("{turns} and {cards}.").format(turns=turns, cards=cards)


def story_heads() -> tuple[str, ...]:
    """The columns of the table, the most telling first; short words."""
    return (
        _("Home"),
        _("hits"),
        _("lost"),
        _("slide"),
        _("Sorry"),
        _("swaps"),
        _("cards"),
        _("turns"),
        _("steps"),
    )


def highlights(game: GameView, tally: Tally) -> tuple[str, ...]:
    """The most remarkable things, as far as there were any."""
    found = []
    if tally.longest is not None:
        found.append(_leap_text(game, tally.longest))
    hitters = _most(tally, [seat.bumps_given for seat in tally.seats])
    if hitters:
        found.append(
            n_(
                "Most hits: {names} sent {n} pawn back to Start.",
                "Most hits: {names} sent {n} pawns back to Start.",
                tally.seats[hitters[0]].bumps_given,
            ).format(names=names_text(game, hitters))
        )
    unlucky = _most(tally, [seat.unused for seat in tally.seats])
    if unlucky:
        found.append(
            n_(
                "Most cards of no use: {names} with {n}.",
                "Most cards of no use: {names} with {n}.",
                tally.seats[unlucky[0]].unused,
            ).format(names=names_text(game, unlucky))
        )
    own = [seat for seat, counts in enumerate(tally.seats) if counts.own_bumped]
    found += [_own_text(game, seat, tally.seats[seat]) for seat in own]
    return tuple(found)


def _leap_text(game: GameView, leap: Leap) -> str:
    return _("Longest leap: {pawn} of {name} came {n} squares nearer to Home with {card}, in step {k}.").format(
        pawn=pawn_text(game.position, leap.seat, leap.pawn),
        name=name_text(game.seats[leap.seat].name),
        n=leap.squares,
        card=a_card_text(leap.card),
        k=leap.k,
    )


def _own_text(game: GameView, seat: int, counts: SeatTally) -> str:
    return n_(
        "{name} slid over {n} pawn of the own colour.",
        "{name} slid over {n} pawns of the own colour.",
        counts.own_bumped,
    ).format(name=name_text(game.seats[seat].name))


def _most(tally: Tally, numbers: list[int]) -> list[int]:
    """The seats with the highest number above 0; none where all have the same, which tells nothing."""
    if not tally.seats or max(numbers) == 0 or len(set(numbers)) == 1:
        return []
    return [seat for seat, number in enumerate(numbers) if number == max(numbers)]


def confirmed_text(game: GameView) -> str:
    """Whether everybody confirmed the end."""
    if game.winner is None:
        return ""
    if game.unconfirmed:
        return _("The end is not confirmed by {names}: the result holds, but their last word never came.").format(
            names=names_text(game, game.unconfirmed)
        )
    return _("The end is confirmed by all.")
