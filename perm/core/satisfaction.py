"""How well a preference was kept: measurement, score, label."""

from dataclasses import dataclass

LABELS = (0.0, 0.25, 0.75, 1.0)
"""The four values of the satisfaction label d."""


@dataclass(frozen=True)
class Measurement:
    """One raw quantity, taken at one moment of an episode.

    Attributes:
        event: Which moment was measured, "carry" or "grasp of akita_black_bowl_1".
        raw: The quantity, or None where it could not be measured.
        unit: Unit of `raw`: "m", "rad", "steps", "m/s^2", "ratio", or "match" for 0 or 1.
        step: Row of the trace at which the value was decided, or None.
        reason: In words, why `raw` is None or what decided it.
    """

    event: str
    raw: float | None
    unit: str
    step: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class SatisfactionScore:
    """The verdict on one preference in one episode.

    Attributes:
        preference: Id of the preference.
        raw: The deciding raw quantity, or None where nothing could be measured.
        unit: Unit of `raw`.
        value: 0 to 100, or None where not measurable or not calibrated.
        label: Satisfaction label d in {0, 1/4, 3/4, 1}, not gated by success; None like `value`.
        step: Row of the trace that decided, or None.
        reason: In words, why there is no value, or what decided.
    """

    preference: str
    raw: float | None
    unit: str
    value: float | None
    label: float | None
    step: int | None = None
    reason: str = ""
