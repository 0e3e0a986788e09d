import random
from pathlib import Path

import pytest

from perm.bddl.errors import BddlError
from perm.bddl.read import parse_layout, read_layout
from perm.core.layout import Entity, Region


def test_every_section_arrives_in_the_layout(scene: str) -> None:
    layout = parse_layout(scene)
    assert layout.problem == "LIBERO_Kitchen_Tabletop_Manipulation"
    assert layout.language == "Put the Mug on the plate"
    assert layout.regions == (
        Region("mug_region", "kitchen_table", ((-0.1, 0.0, 0.1, 0.25),)),
        Region("plate_region", "kitchen_table", ((0.2, 0.0, 0.3, 0.1),), (0.0, 1.5)),
        Region("stove_region", "kitchen_table", ((0.2, 0.3, 0.3, 0.4),)),
        Region("cook_region", "flat_stove_1"),
    )
    assert layout.fixtures == (
        Entity("kitchen_table", "kitchen_table"),
        Entity("flat_stove_1", "flat_stove"),
    )
    assert layout.objects == (
        Entity("mug_1", "white_mug"),
        Entity("plate_1", "plate"),
        Entity("plate_2", "plate"),
    )
    assert layout.objects_of_interest == ("mug_1", "plate_1")
    assert layout.init == (
        ("on", "mug_1", "kitchen_table_mug_region"),
        ("on", "plate_1", "kitchen_table_plate_region"),
        ("on", "plate_2", "plate_1"),
        ("on", "flat_stove_1", "kitchen_table_stove_region"),
    )
    assert layout.goal == (("on", "mug_1", "plate_2"), ("turnon", "flat_stove_1"))
    assert len(layout.digest) == 64


def test_names_are_read_in_lower_case_and_the_sentence_as_written(scene: str) -> None:
    shouted = scene.upper().replace("PUT THE MUG ON THE PLATE", "Put the Mug on the plate")
    assert parse_layout(shouted) == parse_layout(scene)


def test_a_single_goal_atom_needs_no_and(scene: str) -> None:
    bare = scene.replace("(And (On mug_1 plate_2) (Turnon flat_stove_1))", "(On mug_1 plate_2)")
    assert parse_layout(bare).goal == (("on", "mug_1", "plate_2"),)


def test_sections_that_say_nothing_to_libero_may_stand_or_be_left_out(scene: str) -> None:
    layout = parse_layout(scene)
    assert parse_layout(scene.replace("(:domain robosuite)", "")) == layout
    assert parse_layout(scene.replace("(:domain", "(:requirements :adl) (:domain")) == layout


def test_several_rectangles_are_kept_in_order(scene: str) -> None:
    text = scene.replace("((-0.1 0.0 0.1 0.25))", "((-0.1 0.0 0.1 0.25) (1 2 3 4))")
    assert parse_layout(text).regions[0].ranges == ((-0.1, 0.0, 0.1, 0.25), (1.0, 2.0, 3.0, 4.0))


def test_the_sentence_comes_from_the_text_never_from_the_file_name(
    scene: str, tmp_path: Path
) -> None:
    path = tmp_path / "Open_the_drawer_pref_1-1_layout_2.bddl"
    path.write_text(scene)
    assert read_layout(path) == parse_layout(scene)


def test_the_sentence_of_every_libero_file_is_kept_byte_for_byte(libero_files: list[Path]) -> None:
    for file in libero_files:
        after = file.read_text().partition("(:language")[2]
        assert read_layout(file).language == after.partition(")")[0].strip()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BddlError, match=r"gone\.bddl: The file cannot be read: .*No such file"):
        read_layout(tmp_path / "gone.bddl")
    (tmp_path / "latin.bddl").write_bytes(b"; caf\xe9")
    with pytest.raises(BddlError, match=r"latin\.bddl: The file cannot be read: .*utf-8"):
        read_layout(tmp_path / "latin.bddl")


def _damaged(text: str, rng: random.Random) -> str:
    """Lose, double or swap a few pieces of a text: single characters, or whole words."""
    pieces = list(text) if rng.random() < 0.5 else text.replace("(", "( ").split(" ")
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(len(pieces)), rng.randrange(len(pieces))
        kind = rng.randrange(3)
        if kind == 0:
            del pieces[at]
        elif kind == 1:
            pieces.insert(other, pieces[at])
        else:
            pieces[at], pieces[other] = pieces[other], pieces[at]
    return ("" if len(max(pieces, key=len)) == 1 else " ").join(pieces)


def test_a_damaged_file_gives_a_layout_or_a_bddl_error_never_anything_else(
    libero_files: list[Path],
) -> None:
    rng = random.Random(7)
    refusals: list[str] = []
    for file in rng.sample(libero_files, 40):
        text = file.read_text()
        for _ in range(10):
            try:
                parse_layout(_damaged(text, rng), "x.bddl")
            except BddlError as error:
                refusals.append(str(error))
    assert 100 < len(refusals) < 400
    assert all(refusal.startswith("x.bddl:") for refusal in refusals)
