"""Which way a motion may go: the curve that the style has in mind, and those nearest to it."""

from collections.abc import Iterator

import numpy as np

from perm.skills.actor import Actor
from perm.skills.curve import Curve, Zone
from perm.skills.pose import Pose
from perm.skills.skill import Moment

LOW_ROOMS = (0.03, 0.06, 0.09)
"""How much higher than meant a low carry may go: as little as there is room for [m]."""
LATE = (0.75, 0.6, 0.4, 0.2)
"""Shares of the way after which a low carry rises: as late as there is room for."""


def ways(actor: Actor, moment: Moment, goal: Pose) -> Iterator[Curve]:
    """Yield the ways to go, the one that is meant most first."""
    start, style = moment.pose, actor.style.carry
    if moment.held is None:
        yield Curve(start, goal)
    elif style.away_from is not None:
        name, wanted = style.away_from
        centre = actor.scenery.point(name)
        ends = [np.linalg.norm(pose.pos - centre) for pose in (start, goal)]
        zone = Zone(centre, min(wanted, *(float(end) - 0.01 for end in ends)))
        for less in (1.0, 0.9, 0.8, 0.7):
            nearer = Zone(centre, zone.distance * less)
            yield Curve(start, goal, style.arc, 0.0, style.turn, nearer)
    elif style.low:
        for late in LATE:
            yield Curve(start, goal, style.arc, late, style.turn, up_room=LOW_ROOMS[0])
        for room in LOW_ROOMS:
            yield Curve(start, goal, style.arc, 0.0, style.turn, up_room=room)
    yield Curve(start, goal, style.arc, 0.0, style.turn)
