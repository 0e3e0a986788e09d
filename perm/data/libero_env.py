"""How LIBERO and robomimic describe the environment of a file."""

from typing import Any

from perm.core.conventions import CAMERAS, CONTROL_HZ, POSITION_SCALE, ROTATION_SCALE

DEFAULT_IMAGE_SIZE = 128
"""Image size that is named in a file without images: LIBERO's own [px]."""


def scene_class(problem: str) -> str:
    """Return the name of LIBERO's class for a scene.

    >>> scene_class("LIBERO_Tabletop_Manipulation")
    'Libero_Tabletop_Manipulation'
    """
    return problem.title()


def problem_info(problem: str, prompt: str) -> dict[str, str]:
    """Return LIBERO's `problem_info`; LIBERO registers scene classes in lower case.

    Args:
        problem: Scene class as the problem file spells it.
        prompt: Sentence as delivered.
    """
    return {
        "problem_name": problem.lower(),
        "domain_name": "robosuite",
        "language_instruction": prompt,
    }


def env_args(problem: str, bddl_file: str, image_size: int) -> dict[str, Any]:
    """Return robomimic's description of the environment; type 1 is robosuite.

    Args:
        problem: Scene class as the problem file spells it.
        bddl_file: Name of the problem file, relative.
        image_size: Height and width of the images [px], 0 if there are none.
    """
    size = image_size or DEFAULT_IMAGE_SIZE
    return {
        "type": 1,
        "env_name": scene_class(problem),
        "problem_name": problem.lower(),
        "bddl_file": bddl_file,
        "env_kwargs": {
            "robots": ["Panda"],
            "controller_configs": _controller(),
            "control_freq": CONTROL_HZ,
            "camera_names": list(CAMERAS),
            "camera_heights": size,
            "camera_widths": size,
            "use_camera_obs": True,
            "has_renderer": False,
            "has_offscreen_renderer": True,
            "ignore_done": True,
            "reward_shaping": False,
        },
    }


def _controller() -> dict[str, Any]:
    """The OSC_POSE controller as LIBERO uses it, so that the file tells what an action means."""
    reach = [POSITION_SCALE] * 3 + [ROTATION_SCALE] * 3
    return {
        "type": "OSC_POSE",
        "input_max": 1,
        "input_min": -1,
        "output_max": reach,
        "output_min": [-x for x in reach],
        "kp": 150,
        "damping_ratio": 1,
        "impedance_mode": "fixed",
        "kp_limits": [0, 300],
        "damping_ratio_limits": [0, 10],
        "position_limits": None,
        "orientation_limits": None,
        "uncouple_pos_ori": True,
        "control_delta": True,
        "interpolation": None,
        "ramp_ratio": 0.2,
    }
