from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from perm.core.errors import PermError
from perm.data.journal import demo_path
from perm.data.writer import write_demo_file
from perm.evaluation.players import (
    OPTIONS,
    allowed_indices,
    check_options,
    independent_policy,
    policy_title,
    task_policy,
)
from perm.policies.replay import ReplayPolicy
from perm.policies.served import SERVED
from perm.suites.paths import packaged_configs
from tests.data.demos import make_demo
from tests.evaluation.world import HIGH, RED_MUG


def test_missing_settings_get_their_defaults() -> None:
    assert check_options({"name": "expert"}) == {"name": "expert", "ignore_preference": False}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "expertt"}, "Unknown policy 'expertt'. Did you mean expert"),
        ({}, "Unknown policy ''. Known: expert, groot, hold, lerobot, openpi, python"),
        ({"name": "expert", "ignore": True}, "'ignore'. Did you mean ignore_preference"),
        ({"name": "expert", "ignore_preference": "yes"}, "ignore_preference='yes': true or false"),
        ({"name": "random", "url": "ws://x"}, "setting of policy random 'url'"),
        ({"name": "replay"}, r"needs the demonstrations to play: policy\.path=DIR"),
        ({"name": "replay", "path": "/no/such"}, "policy.path=/no/such: there is no such folder"),
        ({"name": "openpi"}, r"needs an address: policy\.url=ws://HOST:PORT"),
        (
            {"name": "openpi", "url": "ws://x:1"},
            r"needs a profile: see configs/policy/openpi\.yaml",
        ),
        ({"name": "openpi", "url": "ws://x:1", "profile": {"colour": 1}}, "profile key 'colour'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PermError, match=message):
        check_options(options)


@pytest.mark.parametrize("name", OPTIONS)
def test_every_policy_has_a_file_that_knows_the_same_settings(name: str) -> None:
    text = (packaged_configs() / "policy" / f"{name}.yaml").read_text()
    settings = yaml.safe_load(text)
    assert settings.pop("name") == name
    assert settings.keys() <= OPTIONS[name].keys()
    required: dict[str, dict[str, str]] = {name: {"url": "ws://localhost:1"} for name in SERVED}
    required |= {"replay": {"path": str(Path.cwd())}, "python": {"entry": "pathlib:Path"}}
    check_options({"name": name, **settings, **required.get(name, {})})


def test_an_expert_that_does_not_listen_has_a_name_of_its_own() -> None:
    assert policy_title({"name": "expert", "ignore_preference": False}) == "expert"
    assert policy_title({"name": "expert", "ignore_preference": True}) == (
        "expert (ignores preference)"
    )


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = demo_path(tmp_path, HIGH.id)
    write_demo_file(path, (make_demo(index) for index in (3, 5)), 2)
    return path


def test_only_a_replay_cannot_start_anywhere(recorded: Path) -> None:
    assert allowed_indices({"name": "random"}, HIGH) is None
    for path in (recorded, recorded.parents[1]):
        assert allowed_indices({"name": "replay", "path": str(path)}, HIGH) == (3, 5)


def test_a_replay_plays_the_recorded_actions(recorded: Path) -> None:
    policy = task_policy({"name": "replay", "path": str(recorded)}, None, HIGH)
    assert isinstance(policy, ReplayPolicy)
    policy.select(5)
    policy.reset(HIGH.prompt, 0)
    demo = make_demo(5).episode.trace
    assert demo is not None
    np.testing.assert_array_equal(policy.act({}), demo.actions)


def test_the_recording_of_another_task_is_refused(recorded: Path) -> None:
    with pytest.raises(PermError, match=r"holds single/1-7_104, not single/3-2_081_1\."):
        allowed_indices({"name": "replay", "path": str(recorded)}, RED_MUG)


def test_a_folder_without_the_tasks_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PermError, match=r"There is no file .*single/1-7_104_demo\.hdf5"):
        allowed_indices({"name": "replay", "path": str(tmp_path)}, HIGH)


def test_random_and_hold_are_the_same_for_every_task() -> None:
    for name in ("random", "hold"):
        policy = independent_policy({"name": name})
        assert policy is not None
        assert policy.spec.name == name
    assert independent_policy({"name": "expert", "ignore_preference": False}) is None


def test_no_server_is_told_before_anything_is_simulated() -> None:
    profile = yaml.safe_load((packaged_configs() / "policy" / "openpi.yaml").read_text())["profile"]
    options = {"name": "openpi", "url": "ws://127.0.0.1:9", "profile": profile}
    with pytest.raises(PermError, match="No policy server answers at ws://127"):
        independent_policy(options)
