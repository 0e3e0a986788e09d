import hashlib
import importlib.util
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from perm.bddl.errors import BddlError
from perm.bddl.read import parse_layout, read_layout
from perm.bddl.write import layout_digest, write_layout
from perm.core.layout import Entity


def test_all_130_libero_files_survive_the_round_trip(libero_files: list[Path]) -> None:
    assert len(libero_files) == 130
    for file in libero_files:
        layout = read_layout(file)
        text = write_layout(layout)
        assert parse_layout(text) == layout
        assert write_layout(parse_layout(text)) == text


@pytest.fixture(scope="module")
def libero_parser(libero_folder: Path) -> ModuleType:
    """LIBERO's own parser, loaded alone: the package around it would start the simulator."""
    path = libero_folder / "envs" / "bddl_utils.py"
    spec = importlib.util.spec_from_file_location("libero_bddl_utils", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_liberos_own_parser_reads_the_canonical_text_to_the_same_content(
    libero_files: list[Path], libero_parser: ModuleType, tmp_path: Path
) -> None:
    canonical = tmp_path / "canonical.bddl"
    for file in libero_files:
        canonical.write_text(write_layout(read_layout(file)))
        expected = libero_parser.robosuite_parse_problem(str(file))
        found = libero_parser.robosuite_parse_problem(str(canonical))
        assert found == expected
        # The order of objects is the order of the simulator's state.
        for section in ("objects", "fixtures", "regions"):
            assert list(found[section]) == list(expected[section])


def test_the_canonical_text_is_what_the_documentation_says(scene: str) -> None:
    assert write_layout(parse_layout(scene)) == (
        "(define (problem LIBERO_Kitchen_Tabletop_Manipulation)\n"
        "  (:domain robosuite)\n"
        "  (:language Put the Mug on the plate)\n"
        "  (:regions\n"
        "    (mug_region (:target kitchen_table) (:ranges ((-0.1 0.0 0.1 0.25))))\n"
        "    (plate_region (:target kitchen_table) (:ranges ((0.2 0.0 0.3 0.1)))"
        " (:yaw_rotation ((0.0 1.5))))\n"
        "    (stove_region (:target kitchen_table) (:ranges ((0.2 0.3 0.3 0.4))))\n"
        "    (cook_region (:target flat_stove_1))\n"
        "  )\n"
        "  (:fixtures\n"
        "    kitchen_table - kitchen_table\n"
        "    flat_stove_1 - flat_stove\n"
        "  )\n"
        "  (:objects\n"
        "    mug_1 - white_mug\n"
        "    plate_1 plate_2 - plate\n"
        "  )\n"
        "  (:obj_of_interest\n"
        "    mug_1\n"
        "    plate_1\n"
        "  )\n"
        "  (:init\n"
        "    (On mug_1 kitchen_table_mug_region)\n"
        "    (On plate_1 kitchen_table_plate_region)\n"
        "    (On plate_2 plate_1)\n"
        "    (On flat_stove_1 kitchen_table_stove_region)\n"
        "  )\n"
        "  (:goal\n"
        "    (And (On mug_1 plate_2) (Turnon flat_stove_1))\n"
        "  )\n"
        ")\n"
    )


def test_floats_come_back_to_the_bit_also_from_numpy(scene: str) -> None:
    layout = parse_layout(scene)
    awkward = (-1e-17, 0.1 + 0.2, np.float64(1 / 3), 1e22)
    region = replace(layout.regions[0], ranges=(awkward,), yaw=(-0.0, np.float64(2 / 3)))
    edited = replace(layout, regions=(region, *layout.regions[1:]))
    back = parse_layout(write_layout(edited)).regions[0]
    assert back.ranges == (awkward,)
    assert str(back.yaw) == "(-0.0, 0.6666666666666666)"


def test_the_digest_is_that_of_the_canonical_text_whatever_the_layout_of_the_file(
    scene: str,
) -> None:
    layout = parse_layout(scene)
    spaced = parse_layout("; a comment\n" + scene.replace(" ", "  ").replace("\n", "\r\n\n"))
    assert spaced == layout
    assert layout.digest == hashlib.sha256(write_layout(layout).encode()).hexdigest()
    moved = scene.replace("0.25", "0.2500001")
    assert parse_layout(moved).digest != layout.digest


def test_the_digest_field_does_not_count_into_the_digest(scene: str) -> None:
    layout = parse_layout(scene)
    assert layout_digest(replace(layout, digest="stale")) == layout.digest


def test_objects_in_another_order_are_another_layout(scene: str) -> None:
    swapped = scene.replace(
        "mug_1 - white_mug\n    plate_1 plate_2 - plate",
        "plate_1 plate_2 - plate\n    mug_1 - white_mug",
    )
    assert parse_layout(swapped).digest != parse_layout(scene).digest


def test_a_layout_that_libero_would_misread_is_never_written(scene: str) -> None:
    layout = parse_layout(scene)
    apart = (Entity("plate_1", "plate"), Entity("mug_1", "white_mug"), Entity("plate_2", "plate"))
    with pytest.raises(BddlError, match=r"Write all of category 'plate' together"):
        write_layout(replace(layout, objects=apart))
    with pytest.raises(BddlError, match=r"The goal is empty"):
        layout_digest(replace(layout, goal=()))
