from perm.evaluation.trials_strip import LANE, MARGIN, WIDTH, draw_strips
from perm.evaluation.trials_summary import sum_up
from tests.evaluation.trials import pair, trial
from tests.evaluation.world import HIGH


def test_the_smallest_value_is_at_the_left_and_the_largest_at_the_right() -> None:
    checked = pair([0.30, 0.20], [0.10])
    strips = draw_strips(checked, checked.spreads[0])
    assert strips is not None
    (name, asked), (other, twin) = strips.lanes
    assert (name, other) == ("with", "without")
    assert [dot.x for dot in asked] == [WIDTH - MARGIN, WIDTH / 2]
    assert [dot.x for dot in twin] == [MARGIN]
    assert (strips.ends, strips.height) == (("0.1", "0.3 m"), 2 * LANE)


def test_anchors_are_drawn_even_where_no_dot_comes_near() -> None:
    checked = pair([0.29], [0.2])
    strips = draw_strips(checked, checked.spreads[0])
    assert strips is not None
    places = {mark.name: mark.x for mark in strips.marks}
    assert places["scores 0"] == MARGIN
    assert places["scores 100"] == WIDTH - MARGIN
    assert places["label 1 from here"] == round(MARGIN + 0.7 * (WIDTH - 2 * MARGIN), 1)


def test_dots_of_one_value_stand_apart_and_in_their_lane() -> None:
    checked = pair([0.3] * 5, [0.1] * 20)
    strips = draw_strips(checked, checked.spreads[0])
    assert strips is not None
    asked, twin = (dots for _, dots in strips.lanes)
    assert len({dot.y for dot in asked}) == 5
    assert all(0 < dot.y < LANE for dot in asked)
    assert all(LANE < dot.y < 2 * LANE for dot in twin)


def test_a_dot_says_where_it_comes_from_and_a_failure_why() -> None:
    checked = pair([0.3, 0.22, 0.3], [0.1], kinds=["slip"])
    strips = draw_strips(checked, checked.spreads[0])
    assert strips is not None
    told = {dot.style: dot.title for dot in strips.lanes[0][1]}
    assert told == {
        "lost": "init 30: 0.3 m, label 1; gave up: slip: no way",
        "dot0-75": "init 31: 0.22 m, label 0.75",
        "dot1": "init 32: 0.3 m, label 1",
    }


def test_one_value_without_a_scale_is_in_the_middle() -> None:
    (checked,) = sum_up((HIGH,), [trial(0.3, scale=None)])
    strips = draw_strips(checked, checked.spreads[0])
    assert strips is not None
    assert [(dot.x, dot.style) for dot in strips.lanes[0][1]] == [(WIDTH / 2, "unknown")]


def test_nothing_measured_is_nothing_drawn() -> None:
    (checked,) = sum_up((HIGH,), [trial(None)])
    assert draw_strips(checked, checked.spreads[0]) is None
