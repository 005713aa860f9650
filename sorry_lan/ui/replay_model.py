"""A kept game as a row of moments, for every face that replays one: text, JSON lines and the full screen.

Pure, and never changes. What a file is worth is fair/verify.py's; this shows what holds of it, and no more.
"""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.fair import genesis
from sorry_lan.fair.step import Applied, Standing
from sorry_lan.fair.verify import Examined, Outcome, Stretch, Verdict
from sorry_lan.faults import Err, LocalMisuse
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import choices, effects
from sorry_lan.rules.moves import Decline, Move
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules
from sorry_lan.table.news import (
    CardDrawn,
    Confirmed,
    FaultProven,
    GameStarted,
    GoneOn,
    LotCast,
    News,
    Played,
    Won,
)
from sorry_lan.table.view import FirstBy, GameView, Phase, Presence, SeatView, View
from sorry_lan.ui.numbers import number_of
from sorry_lan.wire.terms import Option, SeatKind, TermsSeat


@dataclass(frozen=True, slots=True)
class Shot:
    """One moment as a table would have shown it: the picture after step `number`, and what that step brought."""

    number: int
    phase: Phase
    game: GameView
    news: tuple[News, ...]

    @property
    def view(self) -> View:
        """The picture."""
        return View(self.phase, None, self.game, ())


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of a file: who played which card how, and what stands afterwards; no card in the first of a table.

    Attributes:
        k: the step as its table counts it. shares: how many shares were opened up to here.
        turn_number: as GameView's. before: the position before the step.
        ways: how the game came to this table, where this is its first moment: each table since the last moment, with
            those that no step was counted at.
    """

    stretch: Stretch
    k: int
    applied: Applied
    before: Position
    shares: int
    turn_number: int
    ways: tuple[GoneOn, ...]

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return genesis.rules_of(self.stretch.terms)

    def played(self) -> tuple[int, Card, Move] | None:
        """Seat, card and move."""
        done = self.applied
        if done.seat is None or done.card is None or done.move is None:
            return None
        return done.seat, done.card, done.move


@dataclass(frozen=True, slots=True)
class Timeline:
    """Every step of a file that holds, numbered from 0 through all its tables as `verify` counts them.

    Attributes:
        title: what to call the game; the file has no title. verdict: the verdict on the file.
        moments: at least one. open_k: the step behind them, as the last table counts it.
    """

    title: str
    verdict: Verdict
    moments: tuple[Moment, ...]
    open_k: int

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self.moments) - 1

    def nearest(self, number: int) -> int:
        """The number of the moment that is nearest to `number`."""
        return min(max(number, 0), self.last)

    def at(self, number: int) -> Shot:
        """The moment `number` with its news; LocalMisuse where there is none."""
        if not 0 <= number <= self.last:
            raise LocalMisuse(f"no moment {number} of {self.last}")
        moment = self.moments[number]
        news = (*self._opening(number, moment), *_step_news(moment), *(self._closing() if number == self.last else ()))
        return Shot(number, self._phase(number, moment), self._game(moment), news)

    def next(self, number: int) -> int:
        """The moment after `number`, or the last one."""
        return self.nearest(number + 1)

    def previous(self, number: int) -> int:
        """The moment before `number`, or the first one."""
        return self.nearest(number - 1)

    def jump(self, text: str) -> int | None:
        """The moment that typed digits name, the last one where there are fewer; None for anything else."""
        number = number_of(text)
        return None if number is None else self.nearest(number)

    def _phase(self, number: int, moment: Moment) -> Phase:
        if moment.applied.position.winner is not None:
            return Phase.OVER
        if number == self.last and self.verdict.blamed is not None:
            return Phase.FROZEN
        return Phase.ACKS if moment.applied.seat is not None else Phase.LOT

    def _game(self, moment: Moment) -> GameView:
        stretch, done = moment.stretch, moment.applied
        over = done.position.winner is not None
        return GameView(
            game_id=stretch.game_id,
            title=self.title,
            rules=moment.rules,
            options=Option(stretch.terms.options),
            seats=tuple(_seat(index, line) for index, line in enumerate(stretch.terms.seats)),
            k=moment.k,
            turn_number=moment.turn_number,
            position=done.position,
            pile=done.pile,
            card=done.card,
            words=stretch.words,
            first=stretch.first,
            first_by=_first_by(stretch),
            winner=done.position.winner,
            unconfirmed=self.verdict.unconfirmed if over else (),
            shares_checked=moment.shares,
        )

    def _opening(self, number: int, moment: Moment) -> tuple[News, ...]:
        """What is told where a table begins."""
        if moment.k:
            return ()
        stretch = moment.stretch
        if stretch.words is None or stretch.first is None:
            raise LocalMisuse("a step without the lot before it")
        lot = LotCast(stretch.words, stretch.first, _first_by(stretch))
        if number == 0:
            return (GameStarted(stretch.game_id), lot)
        return (*moment.ways, lot)

    def _closing(self) -> tuple[News, ...]:
        """What is told behind the last step; that a game was saved is the verdict's to say."""
        verdict = self.verdict
        if verdict.blamed is not None:
            return (FaultProven(verdict.blamed, Err.ILLEGAL_ACTION, self.open_k),)
        whole = verdict.outcome in (Outcome.HOLDS, Outcome.UNCONFIRMED)
        return (Confirmed(verdict.unconfirmed),) if whole and verdict.winner is not None else ()


def timeline_of(examined: Examined, title: str) -> Timeline | None:
    """The moments of an examined file; None where not a single step of it holds."""
    if not examined.stretches:
        return None
    moments: list[Moment] = []
    ways: tuple[GoneOn, ...] = ()
    shares, turn = 0, 1
    for stretch, going in zip(examined.stretches, (None, *examined.verdict.goings), strict=True):
        standing: Standing = stretch.start
        if going is not None:
            ways = (*ways, GoneOn(stretch.game_id, going.left, going.back, going.why))
        for k, done in enumerate(stretch.steps):
            shares += len(genesis.humans(stretch.terms))
            moments.append(Moment(stretch, k, done, standing.position, shares, turn, ways))
            ways = ()
            turn += done.seat is not None and done.position.turn != done.seat
            standing = done.after
    if not moments:
        return None
    return Timeline(title, examined.verdict, tuple(moments), len(examined.stretches[-1].steps))


def _step_news(moment: Moment) -> tuple[News, ...]:
    """The card and what became of it."""
    played = moment.played()
    if played is None:
        return ()
    seat, card, move = played
    done, before, rules = moment.applied, moment.before, moment.rules
    shares = genesis.humans(moment.stretch.terms)
    forced = choices(before, rules, card) == (Decline(),)
    happened = effects(before, rules, card, move)
    told: list[News] = [
        CardDrawn(moment.k, seat, card, shares, sum(done.pile), done.reshuffled),
        Played(moment.k, seat, card, move, happened, before, done.position, forced),
    ]
    if done.position.winner is not None:
        told.append(Won(done.position.winner, moment.k))
    return tuple(told)


def _first_by(stretch: Stretch) -> FirstBy:
    if stretch.terms.parent is not None:
        return FirstBy.PARENT
    return FirstBy.LOT if stretch.terms.first is None else FirstBy.AGE


def _seat(index: int, line: TermsSeat) -> SeatView:
    """A seat of nobody here."""
    kind = SeatKind(line.kind)
    presence = Presence.LINKED if kind is SeatKind.HUMAN else Presence.BOT
    return SeatView(index, kind, line.colour, line.name, line.level, line.pk, None, presence, None, owes=False)
