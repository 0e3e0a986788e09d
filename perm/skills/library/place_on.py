"""Place on: carry what is held over a target, let it down and let go."""

from collections.abc import Iterator, Mapping

import numpy as np

from perm.core.boxes import Boxes
from perm.core.mission import SkillCall
from perm.skills.actor import Actor
from perm.skills.landings import landings_of, turned
from perm.skills.lifting import LIFT_STEP, MOST_LIFT, check_lift, lifted
from perm.skills.pose import Pose
from perm.skills.releases import Release, releases
from perm.skills.skill import Frames, Moment, Motion, Skill, Waypoint


def release_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield "lifted", "hover", "above" (turned as for the release) and "release"."""
    check_lift(actor, moment, actor.load(moment, call))
    yield from frames_over(actor, call, moment, params)


def frames_over(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield the same without looking whether the object can be lifted."""
    held, scenery = moment.held, actor.scenery
    assert held is not None
    assert call.target is not None
    landings = landings_of(actor, call.target, held, params["gap"])
    if actor.style.carry.away_from is not None:
        centre = scenery.point(actor.style.carry.away_from[0])[:2]
        landings.sort(key=lambda landing: -float(np.linalg.norm(landing.point - centre)))
    load = actor.load(moment, call)
    owner = scenery.owner(call.target)
    target = scenery.boxes(owner) if owner in scenery.names else None
    rotations = turned(moment.pose.rotation, in_hand(actor, moment), target)
    for release in releases(actor, landings, rotations, moment, load):
        for above in _aboves(actor, release):
            for hover in _hovers(actor, release, above):
                yield {
                    "lifted": lifted(actor, moment, load, hover),
                    "hover": hover,
                    "above": above,
                    "release": release.pose,
                }


def in_hand(actor: Actor, moment: Moment) -> Boxes:
    """Return the shape of what is held, where it is at a moment."""
    held = moment.held
    assert held is not None
    pos, rotation = actor.scenery.pose(held.name)
    boxes = actor.scenery.boxes(held.name)
    turn = moment.pose.rotation @ held.rotation @ rotation.T
    there = moment.pose.pos + moment.pose.rotation @ held.pos
    return Boxes(there + (boxes.centre - pos) @ turn.T, turn @ boxes.rotation, boxes.half)


def _aboves(actor: Actor, release: Release) -> Iterator[Pose]:
    """Yield where the descent begins; who keeps away from something begins it high."""
    if actor.style.carry.away_from is not None:
        for hover in np.arange(MOST_LIFT, release.hover, -LIFT_STEP):
            yield release.pose.up(float(hover))
    yield release.pose.up(release.hover)


def _hovers(actor: Actor, release: Release, above: Pose) -> Iterator[Pose]:
    """Yield how the hand comes to there: turned against the release if the style turns there."""
    turn = actor.style.place.turn
    if not turn:
        yield above
        return
    for sign in sorted((1.0, -1.0), key=lambda sign: abs(release.turn - sign * turn)):
        yield above.turned(-sign * turn)


PLACE_ON = Skill(
    name="place_on",
    waypoints=(
        Waypoint(Motion.LINE, "lifted", joined=True),
        Waypoint(Motion.PLAN, "hover"),
        Waypoint(Motion.LINE, "above", joined=True),
        Waypoint(Motion.LINE, "release", speed=0.8, aimed=True),
        Waypoint(Motion.GRIP, "release"),
        Waypoint(Motion.LINE, "release", back=0.10),
    ),
    frames=release_frames,
    params={"gap": 0.004},
)
"""gap: free height under the object when the fingers open [m]."""
