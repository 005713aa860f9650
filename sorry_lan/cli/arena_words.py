"""What a match of bots came to, as lines for people and one object for programs (docs/json.md)."""

from __future__ import annotations

import json

from sorry_lan.arena.match import Match
from sorry_lan.arena.scores import Confidence, Rate, Scores, Wins
from sorry_lan.rules.profile import SWITCHES, Rules, differences, profile_name, switch_text
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.texts import colour_text


def progress_text(done: int, games: int, pace: float) -> str:
    """Beside the bar."""
    return _("{done} of {games} games, {pace} a second").format(done=done, games=games, pace=f"{pace:.1f}")


def lost_text() -> str:
    """Why a match ended early."""
    return _("A process of the arena could not be started or was ended from outside; this is what is known so far.")


def scores_lines(match: Match, scores: Scores, confidence: Confidence, code: int) -> list[str]:
    """For people; `code` is the exit code, not 0 where the match was stopped."""
    lines = [_("Stopped; this is what is known so far.")] if code else []
    if not scores.games:
        return [*lines, _("No deal was played to its end.")]
    lines.append(_heading(match, scores))
    # A bot that plays only against itself wins whatever happens.
    if len(match.kinds()) > 1:
        for kind, wins in zip(match.kinds(), scores.kinds, strict=True):
            even = match.entrants.count(kind) / len(match.entrants)
            won = _won(scores.rate(wins, confidence), confidence)
            lines.append(_("{bot} {won}; an even share is {even}.").format(bot=kind.name, won=won, even=_percent(even)))
    for colour, wins in zip(match.colours, scores.seats, strict=True):
        won = _won(scores.rate(wins, confidence), confidence)
        lines.append(_("The seat of {colour} {won}.").format(colour=colour_text(colour), won=won))
    lines.append(
        _("A game took {mean} cards, the longest {longest}.").format(
            mean=round(scores.steps / scores.games), longest=scores.longest
        )
    )
    if scores.undecided:
        lines.append(
            n_(
                "{n} game was given up and is won by nobody.",
                "{n} games were given up and are won by nobody.",
                scores.undecided,
            )
        )
    return lines


def _heading(match: Match, scores: Scores) -> str:
    return _("{bots} by {rules}: {games} games, {deals} deals in every order of the bots, seed {seed}.").format(
        bots=", ".join(entrant.name for entrant in match.entrants),
        rules=_rules_text(match.rules),
        games=scores.games,
        deals=scores.deals,
        seed=match.seed,
    )


def _rules_text(rules: Rules) -> str:
    name = profile_name(rules)
    if name is not None:
        return _("the rules {name}").format(name=name)
    changed = ", ".join(f"{switch}={value}" for switch, value, _base in differences(rules, Rules()))
    return _("the rules standard with {changes}").format(changes=changed)


def _won(rate: Rate, confidence: Confidence) -> str:
    return _("won {wins}, {share} ({low} to {high} at {confidence} % confidence)").format(
        wins=rate.wins,
        share=_percent(rate.share),
        low=_percent(rate.low),
        high=_percent(rate.high),
        confidence=int(confidence),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def scores_json(match: Match, scores: Scores, confidence: Confidence, code: int, seconds: float) -> str:
    """One object for programs; without a single game there are no shares in it."""

    def rate(wins: Wins) -> dict[str, object]:
        found = scores.rate(wins, confidence)
        return {
            "wins": found.wins,
            "share": round(found.share, 6),
            "low": round(found.low, 6),
            "high": round(found.high, 6),
        }

    kinds = list(zip(match.kinds(), scores.kinds, strict=True)) if scores.games else []
    seats = list(zip(match.colours, scores.seats, strict=True)) if scores.games else []
    return json.dumps(
        {
            "v": 1,
            "type": "arena",
            "bots": [entrant.name for entrant in match.entrants],
            "profile": profile_name(match.rules),
            "rules": {switch: switch_text(match.rules, switch) for switch in SWITCHES},
            "seed": match.seed,
            "confidence": int(confidence),
            "stopped": bool(code),
            "games": scores.games,
            "deals": scores.deals,
            "undecided": scores.undecided,
            "steps": scores.steps,
            "longest": scores.longest,
            "seconds": round(seconds, 3),
            "by_bot": [{"bot": kind.name, "seats": match.entrants.count(kind), **rate(wins)} for kind, wins in kinds],
            "by_seat": [{"colour": colour.label, **rate(wins)} for colour, wins in seats],
            "text": scores_lines(match, scores, confidence, code)[0],
        }
    )
