"""All that can be compared of a scene at one moment."""

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

import numpy as np

from perm.bddl.predicates import GOAL_FORMS, kinds_of
from perm.core.arrays import FloatArray
from perm.core.errors import PermError
from perm.core.layout import Atom
from perm.sim.env import SimEnv
from perm.sim.stock import StockEnv

PHYSICS = ("time", "qpos", "qvel", "qacc_warmstart", "ctrl")
MAX_ATOMS = 40
"""Questions at each moment; a scene has hundreds."""


class Witness:
    """Says what there is to be seen in one environment, LIBERO's or perm's."""

    def __init__(self, env: SimEnv, atoms: tuple[Atom, ...]) -> None:
        """Take an environment and the questions that are put to it."""
        self._env, self._atoms = env, atoms
        # Their numbers differ between the models, and of a table they have no names.
        model = env.model
        solid = np.flatnonzero((model.geom_contype != 0) | (model.geom_conaffinity != 0))
        self._rank = np.full(model.ngeom, -1)
        self._rank[solid] = range(len(solid))
        self._solid = [
            f"{model.geom(i).name} of {model.body(model.geom_bodyid[i]).name}" for i in solid
        ]

    def moment(self) -> dict[str, Any]:
        """Everything, by name; some of it changes with the next step."""
        env, data = self._env, self._env.data
        return {
            **physics(data),
            **{f"seen {name}": value for name, value in env.seen._asdict().items()},
            **env.observations(),
            "solid geoms": self._solid,
            "contacts": self._rank[data.contact.geom[: data.ncon]],
            "depths": data.contact.dist[: data.ncon],
            # LIBERO's answers about a stove light its burner, so this comes before questions.
            **{f"{name} glows": value for name, value in self._glowing().items()},
            **{" ".join(atom): env.holds(atom) for atom in self._atoms},
        }

    def _glowing(self) -> dict[str, bool]:
        env = self._env
        stoves = {name: item.burner for name, item in env.blueprint.entities.items() if item.burner}
        if isinstance(env, StockEnv):
            return {name: env.model.site(site).rgba[3] > 0 for name, site in stoves.items()}
        return {name: env.holds(("turnon", name)) for name in stoves}


def physics(data: Any) -> dict[str, FloatArray]:
    """What MuJoCo goes on with: time, state, warm start and controls."""
    return {name: getattr(data, name) for name in PHYSICS}


def askable_atoms(env: SimEnv) -> tuple[Atom, ...]:
    """What a scene can be asked: its goal, all about single things, and some about pairs."""
    layout = env.layout
    pairs, single = [], []
    for atom in _atoms(env):
        (single if len(atom) == 2 else pairs).append(atom)
    np.random.default_rng(0).shuffle(pairs)
    asked = (*layout.goal, *layout.init, *single, *pairs)
    return tuple(islice(dict.fromkeys(a for a in asked if _is_answered(env, a)), MAX_ATOMS))


def _atoms(env: SimEnv) -> Iterator[Atom]:
    kinds = kinds_of(env.layout)
    for predicate, forms in GOAL_FORMS.items():
        for form in forms:
            names = ([name for name, kind in kinds.items() if kind == word] for word in form)
            yield from ((predicate, *chosen) for chosen in product(*names))


def _is_answered(env: SimEnv, atom: Atom) -> bool:
    try:
        env.holds(atom)
    except PermError:
        return False
    return True


def first_difference(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    """Return what differs first and by how much, or "" if nothing does, not even the order."""
    if list(ours) != list(theirs):
        return f"ours are {', '.join(ours)}, theirs {', '.join(theirs)}"
    for name, value in ours.items():
        mine, libero = np.asarray(value), np.asarray(theirs[name])
        if mine.dtype != libero.dtype or not np.array_equal(mine, libero):
            return f"{name}{_distance(mine, libero)}"
    return ""


def _distance(mine: FloatArray, libero: FloatArray) -> str:
    if mine.dtype != libero.dtype or mine.shape != libero.shape:
        return f" is {mine.dtype} {mine.shape}, not {libero.dtype} {libero.shape}"
    if mine.dtype.kind != "f":
        return ""
    return f" by {np.abs(mine - libero).max():.1e}"
