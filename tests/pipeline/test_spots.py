import numpy as np
import pytest

from perm.bddl.read import read_layout
from perm.core.conventions import EDIT_CLEARANCE
from perm.core.errors import PermError
from perm.pipeline.spots import LIMIT, REACH, Standing, draw_spot, standing
from perm.suites.library import load_library
from perm.suites.paths import packaged_configs

BASE = np.array([-0.66, 0.0])


def drawn(others: list[Standing], constraint: str, n: int = 40, radius: float = 0.05) -> np.ndarray:
    spots = [
        draw_spot(radius, others, constraint, BASE, np.random.default_rng(seed))
        for seed in range(n)
    ]
    return np.array([[spot.x, spot.y] for spot in spots])


def cup(x: float, y: float, radius: float = 0.04) -> Standing:
    return Standing("cup_1", np.array([x, y]), np.zeros(2), 0.0, radius)


def test_a_place_keeps_its_distance_and_is_within_reach() -> None:
    others = [cup(0.0, 0.0), cup(-0.1, 0.15)]
    for place in drawn(others, "anywhere"):
        assert min(other.gap(place) for other in others) >= 0.05 + EDIT_CLEARANCE - 1e-3
        assert np.abs(place).max() <= LIMIT
        assert np.linalg.norm(place - BASE) <= REACH + 1e-3


def test_the_distance_to_a_fixture_is_that_to_its_sides() -> None:
    cabinet = Standing("cabinet_1", np.zeros(2), np.array([0.2, 0.1]), np.pi / 2, 0.0)
    assert cabinet.gap(np.array([0.15, 0.0])) == pytest.approx(0.05)
    assert cabinet.gap(np.array([0.0, 0.25])) == pytest.approx(0.05)
    assert cabinet.gap(np.array([0.13, 0.24])) == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("side", "axis", "sign"), [("left", 1, -1), ("right", 1, 1), ("front", 0, 1), ("back", 0, -1)]
)
def test_sides_are_liberos(side: str, axis: int, sign: int) -> None:
    assert (sign * drawn([], side)[:, axis] >= 0.05 - 1e-3).all()


def test_accessible_is_near_the_middle() -> None:
    assert np.linalg.norm(drawn([], "accessible"), axis=1).max() <= 0.101


def test_clustered_is_just_beside() -> None:
    gaps = [
        cup(0.0, 0.0).gap(place) - 0.05 for place in drawn([cup(0.0, 0.0)], "clustered with cup_1")
    ]
    assert min(gaps) >= EDIT_CLEARANCE - 1e-3
    assert max(gaps) <= 0.046


def test_the_same_draw_gives_the_same_place() -> None:
    assert (drawn([cup(0, 0)], "anywhere", 3) == drawn([cup(0, 0)], "anywhere", 3)).all()


@pytest.mark.parametrize(
    ("others", "constraint", "told"),
    [
        ([], "somewhere", "Unknown constraint 'somewhere'"),
        ([cup(0, 0)], "clustered with mug_1", "Unknown thing to cluster with 'mug_1'"),
        ([cup(0, 0, radius=1.0)], "anywhere", "There is no place 'anywhere'.*cup_1"),
    ],
)
def test_where_there_is_no_place_it_says_so(
    others: list[Standing], constraint: str, told: str
) -> None:
    with pytest.raises(PermError, match=told):
        drawn(others, constraint)


def test_what_stands_on_the_surface_is_read_off_the_layout() -> None:
    layout = read_layout(packaged_configs() / "layout" / "081_1.bddl")
    found = {one.name: one for one in standing(layout, load_library().catalogue)}
    assert set(found) == {"plate_1", "red_coffee_mug_1", "chocolate_pudding_1", "porcelain_mug_1"}
    assert found["plate_1"].middle == pytest.approx([0.15, 0.0])
    assert found["plate_1"].radius == pytest.approx(0.069 + 0.05 / np.sqrt(2), abs=2e-3)
