"""Straight motions, for which what touches at their start is no obstacle."""

from perm.sim.load import Load
from perm.sim.rehearsal import Reach
from perm.skills.actor import Actor
from perm.skills.pose import Path, Pose, line
from perm.skills.skill import Moment

TOUCHING = 0.002
"""How deep things that stand side by side may be in each other [m]."""


def straight(actor: Actor, moment: Moment, goal: Pose, load: Load) -> tuple[Path, Reach]:
    """Return the straight way to a pose, and the arm along it up to what stops it.

    What touches at the start may be left: neighbours stand close, and things sink in.
    """
    path = line(moment.pose, goal)
    room = actor.rehearsal.room(moment.joints, load, actor.care.room).distance
    clearance = max(room, -TOUCHING) - TOUCHING if room < 0 else min(room, actor.care.room)
    return path, actor.rehearsal.follow(path, moment.joints, load, clearance)
