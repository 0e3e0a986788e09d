"""What a plan and a preference may say to the expert; checked on load, understood by the skills."""

from collections.abc import Mapping

from perm.core.conventions import SIDES

Takes = type[float] | tuple[str, ...]
"""What a setting takes: `float` for any number, or the words to choose from."""

SKILLS: Mapping[str, tuple[int, Mapping[str, Takes]]] = {
    "pick": (
        1,
        {
            "grasp": ("rim", "top", "body"),
            "rim_depth": float,
            "rim_inset": float,
            "top_depth": float,
        },
    ),
    "place_on": (2, {"gap": float}),
    "place_in": (2, {"gap": float}),
}
"""By skill: how many names follow it in a plan, and the parameters that it takes; lengths in m."""

EXPERT_STAGES: Mapping[str, Mapping[str, Takes]] = {
    "motion": {"speed_scale": float},
    "carry": {"extra_height": float},
    "pick": {"side": tuple(SIDES)},
}
"""What a preference may change, by stage: speed_scale times the plain speed; extra_height [m] above
the plain carry; side of the object to grasp."""
