"""What a plan and a preference may say to the expert; checked on load, understood by the skills."""

from collections.abc import Mapping

SKILLS: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "pick": (1, ("grasp", "rim_depth", "rim_inset", "top_depth")),
    "place_on": (2, ("gap",)),
    "place_in": (2, ("gap",)),
}
"""By skill: how many names follow it in a plan, and the parameters that it takes."""

EXPERT_STAGES: Mapping[str, Mapping[str, type]] = {
    "motion": {"speed_scale": float},
    "carry": {"extra_height": float},
    "pick": {"side": str},
}
"""What a preference may change, by stage: speed_scale times the plain speed; extra_height [m] above
the plain carry; side, one of `perm.core.conventions.SIDES`."""
