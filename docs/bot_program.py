"""A program that plays: sorry-lan play --bot-program "python3 docs/bot_program.py" --bots 1.

It hears one JSON object a line and answers questions in the same way (docs/json.md).
Best it likes to send somebody back with a Sorry!, then to go far, then to change places.
"""

import json
import sys


def worth(move: str) -> int:
    """How much a move is liked; it comes in the notation of docs/rules.md: r1 10, 7 r1 3 r2 4, 11 r1 b2, sorry b2."""
    card, *rest = move.split()
    if card == "sorry":
        return 100
    return max((int(word) for word in rest if word.lstrip("-").isdigit()), default=0)


for line in sys.stdin:
    said = json.loads(line)
    if said["type"] != "prompt":
        continue
    if said["ask"] == "draw":
        answer = {"type": "draw", "k": said["k"]}
    else:
        moves = [choice["move"] for choice in said["choices"]]
        answer = {"type": "play", "k": said["k"], "move": max(moves, key=worth)}
    print(json.dumps(answer), flush=True)
