from collections.abc import Iterable
from types import SimpleNamespace

import numpy as np
import pytest

from perm.core.arrays import FloatArray
from perm.core.geometry import rotation_from_vector
from perm.sim.load import Held, Load
from perm.sim.rehearsal import Reach, Room
from perm.skills.care import BOLD, USUAL, Care
from perm.skills.landings import Landing, turned
from perm.skills.pose import Pose
from perm.skills.releases import Release, releases
from perm.skills.skill import Moment
from perm.skills.style import Style

from ..core.shapes import block, can, plate

DOWNWARD = np.diag([1.0, -1.0, -1.0])
SURFACE, GAP = 0.92, 0.004


def landing(point: tuple[float, float] = (0.2, 0.1), within: float = -np.inf) -> Landing:
    """A can, 10 cm high, held 3 cm under its top."""
    held = Held("can", np.array([0.0, 0.0, 0.02]), DOWNWARD)
    local = can().corners - [0.0, 0.0, 0.95]
    corners = held.pos + local @ held.rotation.T
    return Landing(held, corners, np.array(point), SURFACE, GAP, within)


class Low:
    """A hand that has no room under a height [m], at places of some points: it is a point.

    Its fingers have no room to open under another height. What it holds fits on its way down only
    where its x is between two bounds [m], and above walls.
    """

    def __init__(
        self,
        ceilings: dict[tuple[float, float], float],
        tight: float,
        gap: tuple[float, float],
        walls: float,
    ) -> None:
        self._ceilings, self._tight, self._gap, self._walls = ceilings, tight, gap, walls

    def _least(self, pos: FloatArray) -> float:
        return self._ceilings.get((round(float(pos[0]), 2), round(float(pos[1]), 2)), 0.0)

    def follow(
        self,
        poses: Iterable[tuple[FloatArray, FloatArray]],
        joints: FloatArray,
        load: Load,
        clearance: float | None = 0.0,
    ) -> Reach:
        del joints, load
        passed = [pos for pos, _ in poses]
        low = passed[-1][2] < self._least(passed[-1]) - 1e-9
        problem = "hits shelf" if low and clearance is not None else ""
        return Reach(np.array(passed), 1.0, 1.0, problem)

    def room(self, joints: FloatArray, load: Load, most: float) -> Room:
        if load.held is None and joints[2] < self._tight:
            return Room(-0.01, "bowl")
        return Room(most, "nothing")

    def fits(self, pos: FloatArray, rotation: FloatArray, load: Load, room: float) -> bool:
        del rotation, load, room
        return self._gap[0] < pos[0] < self._gap[1] or bool(pos[2] > self._walls)


class Tipping:
    """What is let go lies as it was held only where its x is between bounds [m]."""

    def __init__(self, level: tuple[float, float]) -> None:
        self._level = level

    def rest(
        self, pos: FloatArray, rotation: FloatArray, load: Load, velocity: FloatArray | None
    ) -> tuple[FloatArray, FloatArray]:
        del load, velocity
        rest = np.array([*pos[:2], SURFACE + 0.05])
        if self._level[0] < pos[0] < self._level[1]:
            return rest, rotation
        return rest, rotation_from_vector(np.array([0.5, 0.0, 0.0])) @ rotation


def offered(
    landings: list[Landing],
    ceilings: dict[tuple[float, float], float],
    tight: float = 0.0,
    gap: tuple[float, float] = (-1.0, 1.0),
    walls: float = 2.0,
    level: tuple[float, float] = (-1.0, 1.0),
    care: Care = USUAL,
) -> list[Release]:
    actor = SimpleNamespace(
        rehearsal=Low(ceilings, tight, gap, walls),
        falling=Tipping(level),
        care=care,
        style=Style(),
    )
    moment = Moment(Pose(np.array([0.0, 0.0, 1.2]), DOWNWARD), np.zeros(7), landings[0].held)
    return list(releases(actor, landings, [(0.0, DOWNWARD)], moment, Load(landings[0].held)))


def lowest_hand() -> float:
    """Height of the hand at which the can is 4 mm over the surface [m]."""
    return SURFACE + GAP + 0.05 + 0.02


@pytest.mark.parametrize("tilt", [0.0, 0.4, 1.2])
def test_the_object_comes_over_its_point_and_its_lowest_corner_just_over_the_surface(
    tilt: float,
) -> None:
    place = landing()
    rotation = rotation_from_vector(np.array([tilt, 0.0, 0.0])) @ DOWNWARD
    hand = place.pose(rotation)
    assert (hand.pos + rotation @ place.held.pos)[:2] == pytest.approx([0.2, 0.1])
    lowest = (hand.pos + place.corners @ rotation.T)[:, 2].min()
    assert lowest == pytest.approx(SURFACE + GAP)


