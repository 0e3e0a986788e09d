"""Proposes layouts for pairs of a mission and a preference, and keeps what came of it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perm.bddl.diff import diff_layouts
from perm.bddl.write import write_layout
from perm.core.arrays import ImageArray
from perm.core.errors import PermError
from perm.core.mission import Mission
from perm.core.seeding import make_rng
from perm.core.task import Preference
from perm.data.atomic import completed
from perm.pipeline.portraits import draw_mission
from perm.pipeline.proposals import Proposal, Proposer, propose
from perm.pipeline.variations import vary
from perm.suites.library import Library

PROPOSALS_FILE = "proposals.json"

Pair = tuple[Mission, Preference]


@dataclass(frozen=True)
class Proposed:
    """What came of one pair.

    Attributes:
        pair: The mission as it was, and the preference.
        proposal: None where the preference cannot be shown in the mission.
        reason: Why not, in words; "" where a layout was accepted.
        picture: What AgentView sees, right way up (H, W, 3), if it was asked for.
    """

    pair: Pair
    proposal: Proposal | None
    reason: str = ""
    picture: ImageArray | None = None

    @property
    def name(self) -> str:
        """Of its files."""
        mission, preference = self.pair
        return f"{mission.id}_{preference.id}"

    @property
    def accepted(self) -> Mission | None:
        """The mission with its new layout."""
        return self.proposal.mission if self.proposal else None


def draw_pairs(library: Library, count: int, seed: int) -> list[Pair]:
    """Draw pairs that no task uses, among LIBERO's own missions and the preferences that suit them.

    Args:
        library: Knows them.
        count: How many.
        seed: Of the draw.

    Raises:
        PermError: There are not so many.
    """
    used = {
        (task.mission.id.split("_")[0], preference.id)
        for task in library.tasks.values()
        for preference in task.measured
    }
    pairs = [
        (mission, preference)
        for mission in library.missions.values()
        for preference in library.preferences.values()
        if mission.init_states and (mission.id, preference.id) not in used
        if _suits(mission, preference, library)
    ]
    pairs.sort(key=lambda pair: (pair[0].id, pair[1].id))
    if count > len(pairs):
        raise PermError(f"draw: there are {len(pairs)} such pairs, not {count}.")
    rng = make_rng(seed, "pairs", 0, "draw")
    return [pairs[i] for i in rng.choice(len(pairs), count, replace=False)]


def _suits(mission: Mission, preference: Preference, library: Library) -> bool:
    try:
        vary(mission, preference, library.catalogue)
    except PermError:
        return False
    return True


def propose_all(
    pairs: Sequence[Pair],
    library: Library,
    proposer: Proposer,
    out: Path,
    tries: int,
    pictures: bool,
) -> Iterator[Proposed]:
    """Yield what comes of each pair; layouts and diffs are written as they are accepted.

    Args:
        pairs: Missions and preferences.
        library: Knows the objects.
        proposer: Says where things go.
        out: Folder of the files.
        tries: For each pair.
        pictures: Whether to draw what was accepted.
    """
    told: list[Mapping[str, Any]] = []
    for mission, preference in pairs:
        done = _propose(mission, preference, library, proposer, tries, pictures)
        if done.accepted is not None:
            _keep(out, done, done.accepted)
        told.append(_record(done, proposer))
        with completed(out / PROPOSALS_FILE) as unfinished:
            unfinished.write_text(json.dumps(told, indent=1), encoding="utf-8")
        yield done


def _propose(
    mission: Mission,
    preference: Preference,
    library: Library,
    proposer: Proposer,
    tries: int,
    pictures: bool,
) -> Proposed:
    pair = (mission, preference)
    try:
        proposal = propose(mission, preference, library.catalogue, proposer, tries)
    except PermError as error:
        return Proposed(pair, None, str(error))
    if proposal.mission is None:
        last = proposal.rejections[-1]
        return Proposed(pair, proposal, f"{last.stage}: {last.reason}")
    return Proposed(pair, proposal, picture=draw_mission(proposal.mission) if pictures else None)


def _keep(out: Path, done: Proposed, mission: Mission) -> None:
    before = done.pair[0].layout
    for ending, text in (
        (".bddl", write_layout(mission.layout)),
        (".diff", diff_layouts(before, mission.layout) + "\n"),
    ):
        with completed(out / f"{done.name}{ending}") as unfinished:
            unfinished.write_text(text, encoding="utf-8")


def _record(done: Proposed, proposer: Proposer) -> Mapping[str, Any]:
    mission, preference = done.pair
    accepted, tried = done.accepted, done.proposal
    rejections = tried.rejections if tried else ()
    return {
        "mission": mission.id,
        "preference": preference.id,
        "proposer": proposer.name,
        "accepted": accepted is not None,
        "layout_digest": accepted.layout.digest if accepted else None,
        "language": accepted.language if accepted else None,
        "goal": [list(map(list, goal)) for goal in accepted.goal.any_of] if accepted else None,
        "keep_away_from": tried.avoided if tried else None,
        "reason": done.reason,
        "rejections": [{"stage": one.stage, "reason": one.reason} for one in rejections],
    }
