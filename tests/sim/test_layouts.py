from .layouts import SUITES, arrangement, distinct_scenes, library_scenes, suite_scenes, things


def test_liberos_suites_have_130_tasks_in_32_scenes_and_41_arrangements() -> None:
    layouts = [scene.layout for scene in suite_scenes()]
    assert len(layouts) == 130
    assert len({things(layout) for layout in layouts}) == 32
    assert len({arrangement(layout) for layout in layouts}) == 41


def test_the_library_adds_arrangements_of_its_own() -> None:
    scenes = distinct_scenes()
    own = {name.removeprefix("mission/") for name in scenes if name.startswith("mission/")}
    assert {"019_1", "116_1", "ood1", "ood2", "ood3", "ood4"} <= own
    assert len(own) == 41
    assert len(scenes) == 41 + 41


def test_every_task_and_mission_is_like_one_of_the_distinct_scenes() -> None:
    covered = {arrangement(scene.layout) for scene in distinct_scenes().values()}
    everything = (*suite_scenes(), *library_scenes())
    assert {arrangement(scene.layout) for scene in everything} == covered
    assert {name.split("/")[0] for name in distinct_scenes()} == {*SUITES[:4], "mission"}
