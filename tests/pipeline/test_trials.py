from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.data.film import film_path, read_film
from perm.data.trial import TRIALS_FILE, Trial, from_json
from perm.pipeline import trials
from perm.pipeline.trials import Job, TrialsRequest, run_trials
from perm.pipeline.trials_line import broken_trial
from perm.suites.library import load_library

LIBRARY = load_library()
HIGHER = LIBRARY.find_task("1-7_104")
PAIR = LIBRARY.with_twins((HIGHER,))


def request(out: Path, **changes: object) -> TrialsRequest:
    base = TrialsRequest(PAIR, trials=3, out=out)
    return replace(base, **changes)  # type: ignore[arg-type]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """What a crew without a simulator was given; its trial 1 slips, each leaves a film."""
    seen: list[Job] = []

    @contextmanager
    def crew(*_: object) -> Iterator[Callable[[Iterable[Job]], Iterator[Trial]]]:
        def work(jobs: Iterable[Job]) -> Iterator[Trial]:
            for job in reversed(list(jobs)):
                seen.append(job)
                trial = broken_trial(job.order, "")
                slips = job.order.index == 1
                trial = replace(trial, success=not slips, kind="slip" if slips else "")
                path = film_path(job.folder, trial)
                path.parent.mkdir(exist_ok=True)
                path.touch()
                yield trial

        yield work

    monkeypatch.setattr(trials, "open_crew", crew)
    return seen


def test_each_task_and_twin_is_tried_once_an_init_index(tmp_path: Path, played: list[Job]) -> None:
    done = run_trials(request(tmp_path, init_indices=(40, 41)), LIBRARY)
    assert [one.key for one in done] == [(task.id, index) for task in PAIR for index in range(3)]
    assert [one.init_index for one in done[:3]] == [40, 41, 40]
    assert {job.order.purpose for job in played} == {"trial"}
    assert [one.seed for one in done[:3]] == [one.seed for one in done[3:]]


def test_what_is_missing_is_tried_and_nothing_again(tmp_path: Path, played: list[Job]) -> None:
    whole = run_trials(request(tmp_path), LIBRARY)
    path = tmp_path / TRIALS_FILE
    kept = path.read_text().splitlines(keepends=True)[:4]
    path.write_text("".join(kept) + '{"task_id": "sing')
    played.clear()
    assert run_trials(request(tmp_path, workers=2), LIBRARY) == whole
    again = {(job.order.task.id, job.order.index) for job in played}
    assert again == {one.key for one in whole} - {from_json(line).key for line in kept}
    assert len(path.read_text().splitlines()) == 6


def test_only_what_is_shown_keeps_its_film(tmp_path: Path, played: list[Job]) -> None:
    run_trials(request(tmp_path), LIBRARY)
    assert {path.stem for path in (tmp_path / "films").iterdir()} == {
        "single-1-7_104_0",
        "single-1-7_104_1",
        "single-1-7_104.nopref_0",
        "single-1-7_104.nopref_1",
    }


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"seed": 5}, "seed: 5, there 0"),
        ({"trials": 4}, "trials: 4, there 3"),
        ({"tasks": PAIR[:1]}, r"tasks\.single/1-7_104\.nopref\.\w+: nothing, there"),
    ],
)
def test_another_check_in_the_same_folder_is_refused(
    tmp_path: Path, played: list[Job], changes: dict[str, object], difference: str
) -> None:
    run_trials(request(tmp_path), LIBRARY)
    played.clear()
    with pytest.raises(PermError, match=difference):
        run_trials(request(tmp_path, **changes), LIBRARY)
    assert played == []


def test_trials_of_which_nobody_says_what_they_are_are_refused(tmp_path: Path) -> None:
    (tmp_path / TRIALS_FILE).touch()
    with pytest.raises(PermError, match=r"holds trials\.jsonl but no suite_check\.json"):
        run_trials(request(tmp_path), LIBRARY)


@pytest.mark.sim
def test_trials_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    one, two = (
        run_trials(request(tmp_path / str(k), trials=1, workers=k), LIBRARY) for k in (1, 2)
    )

    def timeless(trial: Trial) -> Trial:
        return replace(trial, wall_s=0.0, planning_s=None)

    assert [timeless(trial) for trial in one] == [timeless(trial) for trial in two]
    assert [trial.success for trial in one] == [True, True]
    asked, twin = (trial.readings["1-7"] for trial in one)
    assert (asked.label, asked.event, asked.unit) == (1.0, "carry", "m")
    assert twin.label is not None
    assert twin.label <= 0.25
    film = read_film(film_path(tmp_path / "1", one[0]))
    assert film.view_qpos is not None
    assert len(film.view_qpos) == (one[0].steps or 0) + 1


@pytest.mark.sim
def test_a_scene_that_cannot_be_built_costs_only_its_own_trials(tmp_path: Path) -> None:
    layout = replace(HIGHER.mission.layout, problem="No_Such_Scene", digest="0" * 64)
    broken = replace(HIGHER, mission=replace(HIGHER.mission, layout=layout, starts=None))
    (trial,) = run_trials(request(tmp_path, tasks=(broken,), trials=1), LIBRARY)
    assert (trial.success, trial.kind, trial.readings) == (False, "other", {})
    assert trial.cause.startswith("error: ")
