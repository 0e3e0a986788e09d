import dataclasses

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.trace import RegionFacts
from perm.metrics.places import centre_path, object_centre, region_poses, target_path

from .traces import TURNED, UPRIGHT, Script, box, nothing_happens


def test_the_centre_turns_with_the_object() -> None:
    trace = Script({"mug": (0.5, 0.0, 0.95)}, facts={"mug": box(centre=(0.0, 0.02, 0.0))}).trace
    assert object_centre(trace, "mug", 0) == pytest.approx([0.5, 0.02, 0.95])
    turned = dataclasses.replace(trace, object_quat={"mug": TURNED[None]})
    assert object_centre(turned, "mug", 0) == pytest.approx([0.5, 0.0, 0.97])


def test_the_path_of_the_centre_is_the_centre_at_each_row() -> None:
    script = Script({"mug": (0.5, 0.0, 0.95)}, facts={"mug": box(centre=(0.01, 0.02, 0.03))})
    trace = script.slide("mug", 0.2, 0.1, 0.9, turn=(0.5, 1.0, 0.2)).trace
    centres = [object_centre(trace, "mug", row) for row in range(trace.n_steps + 1)]
    np.testing.assert_allclose(centre_path(trace, "mug"), centres)


def test_a_region_moves_with_its_object_and_stays_with_a_fixture() -> None:
    on_mug, on_table = (
        RegionFacts(np.array([0.1, 0.0, 1.0]), UPRIGHT, np.array([0.02, 0.02, 0.01]), parent)
        for parent in ("mug", "table")
    )
    script = Script({"mug": (0.0, 0.0, 1.0)}, regions={"inside": on_mug, "spot": on_table})
    trace = script.put("mug", 0.0, 0.5, 1.0, turn=(0.0, 0.0, np.pi / 2)).trace
    assert target_path(trace, "inside") == pytest.approx(np.array([[0.1, 0, 1], [0, 0.6, 1]]))
    assert target_path(trace, "spot") == pytest.approx(np.array([[0.1, 0, 1], [0.1, 0, 1]]))
    assert region_poses(trace, "inside")[1][1] @ [1, 0, 0] == pytest.approx([0, 1, 0])
    assert region_poses(trace, "spot")[1].shape == (2, 3, 3)


def test_the_inside_of_a_drawer_slides_with_it() -> None:
    inside = RegionFacts(
        np.array([0.1, 0.0, 1.0]), UPRIGHT, np.array([0.1, 0.1, 0.05]), "cabinet", "drawer",
        np.array([0.0, -1.0, 0.0]),
    )  # fmt: skip
    trace = nothing_happens(2)
    trace = dataclasses.replace(
        trace, regions={"inside": inside}, joint_pos={"drawer": np.array([-0.02, -0.02, -0.16])}
    )
    path = target_path(trace, "inside")
    assert path == pytest.approx(np.array([[0.1, 0, 1], [0.1, 0, 1], [0.1, 0.14, 1]]))


def test_the_target_may_be_an_object() -> None:
    trace = Script({"mug": (0.0, 0.0, 1.0)}).put("mug", 0.0, 0.5, 1.0).trace
    assert target_path(trace, "mug") is trace.object_pos["mug"]
    with pytest.raises(PermError, match=r"Unknown target 'mugg'. Did you mean mug\?"):
        target_path(nothing_happens(1), "mugg")
