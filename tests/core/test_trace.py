import numpy as np

from ..metrics.traces import Script


def test_a_prefix_ends_with_the_row_before_its_action() -> None:
    trace = Script({"a": (0, 0, 0.9)}).move(0, 0, 0.95).grip("a").move(0, 0.2, 1.1).trace
    prefix = trace.until(4)
    assert prefix.n_steps == 4
    assert len(prefix.ee_pos) == len(prefix.contact) == len(prefix.success) == 5
    assert np.array_equal(prefix.object_pos["a"], trace.object_pos["a"][:5])
    assert prefix.objects == trace.objects


def test_held_needs_both_fingers() -> None:
    script = Script({"a": (0, 0, 0.9), "b": (0.2, 0, 0.9)})
    script.now["touching"]["b"] = (True, False)
    script.wait(1)
    script.now["touching"]["b"] = (True, True)
    script.wait(1)
    assert script.trace.held.tolist() == [-1, -1, 1]
