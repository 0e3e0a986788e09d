"""Tests of perm.policies.python."""

from pathlib import Path

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.policy import Observation, PolicySpec
from perm.policies.check_policy import make_observation
from perm.policies.errors import PolicyServerError
from perm.policies.python import PythonPolicy

HERE = __name__
OBS = make_observation(0, np.random.default_rng(0))


class Pushes:
    """Pushes along x."""

    spec = PolicySpec("pushes", image_size=64)

    def __init__(self, speed: float = 0.5, rows: int = 2) -> None:
        self.speed, self.rows, self.prompt = speed, rows, ""

    def reset(self, prompt: str, seed: int) -> None:
        self.prompt = prompt

    def act(self, obs: Observation) -> object:
        return np.full((self.rows, 7), self.speed, dtype=np.float32)


class Silent:
    """No policy."""


def test_a_class_plays_with_its_settings() -> None:
    policy = PythonPolicy(f"{HERE}:Pushes", {"speed": 0.25})
    policy.reset("a", 0)
    actions = policy.act(OBS)
    assert policy.spec.image_size == 64
    assert (actions.shape, actions.dtype, actions[0, 0]) == ((2, 7), np.float64, 0.25)


def test_what_it_returns_is_checked() -> None:
    policy = PythonPolicy(f"{HERE}:Pushes", {"rows": 0})
    policy.reset("a", 0)
    with pytest.raises(PolicyServerError, match=r"shape \(0, 7\)"):
        policy.act(OBS)


@pytest.mark.parametrize(
    ("entry", "settings", "message"),
    [
        (None, {}, "write module:Class"),
        ("module", {}, "write module:Class"),
        ("no_such_module:A", {}, "No module named 'no_such_module'. Searched here, too"),
        (f"{HERE}:Push", {}, "has no Push; it has .*Pushes"),
        (f"{HERE}:Pushes", {"sped": 1}, "unexpected keyword argument 'sped'"),
        (f"{HERE}:Silent", {}, "a Silent without reset, act, spec"),
    ],
)
def test_what_is_no_policy_is_told(entry: str, settings: dict[str, int], message: str) -> None:
    with pytest.raises(PermError, match=message):
        PythonPolicy(entry, settings)


def test_a_module_in_this_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "from tests.policies.test_python import Pushes\n\ndef make():\n    return Pushes(1.0)\n"
    (tmp_path / "mine_here.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    policy = PythonPolicy("mine_here:make", {})
    policy.reset("a", 0)
    assert policy.act(OBS)[0, 0] == 1.0
