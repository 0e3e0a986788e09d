"""Whether what a file says can be true in a scene: every name in it has to exist there."""

from collections.abc import Collection, Iterator

from perm.bddl.predicates import GOAL_FORMS, fault, kinds_of
from perm.core.conventions import SIDES
from perm.core.errors import PermError, unknown_name
from perm.core.layout import Layout
from perm.core.mission import Goal, SubtaskPlan
from perm.core.task import MetricSpec
from perm.core.vocabulary import MOVABLE, SKILLS
from perm.metrics.grasping import ANY
from perm.metrics.measurements import MEASUREMENTS, check_metric


def plan_problems(plan: SubtaskPlan, layout: Layout) -> Iterator[str]:
    """Yield what is wrong with a plan in a scene."""
    places = kinds_of(layout)
    for call in plan.calls:
        wanted, kinds = _acts_on(call.skill)
        known = [name for name, kind in places.items() if kind in kinds]
        if call.object not in known:
            yield str(unknown_name(wanted, call.object, known))
        if call.target is not None and call.target not in places:
            yield str(unknown_name("object or region", call.target, places))


def _acts_on(skill: str) -> tuple[str, Collection[str]]:
    """Return what a skill acts on, in words and as the kinds that such a name may have."""
    if SKILLS[skill][1] == MOVABLE:
        return "object", ("object",)
    # A skill brings about the predicate of its name: turn_on is for what LIBERO can find turnon.
    # LIBERO's predicates take objects, too, but what is free to move has nothing to open.
    forms = GOAL_FORMS[skill.replace("_", "")]
    return f"thing to {skill.replace('_', ' ')}", [kind for (kind,) in forms if kind != "object"]


def goal_problems(goal: Goal, layout: Layout) -> Iterator[str]:
    """Yield what is wrong with a goal in a scene."""
    kinds = kinds_of(layout)
    for atom in (atom for atoms in (*goal.any_of, *goal.none_of) for atom in atoms):
        found = fault(atom, GOAL_FORMS, kinds)
        if found is not None:
            yield f"({' '.join(atom)}): {found[1]}"


def metric_problems(metric: MetricSpec, layout: Layout) -> Iterator[str]:
    """Yield what is wrong with a task's measurement: its name, its parameters, names of the scene.

    The parameters that name things are `object`, `target`, `targets`, `candidates` and
    `preferred`; `side` and `from` name sides.
    """
    try:
        check_metric(metric)
    except PermError as error:
        yield str(error)
        return
    if "side" in metric.params and str(metric.params["side"]) not in SIDES:
        yield str(unknown_name("side", str(metric.params["side"]), SIDES))
    if "from" in metric.params and str(metric.params["from"]) not in (*SIDES, ANY):
        yield str(unknown_name("from", str(metric.params["from"]), (*SIDES, ANY)))
    try:
        objects, target, targets, candidates, preferred = (
            _names(metric, key)
            for key in ("object", "target", "targets", "candidates", "preferred")
        )
    except ValueError as error:
        yield str(error)
        return
    movable, places = {entity.name for entity in layout.objects}, kinds_of(layout)
    # A Trace knows where objects and regions are, and no fixtures.
    tracked = {name for name, kind in places.items() if kind in ("object", "zone", "part")}
    for key, kind, names, known in (
        ("object", "object", objects, movable),
        ("target", "object or region", target, tracked),
        ("targets", "object or region", targets, tracked),
        ("candidates", "object or region", candidates, places),
        ("preferred", "candidate", preferred, candidates),
    ):
        for name in names:
            if name not in known:
                yield f"{key}: {unknown_name(kind, name, known)}"
    if candidates and set(preferred) == set(candidates):
        yield "preferred: has to hold some of the candidates, not all"


def _names(metric: MetricSpec, key: str) -> tuple[str, ...]:
    """Return the names that a parameter of a measurement holds; none where it is not given."""
    if key not in metric.params:
        return ()
    value, takes_list = metric.params[key], key in MEASUREMENTS[metric.name].lists
    if key in ("object", "target") and isinstance(value, str):
        return (value,)
    is_list = isinstance(value, list) and all(isinstance(name, str) for name in value)
    if not (takes_list and is_list and value):
        wanted = "a list of names" if takes_list else "a name"
        raise ValueError(f"{key}: expected {wanted}, found {value!r}")
    return tuple(value)
