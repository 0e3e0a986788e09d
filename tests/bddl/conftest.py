"""A small scene with known line numbers, and the files of LIBERO's five suites."""

import importlib.util
from pathlib import Path

import pytest

SUITES = ("libero_spatial", "libero_object", "libero_goal", "libero_90", "libero_10")

SCENE = """\
(define (problem LIBERO_Kitchen_Tabletop_Manipulation)
  (:domain robosuite)
  (:language Put the Mug on the plate)
  (:regions
    (mug_region (:target kitchen_table) (:ranges ((-0.1 0.0 0.1 0.25))))
    (plate_region (:target kitchen_table) (:ranges ((0.2 0.0 0.3 0.1)))
      (:yaw_rotation ((0 1.5))))
    (stove_region (:target kitchen_table) (:ranges ((0.2 0.3 0.3 0.4))))
    (cook_region (:target flat_stove_1))
  )
  (:fixtures
    kitchen_table - kitchen_table
    flat_stove_1 - flat_stove
  )
  (:objects
    mug_1 - white_mug
    plate_1 plate_2 - plate
  )
  (:obj_of_interest mug_1 plate_1)
  (:init
    (On mug_1 kitchen_table_mug_region)
    (On plate_1 kitchen_table_plate_region)
    (On plate_2 plate_1)
    (On flat_stove_1 kitchen_table_stove_region)
  )
  (:goal
    (And (On mug_1 plate_2) (Turnon flat_stove_1))
  )
)
"""


@pytest.fixture
def scene() -> str:
    return SCENE


@pytest.fixture(scope="session")
def libero_folder() -> Path:
    """Where the package `libero` lies, found without importing it."""
    spec = importlib.util.find_spec("libero")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(next(iter(spec.submodule_search_locations))) / "libero"


@pytest.fixture(scope="session")
def libero_files(libero_folder: Path) -> list[Path]:
    folder = libero_folder / "bddl_files"
    return [file for suite in SUITES for file in sorted((folder / suite).glob("*.bddl"))]
