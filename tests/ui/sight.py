"""How far apart colours are and how well text reads on them: WCAG contrast, CIE 1976 distance, three kinds of sight.

The weaknesses are those of Machado, Oliveira and Fernandes (2009) at full severity, applied to linear light.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

SIGHTS: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE = (0.95047, 1.0, 1.08883)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours "#rrggbb", 1 to 21."""
    dark, bright = sorted((_times(_TO_XYZ, _light(one))[1], _times(_TO_XYZ, _light(other))[1]))
    return (bright + 0.05) / (dark + 0.05)


def least_distance(colours: Sequence[str], sight: str) -> float:
    """The smallest distance between any two of them, as somebody with that sight sees them."""
    points = [_lab(_times(SIGHTS[sight], _light(colour))) for colour in colours]
    return min(sum((a - b) ** 2 for a, b in zip(*pair, strict=True)) ** 0.5 for pair in combinations(points, 2))


def _light(colour: str) -> Triple:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return red, green, blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _times(matrix: Matrix, vector: Triple) -> Triple:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third


def _lab(light: Triple) -> Triple:
    clipped = [min(1.0, max(0.0, part)) for part in light]
    xyz = _times(_TO_XYZ, (clipped[0], clipped[1], clipped[2]))
    x, y, z = (_cube_root(part / white) for part, white in zip(xyz, _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(value: float) -> float:
    return value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116
