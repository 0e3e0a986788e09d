"""Tests of perm.evaluation.drawing."""

from perm.evaluation.curves import Curve
from perm.evaluation.drawing import HEIGHT, WIDTH, draw_curves


def curve(*score: float | None, decided: float | None = None) -> Curve:
    times = tuple(float(k) for k in range(len(score)))
    return Curve("1-7", "Move higher", "m", decided, times, score, score)


def test_time_goes_right_and_score_up() -> None:
    drawing = draw_curves([[curve(0.0, 50.0, 100.0, decided=1.0)]])
    assert drawing is not None
    (line,) = drawing.lines
    assert line.points == (f"0.0,{HEIGHT:.1f} {WIDTH / 2:.1f},{HEIGHT / 2:.1f} {WIDTH:.1f},0.0",)
    assert (line.decided, line.last) == ((WIDTH / 2, 0.0), 100.0)


def test_both_clips_share_the_longer_ones_time() -> None:
    drawing = draw_curves([[curve(0.0, 0.0, 0.0)], [curve(0.0, 0.0)]])
    assert drawing is not None
    assert [line.place for line in drawing.lines] == [0, 1]
    assert drawing.lines[1].points[0].endswith(f"{WIDTH / 2:.1f},{HEIGHT:.1f}")


def test_where_there_is_no_score_there_is_a_gap() -> None:
    drawing = draw_curves([[curve(None, 10.0, None, 20.0)]])
    assert drawing is not None
    assert len(drawing.lines[0].points) == 2
    assert drawing.lines[0].decided is None


def test_without_curves_there_is_no_drawing() -> None:
    assert draw_curves([]) is None
    assert draw_curves([[], []]) is None
    assert draw_curves([[curve(None, None)]]) is None
