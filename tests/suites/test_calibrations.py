import pytest
import yaml

from perm.core.task import Level
from perm.metrics.calibration import Calibration, EventCalibration
from perm.suites.library import load_library

from .user_folder import PREFERENCE, TASK, Folder

FILE = "calibration/mine/high.yaml"
SHARED = "task/mine/shared.yaml"
HEIGHT = "preference/my-height.yaml"
BOWL = "akita_black_bowl_1"
SCALE = """\
scale:
  event: carry
  raw_at_0: 0.1
  raw_at_100: 0.4
  cuts: [-10.0, 50.0, 70.0]
  unit: m
  reason: nothing else can be done here
"""
CARRY = EventCalibration(raw_at_0=0.16, raw_at_100=0.31, cuts=(-10.0, 50.0, 80.0), unit="m")


def calibrate(folder: Folder, preference: str = "my-height", **source: str) -> Calibration:
    source_of_all = {"demos": 30, **source}
    calibration = Calibration("mine/high", preference, {"carry": CARRY}, source_of_all)
    folder.write(FILE, yaml.safe_dump(calibration.to_dict()))
    return calibration


def share(folder: Folder, other: str = "mine/high") -> str:
    text = TASK.replace("mine/high", "mine/shared") + f"calibrated_as: {other}\n"
    return str(folder.write(SHARED, text))


def test_a_task_without_a_file_is_not_calibrated(folder: Folder) -> None:
    library = load_library([folder.path])
    task = library.tasks["mine/high"]
    assert library.calibration(task, task.measured[0]) is None


def test_task_and_twin_share_their_calibration(folder: Folder) -> None:
    calibration = calibrate(folder)
    library = load_library([folder.path])
    for name in ("mine/high", "mine/high.nopref"):
        task = library.tasks[name]
        assert library.calibration(task, task.measured[0]) == calibration


def test_a_task_may_take_the_calibration_of_another(folder: Folder) -> None:
    calibrate(folder)
    share(folder)
    library = load_library([folder.path])
    task = library.tasks["mine/shared"]
    shared = library.calibration(task, task.measured[0])
    assert shared == Calibration("mine/shared", "my-height", {"carry": CARRY}, {"demos": 30})


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        ("mine/hihg", "calibrated_as: Unknown task 'mine/hihg'. Did you mean mine/high"),
        ("single/2-1_019", "calibrated_as: single/2-1_019 measures edge_pick, this task carry_"),
        ("mine/high", "calibrated_as: mine/high has no calibration of its own"),
        ("unseen/020", "calibrated_as: unseen/020 has no preference"),
    ],
)
def test_a_calibration_that_cannot_be_shared_is_refused(
    folder: Folder, other: str, problem: str
) -> None:
    assert f"\n  {share(folder, other)}: {problem}" in folder.refusal()


def test_a_task_cannot_have_its_own_calibration_and_anothers(folder: Folder) -> None:
    calibrate(folder)
    path = folder.change("task/mine/high.yaml", "mission", "calibrated_as: mine/high\nmission")
    problem = f"calibrated_as: it has its own: {folder.path / FILE}; remove one"
    assert f"{path}: {problem}" in folder.refusal()


def test_a_calibration_of_another_preference_is_refused(folder: Folder) -> None:
    calibrate(folder, preference="1-7")
    problem = "is for mine/high 1-7, expected mine/high my-height"
    assert f"{folder.path / FILE}: {problem}" in folder.refusal()


def test_a_calibration_of_a_task_without_a_preference_is_refused(folder: Folder) -> None:
    calibrate(folder)
    folder.write("task/mine/high.yaml", "id: mine/high\nmission: bowl\n")
    assert f"{folder.path / FILE}: is for a task without a preference" in folder.refusal()


def test_a_calibration_fits_the_layout_that_it_was_made_in(folder: Folder) -> None:
    layout = load_library([folder.path]).tasks["mine/high"].mission.layout
    calibration = calibrate(folder, layout_digest=layout.digest)
    assert ("mine/high", "my-height") in load_library([folder.path]).calibrations
    assert calibration.source["layout_digest"] == layout.digest


def test_a_calibration_of_a_layout_that_has_changed_is_refused(folder: Folder) -> None:
    calibrate(folder, layout_digest="0" * 64)
    problem = (
        "was made in another layout than the one mission bowl has now; calibrate anew: "
        "perm calibrate task=mine/high"
    )
    assert f"{folder.path / FILE}: {problem}" in folder.refusal()


def test_anchors_in_the_wrong_order_are_refused(folder: Folder) -> None:
    calibrate(folder)
    folder.change("preference/my-height.yaml", "better: larger", "better: smaller")
    problem = "carry: raw_at_100 has to be smaller than raw_at_0, as the preference says"
    assert f"{folder.path / FILE}: {problem}" in folder.refusal()


