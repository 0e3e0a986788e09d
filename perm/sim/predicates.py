"""LIBERO's predicates as pure queries."""

from typing import Any

from perm.core.errors import PermError
from perm.core.layout import Atom
from perm.core.task import Goal


def holds(scene: Any, atom: Atom) -> bool:
    """Return whether an atom holds now, by LIBERO's own predicate.

    LIBERO's query for a stove also lights its burner; the sites' colours are put back.

    Args:
        scene: LIBERO's inner environment.
        atom: ("on", "akita_black_bowl_1", "plate_1").

    Raises:
        PermError: The atom names something that LIBERO does not track.
    """
    for name in atom[1:]:
        if name not in scene.object_states_dict:
            known = ", ".join(sorted(scene.object_states_dict))
            raise PermError(f"{' '.join(atom)}: no state is kept of {name!r}. Known: {known}.")
    colours = scene.sim.model.site_rgba.copy()
    result = scene._eval_predicate(list(atom))
    scene.sim.model.site_rgba[:] = colours
    return bool(result)


def reached(scene: Any, goal: Goal) -> bool:
    """Return whether all atoms of one of the goal's alternatives hold now."""
    return any(all(holds(scene, atom) for atom in atoms) for atoms in goal.any_of)
