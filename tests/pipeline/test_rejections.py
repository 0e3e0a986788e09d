from dataclasses import replace
from pathlib import Path

from perm.data.writer import write_demo_file
from perm.pipeline.rejections import count_rejections, name_causes
from tests.data.demos import make_demo


def test_attempts_of_all_demonstrations_in_all_files_count(tmp_path: Path) -> None:
    for name in ("a.hdf5", "b.hdf5"):
        demos = [make_demo(0), replace(make_demo(1), attempts={"grasp slipped": 5})]
        write_demo_file(tmp_path / name, demos, 2)
    causes = count_rejections([tmp_path / "a.hdf5", tmp_path / "b.hdf5"])
    assert causes == {"plan: goal in collision": 4, "grasp slipped": 12}
    assert name_causes(causes) == "grasp slipped (12x), plan: goal in collision (4x)"
