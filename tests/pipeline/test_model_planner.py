"""A model that plans and proposes, through a real local server: what is wrong goes back."""

import json
import logging
from pathlib import Path

import pytest

from perm.cli.main import main
from perm.core.mission import SubtaskPlan
from perm.pipeline.model_planner import ModelPlanner, ModelProposer
from perm.pipeline.models.asking import Budget
from perm.pipeline.models.question import ModelError
from perm.pipeline.models.remote import Remote
from perm.pipeline.plan_text import write_plan
from perm.pipeline.planner import RulePlanner
from perm.pipeline.proposals import propose
from perm.suites.library import Library, load_library

from .models.server import Reply, serve

PLAIN_104 = (
    "1.||('pick','akita_black_bowl_1'),('place_on','akita_black_bowl_1','plate_1')||"
    '2.||"required":[],"prohibited":[],"order":[]||3.||none||'
)
LOOK = (
    "Task_Verdict:yes\nTask_Reason: on the plate\n"
    "Preference_Verdict:unverifiable\nPreference_Reason: none"
)


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


def plan_of(library: Library, task_id: str, *replies: Reply, attempts: int = 5) -> SubtaskPlan:
    """What a model plans for a task, answering in turn."""
    task = library.find_task(task_id)
    with serve(replies) as server:
        model = Remote("openai-compatible", "small", server.url)
        planner = ModelPlanner(model, RulePlanner(library.catalogue), Budget(attempts=attempts))
        return planner.plan(task.mission, task.measured[0])


def test_a_plan_in_prose_is_read_and_takes_parameters_from_the_rules(library: Library) -> None:
    told = Reply(f"Sure! Here is the plan:\n{PLAIN_104}\nGood luck.")
    plan = plan_of(library, "1-7_104", told)
    assert [call.skill for call in plan.calls] == ["pick", "place_on"]
    assert plan.source == "openai-compatible:small plan-1"


@pytest.mark.parametrize(
    ("text", "finish", "why"),
    [
        ("I would pick up the bowl.", "stop", "There is no plan of the form"),
        (PLAIN_104[:60], "length", "the answer was cut off"),
        ("", "content_filter", "the answer was refused"),
        (PLAIN_104.replace("'pick'", "'grab'"), "stop", "grab"),
        (PLAIN_104.replace("plate_1", "tray_1"), "stop", "tray_1"),
        (PLAIN_104.replace("akita_black_bowl_1", "wine_bottle_1"), "stop", "goal does not hold"),
        (PLAIN_104.split("('place_on'")[0].rstrip(",") + '||2.||||3.||none||', "stop", "goal"),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_refused_with_its_reason(
    library: Library, text: str, finish: str, why: str
) -> None:
    with pytest.raises(ModelError, match=why):
        plan_of(library, "1-7_104", Reply(text, finish=finish), attempts=2)


def test_a_plan_that_takes_both_objects_is_refused(library: Library) -> None:
    task = library.find_task("3-2_081_1")
    both = SubtaskPlan((*task.plain_plan.calls, *task.plan.calls))
    with pytest.raises(ModelError, match=r"does not keep 'Prefer red objects': .*porcelain_mug_1"):
        plan_of(library, "3-2_081_1", Reply(write_plan(both, "red")), attempts=1)


def test_a_plan_with_the_wrong_object_goes_back_and_the_right_one_is_kept(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    task = library.find_task("3-2_081_1")
    wrong, right = (write_plan(plan, "red") for plan in (task.plain_plan, task.plan))
    with caplog.at_level(logging.INFO, logger="perm"):
        plan = plan_of(library, "3-2_081_1", Reply(wrong), Reply(right))
    assert [call.object for call in plan.calls] == ["red_coffee_mug_1"] * 2
    assert "rejected: The plan does not keep 'Prefer red objects'" in caplog.text


@pytest.mark.sim
def test_places_that_will_not_do_go_back_with_their_reasons(library: Library) -> None:
    mission, preference = library.missions["104"], library.preferences["3-4"]
    replies = [
        Reply('{"x": NaN, "y": 0.1}'),
        Reply("Anywhere on the table."),
        Reply('{"x": 3.0, "y": 0.1}'),
        Reply('{"x": -0.02, "y": 0.02, "reasoning": "on top of something"}'),
        Reply('Here: ```json\n{"x": 0.095, "y": 0.211, "reasoning": "free"}\n```'),
    ]
    with serve(replies) as server:
        proposer = ModelProposer(Remote("openai-compatible", "small", server.url))
        found = propose(mission, preference, library.catalogue, proposer)
        asked = [server.prompt(number) for number in range(len(server.asked))]
    assert found.mission is not None
    assert [one.stage for one in found.rejections] == ["simulate"]
    assert "x has to be" in asked[1]
    assert "An earlier place was rejected: " in asked[4]


@pytest.mark.sim
def test_a_run_with_models_replays_offline_to_the_same_bytes(
    library: Library, tmp_path: Path
) -> None:
    del library
    replies = [Reply("No idea."), Reply(PLAIN_104), Reply(LOOK), Reply(LOOK)]
    command = ["generate", "task=1-7_104", "demos=1", "twins=false", "images=none"]
    first, again = tmp_path / "first", tmp_path / "again"
    with serve(replies) as server:
        model = f"openai-compatible:small@{server.url}"
        assert main([*command, f"out={first}", f"planner={model}", f"inspect={model}"]) == 0
        assert len(server.asked) == 4
        assert main([*command, f"out={first}", f"planner={model}", f"inspect={model}"]) == 0
        assert len(server.asked) == 4  # nothing is asked twice
    plans, looks = (f"recorded:{first / 'answers' / folder}" for folder in ("plan", "inspect"))
    assert main([*command, f"out={again}", f"planner={plans}", f"inspect={looks}"]) == 0
    (demo,) = first.rglob("*.hdf5")
    assert demo.read_bytes() == (again / demo.relative_to(first)).read_bytes()
    texts = [json.loads(p.read_text())["answer"]["text"] for p in first.rglob("answers/*/*.json")]
    assert sorted(texts) == sorted(["No idea.", PLAIN_104, LOOK, LOOK])
