"""How clients get links: seekers that dial at the pace of net/roster.py, and people that call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sorry_lan.net.roster import redial_delay_s
from sorry_lan.table.events import ResumeAsked
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Intent
from tests.sim.clock import MS, S

if TYPE_CHECKING:
    from tests.sim.network import Client, Network, Pipe, Seeker

NAP_US = 100 * MS
"""How late a computer that slept looks at what it missed."""


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt to get a link: by a seeker, or (None) by a person who has the code."""

    index: int
    target: int | None
    instance: bytes
    called: bytes
    intent: Intent
    seeker: Seeker | None
    began_us: int


class Dialling:
    """All attempts that are on their way."""

    def __init__(self, network: Network) -> None:
        self._net = network
        self._loop = network.loop

    def join(self, index: int, target: int) -> None:
        """A person's own call, as one of a game in play or else with the code; tried until it gets through."""
        me = self._net.clients[index]
        intent = Intent.LOBBY if me.kept is None else Intent.GAME
        self._dial(Call(index, target, me.instance, b"", intent, None, self._loop.now_us))

    def attempt(self, index: int, instance: bytes, seeker: Seeker) -> None:
        """One attempt of a seeker, unless it has a link meanwhile."""
        mesh, client = self._net.meshes[index], self._net.clients[index]
        pk = seeker.peer.pk
        if not client.running or client.instance != instance or mesh.seekers.get(pk) is not seeker or mesh.replaced:
            return
        if self._net.linked(index, pk):
            seeker.dialling = False
        elif client.asleep:
            self._loop.after(NAP_US, self.attempt, index, instance, seeker)
        else:
            target, seeker.dialled_us = self._at(seeker.peer.addresses), self._loop.now_us
            self._dial(Call(index, target, instance, b"", Intent.GAME, seeker, self._loop.now_us))

    def _at(self, addresses: tuple[str, ...]) -> int | None:
        for client in self._net.clients:
            if address_of(client) in addresses:
                return client.index
        return None

    def _dial(self, call: Call) -> None:
        """Connect, TLS, HELLO and AUTH: three times there and back."""
        index, target = call.index, call.target
        # Somebody may say that another listens where we do: whoever calls itself hears its own key, and hangs up.
        if target is None or target == index or frozenset((index, target)) in self._net.apart:
            self._failed(call, 0)
            return
        there, back = self._net.paths[index, target], self._net.paths[target, index]
        if there.cuts or back.cuts or self._net.clients[target].asleep:
            self._failed(call, limits.REDIAL_GIVE_UP_MS * MS)
            return
        way = there.delay_us * there.slow + back.delay_us * back.slow
        call = replace(call, called=self._net.clients[target].instance)
        self._loop.after(3 * way + self._net.dice.under(2 * MS), self._answered, call, target)

    def _answered(self, call: Call, target: int) -> None:
        index = call.index
        caller, callee = self._net.clients[index], self._net.clients[target]
        if not caller.running or caller.instance != call.instance:
            return
        broken = (
            self._net.paths[index, target].cuts or self._net.paths[target, index].cuts or caller.asleep or callee.asleep
        )
        broken = broken or not callee.running or callee.instance != call.called
        known = call.intent is Intent.LOBBY or caller.pk in self._net.meshes[target].admitted
        wrong = call.seeker is not None and callee.pk != call.seeker.peer.pk
        if broken or not known or wrong:
            if not broken and not known:
                self._net.note("a dial was refused for want of a code")
            self._failed(call, 0)
            return
        pipe = self._net.pipe((index, target), (call.instance, call.called))
        # What the called client says at once must not arrive before the caller knows of the link.
        self._loop.at(self._net.arrival(pipe, 1), self._through, pipe, call)
        self._net.welcome(pipe, 1, call.intent)

    def _through(self, pipe: Pipe, call: Call) -> None:
        """The caller learns that it has its link, or it has none after all."""
        if call.seeker is not None:
            call.seeker.dialling = False
        self._net.welcome(pipe, 0, call.intent)
        caller = self._net.clients[call.index]
        if not pipe.up[0] and not self._net.linked(call.index, self._net.clients[pipe.ends[1]].pk) and caller.running:
            if call.seeker is not None:
                call.seeker.dialling = True
            self._failed(call, 0)

    def _failed(self, call: Call, cost_us: int) -> None:
        """Try again: a person after a second, a seeker at the pace of the roster."""
        seeker = call.seeker
        if seeker is None:
            me = self._net.clients[call.index]
            if me.kept is not None and me.running and me.instance == call.instance:
                # Nobody answers there, but a game that we keep was played there.
                self._net.note("a kept game was taken up where nobody answered")
                kept, me.kept = me.kept, None
                self._loop.after(cost_us, me.tell, ResumeAsked(kept))
            else:
                self._loop.after(cost_us + S, self._again, call)
            return
        away_s = (call.began_us - seeker.gone_us) / S
        delay = int(redial_delay_s(away_s, seeker.slow, self._net.dice.under(65536) / 65535) * S)
        seeker.slow += away_s >= limits.REDIAL_FAST_FOR_MS / 1000
        delay = max(delay, limits.REDIAL_MS * MS, cost_us)
        self._loop.at(call.began_us + delay, self.attempt, call.index, call.instance, seeker)

    def _again(self, call: Call) -> None:
        client = self._net.clients[call.index]
        if client.running and client.instance == call.instance and not self._net.meshes[call.index].pipes:
            self._dial(call)


def address_of(client: Client) -> str:
    """Where a client's listener is."""
    return f"10.0.0.{client.index + 1}:{client.port}"
