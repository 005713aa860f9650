"""How one game ends for this client: won, or saved because too few people remain; and the file that is kept of it."""

from __future__ import annotations

from collections.abc import Iterable

from sorry_lan.fair.open_step import Record
from sorry_lan.fair.record import Ledger
from sorry_lan.fair.transcript import EndFrame, Ending, encode_transcript
from sorry_lan.table.commands import FileKind, JournalKind, SaveFile, Sync
from sorry_lan.table.desk import Desk
from sorry_lan.table.news import Confirmed, GameSaved
from sorry_lan.table.phases import CAN_END, Turn
from sorry_lan.table.story import Story
from sorry_lan.wire.codec import pack
from sorry_lan.wire.messages import TableAgreed


class Result:
    """Of one game."""

    def __init__(self, desk: Desk, ledger: Ledger, agreed: TableAgreed, story: Story, title: str) -> None:
        self._desk = desk
        self._ledger = ledger
        self._agreed = agreed
        self._story = story
        self._title = title
        self.ended = False
        """Whether the transcript was written: the end is final, or was waited for long enough."""
        self.saved = False
        """Whether it ended here because too few people remained."""
        self._confirmed = False

    @property
    def over(self) -> bool:
        """Whether nothing more is played here."""
        return self.ended or self.saved or self._ledger.over is not None

    def restore(self, end: EndFrame | None) -> None:
        """What the journal says; a saved game may go on."""
        self.ended = end is not None and end.how == Ending.WON
        self._confirmed = self.ended and self._ledger.over_final

    def finish(self) -> None:
        """The end is final, or was waited for long enough: write the transcript, and say whose word is missing."""
        ledger, last = self._ledger, self._ledger.counted_record()
        if ledger.over is None or self._confirmed or (self.ended and not ledger.over_final):
            return
        self._confirmed = ledger.over_final
        records = ledger.records if last is None else (*ledger.records, last)
        head = ledger.head if last is None else ledger.applied_of(last.k).head
        end = EndFrame(len(records), head, Ending.WON)
        # Synced before anybody hears of it: then all others may go, and nobody could tell us the last steps again.
        self._desk.journal(ledger.game_id, JournalKind.END, pack(end), Sync.NOW)
        self._write(records, end)
        self._desk.tell(Confirmed(ledger.final_needs()))
        if self._desk.phase in CAN_END:
            self._desk.turn(Turn.ENDED)
        self.ended = True

    def save(self, left: Iterable[int]) -> None:
        """Too few people remain: write down what is final; when all come back it goes on under the same id."""
        self.saved = True
        end = self.keep()
        self._desk.journal(self._ledger.game_id, JournalKind.END, pack(end), Sync.NOW)
        self._desk.tell(GameSaved(tuple(sorted(left))))
        self._desk.turn(Turn.SAVED)

    def keep(self) -> EndFrame:
        """Write a file of all that is final, as one of a saved game; its end."""
        end = EndFrame(self._ledger.k, self._ledger.head, Ending.SAVED)
        self._write(self._ledger.records, end)
        return end

    def _write(self, records: Iterable[Record], end: EndFrame) -> None:
        table, consents = self._agreed.table, self._agreed.consents
        content = encode_transcript(table, consents, records, end, self._story.chapters)
        self._desk.do(SaveFile(self._ledger.game_id, self._title, FileKind.TRANSCRIPT, content))
