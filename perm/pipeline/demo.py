"""From a good attempt to the demonstration that is written."""

from dataclasses import replace

from perm.bddl.write import layout_digest, write_layout
from perm.core.episode import Episode
from perm.core.layout import Atom
from perm.core.task import Task
from perm.data.demo import Demo
from perm.metrics.satisfaction import satisfaction_curve
from perm.pipeline.workshop import Made, Order, Workshop


def make_demo(
    workshop: Workshop,
    order: Order,
    made: Made,
    episode: Episode,
    *,
    images: int | None,
    twin: str | None,
) -> Demo:
    """Return the demonstration of an episode, with images drawn from what its cameras saw.

    Args:
        workshop: Where it was played.
        order: What was ordered.
        made: What came of it.
        episode: The good attempt.
        images: Height and width of the images [px], or None for none.
        twin: Id of the twin task, or None.
    """
    from perm.sim.model_xml import model_xml
    from perm.sim.render import draw_episode

    task, env = order.task, workshop.enter(order.task)
    start, trace = episode.start, episode.trace
    assert start is not None
    assert trace is not None
    return Demo(
        episode=episode,
        bddl_text=_problem_text(task),
        model_xml=model_xml(env, start),
        images=draw_episode(env.studio, episode, images, rows=slice(-1)) if images else {},
        scores=made.scores,
        curves={
            preference.id: satisfaction_curve(
                preference, trace, order.calibrations.get(preference.id)
            )
            for preference in task.measured
        },
        calibrations={name: known.to_dict() for name, known in order.calibrations.items()},
        attempts=made.attempts,
        inspection=made.inspection,
        twin=twin,
        bddl_file=f"{task.mission.init_states}.bddl" if task.mission.init_states else "",
    )


def _problem_text(task: Task) -> str:
    """Return the scene's problem file with the flat goal of the choice that the plan makes."""
    layout = replace(task.mission.layout, goal=_choice(task))
    return write_layout(replace(layout, digest=layout_digest(layout)))


def _choice(task: Task) -> tuple[Atom, ...]:
    """Return the alternative of the goal that the plan reaches."""
    reached = {(call.object, call.target) for call in task.plan.calls}
    for atoms in task.mission.goal.any_of:
        if all(len(atom) == 3 and (atom[1], atom[2]) in reached for atom in atoms):
            return atoms
    return task.mission.goal.any_of[0]
