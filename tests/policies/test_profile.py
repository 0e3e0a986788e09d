from typing import Any

import pytest
import yaml

from perm.core.errors import PermError
from perm.policies.profile import PolicyProfile, profile_from_mapping

from .conftest import CONFIGS


def _mapping(**changes: Any) -> dict[str, Any]:
    return {**yaml.safe_load((CONFIGS / "openpi.yaml").read_text())["profile"], **changes}


def test_the_packaged_profile_is_openpis_libero_convention() -> None:
    assert profile_from_mapping(_mapping()) == PolicyProfile(
        render_size=256,
        image_turn="rotate_180",
        image_size=224,
        image_keys={
            "agentview": "observation/image",
            "robot0_eye_in_hand": "observation/wrist_image",
        },
        state_key="observation/state",
        state=("eef_pos", "eef_axis_angle", "gripper_qpos"),
        prompt_key="prompt",
        prompt_case="as_is",
        actions_key="actions",
        gripper="minus1_open",
        strict_gripper=False,
        replan_steps=5,
        first_timeout_s=300,
        timeout_s=60,
        reconnect_waits_s=(0, 2, 10),
    )


def test_only_the_lower_profile_touches_the_prompt() -> None:
    sentence = "Task: Put the Bowl on.  Preference: Move higher."
    as_is, lower = (profile_from_mapping(_mapping(prompt_case=c)) for c in ("as_is", "lower"))
    assert as_is.prompt(sentence) == sentence
    assert lower.prompt(sentence) == "task: put the bowl on.  preference: move higher."


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"imageturn": "none"}, r"Unknown profile key 'imageturn'\. Did you mean image_turn"),
        ({"image_turn": "rotate180"}, r"Unknown image turn 'rotate180'\. Did you mean rotate_180"),
        ({"gripper": "zero_close"}, "Unknown gripper convention .* or zero_close_one_open"),
        ({"prompt_case": "upper"}, "Unknown prompt case 'upper'"),
        ({"state": ["eef_pos", "gripper"]}, "Unknown state part 'gripper'.* gripper_qpos"),
        ({"state": "eef_pos"}, r"profile\.state='eef_pos': a list"),
        ({"image_keys": {"agent": "x"}}, "Unknown camera 'agent'. Did you mean agentview"),
        ({"image_keys": ["agentview"]}, "image_keys: a map"),
        ({"image_keys": {"agentview": "prompt"}}, "keys are 'prompt', .* name of their own"),
        ({"state_key": ""}, "name of their own"),
        ({"replan_steps": 0}, r"profile\.replan_steps=0: a whole number of at least 1"),
        ({"image_size": 224.5}, r"profile\.image_size=224\.5"),
        ({"timeout_s": 0}, r"profile\.timeout_s=0: seconds"),
        ({"first_timeout_s": float("inf")}, r"profile\.first_timeout_s=inf"),
        ({"reconnect_waits_s": []}, r"reconnect_waits_s is empty"),
        ({"reconnect_waits_s": [-1]}, r"profile\.reconnect_waits_s=-1"),
        ({"strict_gripper": "yes"}, r"profile\.strict_gripper='yes': true or false"),
    ],
)
def test_what_nobody_understands_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(PermError, match=message):
        profile_from_mapping(_mapping(**changes))


def test_nothing_is_assumed_where_a_key_is_missing() -> None:
    mapping = _mapping()
    del mapping["image_turn"], mapping["gripper"]
    with pytest.raises(PermError, match=r"profile lacks image_turn, gripper\."):
        profile_from_mapping(mapping)
    with pytest.raises(PermError, match="profile=None: a map with the keys render_size, "):
        profile_from_mapping(None)  # type: ignore[arg-type]
