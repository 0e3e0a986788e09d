import subprocess
import sys
import time
from pathlib import Path

import pytest

from perm.bddl.read import read_layout
from perm.core.errors import PermError
from perm.core.mission import SkillCall
from perm.core.task import Level
from perm.suites.library import Library, load_library
from perm.suites.paths import libero_bddl_folder

from .user_folder import MISSION, PREFERENCE, TASK, Folder

PROMPTS = {
    "single/1-2_065": (
        "Task: pick up the alphabet soup and put it in the tray. Preference: Slow down.",
        "pick up the alphabet soup and put it in the tray",
    ),
    "single/1-7_104": (
        "Task: Put the bowl on the plate. Preference: Move higher.",
        "Put the bowl on the plate",
    ),
    "single/2-1_019": (
        "Task: put the black bowl on the plate. Preference: Pick from right edge.",
        "put the black bowl on the plate",
    ),
    "single/3-2_081_1": (
        "Task: Put a mug on the plate. Preference: Prefer red objects.",
        "Put a mug on the plate",
    ),
    "single/3-3_019_1": (
        "Task: Put the black bowl on a plate. Preference: Prefer yellow objects.",
        "Put the black bowl on a plate",
    ),
}
UNEDITED = {
    "single/1-2_065": (
        "libero_90/LIVING_ROOM_SCENE3_pick_up_the_alphabet_soup_and_put_it_in_the_tray"
    ),
    "single/1-7_104": "libero_goal/put_the_bowl_on_the_plate",
    "single/2-1_019": "libero_90/KITCHEN_SCENE1_put_the_black_bowl_on_the_plate",
}


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


@pytest.mark.parametrize("task_id", PROMPTS)
def test_prompts_are_the_specified_ones_byte_for_byte(library: Library, task_id: str) -> None:
    task, twin = library.tasks[task_id], library.tasks[f"{task_id}.nopref"]
    assert (task.prompt, twin.prompt) == PROMPTS[task_id]


@pytest.mark.parametrize("task_id", UNEDITED)
def test_an_unedited_layout_is_liberos(library: Library, task_id: str) -> None:
    mission = library.tasks[task_id].mission
    stock = read_layout(libero_bddl_folder() / f"{UNEDITED[task_id]}.bddl")
    assert mission.layout == stock
    assert mission.layout.digest == stock.digest
    assert mission.init_states == UNEDITED[task_id]


def test_edited_layouts_are_not_liberos(library: Library) -> None:
    mug, plate = (library.tasks[f"single/{name}"].mission for name in ("3-2_081_1", "3-3_019_1"))
    assert mug.init_states is plate.init_states is None
    assert plate.layout.objects[-1].name == "yellow_plate_1"
    stock = read_layout(libero_bddl_folder() / f"{UNEDITED['single/2-1_019']}.bddl")
    assert plate.layout.objects[:-1] == stock.objects


def test_a_profile_task_reaches_its_goal_with_either_choice(library: Library) -> None:
    task = library.tasks["single/3-2_081_1"]
    red, white = (("on", f"{mug}_1", "plate_1") for mug in ("red_coffee_mug", "porcelain_mug"))
    assert task.mission.goal.any_of == ((red,), (white,))
    assert task.preferred_goal is not None
    assert task.preferred_goal.any_of == ((red,),)
    assert task.plan.calls[0] == SkillCall("pick", "red_coffee_mug_1")
    assert task.plain_plan.calls[0] == SkillCall("pick", "porcelain_mug_1")


def test_the_choice_of_a_target_is_measured_by_where_the_object_goes(library: Library) -> None:
    (preference,) = library.tasks["single/3-3_019_1"].measured
    assert preference.metric.name == "target_choice"
    assert preference.metric.params == {
        "object": "akita_black_bowl_1",
        "candidates": ["plate_1", "yellow_plate_1"],
        "preferred": ["yellow_plate_1"],
    }


def test_the_suite_lists_its_tasks_in_table_order_without_twins(library: Library) -> None:
    suite = library.find_suite("single_pref")
    assert suite.title == "SinglePref"
    ids = [task.id for task in suite.tasks]
    assert [name for name in ids if name in PROMPTS] == list(PROMPTS)
    families = [tuple(map(int, task.measured[0].id.split("-"))) for task in suite.tasks]
    assert families == sorted(families)
    for task in suite.tasks:
        family = task.measured[0].id  # two sentences for one mission number: it stands behind it
        number = task.mission.id.removesuffix(f"_{family}")
        assert task.id == f"single/{family}_{number}"
    assert {task.suite for task in suite.tasks} == {"single_pref"}


