import numpy as np
import pytest

from perm.core.mission import Mission
from perm.core.shape import find_rim
from perm.core.trace import ObjectFacts
from perm.sim.bodies import body_pose, entity_boxes
from perm.sim.env import SimEnv
from perm.sim.facts import object_facts
from perm.sim.starts import start_of

from .scenes import library, scene

pytestmark = pytest.mark.sim


def begun(name: str, index: int) -> SimEnv:
    env = scene(name)
    env.begin(start_of(mission(name), index, env))
    return env


def mission(name: str) -> Mission:
    return next(t.mission for t in library().tasks.values() if t.mission.id == name)


def facts_of(env: SimEnv, category: str) -> ObjectFacts:
    return next(f for f in object_facts(env).values() if f.category == category)


def test_a_bowl_has_a_rim_and_a_box_has_neither_rim_nor_handle() -> None:
    env = begun("104", 0)
    bowl, cheese = facts_of(env, "akita_black_bowl"), facts_of(env, "cream_cheese")
    assert bowl.rim == pytest.approx(0.053, abs=0.002)
    assert bowl.handle is None
    assert (cheese.rim, cheese.handle) == (None, None)


def test_a_mugs_handle_stays_where_it_is_on_the_mug() -> None:
    """The red mug stands turned differently at other starts; its handle is part of the body."""
    first = facts_of(begun("081_1", 0), "red_coffee_mug")
    other = facts_of(begun("081_1", 7), "red_coffee_mug")
    assert first.rim == pytest.approx(0.043, abs=0.003)
    assert first.handle is not None
    assert other.handle is not None
    assert other.handle == pytest.approx(first.handle, abs=0.004)


def test_a_handle_lies_on_the_mug_beyond_its_cup() -> None:
    env = begun("081_1", 0)
    name = next(o.name for o in env.layout.objects if o.category == "red_coffee_mug")
    facts = object_facts(env)[name]
    assert facts.handle is not None
    assert facts.rim is not None
    position, rotation = body_pose(env, name)
    point, boxes = position + rotation @ facts.handle, entity_boxes(env, name)
    local = np.einsum("nji,nj->ni", boxes.rotation, point - boxes.centre)
    assert (np.abs(local) - boxes.half).max(axis=1).min() < 0.010
    rim = find_rim(boxes)
    assert rim is not None
    assert np.linalg.norm(point[:2] - rim.centre) > facts.rim + 0.012
