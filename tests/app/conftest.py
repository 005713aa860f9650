from __future__ import annotations

import pytest

from tests.net.build import run_inline


@pytest.fixture
def inline_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Virtual time knows nothing of threads: it would jump while one works."""
    monkeypatch.setattr("trio.to_thread.run_sync", run_inline)
