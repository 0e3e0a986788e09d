"""Trials of two tasks that were not played but said."""

from collections.abc import Sequence

from perm.core.task import Task
from perm.data.trial import Reading, Trial
from perm.evaluation.trials_summary import Checked, sum_up
from perm.metrics.calibration import EventCalibration
from tests.evaluation.world import HIGH, twin_of

SCALE = EventCalibration(0.1, 0.3, (-20.0, 50.0, 70.0), "m")
TWIN = twin_of(HIGH)


def trial(
    raw: float | None,
    *,
    task: Task = HIGH,
    index: int = 0,
    kind: str = "",
    scale: EventCalibration | None = SCALE,
    steps: int = 100,
) -> Trial:
    label = None if raw is None or scale is None else scale.label(raw)
    readings = {p.id: Reading("carry", raw, "m", label, scale) for p in task.measured}
    return Trial(
        task_id=task.id,
        index=index,
        init_index=30 + index,
        seed=0,
        success=not kind,
        cause=kind and f"gave up: {kind}: no way",
        kind=kind,
        steps=steps,
        wall_s=2.0,
        planning_s=0.25,
        readings=readings,
    )


def side(
    task: Task, raws: Sequence[float | None], kinds: Sequence[str] = (), steps: int = 100
) -> list[Trial]:
    """Trials that measured these heights [m]; the first of them failed in these ways."""
    padded = [*kinds, *[""] * (len(raws) - len(kinds))]
    return [
        trial(raw, task=task, index=index, kind=kind, steps=steps)
        for index, (raw, kind) in enumerate(zip(raws, padded, strict=True))
    ]


def pair(
    asked: Sequence[float | None],
    twin: Sequence[float | None],
    kinds: Sequence[str] = (),
    twin_kinds: Sequence[str] = (),
) -> Checked:
    done = [*side(HIGH, asked, kinds, 140), *side(TWIN, twin, twin_kinds)]
    (checked,) = sum_up((HIGH, TWIN), done)
    return checked
