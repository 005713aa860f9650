"""bots.json: the choices of the easy and the medium bot, and the corpus behind the engine digest."""

from __future__ import annotations

from tests.sim.referee import STANDARD, new_board
from tools.reference.core import cmp, made_up
from tools.reference.notation import File
from tools.reference.play import State, corpus_game, easy, engine_digest, location, medium, rules_array, variations


def bots() -> tuple[File, bytes]:
    file = File("bots", "The easy and the medium bot, and the corpus of the engine digest (SPEC.md 5.7).")
    _orders(file)
    heads = []
    for g, (name, rules) in enumerate(variations()):
        game = corpus_game(g, rules)
        heads.append(game["head"])
        given = {"game": g, "name": name, "rules": rules_array(rules)}
        due = {
            "head": game["head"].hex(),  # type: ignore[attr-defined]
            "snapshot": game["snapshot"].hex(),  # type: ignore[attr-defined]
            "played": game["played"],
        }
        why = "a corpus game: [seat, card, action] of steps 1, 2, ..., its last position and its last head"
        file.valid("corpus", name, "F-31 F-32 F-14 R-1", why, given, due)
    digest = engine_digest(heads)  # type: ignore[arg-type]
    file.valid(
        "engine", "version-3", "F-32", "proto 1, bots version 3", {"proto": 1, "bots": 3}, {"digest": digest.hex()}
    )
    return file, digest


def _orders(file: File) -> None:
    board = new_board(STANDARD, ("red", "blue"))
    board["red"] = ["sq:4", "sq:20", "safe:1"]
    board["blue"] = ["sq:30", "start", "sq:50"]
    state = State(STANDARD, board, 0)
    for level, choose, spec in (("easy", easy, "F-31 R-15 R-14"), ("medium", medium, "F-31 R-15 R-14")):
        for card in (1, 4, 7, 10, 11, 13):
            offered = state.choices(card)
            if offered != sorted(offered, key=cmp):
                raise ValueError("order")
            for number in range(3):
                secret = made_up(f"bot {card} {number}")
                given = {
                    "rules": rules_array(STANDARD),
                    "colours": [0, 1],
                    "locations": [[location(place) for place in places] for places in board.values()],
                    "turn": 0,
                    "card": card,
                    "secret": secret.hex(),
                }
                due = {"choices": offered, "action": choose(secret, state, card)}
                why = "choices ascend by their CMP bytes: shorter arrays first, [] before all"
                file.valid(level, f"card-{card}-{number}", spec, why, given, due)
