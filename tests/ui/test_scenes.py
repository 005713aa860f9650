"""The moments that scenes.py shows in a real terminal are those that it says, at every size."""

from __future__ import annotations

import pytest

from sorry_lan.ui.client import Client
from sorry_lan.ui.taste import Pace, Taste
from tests.ui.pages import SIZES
from tests.ui.scenes import SCENES, Stopped

SAYS = {
    "lobby": "Bob says: hi!",
    "guest": "Ada says: welcome",
    "stranger": "Somebody at 192.168.1.99",
    "draw": "Press Enter to draw a card.",
    "seven": "10 ways",
    "eleven": "Home needs",
    "sorry": "1 R1 takes",
    "why": "card 10",
    "slide": "drew 5: G1",
    "film": "Sorry! R",
    "fairness": "YES.",
    "end": "YOU WON",
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCENES)
def test_a_scene_shows_its_moment(name: str, size: tuple[int, int]) -> None:
    client = Stopped(Taste()) if name == "film" else Client(Taste(pace=Pace.NONE))
    SCENES[name](client)
    told = " ".join(client.draw(*size, 200.0).picture.text().split())
    assert SAYS[name] in told
