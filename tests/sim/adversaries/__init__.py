"""Evil clients, one kind for each MUST that a client's own code keeps: real keys, no conscience."""

from __future__ import annotations

from tests.sim.adversaries.base import Adversary
from tests.sim.adversaries.improvises import IMPROVISES
from tests.sim.adversaries.lobby import LOBBY
from tests.sim.adversaries.noise import NOISE
from tests.sim.adversaries.play import PLAY

ADVERSARIES: dict[str, type[Adversary]] = {kind.name: kind for kind in (*PLAY, *NOISE, *LOBBY, *IMPROVISES)}
"""By name."""

__all__ = ["ADVERSARIES", "Adversary"]
