import pytest

from perm.core.mission import SkillCall
from perm.suites.library import load_library

from .user_folder import Folder

FILE = "task/mine/high.yaml"
PREFERENCE = "preference/my-height.yaml"
TWIN = "mine/high.nopref"
BOWL = "akita_black_bowl_1"
PROFILE = f"""\
id: mine/high
mission: bowl
preference: 3-2
metric:
  name: target_choice
  object: {BOWL}
  candidates: [plate_1, flat_stove_1]
  preferred: [flat_stove_1]
plan:
  - [pick, {BOWL}]
  - [place_on, {BOWL}, flat_stove_1]
preferred_goal: {{any_of: [[[on, {BOWL}, flat_stove_1]]]}}
"""


def test_a_task_asks_for_its_preference_and_its_twin_for_none(folder: Folder) -> None:
    tasks = load_library([folder.path]).tasks
    task, twin = tasks["mine/high"], tasks["mine/high.nopref"]
    assert task.prompt == (
        "Task: Put the bowl on the plate. Preference: Carry it well above everything."
    )
    assert twin.prompt == "Put the bowl on the plate"
    assert twin.condition == ()
    assert twin.measured == task.condition == task.measured
    assert twin.group == task.group == "mine/high"
    assert twin.mission is task.mission
    assert (task.suite, task.split) == ("custom", "train")
    assert task.is_twin is False
    assert twin.is_twin is True


def test_a_task_may_do_without_a_twin(folder: Folder) -> None:
    folder.write(FILE, "id: mine/high\nmission: bowl\npreference: my-height\ntwin: false\n")
    assert "mine/high.nopref" not in load_library([folder.path]).tasks


def test_a_task_fills_in_the_target_of_its_preference(folder: Folder) -> None:
    folder.change(PREFERENCE, "well above everything", "above the {target}")
    folder.change(FILE, "mission: bowl", "mission: bowl\ntarget: wine bottle")
    library = load_library([folder.path])
    (preference,) = library.tasks["mine/high"].condition
    assert preference.language == "Carry it above the wine bottle"
    assert preference.target == "wine bottle"
    assert library.preferences["my-height"].language == "Carry it above the {target}"


def test_a_task_adds_parameters_to_the_measurement(folder: Folder) -> None:
    folder.change(PREFERENCE, "{name: carry_height}", "{name: edge_pick, side: left}")
    folder.change(FILE, "mission: bowl", f"mission: bowl\nmetric: {{object: {BOWL}}}")
    (preference,) = load_library([folder.path]).tasks["mine/high"].measured
    assert preference.metric.name == "edge_pick"
    assert preference.metric.params == {"side": "left", "object": BOWL}


def test_another_measurement_takes_the_place_of_the_preferences_own(folder: Folder) -> None:
    folder.change(PREFERENCE, "{name: carry_height}", "{name: edge_pick, side: left}")
    folder.change(FILE, "mission: bowl", "mission: bowl\nmetric: {name: event_steps}")
    (preference,) = load_library([folder.path]).tasks["mine/high"].measured
    assert preference.metric.name == "event_steps"
    assert preference.metric.params == {}


def test_the_plan_of_a_task_is_not_its_twins(folder: Folder) -> None:
    folder.write(FILE, PROFILE)
    tasks = load_library([folder.path]).tasks
    task, twin = tasks["mine/high"], tasks["mine/high.nopref"]
    assert task.plan.calls[1] == SkillCall("place_on", BOWL, "flat_stove_1")
    assert twin.plan == twin.plain_plan == task.plain_plan
    assert twin.plan.calls[1] == SkillCall("place_on", BOWL, "plate_1")
    assert task.preferred_goal is not None
    assert task.preferred_goal.any_of == ((("on", BOWL, "flat_stove_1"),),)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("preference: 3-2", "preference: 3-20", "Unknown preference '3-20'. Did you mean 3-2"),
        ("mission: bowl", "mission: bowls", "Unknown mission 'bowls'. Did you mean bowl?"),
        (
            "mission: bowl",
            "mission: bowl\ntarget: x",
            "target: the sentence 'Prefer red objects' h",
        ),
        (f"[pick, {BOWL}]", "[pick, bowl]", "plan: Unknown object 'bowl'."),
        (
            "[[[on,",
            "[[[onn,",
            f"preferred_goal: (onn {BOWL} flat_stove_1): Unknown predicate 'onn'",
        ),
        ("preferred_goal: {", "split: {", "split: expected text, found {'any_of'"),
        (
            "mission: bowl",
            "mission: bowl\nsplit: unseen_layot",
            "split: Unknown split 'unseen_layot'. Did you mean unseen_layout",
        ),
        (f"object: {BOWL}", f"object: [{BOWL}]", "metric: object: expected a name, found ['"),
        (
            "preferred: [flat",
            "preferred: [flut",
            "metric: preferred: Unknown candidate 'flut_stove",
        ),
        (
            "name: target_choice",
            "name: target_choise",
            "metric: Unknown measurement 'target_choise",
        ),
        (
            "mission: bowl",
            "mission: bowl\nsuite: single_perf",
            "Unknown suite 'single_perf'. Did you",
        ),
        (
            "mission: bowl",
            "mission: bowl\nsuite: single_pref",
            "suite: single_pref does not list this task; leave `suite` out for your own",
        ),
    ],
)
def test_what_a_task_cannot_mean_is_refused(
    folder: Folder, old: str, new: str, problem: str
) -> None:
    folder.write(FILE, PROFILE)
    path = folder.change(FILE, old, new)
    assert f"\n  {path}: {problem}" in folder.refusal()


