"""One LIBERO scene: begin it anywhere, step it, look at it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from perm.core.arrays import AnyArray, FloatArray
from perm.core.conventions import ACTION_SIZE
from perm.core.episode import Start
from perm.core.errors import PermError
from perm.core.layout import Atom, Layout
from perm.core.mission import Goal
from perm.core.policy import Observation
from perm.sim.blueprint import Blueprint
from perm.sim.controller import Controller
from perm.sim.predicates import Predicates
from perm.sim.seen import Seen
from perm.sim.sensors import all_observations, proprioception
from perm.sim.store import find_blueprint

if TYPE_CHECKING:
    from perm.sim.render import Studio
    from perm.sim.sampling import Sampler


BAD_STATE = slice(
    mujoco.mjtWarning.mjWARN_BADQPOS.value, mujoco.mjtWarning.mjWARN_BADQACC.value + 1
)
"""MuJoCo's warnings of positions, velocities and accelerations that are not finite or too large."""


class SimEnv:
    """A scene on a model of its own, stepped by compiled code; its states are LIBERO's, bit by bit.

    Everything that an episode depends on is in its Start: two episodes with the same Start and
    actions have the same states, whatever ran before.

    Attributes:
        layout: What was built.
        blueprint: What LIBERO says of it.
        model: The mujoco.MjModel, here without what only can be seen.
        data: Its mujoco.MjData.
        joints: Names of all joints in the order of the state.
        fixture_bodies: Body ids of the fixtures, by name.
        seen: What sensors and cameras saw last.
    """

    simulation = "core"
    _start: "Start | None" = None
    _studio: "Studio | None" = None
    _sampler: "Sampler | None" = None

    def __init__(self, layout: Layout) -> None:
        """Get the scene ready; `begin` puts it into a state.

        Raises:
            PermError: A category is unknown, or the objects cannot be placed.
        """
        blueprint = find_blueprint(layout)
        model = mujoco.MjModel.from_binary_path("scene.mjb", {"scene.mjb": blueprint.physics})
        self._adopt(layout, blueprint, model, mujoco.MjData(model))
        self._controller = Controller(self.model, self.data, blueprint.arm, self.seen)
        self._predicates = Predicates(blueprint, self.model, self.data)

    def _adopt(self, layout: Layout, blueprint: Blueprint, model: Any, data: Any) -> None:
        """Take the model of a scene and find the way about in it."""
        self.layout, self.blueprint, self.model, self.data = layout, blueprint, model, data
        self.joints = tuple(model.joint(i).name for i in range(model.njnt))
        self.fixture_bodies: dict[str, int] = {
            name: model.body(entity.root_body).id
            for name, entity in blueprint.entities.items()
            if not entity.movable
        }
        self.seen = Seen.of(model)
        self._grip_site = model.site(blueprint.arm.grip_site).id
        self._unstable = data.warning.number[BAD_STATE]  # a view of MuJoCo's counts
        self._built = model.body_pos.copy(), model.body_quat.copy()

    @property
    def state(self) -> FloatArray:
        """[time, qpos, qvel], shape (1 + nq + nv,), a copy."""
        return np.concatenate([[self.data.time], self.data.qpos, self.data.qvel])

    @property
    def ee_pos(self) -> FloatArray:
        """Position of the grip site in the world frame [m], shape (3,)."""
        return np.array(self.data.site_xpos[self._grip_site])

    @property
    def ee_rotation(self) -> FloatArray:
        """Rotation of the grip site, shape (3, 3): x opens the fingers, z is the approach."""
        return np.array(self.data.site_xmat[self._grip_site]).reshape(3, 3)

    @property
    def gripper_width(self) -> float:
        """Distance between the fingers [m]; their joints have opposite signs."""
        left, right = self.data.qpos[7:9]
        return float(left - right)

    @property
    def studio(self) -> "Studio":
        """Where images of the scene are drawn; opened when it is asked for."""
        if self._studio is None:
            from perm.sim.render import Studio

            self._studio = Studio(self.blueprint)
            if self._start is not None:
                self._studio.furnish(self._start)
        return self._studio

    @property
    def sampler(self) -> "Sampler":
        """Where starts of the scene are drawn; LIBERO builds it when it is asked for."""
        if self._sampler is None:
            from perm.sim.sampling import Sampler

            self._sampler = Sampler(self.layout)
        return self._sampler

    def begin(self, start: Start) -> None:
        """Put the scene into a recorded start, bit for bit.

        Raises:
            PermError: The start belongs to another layout or another order of objects.
        """
        self._check_start(start)
        model, data = self.model, self.data
        self.clear()
        for name, body in self.fixture_bodies.items():
            model.body_pos[body] = start.fixture_pos[name]
            model.body_quat[body] = start.fixture_quat[name]
        data.time = start.state[0]
        data.qpos[:] = start.state[1 : 1 + model.nq]
        data.qvel[:] = start.state[1 + model.nq :]
        self.restart()
        # Every forward pass writes the warm start, and the first solve depends on it.
        data.qacc_warmstart[:] = start.warmstart
        self._start = start
        if self._studio is not None:
            self._studio.furnish(start)

    def clear(self) -> None:
        """Reset all data, and put everything back where it was built; see `restart`."""
        mujoco.mj_resetData(self.model, self.data)
        self.model.body_pos[:], self.model.body_quat[:] = self._built

    def restart(self) -> None:
        """Let an episode begin in the state that `data` was put into: the robot holds still."""
        mujoco.mj_forward(self.model, self.data)
        self.seen.last[:] = self.data.qpos
        self.seen.look(self.data, self.data.qpos)
        self._restart_controller()

    def step(self, action: FloatArray) -> None:
        """Execute one action of 50 ms.

        Args:
            action: Shape (7,), entries in [-1, 1]; see `perm.core.conventions`.

        Raises:
            PermError: The shape is wrong or a value is not finite, or the physics became unstable.
        """
        action = np.asarray(action, dtype=np.float64)
        if action.shape != (ACTION_SIZE,) or not np.isfinite(action).all():
            raise PermError(f"An action is {ACTION_SIZE} finite numbers, got {action!r}.")
        self._advance(action)
        if self._unstable.any():
            self._refuse_reset()

    def _refuse_reset(self) -> None:
        """MuJoCo resets a scene that it cannot go on with, and says so nowhere else."""
        dof = int(self.data.warning.lastinfo[BAD_STATE][self._unstable > 0][0])
        joint = self.model.joint(self.model.dof_jntid[min(dof, self.model.nv - 1)]).name
        raise PermError(
            f"The physics became unstable at {joint}: MuJoCo had to reset the scene. Something was "
            "pushed into something else, or was never apart from it."
        )

    def _restart_controller(self) -> None:
        self._controller.restart()

    def _advance(self, action: FloatArray) -> None:
        self._controller.step(action)

    def holds(self, atom: Atom) -> bool:
        """Return whether an atom holds now, by LIBERO's rules; see `perm.sim.predicates`.

        Raises:
            PermError: LIBERO tracks no such thing, or knows no such predicate of it.
        """
        return self._predicates.holds(atom)

    def reached(self, goal: Goal) -> bool:
        """Return whether one of the goal's alternatives holds now, and nothing that must not."""
        return any(map(self._all_hold, goal.any_of)) and not any(map(self._all_hold, goal.none_of))

    def _all_hold(self, atoms: Iterable[Atom]) -> bool:
        return all(self.holds(atom) for atom in atoms)

    def observe(self, image_size: int = 0) -> Observation:
        """Return what a policy sees.

        Args:
            image_size: Height and width of both camera images [px]; 0 for none.

        Returns:
            See `perm.core.policy.Observation`; images are raw, bottom row first.
        """
        observation = proprioception(self.blueprint, self.model, self.seen)
        if image_size:
            images = self.studio.draw(self.seen.camera, self.seen.last, image_size)
            observation |= {f"{name}_image": image for name, image in images.items()}
        return observation

    def observations(self) -> dict[str, AnyArray]:
        """Return every entry of LIBERO's observations but images, by LIBERO's names."""
        return all_observations(self.blueprint, self.model, self.seen)

    def close(self) -> None:
        """Free the cameras and the sampler."""
        for part in (self._studio, self._sampler):
            if part is not None:
                part.close()
        self._studio = self._sampler = None

    def _check_start(self, start: Start) -> None:
        if start.layout_digest != self.layout.digest:
            raise PermError(
                f"This start belongs to layout {start.layout_digest[:12]}, "
                f"the scene is {self.layout.digest[:12]}. Make the starts of this layout anew."
            )
        if start.joints != self.joints:
            raise PermError(
                f"The start's joints are not the scene's, in this order. "
                f"Start: {', '.join(start.joints)}. Scene: {', '.join(self.joints)}."
            )
        size = 1 + self.model.nq + self.model.nv
        if len(start.state) != size:
            raise PermError(f"The start's state has {len(start.state)} numbers instead of {size}.")
