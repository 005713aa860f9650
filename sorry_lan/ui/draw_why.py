"""The page that says why a move is not possible: what was asked, what the card can do now, every pawn with its reason.

Judges nothing itself: reasons come from rules/reasons.py, sentences from texts_reasons.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.rules.board import START
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Decline, Move, parse_text, to_action
from sorry_lan.rules.position import Position
from sorry_lan.rules.reasons import reasons
from sorry_lan.table.view import GameView
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import PAWN, Canvas, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.sheet import Line, Typed, draw_sheet, heading, item, paragraphs, prose
from sorry_lan.ui.shown import shown
from sorry_lan.ui.texts import a_card_text, card_text, name_text, pawn_text, whereabouts_text
from sorry_lan.ui.texts_misread import misread_text
from sorry_lan.ui.texts_moves import choice_text
from sorry_lan.ui.texts_reasons import reason_text, rule_of
from sorry_lan.ui.texts_rules import card_about_text, rule_words
from sorry_lan.ui.why_not import why_not

_TYPED_CELLS = 40


@dataclass(frozen=True, slots=True)
class WhyPage:
    """What the page is about.

    Attributes:
        game: for names and rules. position: before the move. card: of the seat on turn; None: not drawn yet.
        choices: the numbered legal moves, as numbered() gives them. asked: what was typed; "": the whole card.
        selected: the place in `choices` that is previewed, or None. typed: the line being typed.
    """

    game: GameView
    position: Position
    card: Card | None
    choices: tuple[Move, ...] = ()
    asked: str = ""
    selected: int | None = None
    typed: Typed | None = None
    scroll: int = 0

    def title(self) -> tuple[str, str]:
        """The question, and whose card it is."""
        who = name_text(self.game.seats[self.position.turn].name)
        if self.card is None:
            return _("sorry-lan  Why not?"), who
        return _("sorry-lan  Why not?"), _("card {card}, {name}").format(card=card_text(self.card), name=who)

    def keys_text(self) -> str:
        """What can be done from here."""
        if not self.choices:
            return _("Esc back to the game  Up/Down scroll")
        return _("Esc back to the game  1-9 pick  Enter play  Up/Down choose")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """The answer first, then what is possible, then the other pawns and the rules in words."""
        _height, _signs = height, signs
        if self.card is None:
            return tuple(prose(_("Draw a card first: what can be moved depends on it."), width))
        card = self.card
        whys = reasons(self.position, self.game.rules, card)
        named = sorted({rule_of(why.code) for why in whys}, key=lambda rule: int(rule[1:]))
        told = [line for rule in named for line in item(f"{rule:<5}", rule_words(rule, self.game.rules), width)]
        return paragraphs(
            self._answer(width, card),
            self._possible(width, card),
            self._pawns(width, card),
            prose(self._duty(card), width),
            [heading(_("The rules behind it")), *told] if told else [],
        )

    def _answer(self, width: int, card: Card) -> list[Line]:
        if not self.asked:
            about = card_about_text(card, self.game.rules)
            return item(_("Card {card}: ").format(card=card_text(card)), about + ".", width, Ink.PLAIN, Ink.STRONG)
        asked = item(_("You asked: "), shown(self.asked, _TYPED_CELLS), width, Ink.STRONG, Ink.DIM)
        return [*asked, *prose(against_text(self.asked, self), width, Ink.BAD, 2)]

    def _possible(self, width: int, card: Card) -> list[Line]:
        if not self.choices:
            return []
        lines = [heading(_("What {card} can do now").format(card=a_card_text(card)))]
        digits = len(str(len(self.choices)))
        for place, move in enumerate(self.choices):
            here = place == self.selected
            label = f"{'>' if here else ' '} {place + 1:>{digits}}  "
            rows = item(label, choice_text(move, self.position, self.game.rules, card), width, _ink(here), _ink(here))
            lines += [Line(row.spans, str(place + 1) if place < 9 else None, focus=here) for row in rows]
        return lines

    def _pawns(self, width: int, card: Card) -> list[Line]:
        seat = self.position.turn
        whys = {why.pawn: why for why in reasons(self.position, self.game.rules, card)}
        lines = [heading(_("Pawn by pawn"))]
        for pawn, loc in enumerate(self.position.pawns[seat], 1):
            name = pawn_text(self.position, seat, pawn)
            if pawn in whys:
                text = reason_text(whys[pawn], self.position, self.game.rules, card)
            else:
                where = name if loc == START else whereabouts_text(self.position, seat, pawn)
                text = _("{pawn} can move.").format(pawn=where)
            rows = prose(text, width, Ink.PLAIN if pawn in whys else Ink.DIM, 2)
            lines += [_painted(rows[0], name, PAWN[self.position.colours[seat]]), *rows[1:]]
        return lines

    def _duty(self, card: Card) -> str:
        if any(isinstance(move, Decline) for move in self.choices):
            return _("You may leave {card} unused.").format(card=a_card_text(card))
        if self.choices:
            return _("There is a legal move, so you cannot pass.")
        return _("No pawn can use {card}, so it has no effect.").format(card=a_card_text(card))


def draw_why(canvas: Canvas, page: WhyPage, signs: Signs) -> None:
    """The page on the whole canvas."""
    draw_sheet(canvas, page, signs)


def against_text(asked: str, page: WhyPage) -> str:
    """Why what was typed is no legal move now; a sentence that says so where it is one."""
    if page.card is None:
        return _("Draw a card first: what can be moved depends on it.")
    try:
        move = parse_text(asked, page.position, page.card)
    except ValueError as wrong:
        return misread_text(wrong)
    reason = why_not(page.position, page.game.rules, page.card, move)
    if any(to_action(move) == to_action(choice) for choice in page.choices):
        return _("That is possible now.")
    if reason is not None:
        return reason_text(reason, page.position, page.game.rules, page.card)
    return _("The rules do not allow that with {card}.").format(card=a_card_text(page.card))


def _painted(line: Line, pawn: str, ink: Ink) -> Line:
    """The line with the pawn's name at its beginning in the pawn's colour, where the language puts it there."""
    margin, (told, text) = line.spans
    if not text.startswith(pawn):
        return line
    return Line((margin, (ink, pawn), (told, text[len(pawn) :])))


def _ink(here: bool) -> Ink:  # noqa: FBT001 - a fact, no switch
    return Ink.CHOSEN if here else Ink.PLAIN
