"""The transition table, and that the diagram says the same."""

import pytest

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.table.phases import CAN_STAND_STILL, IN_PLAY, TRANSITIONS, Turn, after, check_heard, diagram
from sorry_lan.table.view import Phase
from sorry_lan.wire import messages as m


def test_a_step_goes_from_shares_to_move_to_acknowledgements_and_round_again() -> None:
    phase = Phase.SHARES
    for turn in (Turn.CARD_KNOWN, Turn.COUNTED, Turn.STEP_FINAL):
        phase = after(phase, turn)
    assert phase is Phase.SHARES


def test_a_turn_that_cannot_happen_is_our_bug() -> None:
    with pytest.raises(LocalMisuse, match=r"'counted' in phase lobby"):
        after(Phase.LOBBY, Turn.COUNTED)


def test_a_message_out_of_place_is_the_peers_fault() -> None:
    with pytest.raises(RemoteFault, match="Want has no place in phase connecting") as caught:
        check_heard(Phase.CONNECTING, m.Want(bytes(32), 0, 1))
    assert caught.value.code is Err.SCHEMA


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.CLOSED])
def test_talk_is_heard_in_every_phase_but_the_last(phase: Phase) -> None:
    check_heard(phase, m.Ping(0))
    check_heard(phase, m.Pong(0))


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in (Phase.CONNECTING, Phase.CLOSED)])
@pytest.mark.parametrize("kind", [m.Hello, m.Auth, m.Bye])
def test_messages_of_other_layers_and_other_versions_have_no_place(phase: Phase, kind: type[m.Message]) -> None:
    assert (phase, kind) not in TRANSITIONS


def test_hearing_something_never_changes_the_phase_by_itself() -> None:
    assert all(phase is following for (phase, kind), following in TRANSITIONS.items() if isinstance(kind, type))


def test_every_phase_can_be_reached_and_left_but_the_last() -> None:
    reached = {following for (phase, _), following in TRANSITIONS.items() if following is not phase}
    left = {phase for (phase, _), following in TRANSITIONS.items() if following is not phase}
    assert reached == set(Phase) - {Phase.CONNECTING}
    assert left == set(Phase) - {Phase.CLOSED}


def test_a_game_in_play_can_stand_still() -> None:
    assert IN_PLAY < CAN_STAND_STILL
    assert Phase.OVER not in CAN_STAND_STILL


def test_the_diagram_shows_every_change_of_phase_once() -> None:
    lines = diagram().splitlines()
    changes = [
        f"    {phase.value} --> {following.value}: {turn.value}"
        for (phase, turn), following in TRANSITIONS.items()
        if isinstance(turn, Turn) and phase is not following
    ]
    assert lines[0] == "stateDiagram-v2"
    assert sorted(lines[2:-1]) == sorted(changes)
