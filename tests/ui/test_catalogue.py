"""The catalogue: every sentence goes through it, German lacks none, and what is compiled is what is written."""

from __future__ import annotations

import gettext
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sorry_lan.arena.match import NOBODY, Entrant, Match, Result
from sorry_lan.arena.scores import Confidence, no_scores, scores_of
from sorry_lan.cli import games, rules, stats
from sorry_lan.cli.arena_words import lost_text, progress_text, scores_lines
from sorry_lan.cli.arguments import COMMANDS
from sorry_lan.cli.help import command_help, program_help
from sorry_lan.fair.counts import Totals
from sorry_lan.fair.replay import Finding
from sorry_lan.faults import Err
from sorry_lan.rules.board import HOME, START, Colour, safe, track
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.profile import PROFILES, SWITCHES, with_switch
from sorry_lan.rules.reasons import ReasonCode
from sorry_lan.store.games import GameState, KeptGame
from sorry_lan.store.statistics import Counted, Skipped
from sorry_lan.table.phrases import PHRASES
from sorry_lan.table.view import Presence
from sorry_lan.ui.catalogue import use
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.languages import speak
from sorry_lan.ui.replay_plain import ReplaySession, whole_game
from sorry_lan.ui.replay_screen import ReplayScreen
from sorry_lan.ui.taste import Taste
from sorry_lan.ui.texts import level_text
from sorry_lan.ui.texts_errors import advice_text, why_text
from sorry_lan.ui.texts_lobby import presence_word
from sorry_lan.ui.texts_news import news_lines
from sorry_lan.ui.texts_notices import notice_lines
from sorry_lan.ui.texts_phrases import said_text
from sorry_lan.ui.texts_reasons import reason_text
from sorry_lan.ui.texts_verify import verdict_lines
from sorry_lan.wire.words import WORDS
from tests.ui.build import draw
from tests.ui.desk import Desk, asked
from tests.ui.every_news import GAME, NEWS, NOTICES
from tests.ui.test_draw_pages import Pseudo
from tests.ui.test_plain_golden import whole_game as plain_game
from tests.ui.test_replay_plain import line
from tests.ui.test_texts_reasons import FOUND
from tests.ui.test_texts_verify import made
from tools.catalogue import LOCALE, POT, Entry, Text, compiled, extracted, parse, rendered, texts_of, translations

GERMAN = LOCALE / "de.po"
TOTALS = Totals("Ada", 2, 1, 1, 0.5, (1,) * 11, (1.0,) * 11, 3, 1)  # type: ignore[arg-type]  # any number will do


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use(gettext.NullTranslations())


# -- everything said goes through the catalogue -------------------------------------------------------------------


def _screens() -> Iterator[str]:
    """The game screen in many moments, at every size."""
    desks = [
        Desk().show(draw(GAME)),
        *(asked(card, ([track(22), START, safe(2)], [track(32), START, START])) for card in CARDS),
    ]
    for desk in desks:
        for size in ((120, 40), (80, 24), (60, 20), (40, 12)):
            desk.size = size
            yield desk.text()
    for keys in ("1", "?", "f", "d", "h", "t", "/", "y", "n", "m", "x", "H", "9", "zz"):
        desk = asked(Card.TEN, ([track(22), START, safe(2)], [track(32), START, START]))
        desk.press(*keys)
        yield desk.text()
    desk = asked(Card.TEN, ([track(22), START, HOME], [track(32), START, START]))
    desk.press(Key.INTERRUPT)
    yield desk.text()
    for item, picture in NEWS:
        yield Desk().show(picture, item).text()
    kept = ReplayScreen(line(), Taste())
    for key in (Key.RIGHT, "5", Key.END, "f", "d", "?"):
        kept.typed(key, 1.0)
        yield kept.draw(120, 40, 100.0).picture.text()


def _lines_of_plain() -> Iterator[str]:
    yield from (text for text in plain_game() if not text.startswith(">"))


def _lines_of_news() -> Iterator[str]:
    for item, picture in NEWS:
        yield from news_lines(item, picture)
    for notice in NOTICES:
        yield from notice_lines(notice)


def _lines_of_rules() -> Iterator[str]:
    for reason, position, table_rules, card in FOUND.values():
        yield reason_text(reason, position, table_rules, card)
    for switch in SWITCHES:
        yield rules.meaning_text(switch)
    yield rules._overview().split("\n")[0]
    yield from (rules._profile(name).split("\n")[-2] for name in PROFILES)


