"""How the expert does things: the plain manner, with the preferences' changes applied."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from perm.core.conventions import SIDES
from perm.core.task import Preference


@dataclass(frozen=True)
class MotionStyle:
    """How fast.

    Attributes:
        speed: Largest speed of the hand [m/s].
        acceleration: [m/s^2].
        turn_speed: Largest rotation speed of the hand [rad/s].
        pause: Steps of rest before and after the fingers close; with none, motions go over into
            each other without a rest.
    """

    speed: float = 0.20
    acceleration: float = 1.0
    turn_speed: float = 1.2
    pause: float = 3.0


@dataclass(frozen=True)
class CarryStyle:
    """Which way things are carried; heights in m.

    Attributes:
        lift: How far straight up, before going sideways.
        arc: How far the middle of the way is above the line from there to over the target.
        low: Whether it stays low until it has to rise.
        away_from: What to keep away from, and how far [m].
        turn: Turn of the hand on the way, and back [rad].
    """

    lift: float = 0.06
    arc: float = 0.115
    low: bool = False
    away_from: tuple[str, float] | None = None
    turn: float = 0.0


@dataclass(frozen=True)
class PickStyle:
    """Where things are taken.

    Attributes:
        side: Side of an open rim that is asked for, or None.
        usual_sides: Those taken where none is: all ways to take one come before the next one.
        side_angle: Angle off that side about the world's z [rad].
        at: "top", "rim" or "handle"; None for what suits the object.
        come_from: Side that a tilted hand comes from, or "any".
        tilt, least_tilt: Of the approach from the vertical: wanted, and at least [rad].
        avoid: Sides that come last: a preference asks for them, and nobody asked for it.
    """

    side: str | None = None
    usual_sides: tuple[str, ...] = ("front", "back", "left", "right")
    side_angle: float = 0.0
    at: str | None = None
    come_from: str = "any"
    tilt: float = 0.0
    least_tilt: float = 0.0
    avoid: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PlaceStyle:
    """How things are put down.

    Attributes:
        skill: Skill in place of the plan's, or None.
        turn: Turn of the hand over the target [rad].
    """

    skill: str | None = None
    turn: float = 0.0


@dataclass(frozen=True)
class Style:
    """The expert's manner in one episode."""

    motion: MotionStyle = field(default_factory=MotionStyle)
    carry: CarryStyle = field(default_factory=CarryStyle)
    pick: PickStyle = field(default_factory=PickStyle)
    place: PlaceStyle = field(default_factory=PlaceStyle)


def draw_style(rng: np.random.Generator) -> Style:
    """Draw the manner of somebody who was told nothing; people differ a little each time."""
    plain, pace = Style(), rng.uniform(0.93, 1.07)
    motion = replace(
        plain.motion,
        speed=plain.motion.speed * pace,
        acceleration=plain.motion.acceleration * pace,
    )
    lift, arc = rng.uniform(-0.01, 0.01, size=2)
    carry = replace(plain.carry, lift=plain.carry.lift + lift, arc=plain.carry.arc + arc)
    return Style(motion, carry, replace(plain.pick, side_angle=rng.uniform(-0.1, 0.1)))


def apply_preferences(style: Style, preferences: Iterable[Preference]) -> Style:
    """Return the style changed as the preferences ask; they combine.

    Their settings have been checked when they were read, see `perm.core.vocabulary`.
    """
    for preference in preferences:
        asked = {stage: dict(settings) for stage, settings in preference.expert.items()}
        style = Style(
            motion=_motion(style.motion, asked.get("motion", {})),
            carry=_carry(style.carry, asked.get("carry", {}), preference),
            pick=_pick(style.pick, asked.get("pick", {})),
            place=replace(style.place, **asked.get("place", {})),
        )
    return style


def leave_aside(style: Style, preferences: Iterable[Preference]) -> Style:
    """Return the style with the sides that some preferences ask for coming last.

    Who was not told a preference does not keep it by chance, where there is another way.
    """
    asked = [dict(preference.expert.get("pick", {})) for preference in preferences]
    named = {str(one[key]) for one in asked for key in ("side", "from") if key in one}
    sides = named & set(SIDES)  # "any" is no side
    usual = sorted(style.pick.usual_sides, key=lambda side: side in sides)
    pick = replace(style.pick, avoid=frozenset(sides), usual_sides=tuple(usual))
    return replace(style, pick=pick)


def _motion(style: MotionStyle, asked: Mapping[str, Any]) -> MotionStyle:
    faster = asked.get("speed_scale", 1.0)
    return MotionStyle(
        speed=style.speed * faster,
        acceleration=style.acceleration * asked.get("acceleration_scale", 1.0),
        turn_speed=style.turn_speed * faster,
        pause=style.pause * asked.get("pause_scale", 1.0),
    )


def _carry(style: CarryStyle, asked: Mapping[str, Any], preference: Preference) -> CarryStyle:
    away = style.away_from
    if "keep_away" in asked:
        away = (str(preference.metric.params["target"]), float(asked["keep_away"]))
    gap = asked.get("ground_gap")
    return CarryStyle(
        lift=gap if gap is not None else style.lift * asked.get("lift_scale", 1.0),
        arc=(style.arc if gap is None else 0.0) * asked.get("arc_scale", 1.0)
        + asked.get("extra_height", 0.0),
        low=style.low or gap is not None,
        away_from=away,
        turn=style.turn + asked.get("turn", 0.0),
    )


def _pick(style: PickStyle, asked: Mapping[str, Any]) -> PickStyle:
    renamed = {"come_from" if key == "from" else key: value for key, value in asked.items()}
    if "tilt" in renamed:
        renamed = {"least_tilt": renamed["tilt"], **renamed}
    return replace(style, **renamed)
