from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.suites.sources import find_sources

from .user_folder import Folder


def test_ids_are_the_paths_below_the_folder_of_the_kind(folder: Folder) -> None:
    files = find_sources([folder.path]).files
    assert list(files["preference"]) == ["my-height"]
    assert list(files["task"]) == ["mine/high"]
    assert files["calibration"] == {}


def test_a_folder_given_twice_counts_once(folder: Folder) -> None:
    sources = find_sources([folder.path, folder.path / ".." / "my"])
    assert sources.problems == []


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PermError, match=rf"folder {tmp_path}/nowhere does not exist"):
        find_sources([tmp_path / "nowhere"])


def test_a_name_that_two_files_define_names_both(folder: Folder, tmp_path: Path) -> None:
    other = Folder(tmp_path / "other")
    problems = find_sources([folder.path, other.path]).problems
    assert len(problems) == 3
    assert problems[0] == (
        f"{other.path}/preference/my-height.yaml: 'my-height' is already defined in "
        f"{folder.path}/preference/my-height.yaml; rename one"
    )


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("preference/a.yml", "rename it to end in .yaml, or it is not read"),
        ("preference/a.YAML", "rename it to end in .yaml, or it is not read"),
        ("task/mine/a.YML", "rename it to end in .yaml, or it is not read"),
        ("layout/a.BDDL", "rename it to end in .bddl, or it is not read"),
        ("preference/x/a.yaml", "expected it directly in preference/"),
        ("task/a.yaml", "expected it directly in task/<folder>/"),
        ("task/a/b/c.yaml", "use letters, digits and _ . - in names, and no second subfolder"),
        ("suite/a b.yaml", "use letters, digits and _ . - in names, and no second subfolder"),
    ],
)
def test_a_file_in_the_wrong_place_is_reported(folder: Folder, name: str, problem: str) -> None:
    path = folder.write(name, "")
    assert find_sources([folder.path]).problems == [f"{path}: {problem}"]


def test_a_folder_that_is_nearly_one_of_ours_is_reported(folder: Folder) -> None:
    path = folder.write("preferences/a.yaml", "").parent
    assert find_sources([folder.path]).problems == [
        f"{path}: is not read. Did you mean preference/?"
    ]


def test_a_folder_with_nothing_of_ours_is_reported(tmp_path: Path) -> None:
    (problem,) = find_sources([tmp_path]).problems
    assert problem.startswith(f"{tmp_path}: holds none of the folders preference, mission, task,")


def test_what_is_not_ours_is_left_alone(folder: Folder) -> None:
    folder.write("README.md", "")
    folder.write("notes/a.txt", "")
    folder.write("policy/mine.yaml", "")
    folder.write("task/notes.txt", "")
    assert find_sources([folder.path]).problems == []
