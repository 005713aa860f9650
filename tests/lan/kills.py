"""Real processes, killed at random moments of real games on this computer: `python -m tests.lan.kills --kills 50`.

The host too, two at once, and some again while they come back. Needs neither root nor a lab.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Final

from tests.lan.peers import Fell, Peer, played_beyond, says
from tests.lan.scenarios import FULL, Figures, Table, table

_BACK_S: Final = 60.0
_LAST_STEP: Final = 45
"""No kill later in a game: nobody is left to come back to once the others have all that they need."""
_SOON_S: Final = 0.25
_AGAIN: Final = 0.25
"""How often a peer is killed again while it comes back, and how often a second one dies with it."""


def run(kills: int, seed: int, seats: int) -> Figures:
    """Games until so many were killed; Fell where a game does not end as one, or a key signed twice for one slot."""
    luck = random.Random(seed)
    done = games = 0
    back: list[float] = []
    entries = 0.0
    while done < kills:
        with table(None, seats, FULL, "127.0.0.1") as play:
            while done < kills and play.step() < _LAST_STEP:
                victims = _struck(play, luck)
                done += len(victims)
                if done < kills and luck.random() < _AGAIN:
                    # In the middle of starting, of asking the others, or of catching up.
                    time.sleep(luck.uniform(0.0, 1.5))
                    victims[0][0].kill()
                    victims[0] = (victims[0][0], victims[0][0].mark(), time.monotonic())
                    victims[0][0].start()
                    done += 1
                for peer, mark, began_s in victims:
                    back.append(peer.until(says("resumed"), _BACK_S, mark).at_s - began_s)
            play.finish()
            entries += play.figures["signed entries"]
            games += 1
    return {
        "kills": done,
        "games": games,
        "signed entries": entries,
        "back in its seat s, median": sorted(back)[len(back) // 2],
        "back in its seat s, longest": max(back),
    }


def _struck(play: Table, luck: random.Random) -> list[tuple[Peer, int, float]]:
    """Kill one peer or two at once and start them again: each with its mark and its start."""
    play.peers[0].until(played_beyond(0), _BACK_S)
    time.sleep(luck.uniform(0.0, _SOON_S))
    victims = luck.sample(play.peers, 2 if luck.random() < _AGAIN else 1)
    marks = []
    for peer in victims:
        peer.kill()
        marks.append(peer.mark())
    return [(peer.start(), mark, time.monotonic()) for peer, mark in zip(victims, marks, strict=True)]


def main() -> None:
    """Print what was measured, one figure a line."""
    parser = argparse.ArgumentParser(prog="python -m tests.lan.kills")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seats", type=int, default=3, choices=(2, 3, 4))
    asked = parser.parse_args()
    try:
        figures = run(asked.kills, asked.seed, asked.seats)
    except Fell as wrong:
        raise SystemExit(f"seed {asked.seed}: {wrong}") from wrong
    for name, value in figures.items():
        print(f"{name}: {value:g}")


if __name__ == "__main__":
    main()
