"""The short words of the full screen: captions of an animation, choices in a narrow list, keys, questions."""

from __future__ import annotations

from typing import assert_never

from sorry_lan.rules.board import HOME, SAFE, START, is_outer
from sorry_lan.rules.cards import Card
from sorry_lan.rules.effects import Bumped, CameHome, Effect, LeftStart, Moved, Slid, Swapped, Swept
from sorry_lan.rules.moves import Backward, Decline, Forward, LeaveStart, Move, Sorry, Split, Swap
from sorry_lan.rules.position import Position
from sorry_lan.rules.reasons import Reason, ReasonCode, reasons
from sorry_lan.table.news import Played
from sorry_lan.table.view import GameView, Presence, Prompt, SeatView
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.choosing import Choice, Route
from sorry_lan.ui.taste import Pace
from sorry_lan.ui.texts import card_text, list_text, name_text, pawn_text


def caption_text(effect: Effect, before: Position) -> str:
    """What is seen happening, in two or three words."""
    pawn = pawn_text(before, effect.seat, effect.pawn)
    match effect:
        case LeftStart():
            return _("{pawn} comes out").format(pawn=pawn)
        case Moved():
            return ""
        case Slid():
            return _("{pawn} slides").format(pawn=pawn)
        case Swapped():
            other = pawn_text(before, effect.other_seat, effect.other_pawn)
            return _("{pawn} and {other} change places").format(pawn=pawn, other=other)
        case Bumped() | Swept():
            return _("Sorry! {pawn} goes back").format(pawn=pawn)
        case CameHome():
            return _("{pawn} is Home").format(pawn=pawn)
        case _:
            assert_never(effect)


def unused_text() -> str:
    """A card that nothing was done with."""
    return _("no pawn moves")


def saved_text() -> str:
    """A game that was saved because too few people remained."""
    return _("The game is saved. It goes on when all come back: sorry-lan resume")


def left_out_text() -> str:
    """A game that the others play on with a stand-in for us."""
    return _("The others went on without you. Press y to ask for your seat back.")


def why_nothing_text(item: Played, game: GameView) -> str:
    """Where a card was of no use to a person here, who was not asked: why, pawn by pawn; else empty."""
    if not item.forced or not isinstance(item.move, Decline) or game.seats[item.seat].person is None:
        return ""
    whys = reasons(item.before, game.rules, item.card)
    return ", ".join(text for why in whys if (text := short_reason(why, item.before, item.card)))


def spot_text(loc: int) -> str:
    """A place in as few signs as the board has for it: 22, S2, Start, Home."""
    if loc == START:
        return _("Start")
    if loc == HOME:
        return _("Home")
    return str(loc - 1) if is_outer(loc) else f"S{loc - HOME + SAFE}"


def short_text(move: Move, effects: tuple[Effect, ...], before: Position, after: Position) -> str:
    """A choice for a list of some thirty columns, as in "R1 +10 22>32, bumps B1"."""
    own = before.turn

    def name(pawn: int) -> str:
        return pawn_text(before, own, pawn)

    def end(pawn: int) -> str:
        return spot_text(after.pawns[own][pawn - 1])

    match move:
        case LeaveStart(pawn):
            told = _("{pawn} out, to {end}").format(pawn=name(pawn), end=end(pawn))
        case Forward(pawn, n) | Backward(pawn, n):
            sign = "+" if isinstance(move, Forward) else "-"
            told = f"{name(pawn)} {sign}{n} {spot_text(before.pawns[own][pawn - 1])}>{end(pawn)}"
        case Split(first, a, second, b):
            told = f"{name(first)} +{a}>{end(first)}, {name(second)} +{b}>{end(second)}"
        case Swap(pawn, seat, target):
            other = pawn_text(before, seat, target)
            told = f"{name(pawn)} {spot_text(before.pawns[own][pawn - 1])}<>{other} {spot_text(_stood(before, move))}"
        case Sorry(pawn, seat, target):
            told = _("{pawn} takes {spot}").format(pawn=name(pawn), spot=spot_text(_stood(before, move)))
        case Decline():
            return _("pass: leave it unused")
        case _:
            assert_never(move)
    slid = [_("slides") for effect in effects if isinstance(effect, Slid)][:1]
    lost = [pawn_text(before, e.seat, e.pawn) for e in effects if isinstance(e, Bumped | Swept)]
    bumps = [_("bumps {pawns}").format(pawns=list_text(lost))] if lost else []
    return ", ".join([told, *slid, *bumps])


