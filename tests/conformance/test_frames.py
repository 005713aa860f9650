"""frames.json: frames in a stream of chunks."""

from __future__ import annotations

from typing import Any

import pytest

from sorry_lan.wire.frames import FrameReader, frame
from tests.conformance.cases import Case, judge, params, raw


class _Frames:
    """Equal to the notation of these payloads."""

    __hash__ = None

    def __init__(self, found: list[bytes], *, pending: bool) -> None:
        self._found, self._pending = found, pending

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, dict)
            and [raw(part) for part in other["frames"]] == self._found
            and (other["pending"] is self._pending)
        )


def _stream(given: Any) -> object:
    reader = FrameReader(given["limit"])
    found = [payload for chunk in given["chunks"] for payload in reader.feed(raw(chunk))]
    return _Frames(found, pending=reader.pending)


def _frame(given: Any) -> object:
    return {"bytes": frame(raw(given["payload"])).hex()}


GROUPS = {"stream": _stream, "frame": _frame}


@pytest.mark.parametrize("case", params("frames"))
def test_a_stream_is_cut_into_frames(case: Case) -> None:
    judge(case, GROUPS)
