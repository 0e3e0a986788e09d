"""A policy in this process: a class of yours, by the name of its module.

It has the two methods of `perm.core.policy.Policy` and a `spec`. What it returns is checked before
it is executed, as a server's replies are.
"""

import importlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from perm.core.arrays import FloatArray
from perm.core.errors import PermError
from perm.core.policy import Observation, Policy, PolicySpec
from perm.policies.chunk import read_chunk

CONVENTION = "minus1_open"
"""Gripper of the environment, which a class of yours speaks."""


class PythonPolicy:
    """Plays what a class says."""

    def __init__(self, entry: str, settings: Mapping[str, Any]) -> None:
        """Make the policy.

        Args:
            entry: "module:Class", or "module:function" that returns a policy.
            settings: Its keyword arguments.

        Raises:
            PermError: It cannot be made, or is no policy.
        """
        make = find_entry(entry)
        try:
            self._policy: Policy = make(**settings)
        except TypeError as error:
            raise PermError(f"policy.entry={entry} with {dict(settings)}: {error}.") from error
        lacking = [n for n in ("reset", "act", "spec") if not hasattr(self._policy, n)]
        if lacking:
            raise PermError(
                f"policy.entry={entry} gives a {type(self._policy).__name__} without "
                f"{', '.join(lacking)}: a policy has reset(prompt, seed), act(obs) -> (K, 7) and "
                "spec = PolicySpec(NAME, image_size=PIXELS), see perm.core.policy."
            )
        if not isinstance(self._policy.spec, PolicySpec):
            raise PermError(f"policy.entry={entry}: spec is no perm.core.policy.PolicySpec.")

    @property
    def spec(self) -> PolicySpec:
        """As the class says."""
        return self._policy.spec

    def reset(self, prompt: str, seed: int) -> None:
        """Begin an episode."""
        self._policy.reset(prompt, seed)

    def act(self, obs: Observation) -> FloatArray:
        """Return the class's next actions, checked, shape (K, 7).

        Raises:
            PolicyServerError: They are not of that shape, or not finite.
        """
        return read_chunk(self._policy.act(obs), CONVENTION, strict=False)


def find_entry(entry: object) -> Callable[..., Any]:
    """Return the class or function that a name means; modules in this folder are found.

    Raises:
        PermError: The name is not "module:name", or there is none.
    """
    module_name, colon, name = str(entry or "").partition(":")
    if not colon or not module_name or not name:
        raise PermError(
            f"policy.entry={entry}: write module:Class, for example policy=python:my_policy:Mine."
        )
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise PermError(f"policy.entry={entry}: {error}. Searched here, too: {here}.") from error
    found = getattr(module, name, None)
    if not callable(found):
        known = [n for n in vars(module) if not n.startswith("_") and callable(vars(module)[n])]
        raise PermError(
            f"policy.entry={entry}: {module_name} has no {name}; it has {', '.join(known)}."
        )
    made: Callable[..., Any] = found
    return made
