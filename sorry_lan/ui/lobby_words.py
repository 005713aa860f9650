"""The typed commands of a lobby: ready, name, colour, age, bot, close, open, kick, rules, rule.

Turns words into happenings; whether the table agrees is the table's business.
"""

from __future__ import annotations

from typing import Final

from sorry_lan.bots.levels import LEVELS
from sorry_lan.rules.board import Colour, parse_colour
from sorry_lan.rules.profile import PROFILES, Rules, with_switch
from sorry_lan.table.events import BotSeated, Ready, RulesChosen, SeatChanged, SeatClosed, SeatOpened
from sorry_lan.table.view import LobbyView
from sorry_lan.ui.answers import Answer, does, told
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.numbers import number_of
from sorry_lan.ui.own_words import fit_name
from sorry_lan.ui.texts import list_text
from sorry_lan.ui.texts_lobby import rules_name_text
from sorry_lan.ui.texts_misread import misread_text
from sorry_lan.wire.limits import MAX_NAME

HOST_WORDS: Final = frozenset({"bot", "close", "open", "kick", "rule"})
WORDS: Final = HOST_WORDS | {"ready", "unready", "name", "colour", "color", "age", "rules"}
_OLDEST: Final = 255


def lobby_command(word: str, rest: str, lobby: LobbyView) -> Answer:
    """What one lobby command does; `word` is one of WORDS, `rest` what stood behind it."""
    people = tuple(seat.person for seat in lobby.seats if seat.person is not None)
    if not lobby.hosting and (word in HOST_WORDS or (word == "rules" and rest)):
        return told(_("Only the host can do that."))
    match word:
        case "ready" | "unready":
            ready = Ready.YES if word == "ready" else Ready.NO
            return does(*(SeatChanged(person, ready=ready) for person in people))
        case "name" | "colour" | "color" | "age":
            return _own_seat(word, rest, people)
        case "rules" | "rule":
            return _rules(word, rest, lobby.rules)
        case _:
            return _seat(word, rest)


def _own_seat(word: str, rest: str, people: tuple[int, ...]) -> Answer:
    """A change of an own seat; with several people here the first word is the person's number, from 1."""
    if not people:
        return told(_("You have no seat yet."))
    person = people[0]
    if len(people) > 1:
        number, _space, rest = rest.partition(" ")
        if number not in {str(p + 1) for p in people}:
            return told(
                _("Several people sit here. Put the person's number first, as in: {word} 2 {example}").format(
                    word=word, example={"name": "Bob", "age": "9"}.get(word, "blue")
                )
            )
        person = int(number) - 1
    rest = rest.strip()
    match word:
        case "name":
            name = fit_name(rest)
            return told(_NAME()) if name is None else does(SeatChanged(person, name=name))
        case "age":
            age = number_of(rest)
            if age is None or age > _OLDEST:
                return told(_("An age is a number of years, as in: age 9"))
            return does(SeatChanged(person, age=age))
        case _:
            colour = _colour(rest)
            return told(_COLOURS()) if colour is None else does(SeatChanged(person, colour=colour))


def _NAME() -> str:  # noqa: N802 - a constant sentence, made when it is said so that the language can change
    return _("A name has 1 to {n} bytes of visible signs, as in: name Ada").format(n=MAX_NAME)


def _COLOURS() -> str:  # noqa: N802 - as above
    return _("The colours are {colours}.").format(colours=list_text([colour.label for colour in Colour]))


def _colour(text: str) -> int | None:
    try:
        return int(parse_colour(text.lower()))
    except ValueError:
        return None


def _seat(word: str, rest: str) -> Answer:
    """bot, close, open, kick: each may name a colour, and a bot its level."""
    words = rest.lower().split()
    level = 0
    if word == "bot" and words and words[-1] in LEVELS:
        level = LEVELS.index(words.pop())
    colour = _colour(words[0]) if words else None
    if len(words) > 1 or (words and colour is None) or (word == "kick" and colour is None):
        return told(_COLOURS() if word != "kick" else _("Say whose seat: kick and its colour. ") + _COLOURS())
    match word:
        case "bot":
            return does(BotSeated(colour, level))
        case "close":
            return does(SeatClosed(colour))
        case _:
            return does(SeatOpened(colour))


def _rules(word: str, rest: str, rules: Rules) -> Answer:
    if not rest:
        return told(
            _("Rules: {rules}. All of them: sorry-lan rules").format(rules=rules_name_text(rules))
            if word == "rules"
            else _("Write a switch and its value, as in: rule slide_on=any")
        )
    if word == "rule":
        try:
            return does(RulesChosen(with_switch(rules, rest)))
        except ValueError as wrong:
            return told(misread_text(wrong))
    name = rest.strip().lower()
    if name not in PROFILES:
        return told(_("The profiles are {names}.").format(names=list_text(list(PROFILES))))
    return does(RulesChosen(PROFILES[name]))
