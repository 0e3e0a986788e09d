"""How the expert moves: parameters of speed and carry, with the preferences' changes applied."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from perm.core.conventions import SIDES
from perm.core.errors import PermError, unknown_name
from perm.core.task import Preference
from perm.core.vocabulary import EXPERT_STAGES


@dataclass(frozen=True)
class MotionStyle:
    """The expert's manner in one episode.

    Attributes:
        speed: Largest speed of the hand in free space [m/s].
        acceleration: [m/s^2].
        turn_speed: Largest rotation speed of the hand [rad/s].
        lift: How high the object is lifted before it is carried sideways [m].
        ceiling: How much higher than that the carry may go [m].
        side: Rim side to grasp, one of `perm.core.conventions.SIDES`.
        side_angle: Angle of the grasp point off that side, about the world's z [rad].
    """

    speed: float = 0.20
    acceleration: float = 0.8
    turn_speed: float = 1.2
    lift: float = 0.12
    ceiling: float = 0.03
    side: str = "front"
    side_angle: float = 0.0


def draw_style(rng: np.random.Generator) -> MotionStyle:
    """Draw the manner of somebody who was told nothing; people differ a little each time."""
    base = MotionStyle()
    pace = rng.uniform(0.93, 1.07)
    return replace(
        base,
        speed=base.speed * pace,
        acceleration=base.acceleration * pace,
        lift=base.lift + rng.uniform(-0.01, 0.01),
        side_angle=rng.uniform(-0.1, 0.1),
    )


def apply_preferences(style: MotionStyle, preferences: Iterable[Preference]) -> MotionStyle:
    """Return the style changed as the preferences ask; they combine.

    Raises:
        PermError: A preference's `expert` entry names something that no skill has.
    """
    for preference in preferences:
        for stage, changes in preference.expert.items():
            if stage not in EXPERT_STAGES:
                raise unknown_name(f"stage of preference {preference.id}", stage, EXPERT_STAGES)
            style = _change(style, stage, changes, preference.id)
    return style


def _change(
    style: MotionStyle, stage: str, changes: Mapping[str, Any], preference: str
) -> MotionStyle:
    for name, value in changes.items():
        if name not in EXPERT_STAGES[stage]:
            raise unknown_name(
                f"{stage} parameter of preference {preference}", name, EXPERT_STAGES[stage]
            )
        if name == "side":
            if value not in SIDES:
                raise unknown_name(f"side of preference {preference}", str(value), SIDES)
            style = replace(style, side=str(value))
            continue
        if not isinstance(value, int | float):
            raise PermError(f"Preference {preference}: {stage}.{name} is a number, got {value!r}.")
        if name == "extra_height":
            style = replace(style, lift=style.lift + value)
        if name == "speed_scale":
            style = replace(
                style,
                speed=style.speed * value,
                acceleration=style.acceleration * value,
                turn_speed=style.turn_speed * value,
            )
    return style
