"""Which language people read: chosen by flag or environment, loaded from the catalogues in sorry_lan/locale.

English needs no file. A language that is not there is English; nothing here fails.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sorry_lan.ui.catalogue import use

FOLDER: Final = Path(__file__).parents[1] / "locale"
ENGLISH: Final = "en"
_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""In the order in which gettext asks them; the first that says anything decides."""
_SPELT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
"""How letters are written where there are none but those of ASCII."""


class AsciiTranslations(gettext.NullTranslations):
    """Another language in ASCII letters."""

    def __init__(self, real: gettext.NullTranslations) -> None:
        super().__init__()
        self._real = real

    def gettext(self, message: str) -> str:
        """The translation, spelt so."""
        return self._real.gettext(message).translate(_SPELT)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The translation of the form for `n`, spelt so."""
        return self._real.ngettext(msgid1, msgid2, n).translate(_SPELT)


def languages() -> tuple[str, ...]:
    """Every language there is, by its two letters, English first."""
    return (ENGLISH, *sorted(path.stem for path in FOLDER.glob("*.mo")))


def wanted(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The languages that the environment asks for, best first, by their two letters."""
    chosen = next(filter(None, (environment.get(name, "") for name in _VARIABLES)), "")
    return tuple(locale[:2].lower() for locale in chosen.split(":") if locale not in {"", "C", "POSIX"})


def speak(language: str, encoding: str) -> None:
    """From now on texts are in this language, in signs that `encoding` has; English where there is no such language."""
    try:
        with (FOLDER / f"{language}.mo").open("rb") as file:
            found: gettext.NullTranslations = gettext.GNUTranslations(file)
    except OSError:
        use(gettext.NullTranslations())
        return
    try:
        "".join(map(chr, _SPELT)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        found = AsciiTranslations(found)
    use(found)


def speak_as(environment: Mapping[str, str], encoding: str) -> None:
    """The first language of the environment that there is."""
    known = languages()
    speak(next((language for language in wanted(environment) if language in known), ENGLISH), encoding)
