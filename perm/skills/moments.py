"""How things will stand after the parts of a call, as far as can be foreseen."""

from dataclasses import replace

from perm.core.mission import SkillCall
from perm.skills.actor import Actor
from perm.skills.skill import Moment, Waypoint


def gripped(actor: Actor, waypoint: Waypoint, call: SkillCall, moment: Moment) -> Moment:
    """Return how things stand after the fingers moved."""
    if not waypoint.closed or call.object not in actor.scenery.movables:
        return let_go(moment)
    held = actor.rehearsal.held_at(call.object, moment.pose.pos, moment.pose.rotation)
    return replace(moment, held=held)


def taken_along(actor: Actor, waypoint: Waypoint, call: SkillCall, moment: Moment) -> Moment:
    """Return how things stand when a motion begins that takes the call's object along.

    A drawer that is pushed shut gives way before the hand: it counts as shut from the beginning.
    """
    if not waypoint.moves:
        return moment
    if call.object in actor.scenery.movables:
        held = actor.rehearsal.held_at(call.object, moment.pose.pos, moment.pose.rotation)
        return replace(moment, held=held)
    return _slid(actor, call, moment) if call.skill == "close" else moment


def arrived(actor: Actor, waypoint: Waypoint, call: SkillCall, moment: Moment) -> Moment:
    """Return how things stand when such a motion has ended.

    A drawer that is pulled open goes with the hand: it counts as open once it is.
    """
    if not waypoint.moves:
        return moment
    opens = call.object not in actor.scenery.movables and call.skill == "open"
    return _slid(actor, call, moment) if opens else let_go(moment)


def _slid(actor: Actor, call: SkillCall, moment: Moment) -> Moment:
    """Return how things stand once a drawer, with what is in it, is where a skill brings it."""
    slide = actor.scenery.slide(call.object)
    way = abs(slide.goal(call.skill) - slide.position)
    way = way if call.skill == "open" else -way
    taken = []
    for name in slide.contents:
        pos, rotation = actor.scenery.pose(name)
        taken.append((name, pos + way * slide.outward, rotation))
    slid = (*moment.slid, (slide.joint, slide.goal(call.skill)))
    return replace(moment, slid=slid, moved=(*moment.moved, *taken))


def let_go(moment: Moment) -> Moment:
    """Return how things stand after what is held was let go."""
    held, pose = moment.held, moment.pose
    if held is None:
        return moment
    put = (held.name, *held.pose(pose.pos, pose.rotation))
    return replace(moment, held=None, moved=(*moment.moved, put))
