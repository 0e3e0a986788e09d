"""perm's simulation is LIBERO's, bit for bit, in a few scenes; `make parity` goes over all."""

import numpy as np
import pytest

from .layouts import distinct_scenes
from .parity import MOVED, SIZES, Report, compare_liberos_way, compare_stepping
from .witness import first_difference

pytestmark = pytest.mark.sim

DRAWER = "libero_spatial/pick_up_the_black_bowl_in_the_top_drawer_of_the_wooden_cabinet_and_place_it_on_the_plate"  # noqa: E501
LIT_STOVE = "libero_90/KITCHEN_SCENE8_put_the_right_moka_pot_on_the_stove"
MICROWAVE = "libero_90/KITCHEN_SCENE6_close_the_microwave"
FLOOR = "libero_object/pick_up_the_butter_and_place_it_in_the_basket"
LIVING_ROOM = "libero_90/LIVING_ROOM_SCENE6_put_the_chocolate_pudding_to_the_left_of_the_plate"
SETTLED_START = "mission/019_1"


@pytest.mark.parametrize("name", [DRAWER, LIT_STOVE, MICROWAVE, FLOOR, LIVING_ROOM, SETTLED_START])
def test_states_observations_and_predicates_are_liberos_also_in_a_second_episode(name: str) -> None:
    report = compare_stepping(distinct_scenes()[name], steps=50, ways=("visit", "sweep"))
    assert report.difference == ""
    assert report.steps == 100
    assert report.touches > 0
    assert report.moved > MOVED


def test_images_and_the_first_step_after_set_init_state_are_liberos() -> None:
    report = Report(LIT_STOVE)
    compare_liberos_way(report, distinct_scenes()[LIT_STOVE], drawn=(0, 1, 40))
    assert report.difference == ""
    assert report.images == 3 * 2 * len(SIZES)


def test_the_smallest_difference_is_found() -> None:
    state = np.array([1.0, 2.0])
    assert first_difference({"qpos": state}, {"qpos": state.copy()}) == ""
    nearly = np.array([1.0, np.nextafter(2.0, 3.0)])
    assert first_difference({"qpos": state}, {"qpos": nearly}) == "qpos by 4.4e-16"
    single = state.astype(np.float32)
    assert first_difference({"qpos": state}, {"qpos": single}).startswith("qpos is float64 (2,)")
    assert first_difference({"a": 1, "b": 2}, {"b": 2, "a": 1}) == "ours are a, b, theirs b, a"
