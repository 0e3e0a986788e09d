"""Generate and trial: a layout for a preference is proposed, checked, simulated, or sent back."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from perm.bddl.changes import Spot, find_object
from perm.bddl.edit import AddObject, Edit, MoveObject, SetLanguage, edit_layout
from perm.bddl.write import with_derived
from perm.core.catalogue import Catalogue, Measures, derived_in
from perm.core.errors import PermError
from perm.core.layout import Layout
from perm.core.mission import Mission
from perm.core.seeding import derive_seed
from perm.core.task import Preference
from perm.pipeline.spots import BASES, Standing, draw_spot, standing
from perm.pipeline.variations import Variation, Wanted, vary, vary_mission

TRIES = 5
SLIMMER, SLIMMEST = 0.85, 3
"""By how much the circle round a thing is taken smaller from the third try on, so many times."""
TRIED_STARTS = (0, 1, 2)
"""Init indices at which a proposed scene is settled and looked at."""


@dataclass(frozen=True)
class PlaceRequest:
    """A question for a place.

    Attributes:
        identity: Of what the place is for, "<mission>_<preference>".
        wanted: What needs one.
        size: Of the object (3,) [m].
        radius: Of the circle round it [m].
        others: What stands on the surface.
        base: x of the robot's base, relative to the middle of the surface [m].
        reasons: Why earlier answers were rejected, the latest last.
        attempt: Number of the try, from 0.
    """

    identity: str
    wanted: Wanted
    size: tuple[float, float, float]
    radius: float
    others: tuple[Standing, ...]
    base: float
    reasons: tuple[str, ...]
    attempt: int


class Proposer(Protocol):
    """Says where something goes."""

    @property
    def name(self) -> str:
        """For reports."""
        ...

    def place(self, request: PlaceRequest) -> Spot:
        """Return a place; raise PermError where there is none, or the answer makes no sense."""
        ...


@dataclass(frozen=True)
class RuleProposer:
    """Draws places at random under the constraints of `perm.pipeline.spots`.

    The circle round a thing is larger than the thing, by far round a pan: later tries take smaller
    ones, and the simulator says whether there is room.
    """

    seed: int
    name: str = "rules"

    def place(self, request: PlaceRequest) -> Spot:
        """Return a place that keeps its distance to what stands there."""
        rng = np.random.default_rng(
            derive_seed(self.seed, request.identity, 0, request.wanted.name, request.attempt)
        )
        wanted, base = request.wanted, np.array([request.base, 0.0])
        radius = request.radius * SLIMMER ** np.clip(request.attempt - 1, 0, SLIMMEST)
        return draw_spot(radius, request.others, wanted.constraint, base, rng)


@dataclass(frozen=True)
class Rejection:
    """Why a try was not accepted: the stage ("propose", "check", "simulate") and the words."""

    stage: str
    reason: str


@dataclass(frozen=True)
class Proposal:
    """What came of it.

    Attributes:
        mission: With the changed layout, where it was accepted; None where none was.
        edits: What was changed.
        avoided: What is to be kept away from, or None.
        rejections: Of the tries before, the first one first.
    """

    mission: Mission | None
    edits: tuple[Edit, ...] = ()
    rejections: tuple[Rejection, ...] = field(default_factory=tuple)
    avoided: str | None = None

    @property
    def stages(self) -> Counter[str]:
        """How many tries failed at each stage."""
        return Counter(one.stage for one in self.rejections)


def propose(
    mission: Mission,
    preference: Preference,
    catalogue: Catalogue,
    proposer: Proposer,
    tries: int = TRIES,
) -> Proposal:
    """Return a layout of a mission in which a preference can be shown.

    Args:
        mission: One with a layout of LIBERO's.
        preference: What is to be shown.
        catalogue: What is known of objects.
        proposer: Says where things go.
        tries: Answers that it may give.

    Raises:
        PermError: The preference cannot be shown in this mission.
    """
    variation = vary(mission, preference, catalogue)
    identity = f"{mission.id}_{preference.id}"
    return propose_variation(mission, identity, variation, catalogue, proposer, tries)


def propose_variation(
    mission: Mission,
    identity: str,
    variation: Variation,
    catalogue: Catalogue,
    proposer: Proposer,
    tries: int = TRIES,
) -> Proposal:
    """Return a layout of a mission that is varied in a way.

    Args:
        mission: One with a layout of LIBERO's.
        identity: Of the variation; what is drawn depends on it.
        variation: What changes.
        catalogue: What is known of objects.
        proposer: Says where things go.
        tries: Answers that it may give.
    """
    rejections: list[Rejection] = []
    for attempt in range(tries):
        reasons = tuple(rejection.reason for rejection in rejections)
        stage = "propose"
        try:
            base = BASES[mission.layout.problem]
            place = _Asker(identity, proposer, base, reasons, attempt)
            edits = tuple(_edits(mission.layout, variation, catalogue, place))
            stage = "check"
            layout = _edited(mission.layout, edits, catalogue)
            varied = vary_mission(mission, layout, variation)
            stage = "simulate"
            problem = "; ".join(_simulated(varied, [one.name for one in variation.wanted]))
        except PermError as error:
            problem = str(error)
        if not problem:
            return Proposal(varied, edits, tuple(rejections), variation.avoided)
        rejections.append(Rejection(stage, problem))
    return Proposal(None, (), tuple(rejections))


@dataclass(frozen=True)
class _Asker:
    """Asks a proposer, and says what for and what was wrong so far."""

    identity: str
    proposer: Proposer
    base: float
    reasons: tuple[str, ...]
    attempt: int

    def ask(self, wanted: Wanted, measured: Measures, others: tuple[Standing, ...]) -> Spot:
        return self.proposer.place(
            PlaceRequest(
                identity=self.identity,
                wanted=wanted,
                size=measured.size,
                radius=measured.radius,
                others=others,
                base=self.base,
                reasons=self.reasons,
                attempt=self.attempt,
            )
        )


def _edits(
    layout: Layout, variation: Variation, catalogue: Catalogue, asker: _Asker
) -> Iterator[Edit]:
    """Yield the edits that make a variation, places asked for one after the other."""
    before = layout.language
    for wanted in variation.wanted:
        others = tuple(one for one in standing(layout, catalogue) if one.name != wanted.name)
        category = wanted.category or find_object(layout, wanted.name).category
        spot = asker.ask(wanted, catalogue[category].measured, others)
        edit: Edit = (
            AddObject(wanted.name, category, spot)
            if wanted.category
            else MoveObject(wanted.name, spot)
        )
        layout = edit.apply(layout)
        yield edit
    if variation.language != before:
        yield SetLanguage(variation.language)


def _edited(layout: Layout, edits: Sequence[Edit], catalogue: Catalogue) -> Layout:
    if not edits:
        return layout
    return with_derived(edit_layout(layout, edits), derived_in(catalogue))


def _simulated(mission: Mission, changed: Sequence[str]) -> list[str]:
    """Return what is wrong with a mission's scene once it has settled, at some starts."""
    from perm.sim.env import SimEnv
    from perm.sim.soundness import scene_problems
    from perm.sim.starts import make_start

    env = SimEnv(mission.layout)
    try:
        for index in TRIED_STARTS:
            env.begin(make_start(mission, index, env))
            problems = list(scene_problems(env, mission, changed))
            if problems:
                return problems
    finally:
        env.close()
    return []