def test_where_there_is_room_one_lets_go_just_over_the_surface() -> None:
    (release,) = offered([landing()], {})
    assert release.pose.pos == pytest.approx([0.2, 0.1, lowest_hand()])
    assert release.raised == 0.0


def test_where_there_is_none_one_lets_go_higher() -> None:
    (release,) = offered([landing()], {(0.2, 0.1): lowest_hand() + 0.05})
    assert release.raised == pytest.approx(0.06)
    assert release.pose.pos[2] == pytest.approx(lowest_hand() + 0.06)


def test_where_the_fingers_cannot_open_one_lets_go_higher() -> None:
    (release,) = offered([landing()], {}, tight=lowest_hand() + 0.025)
    assert release.raised == pytest.approx(0.03)


def test_something_is_put_where_it_fits_no_farther_from_the_middle_than_it_has_to_be() -> None:
    (release,) = offered([landing()], {}, gap=(0.208, 0.3))
    assert release.pose.pos == pytest.approx([0.212, 0.1, lowest_hand()])


def test_where_something_would_tip_over_nobody_lets_it_go_but_the_bold() -> None:
    shelf, nowhere = {(0.2, 0.1): lowest_hand() + 0.05}, (0.0, 0.0)
    assert not offered([landing()], shelf, level=nowhere)
    assert offered([landing()], shelf, level=nowhere, care=BOLD)
    assert offered([landing(within=1.0)], shelf, level=nowhere)


def test_what_does_not_fit_is_let_go_only_where_it_would_come_to_lie() -> None:
    nowhere, bottom = (0.0, 0.0), lowest_hand() - 0.01
    assert offered([landing()], {}, gap=nowhere, walls=bottom)
    assert not offered([landing()], {}, gap=nowhere, walls=bottom, level=nowhere)


def test_what_is_too_wide_for_the_walls_is_not_pressed_in_but_by_the_bold() -> None:
    nowhere, top = (0.0, 0.0), lowest_hand() + 0.1
    assert not offered([landing()], {}, gap=nowhere, walls=top)
    assert offered([landing()], {}, gap=nowhere, walls=top, care=BOLD)


def test_one_lets_go_first_where_it_would_come_to_lie_however_high() -> None:
    shelf = {(0.2, 0.1): lowest_hand() + 0.025, (0.25, 0.1): lowest_hand() + 0.05}
    places = [landing(), landing((0.25, 0.1))]
    first, second = offered(places, shelf, level=(0.24, 0.3), care=BOLD)
    assert first.pose.pos[0] == pytest.approx(0.25)
    assert first.raised > second.raised


def test_nothing_is_let_go_from_so_high_that_it_would_be_dropped() -> None:
    assert not offered([landing()], {(0.2, 0.1): lowest_hand() + 0.15})


def test_a_low_release_beside_the_middle_comes_before_a_high_one_in_it() -> None:
    shelf = {(0.2, 0.1): lowest_hand() + 0.05}
    first, second = offered([landing(), landing((0.25, 0.1))], shelf)
    assert first.pose.pos[:2] == pytest.approx([0.25, 0.1])
    assert second.pose.pos[:2] == pytest.approx([0.2, 0.1])


def test_between_walls_a_high_release_in_the_middle_is_good_enough() -> None:
    shelf = {(0.2, 0.1): lowest_hand() + 0.05}
    first, _ = offered([landing(within=1.0), landing((0.25, 0.1))], shelf)
    assert first.pose.pos[:2] == pytest.approx([0.2, 0.1])


def test_a_hand_need_not_turn_but_may_line_the_object_up_with_its_target() -> None:
    held, target = block((0.05, 0.10, 0.02)), block((0.2, 0.3, 0.1), yaw=np.deg2rad(20))
    angles = [np.degrees(angle) for angle, _ in turned(DOWNWARD, held, target)]
    assert angles[:4] == pytest.approx([0, 20, -70, 110], abs=1.0)


def test_turns_are_of_the_hand_about_the_vertical() -> None:
    for angle, rotation in turned(DOWNWARD, can(), plate()):
        assert rotation[:, 2] == pytest.approx([0, 0, -1])
        assert rotation[:2, 0] == pytest.approx([np.cos(angle), np.sin(angle)])


def test_on_open_ground_there_is_nothing_to_line_up_with() -> None:
    angles = [abs(angle) for angle, _ in turned(DOWNWARD, can(), None)]
    assert angles[0] == 0.0
    assert angles == sorted(angles)
