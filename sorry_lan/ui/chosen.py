"""What somebody says about where a table is, once it is understood. Who understands it is cli/find.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sorry_lan.table.notices import CodeUse


@dataclass(frozen=True, slots=True)
class Chosen:
    """Where to go: an address (None: wherever the code is taken), the code if one was typed, and whether one is due.

    `watch`: only to watch.
    """

    address: str | None
    code: str | None
    needs: CodeUse
    watch: bool = False


class NotUnderstood(Exception):  # noqa: N818 - says what is the case
    """What was typed says nowhere; the text is one sentence with the right spelling."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How what is typed is understood; both raise NotUnderstood.

    `where` takes an address, a code or both; `code` takes the words of a code and gives them back in one form.
    """

    where: Callable[[str], Chosen]
    code: Callable[[str], str]
