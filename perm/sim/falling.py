"""Where an object would come to rest if it was let go somewhere."""

import copy

import mujoco
import numpy as np

from perm.core.arrays import FloatArray
from perm.core.geometry import matrix_to_quat
from perm.sim.bodies import root_body, subtree
from perm.sim.env import SimEnv
from perm.sim.load import Load

SECONDS = 0.6
"""Time that an object gets to fall and to come to rest [s]."""
LOOK = 0.05
"""Time between two looks whether it rests: it does if it is slow in both [s]."""
SLOW, SLOW_TURN = 0.002, 0.02
"""Speed at which an object is slow [m/s, rad/s]."""


class Falling:
    """A copy of a scene without its robot, in which things fall as they do in it."""

    def __init__(self, env: SimEnv) -> None:
        """Copy the scene; how it stands is read at each fall."""
        self._env = env
        self._model = model = copy.copy(env.model)
        self._data = mujoco.MjData(model)
        arm = int(model.joint(env.blueprint.arm.joints[0]).bodyid[0])
        robot = subtree(env, int(model.body_rootid[arm]))
        geoms = robot[model.geom_bodyid]
        model.geom_contype[geoms] = model.geom_conaffinity[geoms] = 0
        model.body_contype[robot] = model.body_conaffinity[robot] = 0
        self._steps = round(LOOK / model.opt.timestep)

    def rest(
        self, pos: FloatArray, rotation: FloatArray, load: Load, velocity: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return where what is held comes to rest, (3,) [m] and (3, 3).

        Args:
            pos: Its origin when it is let go (3,) [m].
            rotation: (3, 3).
            load: What is held, and what else has been moved.
            velocity: Of its origin when it is let go (3,) [m/s].
        """
        model, data = self._model, self._data
        assert load.held is not None
        mujoco.mj_resetData(model, data)
        model.body_pos[:] = self._env.model.body_pos
        model.body_quat[:] = self._env.model.body_quat
        data.qpos[:] = self._env.data.qpos
        for name, position in load.slid:
            data.qpos[model.joint(name).qposadr[0]] = position
        for name, *pose in (*load.moved, (load.held.name, pos, rotation)):
            address = model.jnt_qposadr[self._joint(name)]
            data.qpos[address : address + 3] = pose[0]
            data.qpos[address + 3 : address + 7] = matrix_to_quat(pose[1])
        address = model.jnt_dofadr[self._joint(load.held.name)]
        if velocity is not None:
            data.qvel[address : address + 3] = velocity
        was_slow = False
        for _ in range(round(SECONDS / LOOK)):
            mujoco.mj_step(model, data, self._steps)
            speed, turning = np.abs(data.qvel[address : address + 6]).reshape(2, 3).max(axis=1)
            is_slow = bool(speed < SLOW and turning < SLOW_TURN)
            if is_slow and was_slow:
                break
            was_slow = is_slow
        mujoco.mj_kinematics(model, data)
        body = root_body(self._env, load.held.name)
        return data.xpos[body].copy(), data.xmat[body].reshape(3, 3).copy()

    def _joint(self, name: str) -> int:
        return int(self._model.joint(self._env.blueprint.entities[name].joints[-1]).id)