def _stood(before: Position, move: Swap | Sorry) -> int:
    return before.pawns[move.seat][move.target - 1]


def asks_text(choice: Choice) -> str:
    """The question before a choice is played."""
    told = short_text(choice.move, choice.effects, choice.before, choice.after)
    return _("Really {move}? Enter plays it, Esc goes back.").format(move=told)


def pace_text(pace: Pace) -> str:
    """How fast everything moves from now on."""
    match pace:
        case Pace.NONE:
            return _("No animation.")
        case Pace.SLOW:
            return _("Slow animation.")
        case Pace.NORMAL:
            return _("Normal animation.")
        case Pace.FAST:
            return _("Fast animation.")


def step_text(prefix: Route, count: int, position: Position) -> str:
    """A step of picking, as in "R1 +3: 2 ways"."""
    kind, number, steps = prefix[-1]
    if kind == "whom":
        told = pawn_text(position, number, steps)
    else:
        told = pawn_text(position, position.turn, number) + (f" {steps:+}" if kind == "count" else "")
    return _("{pawn}: {ways}").format(pawn=told, ways=n_("{n} way", "{n} ways", count))


def short_reason(reason: Reason, position: Position, card: Card) -> str:
    """Why a pawn cannot move, in some thirty columns; empty where nobody would ask (it is Home, or one like it can)."""
    pawn = pawn_text(position, position.turn, reason.pawn)
    values = reason.values
    told = {
        ReasonCode.AT_HOME: "",
        ReasonCode.LOWER_NUMBER_FIRST: "",
        ReasonCode.NOT_A_START_CARD: _("no start card"),
        ReasonCode.EXIT_TAKEN: _("exit taken by {blocker}"),
        ReasonCode.OVERSHOOT: _("Home needs exactly {to_home}"),
        ReasonCode.OWN_PAWN: _("own {blocker} is there"),
        ReasonCode.OWN_ON_SLIDE: _("own {blocker} on the slide"),
        ReasonCode.ZONE_TAKEN: _("own {blocker} is in S0"),
        ReasonCode.NEITHER_WAY: _("neither +10 nor -1"),
        ReasonCode.NO_PARTNER: _("no 7, nobody to share"),
        ReasonCode.NO_SPLIT: _("no 7, no split works"),
        ReasonCode.NO_SWAP: _("no 11, nobody to swap"),
        ReasonCode.NEEDS_START: _("not in Start"),
        ReasonCode.NO_TARGET: _("nobody to replace"),
        ReasonCode.REPLACE_FIRST: _("must replace first"),
    }[reason.code]
    if not told:
        return ""
    blocker = to_home = ""
    match reason.code:
        case ReasonCode.EXIT_TAKEN:
            blocker = pawn_text(position, position.turn, values[1])
        case ReasonCode.OWN_PAWN | ReasonCode.OWN_ON_SLIDE | ReasonCode.ZONE_TAKEN:
            blocker = pawn_text(position, position.turn, values[2])
        case ReasonCode.OVERSHOOT:
            to_home = str(values[1])
        case _:
            pass
    told = told.format(blocker=blocker, to_home=to_home)
    count = f" {values[0]:+}" if reason.code in _COUNTED else f" {card_text(card)}" if card is not Card.SORRY else ""
    return _("{pawn}{count}: {why}").format(pawn=pawn, count=count, why=told)


_COUNTED = frozenset({ReasonCode.OVERSHOOT, ReasonCode.OWN_PAWN, ReasonCode.OWN_ON_SLIDE, ReasonCode.ZONE_TAKEN})


def turn_text(prompt: Prompt | None, seat: SeatView, game: GameView) -> str:
    """Whose turn it is, shouted where it is somebody's here."""
    if prompt is not None:
        return _("YOUR TURN, {name}").format(name=name_text(game.seats[prompt.seat].name))
    if game.winner is not None:
        return _("{name} has won").format(name=name_text(game.seats[game.winner].name))
    return _("{name} plays").format(name=name_text(seat.name))


def gone_text(seat: SeatView, for_s: float) -> str:
    """Who cannot be reached, and for how long."""
    minutes, seconds = divmod(max(0, int(for_s)), 60)
    told = _("{name} is away, {time}") if seat.presence is Presence.AWAY else _("{name}: RECONNECTING {time}")
    return told.format(name=name_text(seat.name), time=f"{minutes}:{seconds:02}")
