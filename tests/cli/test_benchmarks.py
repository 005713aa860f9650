"""The benchmarks run and say what they promise; their figures are for people to judge."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import engine


def figures(name: str, *words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", f"benchmarks.{name}", "--json", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_a_step_is_measured_beside_its_floor_with_its_bytes_by_type(tmp_path: Path) -> None:
    found = figures(
        "step", "--games", "1", "--pawns", "1", "--rounds", "3", "--think-ms", "0", "--folder", str(tmp_path)
    )
    assert found["step"]["median"] > found["together"]["median"] > 0
    assert found["bytes_a_game"]["by_type"]["Entry"] > 5 * 64 * found["steps_a_game"][0]
    assert found["bytes_a_game"]["socket"] > found["bytes_a_game"]["framed"]


def test_memory_is_told_for_each_peer_after_each_game_of_a_row(tmp_path: Path) -> None:
    found = figures("memory", "--games", "2", "--pawns", "1", "--folder", str(tmp_path))
    assert [len(row) for row in found["mb"].values()] == [2, 2, 2, 2]
    assert 10 < found["largest_mb"] < 80


def test_memory_is_told_over_so_many_steps_with_links_that_are_cut(tmp_path: Path) -> None:
    words = ("--games", "1", "--steps", "60", "--pawns", "1", "--seats", "2", "--reconnects", "--folder", str(tmp_path))
    found = figures("memory", *words)
    assert sum(found["steps"]) >= 60
    assert len(found["mb"]) == 2
    assert found["broken"] >= sum(steps // 50 - 1 for steps in found["steps"])


def test_the_engine_is_told_in_games_and_lists_with_the_package_or_alone() -> None:
    found = figures("engine", "--seconds", "0.02", "--rounds", "1")
    ours = {"playouts", "core", "readable"}
    for what in ("games, 2 players", "games, 4 players"):
        assert ours <= {line["who"] for line in found[what]}
        assert all(line["per_second"] > 0 for line in found[what])
    assert set(found["ratios"]) == (set(found["aims"]) if found["apologies"] else set())


def test_a_ratio_below_its_aim_is_said_and_ends_with_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Package:
        version = "0"

        def __init__(self, _rules: object) -> None: ...

    def games(_rules: object, players: int, *_more: object) -> list[engine.Rate]:
        return [engine.Rate("playouts", 4000, 1.0, [80, 80]), engine.Rate("apologies", players, 1.0, [80, 80])]

    def lists(*_more: object) -> tuple[list[engine.Rate], float]:
        return [engine.Rate("core", 100, 1.0), engine.Rate("apologies", 10, 1.0)], 0.5

    monkeypatch.setattr(engine, "Theirs", Package)
    monkeypatch.setattr(engine, "measure_games", games)
    monkeypatch.setattr(engine, "measure_lists", lists)
    monkeypatch.setattr(engine, "measure_memory", lambda *_: {})
    monkeypatch.setattr(engine, "PERFT_DEPTH", 1)
    assert engine.main([]) == 1
    said = capsys.readouterr().out
    assert "games, 4 players: below the aim of 2500 times" in said
    assert said.count("below the aim") == 1


def test_starting_up_is_told_beside_a_bare_interpreter() -> None:
    found = figures("startup", "--rounds", "2")
    assert found["ratio"]["python -c pass"] == 1
    assert found["ratio"]["python -m sorry_lan --version"] > 0


def test_counting_kept_games_is_told_for_the_first_time_and_the_next() -> None:
    found = figures("kept_games", "--games", "5", "--pawns", "1")
    assert found["games"] == 5
    assert found["first_s"] > found["again_s"] > 0


def test_drawing_a_frame_is_told_for_each_size_and_page() -> None:
    found = figures("screen", "--turns", "3")
    assert set(found["ms"]) == {"120x40", "80x24", "60x20", "40x12"}
    assert all(row["game"] > 0 for row in found["ms"].values())


def test_the_way_of_a_key_is_told_beside_the_bare_loop_and_a_still_terminal_stops_no_beat() -> None:
    found = figures("keys", "--keys", "5", "--still", "1")
    assert min(found["ms"].values()) > 0
    assert found["ratio"] > 0
    assert 0 < found["longest_gap_s"] < 5


def test_the_cost_of_pictures_is_told_by_size() -> None:
    found = figures("frames", "--moments", "5")
    assert {"80x24", "120x40"} == set(found["sizes"])
    assert found["sizes"]["80x24"]["step_bytes_median"] < found["sizes"]["80x24"]["first_bytes"]
