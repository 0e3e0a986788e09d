from dataclasses import replace

import pytest

from perm.skills import catalogue
from perm.skills.library.pick import PICK
from perm.skills.offsets import offsets_of
from perm.suites.library import load_library


def test_the_skills_that_a_task_uses_are_counted_with_it() -> None:
    library = load_library()
    thrown, plain = library.find_task("2-10_065"), library.find_task("2-10_065.nopref")
    found = offsets_of([thrown, plain])
    assert found.pairs == {
        ("pick", thrown.id),
        ("throw", thrown.id),
        ("pick", plain.id),
        ("place_in", plain.id),
    }
    assert str(found) == (
        "3 of 3 skills need no offset in any task, and 4 of 4 pairs of skill and task."
    )


def test_an_offset_for_a_category_counts_where_such_an_object_is_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deeper = replace(PICK, offsets={"alphabet_soup": {"top": 0.04}})
    monkeypatch.setattr(catalogue, "SKILLS", {**catalogue.SKILLS, "pick": deeper})
    library = load_library()
    soup, bowl = library.find_task("2-10_065.nopref"), library.find_task("1-7_104.nopref")
    found = offsets_of([soup, bowl])
    assert found.needing == {("pick", soup.id)}
    assert str(found).startswith("2 of 3 skills need no offset in any task, and 3 of 4 pairs")