def _lines_of_files() -> Iterator[str]:
    for finding in Finding:
        yield from verdict_lines(made(finding))
    yield from whole_game(line())
    session = ReplaySession(line())
    yield from session.greeting()
    for typed in ("p", "3", "b", "d", "v", "h", "x1", "a", "", "q"):
        yield from session.typed(typed).lines
    for state in GameState:
        yield games.game_text(KeptGame(bytes(32), LOCALE, 0, state, None))
    skipped = tuple(Skipped(LOCALE / "a.sorry", finding) for finding in Finding)
    yield from stats.statistics_lines(Counted((), skipped), (TOTALS,))


def _lines_of_help() -> Iterator[str]:
    yield from program_help().split("\n")
    for name in COMMANDS:
        yield from command_help(name).split("\n")


def _lines_of_arena() -> Iterator[str]:
    yield from (progress_text(1, 2, 3.0), lost_text())
    for chosen, undecided in ((PROFILES["classic"], 1), (with_switch(PROFILES["standard"], "pawns=2"), 2)):
        match = Match((Entrant("random", None), Entrant("easy", 0)), chosen, (Colour.RED, Colour.BLUE), 1)
        yield from scores_lines(match, no_scores(match), Confidence.STRICT, 130)
        played = scores_of(match, (Result(0, 9), Result(NOBODY, 9)))
        yield from scores_lines(match, replace(played, undecided=undecided), Confidence.STRICT, 0)


def _words() -> Iterator[str]:
    yield from (presence_word(presence) for presence in Presence)
    yield from (level_text(level) for level in range(4))
    yield from map(said_text, PHRASES)
    for code in Err:
        yield from (why_text(code), advice_text(code))


_DATA = re.compile(
    r"sorry-lan|--\S+|/\S+|\S+\.(?:sorry|bin|journal)\S*|\S+=\S+|'[^']*'"  # commands, flags, files, settings, quotes
    r"|192\.0\.2\.\d+\S*|fe80\S*|no space left|Hello Bob|not my pawn please|Ada's table"
    r"|Sorry!|SORRY!|\b(?:Friday|Ada|Bob|Chloe|Robo|Eve|hello|table|standard|classic|start_cards|sorry|pass"
    r"|red|blue|yellow|green|[rRbByYgG][1-4]|host|join|play|demo|resume|games|verify|replay|moves|rules"
    r"|list|doctor|config|completion|man|arena|random|easy|bash|zsh|fish)\b"
    r"|\b(?:" + "|".join(WORDS) + r")\b"
)
"""What is the same in every language: names, words of commands, notation, files."""


def left_english(lines: Iterable[str]) -> list[str]:
    """Words in plain letters that are no data."""
    return [found for text in lines for found in re.findall(r"[A-Za-z]{3,}", _DATA.sub(" ", text))]


SOURCES: dict[str, Callable[[], Iterable[str]]] = {
    "plain mode": _lines_of_plain,
    "news and notices": _lines_of_news,
    "rules and reasons": _lines_of_rules,
    "files": _lines_of_files,
    "help": _lines_of_help,
    "arena": _lines_of_arena,
    "words": _words,
    "screens": _screens,
}


@pytest.mark.parametrize("source", SOURCES)
def test_in_another_language_no_word_of_english_is_left(source: str) -> None:
    use(Pseudo())
    assert left_english(SOURCES[source]()) == []


@pytest.mark.parametrize("source", SOURCES)
def test_in_german_no_place_is_left_open(source: str) -> None:
    speak("de", "utf-8")
    assert [text for text in SOURCES[source]() if re.search(r"\{\w*\}", text)] == []


# -- German -------------------------------------------------------------------------------------------------------


def entries() -> dict[Text, Entry]:
    return parse(GERMAN.read_text(encoding="utf-8"))


def places(text: str) -> Counter[str]:
    return Counter(place for _, place, _, _ in string.Formatter().parse(text) if place is not None)


def test_german_lacks_no_text_and_has_none_that_is_gone() -> None:
    known = {text for text, entry in entries().items() if entry.done}
    wanted = set(extracted())
    assert (wanted - known, known - wanted - {Text("")}) == (set(), set()), "python -m tools.catalogue update, compile"


def test_what_is_extracted_and_compiled_is_up_to_date() -> None:
    fresh = rendered(Entry(text, files) for text, files in extracted().items())
    assert POT.read_text(encoding="utf-8") == fresh, "python -m tools.catalogue update"
    assert translations() == [GERMAN]
    assert GERMAN.with_suffix(".mo").read_bytes() == compiled(entries().values()), "python -m tools.catalogue compile"