def test_a_preference_with_a_target_needs_one(folder: Folder) -> None:
    folder.change(PREFERENCE, "well above everything", "above the {target}")
    problem = "target: the sentence 'Carry it above the {target}' needs a target"
    assert f"{folder.path / FILE}: {problem}" in folder.refusal()


def test_a_profile_preference_needs_the_goal_of_its_choice(folder: Folder) -> None:
    path = folder.write(FILE, PROFILE[: PROFILE.index("preferred_goal")])
    assert f"{path}: preferred_goal: is for profile preferences, and each" in folder.refusal()


def test_a_motion_preference_has_no_goal_of_its_own(folder: Folder) -> None:
    goal = f"preferred_goal: {{any_of: [[[on, {BOWL}, plate_1]]]}}"
    path = folder.change(FILE, "mission: bowl", f"mission: bowl\n{goal}")
    assert f"{path}: preferred_goal: is for profile preferences" in folder.refusal()


def test_a_preference_that_nobody_can_follow_is_refused(folder: Folder) -> None:
    folder.change(PREFERENCE, "expert: {carry: {extra_height: 0.2}}\n", "")
    problem = "plan: is missing: preference my-height does not tell the expert what to do"
    assert f"{folder.path / FILE}: {problem}" in folder.refusal()


def test_a_task_cannot_be_called_like_a_twin(folder: Folder) -> None:
    path = folder.write("task/mine/a.nopref.yaml", "id: mine/a.nopref\nmission: bowl\n")
    folder.change("task/mine/a.nopref.yaml", "bowl\n", "bowl\npreference: my-height\n")
    assert f"{path}: id: .nopref is the ending of the twins" in folder.refusal()


def test_a_preference_says_in_which_direction_it_moves_what_is_measured(folder: Folder) -> None:
    def directions() -> list[bool | None]:
        tasks = load_library([folder.path]).tasks
        return [tasks[name].measured[0].larger_is_better for name in ("mine/high", TWIN)]

    assert directions() == [True, True]
    folder.change(PREFERENCE, "better: larger", "better: smaller")
    assert directions() == [False, False]


def test_the_direction_is_of_the_preferences_own_measurement(folder: Folder) -> None:
    folder.change(FILE, "mission: bowl", "mission: bowl\nmetric: {name: event_steps}")
    (preference,) = load_library([folder.path]).tasks["mine/high"].measured
    assert preference.larger_is_better is None


@pytest.mark.parametrize(
    ("old", "new"), [("better: larger\n", ""), ("level: motion", "level: profile")]
)
def test_a_choice_has_no_direction_and_all_else_has(folder: Folder, old: str, new: str) -> None:
    path = folder.change(PREFERENCE, old, new)
    assert f"{path}: better: say larger or smaller for a motion or skill pref" in folder.refusal()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("larger", "lager", "better: Unknown direction 'lager'. Did you mean larger or smaller?"),
        ("extra_height", "extra_hight", "expert: Unknown setting of carry 'extra_hight'. Did you"),
        (
            "carry_height",
            "carry_hight",
            "metric: Unknown measurement 'carry_hight'. Did you mean c",
        ),
        ("{name: carry_height}", "{side: left}", "metric: Unknown measurement ''."),
        ("above", "above {object}", "language: Unknown placeholder 'object'. Known: target."),
        ("level: motion", "level: motoin", "level: Unknown level 'motoin'. Did you mean motion?"),
    ],
)
def test_what_a_preference_cannot_mean_is_refused(
    folder: Folder, old: str, new: str, problem: str
) -> None:
    path = folder.change(PREFERENCE, old, new)
    assert f"\n  {path}: {problem}" in folder.refusal()


def test_a_task_without_a_preference_asks_for_nothing_and_measures_nothing(folder: Folder) -> None:
    folder.write(FILE, "id: mine/high\nmission: bowl\n")
    tasks = load_library([folder.path]).tasks
    task = tasks["mine/high"]
    assert task.prompt == "Put the bowl on the plate"
    assert task.condition == task.measured == ()
    assert task.plan == task.plain_plan
    assert task.plan.calls[1] == SkillCall("place_on", BOWL, "plate_1")
    assert TWIN not in tasks


def test_a_task_without_a_preference_may_have_its_own_plan(folder: Folder) -> None:
    plan = f"plan: [[pick, {BOWL}], [place_on, {BOWL}, flat_stove_1]]\n"
    folder.write(FILE, f"id: mine/high\nmission: bowl\n{plan}")
    task = load_library([folder.path]).tasks["mine/high"]
    assert task.plan.calls[1] == SkillCall("place_on", BOWL, "flat_stove_1")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("target: plate", "target: is for a task with a preference"),
        ("metric: {object: bowl}", "metric: is for a task with a preference"),
        ("metric: {name: event_steps}", "metric: is for a task with a preference"),
        (
            f"preferred_goal: {{any_of: [[[on, {BOWL}, plate_1]]]}}",
            "preferred_goal: is for a task with a preference",
        ),
        ("calibrated_as: single/2-1_019", "calibrated_as: is for a task with a preference"),
        ("split: unseen_layot", "split: Unknown split 'unseen_layot'. Did you mean unseen_layout"),
        ("plan: [[pick, bowl]]", "plan: Unknown object 'bowl'."),
        ("suite: single_pref", "suite: single_pref does not list this task"),
    ],
)
def test_what_a_task_without_a_preference_cannot_mean_is_refused(
    folder: Folder, line: str, problem: str
) -> None:
    path = folder.write(FILE, f"id: mine/high\nmission: bowl\n{line}\n")
    assert f"\n  {path}: {problem}" in folder.refusal()
