from dataclasses import dataclass, field
from pathlib import Path

import pytest

from perm.bddl.changes import Spot
from perm.bddl.edit import AddObject, SetLanguage
from perm.bddl.read import read_layout
from perm.core.errors import PermError
from perm.pipeline.proposals import PlaceRequest, RuleProposer, propose
from perm.pipeline.proposing import propose_all
from perm.suites.library import Library, load_library


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


@dataclass
class Scripted:
    """A proposer that gives places in turn and remembers what it was told."""

    places: list[Spot]
    told: list[PlaceRequest] = field(default_factory=list)
    name: str = "scripted"

    def place(self, request: PlaceRequest) -> Spot:
        self.told.append(request)
        place = self.places[len(self.told) - 1]
        if place.half < 0:
            raise PermError("no idea")
        return place


@pytest.mark.sim
def test_a_rejected_place_goes_back_with_its_reason_until_one_will_do(library: Library) -> None:
    mission = library.missions["104"]
    nowhere, on_the_plate, far, good = (
        Spot(0.0, 0.0, half=-1.0),
        Spot(0.05, 0.0),
        Spot(0.24, 0.24),
        Spot(0.0, 0.27),
    )
    proposer = Scripted([nowhere, on_the_plate, far, good])
    done = propose(mission, library.preferences["3-4"], library.catalogue, proposer)
    assert done.mission is not None
    assert [one.stage for one in done.rejections] == ["propose", "simulate", "simulate"]
    assert "no idea" in done.rejections[0].reason
    assert "0.80 m" in done.rejections[2].reason
    assert proposer.told[3].reasons == tuple(one.reason for one in done.rejections)
    assert [type(edit) for edit in done.edits] == [AddObject, SetLanguage]
    assert done.mission.goal.any_of[1] == (("on", "akita_black_bowl_1", "blue_plate_1"),)


@pytest.mark.sim
def test_the_rules_find_a_place_and_only_what_was_needed_is_changed(
    library: Library, tmp_path: Path
) -> None:
    missions = library.missions
    pairs = [(missions["062"], library.preferences[wish]) for wish in ("3-3", "2-3")]
    done = list(propose_all(pairs, library, RuleProposer(0), tmp_path, tries=5, pictures=False))
    assert [one.accepted is not None for one in done] == [True, False]
    assert "no handle" in done[1].reason
    edits = done[0].proposal.edits
    assert [type(edit) for edit in edits] == [AddObject, SetLanguage]
    diff = (tmp_path / "062_3-3.diff").read_text().splitlines()
    assert [line[0] for line in diff] == ["-", "+", "+", "+", "+"]
    layout = read_layout(tmp_path / "062_3-3.bddl")
    assert layout.language == "pick up a milk and put it in the basket"
    again = list(propose_all(pairs[:1], library, RuleProposer(0), tmp_path, 5, pictures=False))
    assert again[0].accepted.layout == done[0].accepted.layout
