from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from perm.policies.profile import PolicyProfile, profile_from_mapping

CONFIGS = Path(__file__).parents[2] / "configs" / "policy"


@pytest.fixture
def profile() -> PolicyProfile:
    """The packaged openpi profile, with time-outs for a test."""
    mapping = yaml.safe_load((CONFIGS / "openpi.yaml").read_text())["profile"]
    packaged = profile_from_mapping(mapping)
    return replace(packaged, first_timeout_s=5.0, timeout_s=5.0, reconnect_waits_s=(0.0, 0.01))
