"""The one catalogue of everything this program says: English now, any gettext catalogue later.

Every sentence passes through `_` (or `n_` where a number decides between one and many). Holds no sentence itself.
"""

from __future__ import annotations

import gettext

_current: list[gettext.NullTranslations] = [gettext.NullTranslations()]


def use(translations: gettext.NullTranslations) -> None:
    """From now on sentences come from these translations; NullTranslations is English."""
    _current[0] = translations


def _(text: str) -> str:
    """The sentence in the language in use."""
    return _current[0].gettext(text)


def n_(one: str, many: str, number: int) -> str:
    """The sentence for one or for many in the language in use, its `{n}` filled in; other places stay open."""
    return _current[0].ngettext(one, many, number).replace("{n}", str(number))
