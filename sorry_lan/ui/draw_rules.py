"""The page of the rules in force: the profile, what differs from standard, every switch in words."""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.rules.profile import PROFILES, SWITCHES, Rules, differences, switch_text
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.sheet import Line, Typed, draw_sheet, heading, item, padded, paragraphs, prose
from sorry_lan.ui.shown import cells
from sorry_lan.ui.texts_lobby import rules_name_text
from sorry_lan.ui.texts_rules import switch_words

_NAME = 21
_BESIDE = 56
"""The column of the switches, where the window is wide enough."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules of a table; `chooses` tells that this person may change them (the host, in the lobby).

    `selected` is the place of a profile in PROFILES that Enter would take, or None.
    """

    rules: Rules
    chooses: bool = False
    selected: int | None = None
    scroll: int = 0
    typed: Typed | None = None

    def title(self) -> tuple[str, str]:
        """What this is, and the name of the rules."""
        return _("sorry-lan  Rules of this table"), rules_name_text(self.rules)

    def keys_text(self) -> str:
        """How to leave, and what the host can change."""
        if self.chooses:
            return _("Esc back  1-3 choose a profile  Enter take it  / change one rule  PgUp/PgDn scroll")
        return _("Esc back  Up/Down scroll")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """Profiles where they can be chosen, what differs, then every switch."""
        _height, _signs = height, signs
        changed = differences(self.rules, PROFILES["standard"])
        differs = [heading(_("What differs from standard"))] if changed else []
        for switch, _here, _there in changed:
            differs += item("  ", _sentence(self.rules, switch), width, Ink.STRONG)
        if not changed:
            differs = prose(_("These are the standard rules, as printed."), width, Ink.STRONG)
        every = [heading(_("All rules of this table (with the switch that changes them)"))]
        for switch in SWITCHES:
            every += self._switch(switch, width)
        return paragraphs(self._profiles(width), differs, every)

    def _switch(self, switch: str, width: int) -> list[Line]:
        """A rule in words; its switch stands beside it, or below where that is too narrow."""
        setting = f"{switch}={switch_text(self.rules, switch)}"
        told = _sentence(self.rules, switch)
        if _BESIDE + len(setting) <= width and cells(told) + 4 <= _BESIDE:
            return [Line(((Ink.PLAIN, padded(f"  {told}", _BESIDE)), (Ink.DIM, setting)))]
        return [*item("  ", told, width), *prose(setting, width, Ink.DIM, 4)]

    def _profiles(self, width: int) -> list[Line]:
        if not self.chooses:
            return []
        lines = [heading(_("Profiles"))]
        for place, (name, rules) in enumerate(PROFILES.items()):
            here = place == self.selected
            now = _("{name} (now)").format(name=name) if rules == self.rules else name
            mark = ">" if here else " "
            rows = item(
                padded(f"{mark} {place + 1}  {now}", _NAME),
                profile_about(name),
                width,
                Ink.CHOSEN if here else Ink.PLAIN,
                Ink.CHOSEN if here else Ink.STRONG,
            )
            lines += [Line(row.spans, str(place + 1), focus=here) for row in rows]
        return lines


def draw_rules(canvas: Canvas, page: RulesPage, signs: Signs) -> None:
    """The page on the whole canvas."""
    draw_sheet(canvas, page, signs)


def profile_about(name: str) -> str:
    """One sentence about a profile."""
    return {
        "standard": _("three pawns, as printed today"),
        "classic": _("four pawns, the older editions"),
        "2013": _("three pawns, quicker: every forward card starts, no second draw"),
    }[name]


def _sentence(rules: Rules, switch: str) -> str:
    words = switch_words(rules, switch)
    return words[:1].upper() + words[1:] + "."
