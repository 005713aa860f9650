"""What a search by multicast DNS means: does it leave, does it come back, does anybody answer. Pure."""

from __future__ import annotations

from sorry_lan.net.checks.probe import Echoes
from sorry_lan.table.diagnosis import Check, Finding, Found


def sending(echoes: Echoes) -> Finding:
    """Whether what we announce leaves this computer and is heard."""
    if echoes.port_held:
        return Finding(Check.SENDING, Found.PORT_HELD)
    missing = (*echoes.lost, *echoes.refused)
    if not missing and not echoes.back:
        return Finding(Check.SENDING, Found.NEEDS, (Check.NETWORK.value,))
    if not missing:
        return Finding(Check.SENDING, Found.HEARD_BACK, echoes.back)
    if echoes.back:
        return Finding(Check.SENDING, Found.PARTLY_BACK, missing)
    return Finding(Check.SENDING, Found.NOT_BACK if echoes.lost else Found.NOT_SENT, missing)


def hearing(echoes: Echoes) -> Finding:
    """Whether others are heard, and tables among them."""
    if echoes.tables:
        return Finding(Check.HEARING, Found.TABLES, echoes.tables)
    if echoes.own_table:
        return Finding(Check.HEARING, Found.OWN_TABLE)
    if echoes.port_held or not (echoes.back or echoes.lost):
        return Finding(Check.HEARING, Found.NEEDS, (Check.SENDING.value,))
    if echoes.others:
        return Finding(Check.HEARING, Found.OTHERS, value=float(len(echoes.others)))
    return Finding(Check.HEARING, Found.NOTHING)
