from perm.suites.library import load_library

from .user_folder import Folder

FILE = "rewording/mine/high.yaml"
WORDS = "id: mine/high\nmixture: Carry the bowl high to the plate\nimplicit: Mind the candle\n"


KEYS = """
speed slow acceleration away ground straight higher rotate edge handle angle side push drag throw
front lay green red yellow blue bigger smaller upper middle double dairy sweet sour boxed bottled
canned
"""
"""Words that name a preference."""


def test_other_words_ask_for_the_same_in_the_same_scene(folder: Folder) -> None:
    folder.write(FILE, WORDS)
    library = load_library([folder.path])
    task = library.tasks["mine/high"]
    mixed, implied = (library.tasks[f"compre/high.{name}"] for name in ("mixture", "implicit"))
    assert (mixed.prompt, implied.prompt) == ("Carry the bowl high to the plate", "Mind the candle")
    for other in (mixed, implied):
        assert (other.mission, other.condition, other.group) == (
            task.mission,
            task.condition,
            task.group,
        )
        assert library.find_twin(other) is library.find_twin(task)
        assert library.calibrations.get((other.group, "my-height")) == library.calibrations.get(
            (task.group, "my-height")
        )
    assert (mixed.wording, implied.wording) == ("mixture", "implicit")
    assert mixed in library.suites["compre_pref"].tasks


def test_words_for_no_task_are_refused(folder: Folder) -> None:
    path = folder.write("rewording/mine/hihg.yaml", WORDS.replace("/high", "/hihg"))
    told = "Unknown task with a preference 'mine/hihg'. Did you mean mine/high"
    assert f"{path}: {told}" in folder.refusal()


def test_every_task_of_single_pref_has_both_wordings_and_each_sentence_is_its_own() -> None:
    library = load_library()
    names = [task.id.partition("/")[2] for task in library.suites["single_pref"].tasks]
    expected = {f"compre/{name}.{wording}" for name in names for wording in ("mixture", "implicit")}
    tasks = library.suites["compre_pref"].tasks
    assert {task.id for task in tasks} == expected
    assert len({task.prompt for task in tasks}) == len(tasks) == 200


def test_a_mixture_keeps_a_key_word_of_its_preference_and_an_implication_none() -> None:
    tasks = load_library().suites["compre_pref"].tasks
    for task in tasks:
        (preference,) = task.condition
        words = {word.lower().strip(".,") for word in preference.language.split()}
        found = (
            words & set(KEYS.split()) & {word.lower().strip(".,;:") for word in task.prompt.split()}
        )
        task_words = {word.lower() for word in task.mission.language.split()}
        if task.wording == "mixture":
            assert found, task.prompt
        else:
            assert not found - task_words, task.prompt
