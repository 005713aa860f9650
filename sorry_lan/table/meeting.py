"""From a lobby to a table that all have signed: proposal, consent, and what makes them void ([T-11] to [T-18]).

Holds one lobby, hosted here or elsewhere, and one proposal at a time. What is played afterwards is play.py's.
"""

from __future__ import annotations

from typing import Final, assert_never

from sorry_lan.fair import genesis
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table.agreement import Agreement
from sorry_lan.table.commands import CancelTimer, SetTimer
from sorry_lan.table.desk import Desk, known
from sorry_lan.table.events import (
    BotSeated,
    Ready,
    RulesChosen,
    SeatChanged,
    SeatClosed,
    SeatOpened,
    Timer,
)
from sorry_lan.table.guest import GuestLobby
from sorry_lan.table.host import HostLobby, Place
from sorry_lan.table.links import Link
from sorry_lan.table.news import Refused
from sorry_lan.table.phases import Turn
from sorry_lan.table.seating import NOBODY, check_proposal, full_and_ready, terms_of
from sorry_lan.table.settings import ReadyWhen, Role
from sorry_lan.table.sitter import Sitter
from sorry_lan.wire import limits
from sorry_lan.wire.messages import ConsentGiven, Lobby, No, Peers, Propose, SeatOffer, TableAgreed
from sorry_lan.wire.terms import Terms

HostsWish = BotSeated | SeatClosed | SeatOpened | RulesChosen
_EARLY_CONSENTS: Final = 2 * limits.MAX_SEATS
_SEAT_COST: Final = 2
"""What a SEAT takes of a link's budget: 128 at once, then 50 a second, which no key that is held down comes to."""
_CODES: Final = {int(code): code for code in Err}


