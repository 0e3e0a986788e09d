"""LIBERO's own `ControlEnv`, stepped by its own code: the reference, and for doubt."""

from typing import Any

import numpy as np

from perm.core.arrays import AnyArray, FloatArray
from perm.core.episode import Start
from perm.core.errors import PermError
from perm.core.layout import Atom, Layout
from perm.sim.blueprint import Blueprint
from perm.sim.env import SimEnv
from perm.sim.scene import HORIZON, construct, hide_markers, place_again
from perm.sim.store import find_blueprint


class StockEnv(SimEnv):
    """A scene whose steps, observations and predicates are LIBERO's.

    Attributes:
        control_env: LIBERO's environment.
        scene: Its inner environment.
    """

    simulation = "stock"

    def __init__(self, layout: Layout, image_size: int = 0) -> None:
        """Build LIBERO's environment from the layout's problem file.

        Args:
            layout: The scene.
            image_size: Height and width of the images that LIBERO draws in each step [px]; 0 for
                none.

        Raises:
            PermError: A category is unknown, or the objects cannot be placed.
        """
        self.control_env = construct(layout, lambda path: _control_env(path, image_size))
        self.scene: Any = self.control_env.env
        self._take(layout, find_blueprint(layout))

    def begin(self, start: Start) -> None:
        """Let LIBERO reset its environment, building it anew, and put it into a recorded start.

        Raises:
            PermError: The start belongs to another layout, or LIBERO's reset cannot place the
                objects.
        """
        self._check_start(start)
        place_again(self.layout, self.scene.reset)
        self._take(self.layout, self.blueprint)
        super().begin(start)

    def _take(self, layout: Layout, blueprint: Blueprint) -> None:
        hide_markers(self.scene)
        sim = self.scene.sim
        self._adopt(layout, blueprint, sim.model._model, sim.data._data)
        self._watch()

    def _restart_controller(self) -> None:
        robot = self.scene.robots[0]
        robot.gripper.current_action = np.zeros(robot.gripper.dof)
        robot.controller.update(force=True)
        robot.controller.reset_goal()
        self._before[:] = self.data.qpos
        for observable in self.scene._observables.values():
            observable.reset()
        # LIBERO updates observations in `reset` and again in `set_init_state`; each update moves
        # the moment within the control step at which it samples the next ones.
        for _ in range(2):
            self.scene._update_observables(force=True)
        self.scene._post_process()

    def _advance(self, action: FloatArray) -> None:
        self.seen.last[:] = self.data.qpos
        self.control_env.step(action)

    def holds(self, atom: Atom) -> bool:
        """Return whether an atom holds now, asking LIBERO; see `SimEnv.holds`."""
        for name in atom[1:]:
            if name not in self.scene.object_states_dict:
                raise PermError(f"{' '.join(atom)}: LIBERO keeps no state of {name!r}.")
        # LIBERO's query for a stove also lights its burner: it will be put right after the step.
        return bool(self.scene._eval_predicate(list(atom)))

    def observations(self) -> dict[str, AnyArray]:
        """Return LIBERO's observations of the last step."""
        return dict(self.scene._get_observations())

    def close(self) -> None:
        """Free the simulator and the cameras."""
        super().close()
        self.control_env.close()

    def _watch(self) -> None:
        """Note what is there whenever LIBERO samples its observations."""
        from robosuite.utils.observables import Observable, sensor

        sim, step = self.scene.sim, self.scene.sim.step
        self._before = self.data.qpos.copy()

        def step_noting_qpos() -> None:
            self._before[:] = self.data.qpos
            step()

        @sensor(modality="perm")  # type: ignore[untyped-decorator]
        def seen(cache: Any) -> float:
            del cache
            self.seen.look(self.data, self._before)
            return 0.0

        sim.step = step_noting_qpos
        observable = Observable("perm_seen", seen, sampling_rate=self.scene.control_freq)
        observable.set_active(False)
        self.scene._observables[observable.name] = observable


def _control_env(path: str, image_size: int) -> Any:
    from libero.libero.envs.env_wrapper import ControlEnv

    return ControlEnv(
        bddl_file_name=path,
        use_camera_obs=image_size > 0,
        has_offscreen_renderer=image_size > 0,
        camera_heights=image_size,
        camera_widths=image_size,
        horizon=HORIZON,
        ignore_done=True,
    )
