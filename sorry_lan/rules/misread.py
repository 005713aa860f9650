"""A notation or setting that cannot be read, as a sentence with places to fill, so that it can be told in any language.

Knows no other language than English; ui/texts_misread.py does.
"""

from __future__ import annotations

from collections.abc import Mapping

from sorry_lan.rules.board import Colour


class Misread(ValueError):  # noqa: N818 - it reads as what happened, like the rest of the project's errors
    """What was typed means nothing here.

    Attributes:
        template: the English sentence with its places in braces. filling: what goes into them.
    """

    def __init__(self, template: str, filling: Mapping[str, str | int | Colour] | None = None) -> None:
        self.template = template
        self.filling = filling or {}
        named = {place: v.label if isinstance(v, Colour) else v for place, v in self.filling.items()}
        super().__init__(template.format(**named))