def test_preferences_are_known_by_their_id(library: Library) -> None:
    levels = {key: p.level for key, p in library.preferences.items()}
    assert levels == {
        **{f"1-{number}": Level.MOTION for number in range(1, 9)},
        **{f"2-{number}": Level.SKILL for number in range(1, 15)},
        **{f"3-{number}": Level.PROFILE for number in range(1, 16)},
    }
    names = {key: library.preferences[key].name for key in ("1-2", "2-1", "3-2")}
    assert names == {"1-2": "Slow down", "2-1": "Pick from right edge", "3-2": "Prefer red objects"}


def test_preferences_ask_for_more_except_these_and_choices(library: Library) -> None:
    directions = {key: p.larger_is_better for key, p in library.preferences.items()}
    less = {"1-1", "1-3", "1-5", "1-6"}  # fewer steps, gentler, closer to the ground, straighter
    assert {key for key, larger in directions.items() if larger is False} == less
    assert {key for key, larger in directions.items() if larger is None} == {
        f"3-{number}" for number in range(1, 16)
    }


def test_the_other_bowl_is_kept_away_from_outside_the_table(library: Library) -> None:
    task = library.find_task("1-4_070")
    assert task.suite == "custom"
    assert task.condition[0].language == "Keep away from the other bowl"
    assert task.measured[0].metric.params["target"] == "akita_black_bowl_2"
    assert task.plan.calls[0].object == "akita_black_bowl_1"


def test_motion_and_skill_tasks_that_name_no_variant_keep_liberos_layout(library: Library) -> None:
    for task in library.find_suite("single_pref").tasks:
        mission = task.mission
        if mission.id.isdigit():
            stock = read_layout(libero_bddl_folder() / f"{mission.init_states}.bddl")
            assert mission.layout.digest == stock.digest, task.id
            assert mission.language == stock.language.removesuffix("."), task.id


def test_unseen_missions_are_libero_90s_and_no_other_tasks(library: Library) -> None:
    suite = library.find_suite("unseen")
    assert suite.title == "Unseen missions"
    used = {task.mission.id for task in library.tasks.values() if task.suite != "unseen"}
    assert len(suite.tasks) == 44
    for task in suite.tasks:
        assert task.id == f"unseen/{task.mission.id}"
        assert task.condition == task.measured == ()
        assert library.find_twin(task) is None
        assert task.mission.id not in used
        assert str(task.mission.init_states).startswith("libero_90/")
        assert {call.skill for call in task.plan.calls} <= {
            "pick",
            "place_on",
            "place_in",
            "lay_down",
            "slide_in",
        }


def test_every_mission_has_at_least_liberos_steps(library: Library) -> None:
    least = {"spatial": 220, "object": 280, "goal": 300, "10": 520, "90": 400}
    for task in library.tasks.values():
        if task.mission.init_states is not None:
            folder = task.mission.init_states.split("/")[0].removeprefix("libero_")
            assert task.mission.max_steps >= least[folder], task.mission.id


def test_a_slow_episode_is_given_twice_the_time_to_settle(library: Library) -> None:
    assert library.tasks["single/1-2_065"].after_success == 160
    assert library.tasks["single/1-2_065.nopref"].after_success == 160
    assert library.tasks["single/1-7_104"].after_success == 80


def test_loading_takes_less_than_a_second() -> None:
    start = time.process_time()
    load_library()
    assert time.process_time() - start < 1


def test_loading_needs_no_simulator() -> None:
    program = (
        "import sys; from perm.suites.library import load_library; load_library();"
        "print({'mujoco', 'robosuite', 'libero', 'torch'} & set(sys.modules))"
    )
    printed = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert printed.strip() == "set()"


def test_a_bare_name_means_a_single_preference_task(library: Library) -> None:
    assert library.find_task("1-7_104").id == "single/1-7_104"
    assert library.find_task("1-7_104.nopref").id == "single/1-7_104.nopref"
    assert library.find_task("single/1-7_104").id == "single/1-7_104"


def test_a_bare_name_elsewhere_has_to_be_the_only_one(folder: Folder) -> None:
    assert load_library([folder.path]).find_task("high").id == "mine/high"
    folder.write("task/yours/high.yaml", TASK.replace("mine/", "yours/"))
    with pytest.raises(PermError, match=r"Several tasks are called 'high'\. Name one of: mine/h"):
        load_library([folder.path]).find_task("high")


def test_a_bare_name_prefers_the_single_folder(folder: Folder) -> None:
    folder.write("task/single/high.yaml", TASK.replace("mine/", "single/"))
    assert load_library([folder.path]).find_task("high").id == "single/high"


