"""What happened, told in sentences for the log of the screen, and what was said, with who said it.

The card and what was done with it share a line; the words of people who are muted are not read out.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from sorry_lan.rules.moves import Decline
from sorry_lan.table.news import (
    CardDrawn,
    GoneOnWithoutUs,
    News,
    OfferedToGoOn,
    Played,
    PresenceChanged,
    Refused,
    Said,
    TableClosed,
)
from sorry_lan.table.view import Phase, Presence, View
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import card_text, seat_text
from sorry_lan.ui.texts_moves import played_lines
from sorry_lan.ui.texts_news import news_lines
from sorry_lan.ui.texts_screen import left_out_text, why_nothing_text

LONGEST: Final = 400
"""Lines that are kept."""

Speaker = tuple[str, int | None]
"""Name and colour."""


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence: of step `k`, of the seat with `colour`, said by `speaker`, where there are such."""

    text: str
    k: int | None = None
    colour: int | None = None
    speaker: Speaker | None = None


class Log:
    """The latest sentences, oldest first."""

    __slots__ = ("_refused", "_told", "last_speaker", "muted")

    def __init__(self) -> None:
        self._told: deque[Told] = deque(maxlen=LONGEST)
        self._refused: object = None
        self.muted: set[Speaker] = set()
        self.last_speaker: Speaker | None = None
        """Whom a single key mutes."""

    def add(self, text: str) -> None:
        """A sentence of ours."""
        self._told.append(Told(text))

    def hear(self, item: News, view: View) -> None:
        """The sentences of a piece of news."""
        match item:
            case CardDrawn(k, seat, card) if view.game is not None:
                if item.reshuffled:
                    self._told.append(Told(_("The pile was empty, so all cards were shuffled again."), k))
                drew = _("{who} drew {card}.").format(who=seat_text(view.game, seat), card=card_text(card))
                self._told.append(Told(drew, k, view.game.seats[seat].colour))
            case Played() if view.game is not None:
                self._played(item, view)
            case Said(name, colour):
                (text,) = news_lines(item, view)
                speaker = (name, colour)
                if speaker not in self.muted:
                    self.last_speaker = speaker
                    self._told.append(Told(text, None, colour, speaker))
            case PresenceChanged(presence=Presence.RECONNECTING) if view.phase is Phase.RESUMING:
                pass  # nobody was there to be lost: the line about the saved game says that all are awaited
            case GoneOnWithoutUs():
                self.add(left_out_text())
            case OfferedToGoOn():
                self._told += map(Told, news_lines(item, view)[:1])  # the panel asks, and says which keys answer
            case TableClosed(code) if code is self._refused:
                self.add(_("You are not at the table."))
            case _:
                self._refused = item.code if isinstance(item, Refused) else self._refused
                self._told += map(Told, news_lines(item, view))

    def mute(self, speaker: Speaker) -> None:
        """Hide what this person said, and says from now on."""
        self.muted.add(speaker)

    def unmute(self, speaker: Speaker) -> None:
        """Hear this person again; what was said meanwhile is lost, what was said before is back."""
        self.muted.discard(speaker)

    def lines(self) -> tuple[Told, ...]:
        """All of it but the words of muted people."""
        return tuple(told for told in self._told if told.speaker not in self.muted)

    def talk(self) -> tuple[Told, ...]:
        """What was said."""
        return tuple(told for told in self.lines() if told.speaker is not None)

    def _played(self, item: Played, view: View) -> None:
        game = view.game
        if game is None:
            return
        first, *rest = played_lines(item, game)
        colour = game.seats[item.seat].colour
        drawn = self._told and self._told[-1].k == item.k and self._told[-1].colour is not None
        if isinstance(item.move, Decline):
            text = first
        else:
            who = seat_text(game, item.seat)
            text = _("{who} drew {card}: {told}").format(who=who, card=card_text(item.card), told=first)
        if drawn:
            self._told.pop()
        why = why_nothing_text(item, game)
        self._told.append(Told(" ".join([text, *rest, *([f"({why})"] if why else [])]), item.k, colour))