def test_every_translation_has_the_places_and_the_edges_of_its_text() -> None:
    for text, entry in entries().items():
        for source, translated in zip((text.one, text.many or text.one), entry.translated, strict=False):
            if not text.one:
                continue
            assert places(translated) == places(source), translated
            assert translated.startswith(" ") == source.startswith(" "), translated
            assert translated.endswith(" ") == source.endswith(" "), translated
            assert ("\n" in translated) == ("\n" in source), translated
            assert translated.strip()
            ends = source[-1] in ".!?"
            assert not ends or translated[-1] in ".!?", translated


def test_words_that_are_typed_are_the_same_in_german() -> None:
    typed = re.compile(rf"sorry-lan (?:{'|'.join(COMMANDS)})\b|--[a-z-]+")
    for text, entry in entries().items():
        for source, translated in zip((text.one, text.many or text.one), entry.translated, strict=False):
            assert set(typed.findall(source)) <= set(typed.findall(translated)), translated


_QR = frozenset("\u2588\u2580\u2584 ")
"""What a QR code is drawn with; where only ASCII may be shown it is drawn otherwise (qr.py)."""


def test_german_uses_letters_that_every_ascii_output_can_spell() -> None:
    speak("de", "ascii")
    for source in ("words", "news and notices", "rules and reasons"):
        assert [text for text in SOURCES[source]() if not text.isascii() and not set(text) <= _QR] == []


@pytest.mark.parametrize("code", ReasonCode)
def test_every_reason_has_its_german_sentence(code: ReasonCode) -> None:
    english = reason_text(*FOUND[code])
    speak("de", "utf-8")
    german = reason_text(*FOUND[code])
    assert german != english
    assert re.fullmatch(rf"R{FOUND[code][0].pawn} .*\(Regel R\d+\)\.", german)


@pytest.mark.parametrize("code", Err)
def test_every_error_has_its_german_sentences(code: Err) -> None:
    english = (why_text(code), advice_text(code))
    speak("de", "utf-8")
    assert not {why_text(code), advice_text(code)} & set(english)


def test_the_german_of_a_whole_game_is_read_as_it_was_written() -> None:
    speak("de", "utf-8")
    told = plain_game()
    for sentence in (
        "Ada (Rot), du bist an der Reihe. Drück Enter, um eine Karte zu ziehen.",
        "R1 rückt von 22 auf 32 und schickt B1 zurück auf den Start. Sorry!",
        "R1 rückt von Schutzfeld 2 ins Ziel.",
        "Bob (Blau) kann eine 4 nicht nutzen.",
        "Ada (Rot) hat alle Figuren im Ziel und gewinnt!",
    ):
        assert sentence in told


# -- the tool -----------------------------------------------------------------------------------------------------


def test_a_po_file_is_read_as_it_was_written() -> None:
    odd = [
        Entry(Text('"quoted" \\ and\nbroken {n}'), ("a.py", "b.py"), ("„so“",)),
        Entry(Text("{n} one", "{n} many"), ("a.py",), ("eins", "viele")),
        Entry(Text("not yet"), (), ("",)),
    ]
    read = parse(rendered(odd))
    assert [read[entry.text] for entry in odd] == odd
    assert [entry.done for entry in read.values() if entry.text.one] == [True, True, False]


def test_what_is_compiled_is_what_gettext_reads(tmp_path: Path) -> None:
    data = compiled(
        [Entry(Text("a"), (), ("ä",)), Entry(Text("{n} b", "{n} c"), (), ("x", "y")), Entry(Text("d"), (), ("",))]
    )
    path = tmp_path / "x.mo"
    path.write_bytes(data)
    with path.open("rb") as file:
        found = gettext.GNUTranslations(file)
    assert [found.gettext(text) for text in ("a", "d", "e")] == ["ä", "d", "e"]
    assert [found.ngettext("{n} b", "{n} c", n) for n in (0, 1, 2)] == ["y", "x", "y"]


def test_a_text_that_is_put_together_while_the_program_runs_is_refused() -> None:
    assert set(texts_of('_("a"); n_("b", "c", 2); other("d")', "x.py")) == {Text("a"), Text("b", "c")}
    for source in ('_(f"a{b}")', "_(a)", 'n_("a", b, 1)', '_("a" + b)'):
        with pytest.raises(ValueError, match=r"x\.py:1"):
            list(texts_of(source, "x.py"))
