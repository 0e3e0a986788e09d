import pytest
import yaml
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from perm.policies.profile import profile_from_mapping

from .conftest import CONFIGS


@pytest.mark.parametrize("name", [path.stem for path in sorted(CONFIGS.glob("*.yaml"))])
def test_each_file_names_the_kind_that_it_configures(name: str) -> None:
    assert yaml.safe_load((CONFIGS / f"{name}.yaml").read_text())["name"] == name


def test_hydra_composes_a_server_with_a_changed_convention() -> None:
    overrides = [
        "+policy=openpi",
        "policy.url=ws://somewhere:8000",
        "policy.profile.gripper=zero_close_one_open",
    ]
    with initialize_config_dir(str(CONFIGS.parent), version_base="1.3"):
        policy = compose(overrides=overrides).policy
    assert policy.url == "ws://somewhere:8000"
    profile = profile_from_mapping(OmegaConf.to_container(policy.profile))
    assert profile.gripper == "zero_close_one_open"
    assert profile.image_turn == "rotate_180"
