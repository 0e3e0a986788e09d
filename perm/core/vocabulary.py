"""What a plan and a preference may say to the expert; checked on load, understood by the skills."""

from collections.abc import Mapping

from perm.core.conventions import SIDES

Takes = type[float] | type[str] | tuple[str, ...]
"""What a setting takes: `float` for any number, `str` for any word, or the words to choose from."""

MOVABLE, JOINTED = "movable", "jointed"
"""What a skill acts on: an object that can be moved, or a drawer, door or knob."""

GRASPS = ("top", "rim", "handle")
"""Where an object can be taken: across its top, by an open rim, by its handle."""

SKILLS: Mapping[str, tuple[int, str, Mapping[str, Takes]]] = {
    "pick": (1, MOVABLE, {"at": GRASPS, "tilt": float}),
    "place_on": (2, MOVABLE, {}),
    "place_in": (2, MOVABLE, {}),
    "slide_in": (2, MOVABLE, {}),
    "throw": (2, MOVABLE, {}),
    "lay_down": (2, MOVABLE, {}),
    "push": (2, MOVABLE, {}),
    "drag": (2, MOVABLE, {}),
    "open": (1, JOINTED, {}),
    "close": (1, JOINTED, {}),
    "turn_on": (1, JOINTED, {}),
    "turn_off": (1, JOINTED, {}),
}
"""By skill: how many names follow it in a plan, what the first of them is, and the parameters that
it takes. The second name is an object or a region. A pick's `tilt` [rad], from the vertical, is for
what comes next: laying down, sliding in."""

EXPERT_STAGES: Mapping[str, Mapping[str, Takes]] = {
    "motion": {"speed_scale": float, "acceleration_scale": float, "pause_scale": float},
    "carry": {
        "extra_height": float,
        "lift_scale": float,
        "arc_scale": float,
        "ground_gap": float,
        "keep_away": float,
        "turn": float,
    },
    "pick": {
        "side": tuple(SIDES),
        "at": GRASPS,
        "from": (*SIDES, "any"),
        "tilt": float,
        "least_tilt": float,
    },
    "place": {"skill": ("throw", "lay_down"), "turn": float},
}
"""What a preference may change, by stage; numbers in m and rad.

motion: speed, acceleration and pauses, times the plain ones.
carry: `extra_height` above the plain carry; `lift_scale` and `arc_scale` times the plain ones;
`ground_gap` under the object while it is moved sideways; `keep_away` from the `target` of the
preference's metric, at least so far if start and goal allow; `turn` there and back on the way.
pick: `side` of the rim; `at` what it is taken; `from` which side the hand comes, tilted by `tilt`
from the vertical, or as little as `least_tilt` where that is the most that can be reached.
place: another `skill` in place of the plan's; `turn` in the final descent.
"""

CHOICES: Mapping[str, Takes] = {
    "colour": str,
    "size": ("bigger", "smaller"),
    "tag": str,
    "container": ("boxed", "bottled", "canned"),
    "drawer": ("top", "middle", "bottom"),
    "portions": float,
}
"""What a profile preference chooses by: the measured `colour` of an object, its `size` among its
kind, a `tag` of it, the `container` it comes in, the `drawer` for what has the tag, and how many
`portions` are delivered."""
