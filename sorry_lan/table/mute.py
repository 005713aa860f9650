"""The silence after a restart: nothing is signed before every other human client said what we had signed ([S-7]).

Remembers who has answered and what they hold of ours; asking and hearing are mine.py's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sorry_lan.fair.entry import decode_body
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Signed

_CHALLENGES: Final = 64
"""How many of our questions an answer may still be for; a new one is asked every second."""
_LATER: Final = 96
"""Entries of ours that wait for their step: at most 24 from each of three others."""


_PASSED: Final = 2 * limits.ENTRY_BUCKET
"""Marks of one seat that are remembered: more than a link can bring at once, so that none goes round for ever."""


class Passed:
    """What was passed on already, in whatever order it comes again: by the seats it is from and for, and its mark.

    The mark is a challenge, or a signature.
    """

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: dict[tuple[int, ...], tuple[bytes, ...]] = {}

    def has(self, seats: tuple[int, ...], mark: bytes) -> bool:
        """Whether this one was."""
        return mark in self._seen.get(seats, ())

    def add(self, seats: tuple[int, ...], mark: bytes) -> None:
        """It is now."""
        self._seen[seats] = (*self._seen.get(seats, ()), mark)[-_PASSED:]


class Mute:
    """Until `waiting` (link keys) is empty and the steps that the others have were caught up with."""

    def __init__(self, clients: Iterable[bytes]) -> None:
        self.waiting = set(clients)
        self.later: list[Signed] = []
        """Entries of ours that belong to steps not open here yet."""
        self._challenges: list[bytes] = []
        self._until_k = 0

    def ask(self, challenge: bytes) -> None:
        """A question goes out with this challenge (16 bytes)."""
        self._challenges = [*self._challenges, challenge][-_CHALLENGES:]

    def asked(self, challenge: bytes) -> bool:
        """Whether the challenge is one of ours."""
        return challenge in self._challenges

    def heard(self, client: bytes, k: int, entries: Iterable[Signed]) -> None:
        """This client answered: it is at step `k` and holds these entries of ours."""
        self.waiting.discard(client)
        self._until_k = max(self._until_k, k)
        self.later = [*self.later, *entries][-_LATER:]

    def due(self, k: int) -> list[Signed]:
        """What can be adopted now that step `k` is open; it is forgotten here."""
        ready = [signed for signed in self.later if decode_body(signed.body).k <= k + 1]
        self.later = [signed for signed in self.later if decode_body(signed.body).k > k + 1]
        return ready

    def over(self, k: int) -> bool:
        """Whether all have answered, and step `k` is as far as they were."""
        return not self.waiting and k >= self._until_k
