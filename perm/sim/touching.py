"""A scene set up as it will stand, and what touches what in it."""

import copy

import mujoco
import numpy as np

from perm.core.arrays import AnyArray, BoolArray, FloatArray
from perm.core.geometry import matrix_to_quat
from perm.sim.arm import Arm, hand_at
from perm.sim.bodies import collision_geoms, root_body, subtree
from perm.sim.env import SimEnv
from perm.sim.load import Load

SUNK = 0.002
"""How deep a held object may be in something before it touches it [m]: things at rest sink in."""
KEPT = 256
"""So many inertias of the arm are kept."""
SURFACE, ITSELF = "the work surface", "itself"


class Touching:
    """A copy of a scene in which only the arm, the hand and what it holds are moved about.

    Attributes:
        arm: The robot's arm.
        qpos: Addresses of its joints in the state, shape (7,).
        fingers: Those of the fingers, shape (2,).
        open: Positions of the finger joints of an open hand [m], shape (2,).
    """

    def __init__(self, env: SimEnv, arm: Arm) -> None:
        """Copy the scene as it stands; see `look`."""
        self._env = env
        self._model = model = copy.copy(env.model)
        self._data = mujoco.MjData(model)
        self.arm = arm
        joints = [model.joint(name) for name in env.blueprint.arm.joints]
        self.qpos = np.array([joint.qposadr[0] for joint in joints])
        self._dofs = np.array([joint.dofadr[0] for joint in joints])
        fingers = [model.joint(name) for name in env.blueprint.arm.fingers]
        self.fingers = np.array([joint.qposadr[0] for joint in fingers])
        self.open = np.array([joint.range[np.abs(joint.range).argmax()] for joint in fingers])
        self._inertia = np.zeros((model.nv, model.nv))
        self._robot = subtree(env, int(model.body_rootid[joints[0].bodyid[0]]))
        self._pads = np.zeros(model.nbody, dtype=bool)
        for joint in fingers:
            self._pads |= subtree(env, int(joint.bodyid[0]))
        hand = int(model.body_parentid[fingers[0].bodyid[0]])
        self._grip = subtree(env, hand)
        self._owner = _owners(env, self._robot)
        self._solid = collision_geoms(env, np.ones(model.nbody, dtype=bool))
        self._held_bodies: BoolArray = np.zeros(model.nbody, dtype=bool)
        self._usual: BoolArray = np.zeros((model.nbody, model.nbody), dtype=bool)
        self._entities: dict[str, BoolArray] = {}
        self._addresses: dict[str, int] = {}
        self._mobilities: dict[bytes, FloatArray] = {}
        self._colliding: tuple[str | None, ...] | None = None
        self._margin = float("nan")
        self.look()
        self._usual = self._touching_itself(env.blueprint.arm.rest_qpos)

    def look(self) -> None:
        """Copy where everything stands now."""
        self._seen = self._env.data.qpos.copy()
        self._model.body_pos[:] = self._env.model.body_pos
        self._model.body_quat[:] = self._env.model.body_quat

    def arrange(self, load: Load) -> None:
        """Set the scene, and let only the robot and what it holds collide with anything."""
        self._place(load)
        if not self._is_new((load.held.name if load.held else None, *load.contents)):
            return
        self._held_bodies[:] = False
        if load.held is not None:
            self._held_bodies[:] = self._bodies_of(load.held.name)
        moves, counts = self._robot | self._held_bodies, np.ones(self._model.nbody, dtype=bool)
        for name in load.contents:
            counts &= ~self._bodies_of(name)
        # Bit 1: what moves against the rest; bit 2: the robot, and what it holds, against itself.
        self._let_collide(3 * moves, counts * (~moves + 2 * self._robot))

    def mobility(self, joints: FloatArray) -> FloatArray:
        """Return the inverse of the arm's inertia at some joints, (7, 7).

        Many motions are looked at from where the arm is; what was found for there is kept.
        """
        model, data = self._model, self._data
        data.qpos[self.qpos] = joints
        key = joints.tobytes() + data.qpos[self.fingers].tobytes()
        if key in self._mobilities:
            return self._mobilities[key]
        if len(self._mobilities) == KEPT:
            self._mobilities.clear()
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_crb(model, data)
        mujoco.mj_fullM(model, self._inertia, data.qM)
        found: FloatArray = np.linalg.inv(self._inertia[np.ix_(self._dofs, self._dofs)])
        self._mobilities[key] = found
        return found

    def contacts(self, joints: FloatArray, load: Load, most: float) -> list[tuple[float, str]]:
        """Return distances, and to what, of all that is nearer than `most`, the nearest first.

        What is touchable counts only where something goes into it.
        """
        model, data = self._model, self._data
        data.qpos[self.qpos] = joints
        if load.held is not None:
            pos, rotation, _ = hand_at(self.arm, joints)
            self._put(load.held.name, *load.held.pose(pos, rotation))
        mujoco.mj_kinematics(model, data)
        self._keep_margin(max(0.0, most))
        mujoco.mj_collision(model, data)
        if data.ncon == 0:
            return []
        bodies = model.geom_bodyid[data.contact.geom]
        first_moves = (self._robot | self._held_bodies)[bodies[:, 0]]
        mover = np.where(first_moves, bodies[:, 0], bodies[:, 1])
        other = np.where(first_moves, bodies[:, 1], bodies[:, 0])
        distance = self._distances(most) + np.where(self._held_bodies[mover], SUNK, 0.0)
        apart = distance > 0
        counts = ~(apart & self._robot[other]) & ~self._go_together(mover, other)
        owner = self._owner[other]
        if load.taken:
            counts &= ~(self._pads[mover] & (owner == load.taken))
        for name in load.touchable:
            counts &= ~(apart & (owner == name))
        nearest = np.argsort(distance)
        nearest = nearest[counts[nearest]]
        return list(zip(distance[nearest].tolist(), owner[nearest].tolist(), strict=True))

    def apart(self, pos: FloatArray, rotation: FloatArray, load: Load, room: float) -> bool:
        """Return whether what is held, without the hand, would be so far from everything else.

        Args:
            pos: Its origin (3,) [m].
            rotation: (3, 3).
            load: What is held, and what else has been moved.
            room: The distance [m].
        """
        held, data = load.held, self._data
        assert held is not None
        self._place(load)
        self._put(held.name, pos, rotation)
        if self._is_new((held.name, "alone")):
            own = self._held_bodies = self._bodies_of(held.name).copy()
            self._let_collide(1 * own, 1 * ~(own | self._robot))
        self._keep_margin(room)
        mujoco.mj_kinematics(self._model, data)
        mujoco.mj_collision(self._model, data)
        return bool((self._distances(room) >= room).all())

    def _place(self, load: Load) -> None:
        """Set where everything is, and the fingers."""
        model, data = self._model, self._data
        data.qpos[:] = self._seen
        data.qpos[self.fingers] = self.open
        if load.held is not None and load.held.fingers is not None:
            data.qpos[self.fingers] = load.held.fingers
        for name, pos, rotation in load.moved:
            self._put(name, pos, rotation)
        for name, position in load.slid:
            data.qpos[model.joint(name).qposadr[0]] = position

    def _is_new(self, colliding: tuple[str | None, ...]) -> bool:
        """Return whether something else collides than last time, and keep that."""
        is_new, self._colliding = colliding != self._colliding, colliding
        return is_new

    def _bodies_of(self, name: str) -> BoolArray:
        """Return which bodies are an object's or a fixture's, shape (nbody,)."""
        if name not in self._entities:
            self._entities[name] = subtree(self._env, root_body(self._env, name))
        return self._entities[name]

    def _keep_margin(self, margin: float) -> None:
        """Let contacts count from a distance [m]."""
        if margin != self._margin:
            self._model.geom_margin[self._solid] = self._model.body_margin[:] = margin
            self._margin = margin

    def _let_collide(self, kinds: AnyArray, partners: AnyArray) -> None:
        """Say what collides: bits of each body, and of those that it collides with."""
        model = self._model
        bodies = model.geom_bodyid[self._solid]
        model.geom_contype[self._solid], model.geom_conaffinity[self._solid] = (
            kinds[bodies],
            partners[bodies],
        )
        # MuJoCo's broad phase reads memory that nobody has set for a body that may collide and has
        # no shape, and then misses pairs.
        shaped = model.body_geomnum > 0
        model.body_contype[:], model.body_conaffinity[:] = kinds * shaped, partners * shaped

    def _go_together(self, first: AnyArray, second: AnyArray) -> BoolArray:
        """Return which bodies touch by their nature: links in a row, a grip and its load."""
        held, grip = self._held_bodies, self._grip
        gripped = (held[first] & grip[second]) | (held[second] & grip[first])
        together: BoolArray = gripped | self._usual[first, second]
        return together

    def _distances(self, most: float) -> FloatArray:
        """Return the distance of each contact [m].

        With a margin, MuJoCo reports some tilted boxes that are apart as deep in each other; what
        is said to be inside is measured again.
        """
        model, data = self._model, self._data
        distance: FloatArray = data.contact.dist.copy()
        if most > 0:
            geoms = data.contact.geom
            for k in np.flatnonzero(distance < 0):
                first, second = geoms[k].tolist()
                apart = mujoco.mj_geomDistance(model, data, first, second, most, None)
                distance[k] = apart if apart > 0 else distance[k]
        return distance

    def _touching_itself(self, joints: FloatArray) -> BoolArray:
        """Return which of the robot's bodies overlap each other even at rest, (nbody, nbody)."""
        self.arrange(Load())
        self.contacts(joints, Load(), 0.0)
        first, second = self._model.geom_bodyid[self._data.contact.geom].T
        overlap = np.zeros_like(self._usual)
        overlap[first, second] = overlap[second, first] = self._robot[first] & self._robot[second]
        return overlap

    def _put(self, name: str, pos: FloatArray, rotation: FloatArray) -> None:
        if name not in self._addresses:
            joint = self._env.blueprint.entities[name].joints[-1]
            self._addresses[name] = int(self._model.joint(joint).qposadr[0])
        address = self._addresses[name]
        self._data.qpos[address : address + 3] = pos
        self._data.qpos[address + 3 : address + 7] = matrix_to_quat(rotation)


def _owners(env: SimEnv, robot: BoolArray) -> AnyArray:
    """Return by body the name of the object or fixture that it belongs to, (nbody,)."""
    names = [ITSELF if is_robot else SURFACE for is_robot in robot]
    for name in env.blueprint.entities:
        for body in np.flatnonzero(subtree(env, root_body(env, name))):
            names[body] = name
    return np.array(names)
