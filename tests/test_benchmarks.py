import json
from pathlib import Path

import pytest

from benchmarks.__main__ import NAMES, main
from benchmarks.comparison import Comparison, Findings, median_ratio, timed, totals
from benchmarks.processes import ask_new_process
from benchmarks.report import BARS, table_of, verdicts_on, write_results
from benchmarks.scenes import SCENES, mission_of
from perm.core.errors import PermError

RESULTS = {
    "stepping_ratio": 3.4999,
    "floor_ratio": 6.5,
    "reset_ratio": 100.0,
    "start_ratio": 26.4,
    "worker_mb": 450.1,
    "render_ratio": 1.2,
    "demos_ratio": 3.7,
    "demos_per_hour_core": 1513.6,
}


def test_the_ratio_is_the_median_of_the_turns_ratios() -> None:
    # Ratios of the turns are 2, 10 and 3; the medians' own would be 30 / 5 = 6.
    assert Comparison("step", stock=(10, 40, 30), ours=(5, 4, 10)).ratio == 3


def test_one_disturbed_turn_does_not_move_the_ratio() -> None:
    calm = Comparison("step", stock=(20, 20, 20, 20, 20), ours=(5, 5, 5, 5, 5))
    disturbed = Comparison("step", stock=(20, 20, 20, 20, 20), ours=(5, 5, 500, 5, 5))
    assert calm.ratio == disturbed.ratio == 4


def test_turns_without_a_partner_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        _ = Comparison("step", stock=(20, 20), ours=(5,)).ratio


def test_scenes_count_alike_in_the_median() -> None:
    rows = [Comparison("a", [3], [1]), Comparison("b", [500], [100]), Comparison("c", [4], [1])]
    assert median_ratio(rows) == 4


def test_totals_are_over_all_turns_of_all_rows() -> None:
    rows = [Comparison("a", [8, 8], [2, 3]), Comparison("b", [10], [4])]
    assert totals(rows) == (26, 9)


def test_what_is_timed_returns_its_result() -> None:
    result, cost = timed(sorted, "cab", reverse=True)
    assert result == ["c", "b", "a"]
    assert cost >= 0


def test_results_json_has_every_result_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_results(RESULTS | {"noise": 1.0}, path)
    written = json.loads(path.read_text())
    assert list(written) == [
        "stepping_ratio",
        "floor_ratio",
        "reset_ratio",
        "start_ratio",
        "worker_mb",
        "render_ratio",
        "demos_ratio",
        "demos_per_hour_core",
    ]
    assert written["demos_per_hour_core"] == 1513.6


def test_results_json_is_not_written_without_one_of_them(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    with pytest.raises(KeyError, match="worker_mb"):
        write_results({name: 1.0 for name in BARS if name != "worker_mb"}, path)
    assert not path.exists()


def test_a_bar_is_met_at_its_limit_and_never_by_rounding() -> None:
    verdicts = dict(line.split(maxsplit=1) for line in verdicts_on(RESULTS).splitlines()[1:])
    assert verdicts["stepping_ratio"].split() == ["3.5", ">=", "3.5", "missed"]
    assert verdicts["reset_ratio"].split() == ["100", ">=", "100", "met"]
    assert verdicts["worker_mb"].split() == ["450", "<=", "450", "missed"]
    assert verdicts["floor_ratio"].split() == ["6.5"]


def test_tables_fit_a_terminal() -> None:
    row = Comparison("libero_spatial 3, bare MuJoCo", (13_570.4, 13_570.4), (3.1, 3.2))
    table = table_of(Findings("Title", (row,), {})) + verdicts_on(RESULTS)
    assert max(map(len, table.splitlines())) <= 80
    assert table.splitlines()[2].split()[-3:] == ["13570", "3.15", "4309"]


def test_the_scenes_are_libero_tasks_with_stored_states() -> None:
    missions = [mission_of(scene) for scene in SCENES]
    assert len({mission.layout.digest for mission in missions}) == 4
    for scene, mission in zip(SCENES, missions, strict=True):
        assert mission.init_states is not None
        assert mission.init_states.startswith(f"{scene.split()[0]}/")


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["steping"])
    error = capsys.readouterr().err
    assert "There is no benchmark steping. Known: stepping, reset," in error


def test_every_benchmark_is_a_module() -> None:
    folder = Path(__file__).parents[1] / "benchmarks"
    assert all((folder / f"{name}.py").is_file() for name in NAMES)


def test_a_process_that_fails_says_why() -> None:
    with pytest.raises(PermError, match=r"No module named benchmarks\.nowhere"):
        ask_new_process("nowhere")
