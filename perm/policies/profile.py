"""How one family of models wants to see the world and how it answers."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from perm.core.conventions import CAMERAS
from perm.core.errors import PermError, unknown_name
from perm.policies.chunk import GRIPPERS
from perm.policies.images import IMAGE_TURNS
from perm.policies.state import STATE_PARTS

PROMPT_CASES = ("as_is", "lower")


@dataclass(frozen=True)
class PolicyProfile:
    """Everything that differs between models, in one place and applied once.

    There are no defaults: a turn or a sign that nobody chose is the commonest cause of a policy
    that fails for no visible reason.

    Attributes:
        render_size: Height and width of the rendered frames [px].
        image_turn: What is done to a raw frame, a name in `IMAGE_TURNS`.
        image_size: Height and width of the images that are sent [px].
        image_keys: Camera -> key of its image in the request.
        state_key: Key of the state in the request.
        state: Parts of the state in order, names in `STATE_PARTS`.
        prompt_key: Key of the prompt in the request.
        prompt_case: "as_is", or "lower" for models that know only lower-case sentences.
        actions_key: Key of the actions in the reply.
        gripper: The model's gripper convention, a name in `GRIPPERS`.
        strict_gripper: Whether a gripper entry outside that convention's range is an error.
        replan_steps: Actions of a reply that are executed before the next request, at most.
        first_timeout_s: How long the first reply of a connection may take [s]; models compile.
        timeout_s: How long connecting, and each later reply, may take [s].
        reconnect_waits_s: Waits before each attempt to connect again, between episodes [s].
    """

    render_size: int
    image_turn: str
    image_size: int
    image_keys: Mapping[str, str]
    state_key: str
    state: tuple[str, ...]
    prompt_key: str
    prompt_case: str
    actions_key: str
    gripper: str
    strict_gripper: bool
    replan_steps: int
    first_timeout_s: float
    timeout_s: float
    reconnect_waits_s: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse what nobody understands.

        Raises:
            PermError: A name is unknown, or a number is not what it has to be.
        """
        _check_names("image turn", [self.image_turn], IMAGE_TURNS)
        _check_names("camera", self.image_keys, CAMERAS)
        _check_names("state part", self.state, STATE_PARTS)
        _check_names("prompt case", [self.prompt_case], PROMPT_CASES)
        _check_names("gripper convention", [self.gripper], GRIPPERS)
        for name in ("render_size", "image_size", "replan_steps"):
            _check_count(name, getattr(self, name))
        for name in ("first_timeout_s", "timeout_s"):
            _check_seconds(name, getattr(self, name), least=1e-3)
        if not self.reconnect_waits_s:
            raise PermError("profile.reconnect_waits_s is empty: [0] tries once, without a wait.")
        for wait in self.reconnect_waits_s:
            _check_seconds("reconnect_waits_s", wait, least=0.0)
        _check_keys([*self.image_keys.values(), self.state_key, self.prompt_key])
        if not isinstance(self.strict_gripper, bool):
            raise PermError(f"profile.strict_gripper={self.strict_gripper!r}: true or false.")

    def prompt(self, sentence: str) -> str:
        """Return the sentence as the model gets it."""
        return sentence.lower() if self.prompt_case == "lower" else sentence


def profile_from_mapping(mapping: Mapping[str, Any]) -> PolicyProfile:
    """Return the profile that a configuration describes.

    Args:
        mapping: The attributes of `PolicyProfile`, all of them and no others, as they come from
            YAML (the key `profile` of configs/policy/openpi.yaml).

    Raises:
        PermError: A key is unknown or missing, or a value is refused.
    """
    known = [field.name for field in fields(PolicyProfile)]
    if not isinstance(mapping, Mapping):
        raise PermError(f"profile={mapping!r}: a map with the keys {', '.join(known)} is needed.")
    _check_names("profile key", mapping, known)
    missing = [name for name in known if name not in mapping]
    if missing:
        raise PermError(f"The policy profile lacks {', '.join(missing)}.")
    lists = {name: _as_tuple(name, mapping[name]) for name in ("state", "reconnect_waits_s")}
    if not isinstance(mapping["image_keys"], Mapping):
        raise PermError("profile.image_keys: a map from our cameras to the model's keys is needed.")
    return PolicyProfile(**{**mapping, "image_keys": dict(mapping["image_keys"]), **lists})


def _as_tuple(name: str, value: object) -> tuple[Any, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise PermError(f"profile.{name}={value!r}: a list is needed.")
    return tuple(value)


def _check_names(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise unknown_name(kind, str(name), known)


def _check_keys(keys: Sequence[object]) -> None:
    if not all(isinstance(key, str) and key for key in keys) or len(set(keys)) < len(keys):
        raise PermError(
            f"The request's keys are {', '.join(map(repr, keys))}: each image, the state and the "
            "prompt need a name of their own."
        )


def _check_count(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise PermError(f"profile.{name}={value!r}: a whole number of at least 1 is needed.")


def _check_seconds(name: str, value: object, least: float) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not least <= float(value) < math.inf:  # type: ignore[arg-type]
        raise PermError(f"profile.{name}={value!r}: seconds, at least {least:g}, are needed.")
