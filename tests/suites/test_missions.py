import pytest

from perm.core.mission import Goal
from perm.suites.library import load_library

from .user_folder import Folder

FILE = "mission/bowl.yaml"
LIBEROS = "bddl: libero_goal/put_the_bowl_on_the_plate.bddl"
ON_PLATE = ("on", "akita_black_bowl_1", "plate_1")
ON_STOVE = ("on", "akita_black_bowl_1", "flat_stove_1")


def test_sentence_goal_and_init_states_are_liberos_unless_given(folder: Folder) -> None:
    mission = load_library([folder.path]).tasks["mine/high"].mission
    assert mission.language == "Put the bowl on the plate"
    assert mission.goal == Goal(any_of=((ON_PLATE,),))
    assert mission.init_states == "libero_goal/put_the_bowl_on_the_plate"
    assert mission.max_steps == 400


def test_sentence_and_goal_can_be_given(folder: Folder) -> None:
    goal = f"{{any_of: [[[{', '.join(ON_PLATE)}]], [[{', '.join(ON_STOVE)}]]]}}"
    folder.change(FILE, LIBEROS, f"{LIBEROS}\nlanguage: Put the bowl away.\ngoal: {goal}")
    mission = load_library([folder.path]).tasks["mine/high"].mission
    assert mission.language == "Put the bowl away"
    assert mission.goal == Goal(any_of=((ON_PLATE,), (ON_STOVE,)))


def test_an_edited_layout_has_no_init_states_of_libero(folder: Folder) -> None:
    folder.change(FILE, LIBEROS, "layout: 019_1.bddl")
    mission = load_library([folder.path]).tasks["mine/high"].mission
    assert mission.init_states is None
    assert [entity.name for entity in mission.layout.objects][-1] == "yellow_plate_1"


def test_settled_starts_are_found_by_the_id_of_the_mission(folder: Folder) -> None:
    assert load_library([folder.path]).tasks["mine/high"].mission.starts is None
    path = folder.write("starts/bowl.npz", "")
    assert load_library([folder.path]).tasks["mine/high"].mission.starts == str(path)


def test_starts_of_no_mission_are_refused(folder: Folder) -> None:
    path = folder.write("starts/bowls.npz", "")
    assert f"{path}: Unknown mission 'bowls'. Did you mean bowl?" in folder.refusal()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            LIBEROS,
            "bddl: libero_goal/put_the_bowl_on_the_plat.bddl",
            "Unknown problem file of LIBERO 'libero_goal/put_the_bowl_on_the_plat.bddl'. "
            "Did you mean libero_goal/put_the_bowl_on_the_plate.bddl",
        ),
        (LIBEROS, "bddl: /tmp/mine.bddl", "Unknown problem file of LIBERO '/tmp/mine.bddl'."),
        (
            LIBEROS,
            "bddl: libero_90/../libero_goal/put_the_bowl_on_the_plate.bddl",
            "Unknown problem file of LIBERO 'libero_90/../libero_goal/put_the_bowl_on_the_plate.b",
        ),
        (LIBEROS, "layout: 019_2.bddl", "Unknown layout '019_2.bddl'. Did you mean"),
        (LIBEROS, "", "give one of bddl (LIBERO's own file) and layout (an edited one)"),
        (LIBEROS, f"{LIBEROS}\nlayout: 019_1.bddl", "give one of bddl (LIBERO's own file) and"),
        (
            LIBEROS,
            f"{LIBEROS}\ngoal: {{any_of: [[[on, plate_1]]]}}",
            "goal: (on plate_1): 'on' tak",
        ),
        ("[pick, akita_black_bowl_1]", "[pick, bowl]", "plan: Unknown object 'bowl'."),
        ("max_steps: 400", "max_steps: -1", "max_steps: expected a whole number above 0, found -1"),
    ],
)
def test_what_a_mission_cannot_mean_is_refused(
    folder: Folder, old: str, new: str, problem: str
) -> None:
    path = folder.change(FILE, old, new)
    assert f"\n  {path}: {problem}" in folder.refusal()


def test_a_layout_that_libero_would_misread_is_refused_with_its_line(folder: Folder) -> None:
    layout = folder.write("layout/mine.bddl", "(define (problem LIBERO_Kitchen)\n")
    folder.change(FILE, LIBEROS, "layout: mine.bddl")
    assert f"{layout}:1:" in folder.refusal()