def test_every_task_of_single_pref_that_is_no_choice_is_calibrated_in_its_layout() -> None:
    library = load_library()
    for task in library.find_suite("single_pref").tasks:
        (preference,) = task.measured
        calibration = library.calibration(task, preference)
        if preference.level is Level.PROFILE:
            assert calibration is None, task.id
        else:
            assert calibration is not None, task.id
            own = calibration.source.get("layout_digest")
            assert own == task.mission.layout.digest or calibration.source["reason"]


def test_a_calibration_that_nothing_uses_is_refused(folder: Folder) -> None:
    calibrate(folder)
    (folder.path / FILE).rename(folder.path / "calibration/mine/hihg.yaml")
    problem = "hihg.yaml: Unknown task 'mine/hihg'. Did you mean mine/high"
    assert problem in folder.refusal()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("task: mine/high\n", "calibration lacks preference, events, source."),
        ("task: a\npreference: b\nevents: 3\nsource: {}\n", "'int' object has no attribute"),
        ("task: a\npreference: [b\n", "expected ',' or ']'"),
    ],
)
def test_a_broken_calibration_is_refused(folder: Folder, text: str, problem: str) -> None:
    path = folder.write(FILE, text)
    message = folder.refusal()
    assert problem in message
    assert message.count(str(path)) == 1


def test_a_task_without_a_calibration_has_the_scale_of_its_preference(folder: Folder) -> None:
    folder.write(HEIGHT, PREFERENCE + SCALE)
    library = load_library([folder.path])
    carry = EventCalibration(raw_at_0=0.1, raw_at_100=0.4, cuts=(-10.0, 50.0, 70.0), unit="m")
    for name in ("mine/high", "mine/high.nopref"):
        task = library.tasks[name]
        assert library.calibration(task, task.measured[0]) == Calibration(
            "mine/high", "my-height", {"carry": carry}, {"reason": "nothing else can be done here"}
        )


def test_a_calibration_goes_before_the_scale_of_the_preference(folder: Folder) -> None:
    folder.write(HEIGHT, PREFERENCE + SCALE)
    calibration = calibrate(folder)
    share(folder)
    library = load_library([folder.path])
    task, other = library.tasks["mine/high"], library.tasks["mine/shared"]
    assert library.calibration(task, task.measured[0]) == calibration
    shared = library.calibration(other, other.measured[0])
    assert shared is not None
    assert shared.events == {"carry": CARRY}


def test_a_scale_is_not_for_what_a_task_measures_instead(folder: Folder) -> None:
    folder.write(HEIGHT, PREFERENCE + SCALE)
    folder.write("task/mine/high.yaml", TASK + "metric: {name: event_steps}\n")
    library = load_library([folder.path])
    task = library.tasks["mine/high"]
    assert library.calibration(task, task.measured[0]) is None


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("  unit: m\n", "", "scale: expected cuts, event, raw_at_0, raw_at_100, reason, unit, f"),
        ("[-10.0, 50.0, 70.0]", "[50.0, 70.0]", "scale: Event 'carry' of the calibration: not en"),
        ("[-10.0, 50.0, 70.0]", "[80, 50, 70]", "scale: Event 'carry' of the calibration: A cali"),
        ("raw_at_0: 0.1", "raw_at_0: 0.4", "scale: Event 'carry' of the calibration: A calibrat"),
        ("raw_at_0: 0.1", "raw_at_0: 0.5", "scale: carry: raw_at_100 has to be larger than raw_"),
    ],
)
def test_a_scale_that_measures_nothing_is_refused(
    folder: Folder, old: str, new: str, problem: str
) -> None:
    path = folder.write(HEIGHT, PREFERENCE + SCALE.replace(old, new))
    assert f"\n  {path}: {problem}" in folder.refusal()


def test_a_choice_has_no_scale(folder: Folder) -> None:
    choice = PREFERENCE.replace("level: motion", "level: profile").replace("better: larger\n", "")
    path = folder.write(HEIGHT, choice + SCALE)
    assert f"\n  {path}: scale: is for motion and skill preferences" in folder.refusal()


@pytest.mark.parametrize(
    ("preference", "plan", "event", "enough", "too_little"),
    [
        ("2-7", "", "grasp", 1.1, 0.3),  # rad from the vertical
        ("2-8", f"plan: [[push, {BOWL}, main_table_plate_region]]\n", "travel", 0.85, 0.4),
        ("2-9", f"plan: [[drag, {BOWL}, main_table_plate_region]]\n", "travel", 0.85, 0.4),
    ],
)
def test_a_preference_that_no_twin_can_show_brings_its_scale(
    folder: Folder, preference: str, plan: str, event: str, enough: float, too_little: float
) -> None:
    head = f"id: mine/high\nmission: bowl\npreference: {preference}\ntwin: false\n"
    folder.write("task/mine/high.yaml", head + plan)
    library = load_library([folder.path])
    task = library.tasks["mine/high"]
    calibration = library.calibration(task, task.measured[0])
    assert calibration is not None
    scale = calibration.events[event]
    assert (scale.label(enough), scale.label(too_little)) == (1.0, 0.25)
    assert calibration.source["reason"]
