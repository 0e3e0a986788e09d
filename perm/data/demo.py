"""A demonstration: an episode that succeeded, with all that its file has to tell."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from perm.core.arrays import FloatArray, ImageArray
from perm.core.episode import Episode
from perm.core.satisfaction import SatisfactionScore


@dataclass(frozen=True)
class Demo:
    """An episode of the expert that succeeded, with provenance and its twin.

    Attributes:
        episode: What happened. Its `wall_s` is not kept: bytes must not depend on the clock.
        bddl_text: Problem file of the scene, with the flat goal of the choice made here.
        model_xml: MJCF of the scene, asset paths relative.
        images: Frames before each action by camera, (T, H, W, 3) raw; of every camera or of none.
        scores: Verdicts, one for each measured preference.
        curves: Preference id -> raw quantity and score at each row, both (T+1,), NaN where none.
        calibrations: Preference id -> what scores and labels were made with, as
            `Calibration.to_dict` gives it; a preference that is not calibrated is not in it.
        attempts: How many tries were rejected on the way here, by cause.
        inspection: What two looks at its pictures came to: "accepted" or "unverifiable", "" if
            nobody looked.
        twin: Id of the task with (or without) the preference, or None.
        bddl_file: Name of the problem file, relative: LIBERO's own
            "libero_goal/put_the_bowl_on_the_plate.bddl", or "" for "perm/<task id>.bddl".
    """

    episode: Episode
    bddl_text: str
    model_xml: str
    images: Mapping[str, ImageArray] = field(default_factory=dict)
    scores: tuple[SatisfactionScore, ...] = ()
    curves: Mapping[str, tuple[FloatArray, FloatArray]] = field(default_factory=dict)
    calibrations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    attempts: Mapping[str, int] = field(default_factory=dict)
    inspection: str = ""
    twin: str | None = None
    bddl_file: str = ""

    @property
    def problem_file(self) -> str:
        """Name of the problem file as the demonstration file gives it."""
        return self.bddl_file or f"perm/{self.episode.identity.task_id}.bddl"