def test_each_task_is_followed_by_its_twin_and_none_comes_twice(library: Library) -> None:
    higher, slower = library.find_task("1-7_104"), library.find_task("1-2_065")
    pairs = library.with_twins([slower, higher, slower])
    assert [task.id for task in pairs] == [
        "single/1-2_065",
        "single/1-2_065.nopref",
        "single/1-7_104",
        "single/1-7_104.nopref",
    ]


def test_a_task_without_a_twin_stands_alone(folder: Folder) -> None:
    folder.change("task/mine/high.yaml", "mission", "twin: false\nmission")
    library = load_library([folder.path])
    assert library.with_twins([library.tasks["mine/high"]]) == (library.tasks["mine/high"],)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("1-7_140", r"Unknown task '1-7_140'\. Did you mean .*1-7_104"),
        ("single/1-7_140", r"Unknown task 'single/1-7_140'\. Did you mean .*single/1-7_104"),
    ],
)
def test_an_unknown_task_names_the_nearest(library: Library, name: str, message: str) -> None:
    with pytest.raises(PermError, match=message):
        library.find_task(name)


def test_an_unknown_suite_names_the_nearest(library: Library) -> None:
    with pytest.raises(PermError, match=r"Unknown suite 'singlepref'\. Did you mean single_pref"):
        library.find_suite("singlepref")


def test_a_user_adds_to_what_is_packaged(folder: Folder, library: Library) -> None:
    extended = load_library([folder.path])
    added = extended.tasks.keys() - library.tasks.keys()
    assert added == {"mine/high", "mine/high.nopref"}
    assert extended.preferences.keys() - library.preferences.keys() == {"my-height"}
    assert extended.suites == library.suites


def test_a_user_uses_what_is_packaged(folder: Folder) -> None:
    folder.write("task/mine/slow.yaml", 'id: mine/slow\nmission: "104"\npreference: 1-2\n')
    task = load_library([folder.path]).tasks["mine/slow"]
    assert task.prompt == "Task: Put the bowl on the plate. Preference: Slow down."


def test_a_suite_of_the_user_may_list_any_task(folder: Folder) -> None:
    tasks = "[single/1-7_104, mine/high]"
    folder.write("suite/mine.yaml", f"id: mine\ntitle: Mine\ntasks: {tasks}\n")
    folder.change("task/mine/high.yaml", "mission", "suite: mine\nmission")
    suite = load_library([folder.path]).find_suite("mine")
    assert [task.suite for task in suite.tasks] == ["single_pref", "mine"]


@pytest.mark.parametrize(
    ("task", "problem"),
    [
        ("mine/hihg", "Unknown task 'mine/hihg'. Did you mean mine/high"),
        ("mine/high.nopref", "Unknown task 'mine/high.nopref'. Did you mean mine/high"),
    ],
)
def test_a_suite_cannot_list_what_is_no_task(folder: Folder, task: str, problem: str) -> None:
    path = folder.write("suite/mine.yaml", f"id: mine\ntitle: Mine\ntasks: [{task}]\n")
    assert f"{path}: {problem}" in folder.refusal()


def test_a_name_that_is_packaged_already_names_both_files(folder: Folder) -> None:
    path = folder.write("preference/1-7.yaml", PREFERENCE.replace("my-height", "1-7"))
    message = folder.refusal()
    assert f"{path}: '1-7' is already defined in " in message
    assert "configs/preference/1-7.yaml; rename one" in message


def test_problems_of_several_files_are_listed_at_once(folder: Folder) -> None:
    folder.write("preference/my-height.yaml", PREFERENCE.replace("level:", "levle:"))
    folder.write("mission/bowl.yaml", MISSION.replace("max_steps: 400", "max_steps: many"))
    folder.write("task/mine/other.yaml", "id: mine/other\nmission: 104\npreference: 1-9\n")
    head, *problems = folder.refusal().split("\n  ")
    assert head == "4 problems in the configuration:"
    assert [Path(problem.split(": ")[0]).name for problem in problems] == [
        "my-height.yaml",
        "my-height.yaml",
        "other.yaml",
        "bowl.yaml",
    ]


def test_what_only_follows_from_a_reported_problem_is_not_reported(folder: Folder) -> None:
    path = folder.write("preference/my-height.yaml", PREFERENCE.replace("name: Keep", "nam: Keep"))
    head, *problems = folder.refusal().split("\n  ")
    assert head == "2 problems in the configuration:"
    assert problems == [
        f"{path}: Unknown key 'nam'. Did you mean name?",
        f"{path}: the key 'name' is missing",
    ]
