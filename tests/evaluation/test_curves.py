"""Tests of perm.evaluation.curves."""

from pathlib import Path

from perm.evaluation.curves import STRIDE, Curve, curves_of, curves_path, read_curves, write_curves
from tests.evaluation.world import HEIGHT, HIGH, RED_MUG
from tests.metrics.traces import pick_and_place

CURVE = Curve("1-7", "Move higher", "m", 0.6, (0.0, 0.2), (None, 0.3), (None, 100.0))


def test_a_curve_looks_at_what_has_happened_so_far() -> None:
    trace = pick_and_place(height=0.3).trace
    (curve,) = curves_of(HIGH, trace, {"1-7": HEIGHT})
    assert len(curve.times) == trace.n_steps // STRIDE + 1
    assert curve.score[0] is None  # nothing has been carried yet
    assert curve.score[-1] == 100.0
    known = [raw for raw in curve.raw if raw is not None]
    assert known == sorted(known)  # a largest height never falls
    assert curve.decided_s is not None
    assert 0 < curve.decided_s <= curve.times[-1] + 0.2


def test_a_choice_needs_no_scale() -> None:
    (curve,) = curves_of(RED_MUG, pick_and_place(height=0.3).trace, {"3-2": None})
    assert curve.score[-1] == 100.0


def test_curves_lie_beside_the_video(tmp_path: Path) -> None:
    video = tmp_path / "a.mp4"
    write_curves(video, (CURVE,))
    assert curves_path(video).name == "a.json"
    assert read_curves(video) == (CURVE,)


def test_missing_or_damaged_curves_are_none(tmp_path: Path) -> None:
    assert read_curves(tmp_path / "a.mp4") == ()
    for text in ("", "[1]", '[{"preference": "1-7"}]', "{}"):
        (tmp_path / "a.json").write_text(text)
        assert read_curves(tmp_path / "a.mp4") == ()