class Meeting:
    """One lobby and what comes of it: `agreed` when all have signed, `closed` when nothing will."""

    def __init__(self, desk: Desk, lobby: HostLobby | GuestLobby, *, rematch: bool = False) -> None:
        """`rematch`: the same people played just now, and find each other again when a link breaks."""
        self.lobby = lobby
        self.proposal: Agreement | None = None
        self.agreed: Agreement | None = None
        self.closed: Err | None = None
        self._nonces_used = False
        """Whether our nonces were proposed since we offered them."""
        self._rematch = rematch
        self._awaits_host = False
        """Whether the link to the host broke, and it may come back."""
        self._void: Agreement | None = None
        """The last proposal that we signed and that was withdrawn: a neighbour may have completed it all the same."""
        self._desk = desk

    @property
    def sitters(self) -> tuple[Sitter, ...]:
        """Our own people."""
        return self.lobby.sitters

    @property
    def picture(self) -> Lobby | None:
        """The lobby as last shown."""
        return self.lobby.lobby

    # -- hosting -------------------------------------------------------------------------------------------------

    def open(self, lobby: HostLobby) -> None:
        """Our people sit down in `lobby`, which is the one we host here, and everybody sees it."""
        self.closed = lobby.sit_down()
        if self.closed is None:
            self._desk.turn(Turn.LOBBY_OPENED)
            self._publish(lobby)

    def _publish(self, lobby: HostLobby) -> None:
        """Show the changed lobby; a proposal made of the old one is void. Propose again as soon as all are ready."""
        if self.proposal is not None:
            lobby.signed = self.proposal.clients()
            self._withdraw()
            lobby.renew()
        lobby.publish()
        if full_and_ready(lobby.lobby) and not lobby.waits_for_nonces():
            self._propose(lobby)

    def _propose(self, lobby: HostLobby) -> None:
        terms = terms_of(lobby.lobby, lobby.offers(), self._desk.settings.engine)
        table = genesis.encode_terms(terms)
        self._desk.turn(Turn.PROPOSAL_MADE)
        self.proposal = Agreement(table, terms, self.sitters)
        self._desk.cast(Propose(0, table, None), self._desk.links_of(lobby.clients()))
        self._desk.do(SetTimer(Timer.CONSENT, 0, limits.CONSENT_MS))
        self._sign(self.proposal)

    def seat(self, link: Link, offer: SeatOffer) -> None:
        """A client's SEAT; answered by the new lobby or by NO. Nothing is said where we do not host ([T-14]).

        RemoteFault RATE for more of them than anybody can mean: each is told to all ([H-24]).
        """
        if isinstance(self.lobby, HostLobby):
            link.spend(_SEAT_COST, self._desk.now_us)
            refused = self.lobby.sit(offer, link.peer.pk)
            if refused is None:
                self._publish(self.lobby)
            else:
                self._desk.send(No(refused, ""), link.id)

    def wish(self, wish: SeatChanged | HostsWish) -> None:
        """A local person changes something; ignored where it is not ours to change, or can't be done."""
        if isinstance(wish, SeatChanged):
            self._changed(wish)
        elif isinstance(self.lobby, HostLobby):
            self._rearrange(self.lobby, wish)

    def _rearrange(self, lobby: HostLobby, wish: HostsWish) -> None:
        place: Place | None = None
        match wish:
            case BotSeated(colour=colour, level=level):
                done = lobby.seat_bot(colour, level)
            case SeatClosed(colour=colour):
                place = lobby.close_seat(colour)
                done = place is not None
            case SeatOpened(colour=colour):
                place = lobby.open_seat(colour)
                done = place is not None
            case RulesChosen(rules=rules):
                lobby.choose_rules(rules)
                done = True
            case _:
                assert_never(wish)
        if place is not None and place.client != NOBODY:
            lobby.stand_up(place.client)
            lobby.removed |= {place.client}
            for link in self._desk.links_of([place.client]):
                self._desk.close(link, Err.REMOVED, "removed by the host")
        if done:
            self._publish(lobby)

    # -- joining -------------------------------------------------------------------------------------------------

    def heard_lobby(self, link: Link, message: Lobby) -> bool:
        """The host shows its lobby; False where it comes from anybody else, who has no say in this one."""
        lobby = self.lobby
        if isinstance(lobby, HostLobby) or link.peer.pk != lobby.host:
            return False
        if lobby.lobby is None:
            self._desk.turn(Turn.LOBBY_OPENED)
        if self.proposal is not None:
            self._withdraw()
        if self._awaits_host:
            self._desk.do(CancelTimer(Timer.CONSENT, 0))
        if self._nonces_used or self._awaits_host:
            self._nonces_used = self._awaits_host = False
            lobby.renew()
        lobby.heard(message)
        return True

    def heard_peers(self, link: Link, message: Peers) -> None:
        """The host says where the others listen; from anybody else it means nothing."""
        if isinstance(self.lobby, GuestLobby) and link.peer.pk == self.lobby.host:
            self.lobby.peers(message)

    def heard_no(self, link: Link, message: No) -> None:
        """Our SEAT was refused by the host, or our proposal by somebody ([T-14], [T-11])."""
        lobby = self.lobby
        code = _CODES.get(message.code, Err.SCHEMA)
        if isinstance(lobby, HostLobby):
            if self.proposal is not None and link.peer.pk in lobby.clients():
                self._desk.tell(Refused(code, by_us=False))
                lobby.unready(link.peer.pk)
                self._publish(lobby)
        elif link.peer.pk == lobby.host:
            self.closed = lobby.refused(code)

    def proposed(self, link: Link, message: Propose) -> None:
        """The host proposes a table: sign it, or say why not. RemoteFault for bytes that are no table."""
        lobby = self.lobby
        if isinstance(lobby, HostLobby) or link.peer.pk != lobby.host:
            return
        terms = genesis.decode_terms(message.table)
        self._nonces_used = True
        try:
            self._check(terms, lobby)
        except RemoteFault as fault:
            self._desk.send(No(fault.code, fault.detail[: limits.MAX_BYE_TEXT]), link.id)
            self._desk.tell(Refused(fault.code, by_us=True))
            for sitter in self.sitters:
                sitter.ready = False
            return
        self._desk.turn(Turn.PROPOSAL_MADE)
        self.proposal = Agreement(message.table, terms, self.sitters)
        self._sign(self.proposal)

    def _check(self, terms: Terms, lobby: GuestLobby) -> None:
        if self.proposal is not None or lobby.lobby is None:
            raise RemoteFault(Err.STALE_TABLE, "a second proposal of one lobby")
        check_proposal(terms, lobby.lobby, self.sitters, self._desk.settings.engine)

    def heard(self, link: Link, message: SeatOffer | Propose | ConsentGiven | No | Peers) -> None:
        """A message of the lobby; RemoteFault as told at each."""
        match message:
            case SeatOffer():
                self.seat(link, message)
            case Propose():
                self.proposed(link, message)
            case ConsentGiven():
                self.consent(link, message)
            case No():
                self.heard_no(link, message)
            case Peers():
                self.heard_peers(link, message)
            case _:
                assert_never(message)

    # -- signing -------------------------------------------------------------------------------------------------

    def _sign(self, proposal: Agreement) -> None:
        proposal.sign(self._desk)
        self._look()

    def consent(self, link: Link, given: ConsentGiven) -> None:
        """A seat's consent: passed on once. One to a table not proposed here (yet) waits ([H-22]).

        RemoteFault BAD_SIGNATURE where it does not hold.
        """
        proposal = self.proposal
        if proposal is None or given.table_hash != proposal.game_id:
            link.consents = [*link.consents, given][-_EARLY_CONSENTS:]
        elif proposal.heard(given):
            others = (other for other in self._desk.links_of(proposal.clients()) if other != link.id)
            self._desk.cast(given, others)
            self._look()

    def completed(self, message: TableAgreed) -> None:
        """Somebody has all consents. RemoteFault STALE_TABLE for a table that we did not sign, BAD_SIGNATURE."""
        signed = next((a for a in (self.proposal, self._void) if a is not None and a.table == message.table), None)
        if signed is None:
            raise RemoteFault(Err.STALE_TABLE, "a table that we did not sign")
        signed.completed(message)
        self.agreed = signed

    def _look(self) -> None:
        if self.proposal is not None and self.proposal.complete():
            self.agreed = self.proposal

    def _withdraw(self) -> None:
        self._void, self.proposal = self.proposal, None
        self._desk.do(CancelTimer(Timer.CONSENT, 0))
        self._desk.turn(Turn.PROPOSAL_VOID)

    def abandon(self) -> None:
        """Another lobby is followed instead."""
        if self.proposal is not None:
            self._withdraw()

    # -- both ----------------------------------------------------------------------------------------------------

    def _changed(self, change: SeatChanged) -> None:
        """One of our people offers something else."""
        if not 0 <= change.person < len(self.sitters):
            return
        sitter = self.sitters[change.person]
        before = (sitter.colour, sitter.name, sitter.naming, sitter.age, sitter.ready)
        sitter.change(change.colour, change.name, change.age)
        if change.ready is not None:
            sitter.ready = change.ready is Ready.YES
        if isinstance(self.lobby, GuestLobby):
            if self.proposal is None:
                self.lobby.offer(sitter)
            return
        refused = self.lobby.sit_down()
        if refused is not None:
            sitter.colour, sitter.name, sitter.naming, sitter.age, sitter.ready = before
            self.lobby.sit_down()
            self._desk.tell(Refused(refused, by_us=False))
            return
        self._publish(self.lobby)

    def lost(self, client: bytes, code: Err | None) -> None:
        """The last link of a client is gone."""
        lobby = self.lobby
        if isinstance(lobby, HostLobby):
            if lobby.stand_up(client):
                self._publish(lobby)
        elif client == lobby.host:
            gone = Err.SHUTTING_DOWN if code in (None, Err.GOODBYE) else code
            self._awaits_host = self._rematch and code is None
            if self._awaits_host or (self.proposal is not None and self._desk.links_of(self.proposal.clients())):
                # A neighbour may have the complete table already.
                self._desk.do(SetTimer(Timer.CONSENT, 0, limits.CONSENT_MS))
            else:
                self.closed = gone

    def waited(self) -> None:
        """Consents did not come in time: the lobby goes on, or is gone with its host."""
        if isinstance(self.lobby, GuestLobby):
            self.closed = Err.SHUTTING_DOWN
        elif self.proposal is not None:
            late = {known(self.proposal).terms.seats[seat].pk for seat in self.proposal.missing()}
            for pk in late:
                self.lobby.unready(pk)
            self._publish(self.lobby)


def new_sitters(desk: Desk) -> tuple[Sitter, ...]:
    """Our people, with fresh nonces, ready as the settings say; a table of one machine waits for nobody."""
    sitters = tuple(Sitter(person, index, desk.fresh()) for index, person in enumerate(desk.settings.people))
    for sitter in sitters:
        sitter.ready = desk.settings.ready is ReadyWhen.AT_ONCE or desk.settings.role is Role.LOCAL
    return sitters
