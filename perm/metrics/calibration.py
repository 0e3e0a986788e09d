"""Calibration: what a raw quantity is worth, from demonstrations with and without a preference.

The paper says that labels come from trajectory statistics (section 3.2) and gives no numbers; the
anchors are inferred from the values that its project page shows, the cuts are ours. Let
u = 100 (raw - Z) / (F - Z), where Z and F are the medians of the demonstrations without and with
the preference. Then the score is u clipped to [0, 100], and the label is 0 where u is worse than
ordinary, 1/4 where it is ordinary, 3/4 on the better half, 1 where it is what the preference asks.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from perm.core.errors import PermError
from perm.core.satisfaction import LABELS, Measurement
from perm.metrics.keys import check_keys
from perm.metrics.two_spreads import two_spreads

MIN_DEMOS = 30
"""Demonstrations on each side that a calibration needs."""
MIN_GAP: Mapping[str, float] = MappingProxyType(
    {"m": 0.005, "rad": 0.05, "steps": 5.0, "m/s^2": 0.05, "ratio": 0.05}
)
"""How far apart the two anchors of an event have to be, by unit."""
HALF_WAY = 50.0
"""The second cut: nearer to the demonstrations with the preference than to those without."""


def label_of(position: float, cuts: Sequence[float]) -> float:
    """Return the label d of a position u: 0 below the first of three cuts, 1 from the last on."""
    return LABELS[bisect_right(cuts, position)]


@dataclass(frozen=True)
class EventCalibration:
    """What the raw quantity of one event is worth; smaller may be better.

    Attributes:
        raw_at_0: Median without the preference, the score 0.
        raw_at_100: Median with the preference, the score 100.
        cuts: Positions u from which on the label is 1/4, 3/4 and 1.
        unit: Unit of the raw quantity.
    """

    raw_at_0: float
    raw_at_100: float
    cuts: tuple[float, float, float]
    unit: str

    def __post_init__(self) -> None:
        """Refuse what gives no scale."""
        values = (self.raw_at_0, self.raw_at_100, *self.cuts)
        if not np.isfinite(values).all():
            raise PermError(f"A calibration needs finite numbers, not {values}.")
        if self.raw_at_0 == self.raw_at_100:
            raise PermError(f"A calibration needs a range; both ends are {self.raw_at_0}.")
        if len(self.cuts) != 3 or list(self.cuts) != sorted(self.cuts):
            raise PermError(f"A calibration needs three cuts that do not fall, not {self.cuts}.")

    def position(self, raw: float) -> float:
        """Return u: 0 at the one anchor, 100 at the other, not clipped."""
        return 100 * (raw - self.raw_at_0) / (self.raw_at_100 - self.raw_at_0)

    def score(self, raw: float) -> float:
        """Return the score, u clipped to [0, 100]."""
        return min(100.0, max(0.0, self.position(raw)))

    def label(self, raw: float) -> float:
        """Return the label d in {0, 1/4, 3/4, 1}."""
        return label_of(self.position(raw), self.cuts)


MATCH = EventCalibration(0.0, 1.0, (HALF_WAY, HALF_WAY, HALF_WAY), "match")
"""The scale of a choice: another one scores 0 (d = 0), a preferred one 100 (d = 1)."""


@dataclass(frozen=True)
class Calibration:
    """The scored events of a preference in a task, in plain values: ready for a YAML file.

    Attributes:
        task: Id of the task group.
        preference: Id of the preference.
        events: Scale of each scored event.
        source: Where it comes from: numbers of demos, init indices, seed, versions, digest; or
            the reason for values set by hand.
        not_scored: Events that have no scale, with the reason.
    """

    task: str
    preference: str
    events: Mapping[str, EventCalibration]
    source: Mapping[str, Any]
    not_scored: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as nested dicts, lists, numbers and strings; `from_dict` takes it back."""
        events = {name: asdict(e) | {"cuts": list(e.cuts)} for name, e in self.events.items()}
        return {
            "task": self.task,
            "preference": self.preference,
            "events": events,
            "source": dict(self.source),
            "not_scored": dict(self.not_scored),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Calibration":
        """Return the calibration that `to_dict` gave, or that somebody wrote by hand.

        Raises:
            PermError: A key is missing or unknown, or a value gives no scale.
        """
        check_keys("calibration", data, ("task", "preference", "events", "source"), ("not_scored",))
        events = {name: read_event(name, event) for name, event in data["events"].items()}
        return cls(**{**data, "events": events})


def fit_event(
    no_pref_raw: Sequence[float],
    pref_raw: Sequence[float],
    unit: str,
    *,
    min_demos: int = MIN_DEMOS,
    larger_is_better: bool | None = None,
) -> EventCalibration:
    """Return the scale of one event from what twin demonstrations measured.

    Args:
        no_pref_raw: Raw quantity of each demonstration without the preference.
        pref_raw: The same with the preference.
        unit: Unit of both.
        min_demos: How many are needed on each side.
        larger_is_better: Direction that the preference asks for; None takes what the medians say.

    Raises:
        PermError: Too few demonstrations; medians too close or in the wrong order; or the two
            sides do not separate: q95(u without) >= 50 or q05(u with) below the third cut. The
            message shows how both are spread.
    """
    if unit not in MIN_GAP:
        known = ", ".join(MIN_GAP)
        raise PermError(f"Only {known} are calibrated, not {unit!r}; a choice needs no scale.")
    if min(len(no_pref_raw), len(pref_raw)) < min_demos:
        raise PermError(
            f"Too few: measured in {len(no_pref_raw)} demos without and {len(pref_raw)} with the "
            f"preference; at least {min_demos} are needed on each side."
        )
    try:
        return _fit(no_pref_raw, pref_raw, unit, larger_is_better)
    except PermError as error:
        raise PermError(f"{error}\n{two_spreads(no_pref_raw, pref_raw, unit)}") from error


def _fit(
    no_pref_raw: Sequence[float],
    pref_raw: Sequence[float],
    unit: str,
    larger_is_better: bool | None,
) -> EventCalibration:
    zero, full = float(np.median(no_pref_raw)), float(np.median(pref_raw))
    _check_anchors(zero, full, unit, larger_is_better)
    u_no, u_pref = (100 * (np.asarray(r) - zero) / (full - zero) for r in (no_pref_raw, pref_raw))
    top = float(np.clip(np.quantile(u_pref, 0.02), 60, 80))
    best_no, worst_pref = np.quantile(u_no, 0.95), np.quantile(u_pref, 0.05)
    if best_no >= HALF_WAY or worst_pref < top:
        raise PermError(
            f"The twins do not separate: u reaches {best_no:.1f} without the preference (95 % "
            f"quantile, has to be below {HALF_WAY:.0f}) and falls to {worst_pref:.1f} with it "
            f"(5 % quantile, has to be at least {top:.1f})."
        )
    return EventCalibration(zero, full, (float(np.quantile(u_no, 0.05)), HALF_WAY, top), unit)


def fit_calibration(
    task: str,
    preference: str,
    no_pref: Sequence[Sequence[Measurement]],
    pref: Sequence[Sequence[Measurement]],
    source: Mapping[str, Any],
    *,
    min_demos: int = MIN_DEMOS,
    larger_is_better: bool | None = None,
) -> Calibration:
    """Return the calibration of a preference in a task from twin demonstrations.

    An event that `fit_event` refuses is not scored, and the reason is kept.

    Args:
        task: Id of the task group.
        preference: Id of the preference.
        no_pref: What each demonstration without the preference measured.
        pref: The same with the preference.
        source: Where the demonstrations come from, to be kept.
        min_demos: As for `fit_event`.
        larger_is_better: As for `fit_event`.

    Raises:
        PermError: No event can be scored; says why for each.
    """
    units = {m.event: m.unit for demo in (*no_pref, *pref) for m in demo}
    events, not_scored, causes = {}, {}, list[str]()
    for event, unit in units.items():
        sides = (_raws(no_pref, event), _raws(pref, event))
        try:
            events[event] = fit_event(
                *sides, unit, min_demos=min_demos, larger_is_better=larger_is_better
            )
        except PermError as error:
            causes.append(f"{event}: {error}")
            not_scored[event] = str(error).partition("\n")[0]
    if not events:
        why = "\n".join(causes) or "There are no demos."
        raise PermError(f"Preference {preference} cannot be scored in {task}. {why}")
    return Calibration(task, preference, events, source, not_scored)


def _check_anchors(zero: float, full: float, unit: str, larger_is_better: bool | None) -> None:
    medians = f"the median is {zero:.4g} {unit} without and {full:.4g} {unit} with the preference"
    if larger_is_better is not None and (full > zero) != larger_is_better:
        expected = "larger" if larger_is_better else "smaller"
        raise PermError(f"Wrong order: {medians}, which has to be {expected}.")
    if abs(full - zero) < MIN_GAP[unit]:
        raise PermError(f"Too close: {medians}; they have to be {MIN_GAP[unit]:g} {unit} apart.")


def _raws(demos: Sequence[Sequence[Measurement]], event: str) -> list[float]:
    return [m.raw for demo in demos for m in demo if m.event == event and m.raw is not None]


def read_event(name: str, data: Mapping[str, Any]) -> EventCalibration:
    """Return the scale of an event from plain values.

    Raises:
        PermError: A key is missing or unknown, or a value gives no scale.
    """
    check_keys(f"event {name!r}", data, ("raw_at_0", "raw_at_100", "cuts", "unit"))
    try:
        low, high = float(data["raw_at_0"]), float(data["raw_at_100"])
        first, second, third = (float(cut) for cut in data["cuts"])
        return EventCalibration(low, high, (first, second, third), str(data["unit"]))
    except (TypeError, ValueError, PermError) as error:
        raise PermError(f"Event {name!r} of the calibration: {error}") from error
