"""The verdict on a finished game in sentences: the plain answer first, then who drew what against expectation.

The verdict itself is fair/verify.py's; nothing is judged here.
"""

from __future__ import annotations

from math import sqrt
from typing import assert_never

from sorry_lan.fair.verify import Caution, Finding, Going, Outcome, Verdict
from sorry_lan.rules.cards import CARDS
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.texts import card_text, colour_text, list_text, name_text, named
from sorry_lan.ui.texts_errors import why_text
from sorry_lan.wire.terms import SeatKind, Why

_SPREAD = 2.0
"""Standard deviations either side of the average that 19 of 20 fair games stay within."""


def verdict_lines(verdict: Verdict) -> tuple[str, ...]:
    """The whole report, the verdict first."""
    lines = [verdict_text(verdict)]
    lines += [_caution_text(caution) for caution in verdict.cautions]
    if verdict.terms is None:
        return tuple(lines)
    lines.append(_players_text(verdict))
    lines += _going_lines(verdict)
    if verdict.words is not None:
        lines.append(_("Check words: {words}.").format(words=" ".join(verdict.words)))
    lines += _draw_lines(verdict)
    return tuple(lines)


def verdict_text(verdict: Verdict) -> str:
    """The verdict in one or two sentences."""
    match verdict.outcome:
        case Outcome.HOLDS:
            return _holds_text(verdict)
        case Outcome.UNCONFIRMED:
            return _("{all} But {names} never confirmed the end, so a second last move cannot be excluded.").format(
                all=_draws_text(verdict), names=_names(verdict, verdict.unconfirmed)
            )
        case Outcome.FALSE:
            return _("NO, this file does not hold: {why} {how_far}").format(
                why=_why_false(verdict), how_far=_how_far(verdict)
            )
        case Outcome.OTHER_ENGINE:
            return _other_engine_text()
        case Outcome.NOT_A_TRANSCRIPT:
            if verdict.finding is Finding.OTHER_FORMAT:
                return _("This is a game file of another format; install a newer sorry-lan to check it.")
            return _("This is not a game file of sorry-lan.")
        case _:
            assert_never(verdict.outcome)


def _holds_text(verdict: Verdict) -> str:
    match verdict.finding:
        case Finding.SIGNED_TWICE:
            return _("The proof holds: {who} signed two different things where only one may be.").format(
                who=_blamed(verdict)
            )
        case Finding.ILLEGAL_MOVE:
            return _("The proof holds: {who} signed a move that the rules do not allow.").format(who=_blamed(verdict))
        case Finding.SAVED:
            return _("{all} The game is not finished; it was saved.").format(all=_draws_text(verdict))
        case _:
            winner = "" if verdict.winner is None else _names(verdict, (verdict.winner,))
            return _("{all} {winner} won.").format(all=_draws_text(verdict), winner=winner)


def _draws_text(verdict: Verdict) -> str:
    draws = sum(map(sum, verdict.draws))
    return n_(
        "The {n} draw checks out; every player had a hand in it.",
        "All {n} draws check out; every player had a hand in each.",
        draws,
    )


def _why_false(verdict: Verdict) -> str:
    match verdict.finding:
        case Finding.CUT_SHORT:
            return _("the file is cut short.")
        case Finding.BAD_FRAME:
            return _("part of the file is not in the form of a game file.")
        case Finding.CHECKSUM:
            return _("the checksum is wrong, so something was changed.")
        case Finding.BAD_TABLE:
            return _("the table it begins with is not sound.")
        case Finding.BAD_CONSENT:
            return _("not every player signed the table it begins with.")
        case Finding.BAD_CONTINUATION:
            return _("the table at which it went on does not fit what was played before.")
        case Finding.INCOMPLETE_STEP:
            return _("step {k} lacks something it must have.").format(k=verdict.steps)
        case Finding.BAD_END:
            return _("it does not end the way its moves do.")
        case Finding.PROVES_NOTHING:
            return _("it claims a proof that proves nothing.")
        case _:
            why = _("something in it is not true.") if verdict.fault is None else why_text(verdict.fault.code)
            return _("step {k} is false. {why}").format(k=verdict.steps, why=why)


def _how_far(verdict: Verdict) -> str:
    if verdict.terms is None:
        return _("Nothing in it can be relied on.")
    if verdict.steps == 0:
        return _("No step of it holds.")
    return _("It holds up to step {k}.").format(k=verdict.steps - 1)


