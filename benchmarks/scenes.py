"""The four scenes of LIBERO in which stepping, resets, openings and images are measured."""

from collections.abc import Mapping
from types import MappingProxyType

from perm.bddl.read import read_layout
from perm.core.mission import Goal, Mission
from perm.suites.paths import libero_bddl_folder

SCENES: Mapping[str, str] = MappingProxyType(
    {
        "libero_goal 0": "libero_goal/open_the_middle_drawer_of_the_cabinet",
        "libero_90 0": "libero_90/KITCHEN_SCENE10_close_the_top_drawer_of_the_cabinet",
        "libero_object 0": "libero_object/pick_up_the_alphabet_soup_and_place_it_in_the_basket",
        "libero_spatial 3": (
            "libero_spatial/pick_up_the_black_bowl_on_the_cookie_box_and_place_it_on_the_plate"
        ),
    }
)
"""Problem files by the suite and the number of the task."""


def mission_of(scene: str) -> Mission:
    """Return one of `SCENES` as a mission that starts from LIBERO's stored states."""
    layout = read_layout(libero_bddl_folder() / f"{SCENES[scene]}.bddl")
    return Mission(
        id=scene,
        layout=layout,
        language="",
        goal=Goal((layout.goal,)),
        max_steps=600,
        init_states=SCENES[scene],
    )
