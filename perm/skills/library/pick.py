"""Pick: take an object as it suits its shape, or as the style asks."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from perm.core.mission import SkillCall
from perm.skills.actor import Actor
from perm.skills.care import CAREFUL
from perm.skills.grasps import Depths, Thing, grasps
from perm.skills.skill import Frames, Moment, Motion, Skill, Waypoint

LEVELLING = 0.5
"""How much steeper than a plan's tilt a hand may come [rad]."""


def grasp_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield "ready" and "grasp": where the hand waits, and where the fingers close."""
    style = actor.style.pick
    if "at" in call.params and style.at is None:
        style = replace(style, at=str(call.params["at"]))
    if "tilt" in call.params and not style.tilt:
        tilt = float(call.params["tilt"])
        style = replace(style, tilt=tilt, least_tilt=tilt - LEVELLING)
    if actor.care == CAREFUL:
        # A rim is rather taken near the front with less room for the arm than from another side.
        style = replace(style, usual_sides=style.usual_sides[:1])
    thing = Thing(actor.scenery.boxes(call.object), actor.scenery.support_z, _depths(params))
    for grasp in grasps(thing, style, moment.pose.rotation):
        yield {"ready": grasp.back(params["away"]), "grasp": grasp}
        if grasp.approach[2] > -0.99 and abs(grasp.rotation[2, 0]) < 0.5:
            # Beside an object there may be no room to come along the approach; fingers on both
            # sides of it can come from above.
            yield {"ready": grasp.up(params["away"]), "grasp": grasp}


def _depths(params: Mapping[str, float]) -> Depths:
    return Depths(**{name: value for name, value in params.items() if name != "away"})


PICK = Skill(
    name="pick",
    waypoints=(
        Waypoint(Motion.PLAN, "ready"),
        Waypoint(Motion.LINE, "grasp", speed=0.6),
        Waypoint(Motion.GRIP, "grasp", closed=True),
    ),
    frames=grasp_frames,
    params={
        "away": 0.10,
        "top": 0.030,
        "rim": 0.018,
        "rim_inset": 0.003,
        "handle": 0.025,
        "edge": 0.016,
    },
)
"""away: distance of the hand from the grasp before it comes to it [m]; the others: `Depths`."""