def _other_engine_text() -> str:
    return _("This game was played with other rules or bots than this version has; use the version it was played with.")


def _caution_text(caution: Caution) -> str:
    match caution:
        case Caution.ONE_SEAT:
            return _("But one seat alone mixed this deck: there was nobody else to have a hand in it.")
        case Caution.ONE_CLIENT:
            return _("But all players sat at one computer, and that alone mixed this deck.")
        case _:
            assert_never(caution)


def _going_lines(verdict: Verdict) -> list[str]:
    """How the game went from table to table, with steps counted through all of them as everywhere in a verdict."""
    lines, k = [], 0
    for going in verdict.goings:
        k += going.k
        lines += _going_texts(verdict, going, k)
    return lines


def _going_texts(verdict: Verdict, going: Going, k: int) -> list[str]:
    """Who came back, who was left, and who signed that."""
    signers = _names(verdict, going.signers)
    found = []
    if going.back:
        text = _("In step {k} {who} came back; {signers} signed that.")
        found.append(text.format(k=k, who=_names(verdict, going.back), signers=signers))
    if going.left:
        text = _("In step {k} {signers} went on without {who}: {why}")
        who, why = _names(verdict, going.left), _going_why(going.why)
        found.append(text.format(k=k, signers=signers, who=who, why=why))
    if not found and going.why == Why.CHAIN_END:
        text = _("After step {k} the cards' secrets were used up; {signers} went on at a new table.")
        found.append(text.format(k=k, signers=signers))
    if not found:
        text = _("In step {k} {signers} went on at a new table with the same seats.")
        found.append(text.format(k=k, signers=signers))
    return found


def _going_why(why: Why) -> str:
    match why:
        case Why.LEFT:
            return _("they say it was left.")
        case Why.UNREACHABLE | Why.SAVE:
            return _("they say it could not be reached.")
        case Why.OWED:
            return _("they say it held back its share of a card.")
        case Why.FAULT:
            return _("they say it cheated; an evidence file would prove that.")
        case Why.RETURN | Why.CHAIN_END:
            return _("they give no reason.")
        case _:
            assert_never(why)


def _players_text(verdict: Verdict) -> str:
    seats = verdict.terms.seats if verdict.terms else ()
    told = [
        _("{who}, a bot").format(who=named(seat.name, seat.colour))
        if seat.kind == SeatKind.BOT
        else _("{who}, whose seat the computer took over").format(who=named(seat.name, seat.colour))
        if seat.kind == SeatKind.STAND_IN
        else named(seat.name, seat.colour)
        for seat in seats
    ]
    return _("Players: {players}.").format(players="; ".join(told))


def _draw_lines(verdict: Verdict) -> list[str]:
    """Who drew what; a star where fair games seldom are."""
    if not any(map(sum, verdict.draws)):
        return []
    head = _("Cards drawn (in brackets the average of fair games; * marks a count that fewer than 1 in 20 show):")
    return [head, *(_seat_draws(verdict, seat) for seat in range(len(verdict.draws)))]


def _seat_draws(verdict: Verdict, seat: int) -> str:
    counts, total = verdict.draws[seat], sum(verdict.draws[seat])
    parts = []
    for card, count, mean in zip(CARDS, counts, map(float, verdict.expected(seat)), strict=True):
        star = "*" if unusual(count, mean, total) else ""
        parts.append(f"{card_text(card)}: {count}{star} ({mean:.1f})")
    cards = n_("{n} card", "{n} cards", total)
    return _("  {who}, {cards}: {parts}.").format(who=_name(verdict, seat), cards=cards, parts=", ".join(parts))


def unusual(count: int, mean: float, total: int) -> bool:
    """Whether 19 of 20 players who draw `total` cards with this mean get another count (normal range, generous)."""
    chance = mean / total if total else 0.0
    return abs(count - mean) > _SPREAD * sqrt(total * chance * (1 - chance)) + 0.5


def _blamed(verdict: Verdict) -> str:
    return "" if verdict.blamed is None else _name(verdict, verdict.blamed)


def _names(verdict: Verdict, seats: tuple[int, ...]) -> str:
    return list_text([_name(verdict, seat) for seat in seats])


def _name(verdict: Verdict, seat: int) -> str:
    if verdict.terms is None:
        return colour_text(seat)
    return name_text(verdict.terms.seats[seat].name)
