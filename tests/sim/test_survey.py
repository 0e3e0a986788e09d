import pytest

from perm.bddl.read import read_layout
from perm.sim.blueprint import Threshold
from perm.sim.store import find_blueprint
from perm.suites.paths import libero_bddl_folder

from .scenes import scene

pytestmark = pytest.mark.sim


def test_conditions_of_joints_are_liberos() -> None:
    """A knob is on from 0.5 rad, a drawer of the wooden cabinet is open below -14 cm."""
    entities = scene("104").blueprint.entities
    stove, cabinet = entities["flat_stove_1"], entities["wooden_cabinet_1"]
    assert stove.conditions["turnon"] == Threshold(0.5, above=True, at_limit=True)
    assert cabinet.conditions["open"] == Threshold(-0.14, above=False, at_limit=False)
    assert cabinet.conditions.keys() == {"open", "close"}
    assert (stove.burner, cabinet.burner) == ("flat_stove_1_burner", "")


def test_a_microwave_closes_within_five_thousandths_of_a_radian() -> None:
    path = libero_bddl_folder() / "libero_90" / "KITCHEN_SCENE7_open_the_microwave.bddl"
    microwave = find_blueprint(read_layout(path)).entities["microwave_1"]
    assert microwave.conditions["close"] == Threshold(-0.005, above=True, at_limit=False)
    assert microwave.conditions["open"] == Threshold(-1.3, above=False, at_limit=False)


def test_objects_come_before_fixtures_in_liberos_order() -> None:
    entities = scene("104").blueprint.entities
    movable = [name for name, entity in entities.items() if entity.movable]
    assert list(entities)[: len(movable)] == movable
    assert movable == [entity.name for entity in scene("104").layout.objects]
    assert "wine_rack_1" in entities
