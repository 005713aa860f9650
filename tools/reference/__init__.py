"""A second implementation of the protocol, written from protocol/SPEC.md, that makes protocol/vectors.

It imports nothing of `sorry_lan`: that both agree is then evidence. Rules of the game come from tests/sim/referee.py.
"""
