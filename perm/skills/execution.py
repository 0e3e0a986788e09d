"""Does a rehearsed skill call: a stream of actions."""

from collections.abc import Iterator

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import GiveUp
from perm.core.mission import SkillCall
from perm.sim.load import Held
from perm.skills.actor import Actor
from perm.skills.pose import Path, Pose
from perm.skills.rehearsing import Leg, Rehearsed
from perm.skills.timing import time_path

TOLERANCE = 0.006
"""How near the hand has to come to the end of a motion [m]."""
CLOSING = 14
"""Most steps that closing fingers get."""
OPENING = 6
"""Steps that opening fingers get, before any pause."""
STILL = 2e-4
"""Change of the fingers' distance in a step below which they have closed [m]."""
SLIPPED = 0.03
"""Way of an object between the fingers with which it counts as lost [m]."""


def perform(actor: Actor, call: SkillCall, rehearsed: Rehearsed) -> Iterator[FloatArray]:
    """Yield the actions of a call.

    Raises:
        GiveUp: The hand does not follow, or what it holds is lost.
    """
    for leg in rehearsed.legs:
        if leg.path is None:
            yield from _move_fingers(actor, call, leg)
        else:
            yield from _move_hand(actor, call, leg, rehearsed)


def _move_fingers(actor: Actor, call: SkillCall, leg: Leg) -> Iterator[FloatArray]:
    hand, closing = actor.hand, leg.waypoint.closed
    pose = Pose(hand.pos, hand.rotation)
    pause = round(actor.style.motion.pause)
    if closing:
        yield from hand.hold(pause, pose)
    hand.closed = closing
    if closing:
        yield from hand.squeeze(CLOSING, STILL, pose)
    yield from hand.hold(pause + (0 if closing else OPENING), pose)
    # A handle is not held: it stays on its drawer.
    actor.holding = call.object if closing and call.object in actor.scenery.movables else None


def _move_hand(
    actor: Actor, call: SkillCall, leg: Leg, rehearsed: Rehearsed
) -> Iterator[FloatArray]:
    path, style = leg.path, actor.style.motion
    assert path is not None
    before = actor.now().held
    path = _from_here(actor, path)
    if leg.waypoint.aimed and before is not None:
        path = _aimed(actor, path, rehearsed.start.held or before)
    timed = time_path(path, style.speed * leg.waypoint.speed, style.acceleration, style.turn_speed)
    yield from actor.hand.follow(timed, TOLERANCE, leg.waypoint.opens)
    if before is not None and not leg.waypoint.opens:
        after = actor.now().held
        if after is not None and slipped(before, after) > SLIPPED:
            raise GiveUp(f"slip: {call.object} was lost")


def slipped(before: Held, after: Held) -> float:
    """Return how far the point that was between the fingers is now from them [m].

    What pivots between the finger tips is not lost.
    """
    grasped = -before.pos @ before.rotation
    return float(np.linalg.norm(after.pos + after.rotation @ grasped))


def _from_here(actor: Actor, path: Path) -> Path:
    """Return a path that begins where the hand really is, and goes over into the one given."""
    share = (path.way / max(path.way[-1], 1e-9))[:, None]
    return Path(path.pos + (1 - share) * (actor.hand.pos - path.pos[0]), path.rotation)


def _aimed(actor: Actor, path: Path, meant: Held) -> Path:
    """Return a path at whose end the object is where it was meant, however it sits now."""
    now, end = actor.now().held, path.end
    assert now is not None
    shift = end.rotation @ (meant.pos - now.pos)
    share = (path.way / max(path.way[-1], 1e-9))[:, None]
    # Sideways first, so that it is over the target before it comes down.
    return Path(
        path.pos + np.minimum(1.0, np.array([2.0, 2.0, 1.0]) * share) * shift, path.rotation
    )
