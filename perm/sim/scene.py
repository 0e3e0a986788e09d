"""Builds LIBERO's own environment for a layout, once, and nothing of it at import."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import numpy as np

from perm.bddl.predicates import WORK_SURFACES
from perm.bddl.write import write_layout
from perm.core.conventions import CAMERAS, CONTROL_HZ
from perm.core.errors import PermError, unknown_name
from perm.core.layout import Layout
from perm.core.seeding import derive_seed
from perm.sim.derived import register_derived
from perm.sim.quiet import import_robosuite
from perm.sim.strip import physics_model

MadeT = TypeVar("MadeT")

BUILD_TRIES = 3
HORIZON = 1_000_000
"""Steps after which LIBERO would end an episode; the step limit is `run_episode`'s business."""


@contextlib.contextmanager
def global_numpy_seed(seed: int) -> Iterator[None]:
    """Seed numpy's global generator, which LIBERO samples from, and restore it afterwards."""
    saved = np.random.get_state()  # noqa: NPY002 - LIBERO knows no other generator
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(saved)  # noqa: NPY002


def check_categories(layout: Layout) -> None:
    """Refuse a category that LIBERO does not know, before anything is built."""
    from libero.libero.envs.base_object import OBJECTS_DICT

    known = set(OBJECTS_DICT) | {surface.category for surface in WORK_SURFACES.values()}
    for entity in (*layout.fixtures, *layout.objects):
        if entity.category not in known:
            raise unknown_name(f"category of {entity.name}", entity.category, known)


def hide_markers(scene: Any) -> None:
    """Hide the sites that mark the gripper, as LIBERO does at each reset."""
    scene.visualize(vis_settings=dict.fromkeys(scene._visualizations, False))


def build_scene(layout: Layout) -> Any:
    """Return LIBERO's inner environment (a robosuite one) with a model for physics only.

    LIBERO's wrapper is not used: its `reset` swallows every exception and never gives up.

    Raises:
        PermError: A category is unknown, or the layout's objects cannot be placed.
    """
    scene = construct(layout, lambda path: _inner_environment(layout, path))
    hide_markers(scene)
    return scene


def construct(layout: Layout, make: Callable[[str], MadeT]) -> MadeT:
    """Build something of LIBERO's from a layout; its sampler may need several tries.

    Args:
        layout: The scene.
        make: From the path of the layout's problem file to what is built.

    Raises:
        PermError: A category is unknown, or the layout's objects cannot be placed.
    """
    import_robosuite()
    register_derived(layout.derived)
    check_categories(layout)
    with problem_file(layout) as path:
        return place_again(layout, lambda: make(path))


def place_again(layout: Layout, act: Callable[[], MadeT]) -> MadeT:
    """Do something in which LIBERO samples poses, until there is room, with draws of its own.

    Raises:
        PermError: The layout's objects cannot be placed.
    """
    from robosuite.utils.errors import RandomizationError

    for attempt in range(BUILD_TRIES):
        try:
            with global_numpy_seed(derive_seed(0, layout.digest, 0, "build", attempt)):
                return act()
        except RandomizationError:
            continue
    raise PermError(
        f"The objects of this layout cannot be placed ({BUILD_TRIES} tries): "
        f"{', '.join(' '.join(atom) for atom in layout.init)}. "
        "Give the regions of objects that are close to each other more room."
    )


@contextlib.contextmanager
def problem_file(layout: Layout) -> Iterator[str]:
    """Give the path of a layout's problem file: LIBERO reads nothing else."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "layout.bddl"
        path.write_text(write_layout(layout), encoding="utf-8")
        yield str(path)


def _inner_environment(layout: Layout, path: str) -> Any:
    import robosuite
    from libero.libero.envs import TASK_MAPPING

    return _physics_only(TASK_MAPPING[layout.problem.lower()])(
        path,
        robots=["Panda"],
        controller_configs=robosuite.load_controller_config(default_controller="OSC_POSE"),
        gripper_types="default",
        initialization_noise=None,
        use_camera_obs=False,
        has_renderer=False,
        has_offscreen_renderer=False,
        control_freq=CONTROL_HZ,
        horizon=HORIZON,
        ignore_done=True,
        hard_reset=True,
        camera_names=list(CAMERAS),
    )


def _physics_only(problem: Any) -> Any:
    """Return one of LIBERO's scene classes that leaves out what only can be seen."""

    def initialize_sim(self: Any, xml_string: str | None = None) -> None:
        from robosuite.utils.binding_utils import MjSim

        # Lists the geoms of each object for segmentation, also those left out.
        self.model.generate_id_mappings = lambda sim: None
        self.sim = MjSim(physics_model(xml_string or self.model.get_xml()))
        self.sim.forward()
        self.initialize_time(self.control_freq)

    # LIBERO compares the name of the class with the problem file.
    return type(problem.__name__, (problem,), {"_initialize_sim": initialize_sim})
