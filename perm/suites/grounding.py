"""Whether what a file says can be true in a scene: every name in it has to exist there."""

from collections.abc import Iterator

from perm.bddl.predicates import GOAL_FORMS, fault, kinds_of
from perm.core.conventions import SIDES
from perm.core.errors import PermError, unknown_name
from perm.core.layout import Layout
from perm.core.task import Goal, MetricSpec, SubtaskPlan
from perm.metrics.measurements import check_metric


def plan_problems(plan: SubtaskPlan, layout: Layout) -> Iterator[str]:
    """Yield what is wrong with a plan in a scene."""
    movable = {entity.name for entity in layout.objects}
    places = kinds_of(layout)
    for call in plan.calls:
        if call.object not in movable:
            yield str(unknown_name("object", call.object, movable))
        if call.target is not None and call.target not in places:
            yield str(unknown_name("object or region", call.target, places))


def goal_problems(goal: Goal, layout: Layout) -> Iterator[str]:
    """Yield what is wrong with a goal in a scene."""
    kinds = kinds_of(layout)
    for atom in (atom for alternative in goal.any_of for atom in alternative):
        found = fault(atom, GOAL_FORMS, kinds)
        if found is not None:
            yield f"({' '.join(atom)}): {found[1]}"


def metric_problems(metric: MetricSpec, layout: Layout) -> Iterator[str]:
    """Yield what is wrong with a task's measurement: its name, its parameters, names of the scene.

    The parameters that name things are `object`, `candidates` and `preferred`.
    """
    try:
        check_metric(metric)
    except PermError as error:
        yield str(error)
        return
    if "side" in metric.params and metric.params["side"] not in SIDES:
        yield str(unknown_name("side", str(metric.params["side"]), SIDES))
    choice = {key: metric.params.get(key, []) for key in ("candidates", "preferred")}
    objects = [metric.params["object"]] if "object" in metric.params else []
    for key, names in choice.items():
        if not isinstance(names, list):
            yield f"{key}: expected a list of names, found {names!r}"
            return
    kinds = kinds_of(layout)
    for name in [*objects, *choice["candidates"]]:
        if name not in kinds:
            yield str(unknown_name("object or region", name, kinds))
    for name in choice["preferred"]:
        if name not in choice["candidates"]:
            yield f"preferred: {unknown_name('candidate', name, choice['candidates'])}"
    if choice["candidates"] and set(choice["preferred"]) in (set(), set(choice["candidates"])):
        yield "preferred: has to hold some of the candidates, not all"
