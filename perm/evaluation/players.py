"""From the settings of a policy to the policy."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from perm.core.arrays import FloatArray
from perm.core.errors import PermError, unknown_name
from perm.core.policy import Policy
from perm.core.task import Task
from perm.data.journal import demo_path
from perm.data.reader import read_demo_file
from perm.policies.builtin import HoldPolicy, RandomPolicy
from perm.policies.profile import profile_from_mapping
from perm.policies.python import PythonPolicy, find_entry
from perm.policies.replay import ReplayPolicy
from perm.policies.served import SERVED, ServedPolicy

if TYPE_CHECKING:
    from perm.sim.env import SimEnv

OPTIONS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "expert": {"ignore_preference": False},
        "replay": {"path": None},
        "random": {},
        "hold": {},
        "python": {"entry": None, "settings": None, "checkpoint_step": None},
        **{name: {"url": None, "profile": None, "checkpoint_step": None} for name in SERVED},
    }
)
"""Settings of each policy beside its name, with their defaults."""


def check_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a policy, complete.

    Args:
        options: `name` and the settings of `OPTIONS`.

    Raises:
        PermError: The name or a setting is unknown, or one is missing or cannot be meant.
    """
    name = str(options.get("name", ""))
    if name not in OPTIONS:
        raise unknown_name("policy", name, OPTIONS)
    defaults = OPTIONS[name]
    for key in options:
        if key not in defaults and key != "name":
            raise unknown_name(f"setting of policy {name}", str(key), defaults)
    complete = {"name": name, **defaults, **options}
    if name == "expert" and not isinstance(complete["ignore_preference"], bool):
        raise PermError(
            f"policy.ignore_preference={complete['ignore_preference']!r}: true or false."
        )
    if name == "replay":
        _check_path(complete["path"])
    if name in SERVED:
        _check_server(complete)
    if name == "python":
        find_entry(complete["entry"])
    return complete


def sees(options: Mapping[str, Any]) -> bool:
    """Return whether a policy may want pictures."""
    return options["name"] == "python" or options["name"] in SERVED


def policy_title(options: Mapping[str, Any]) -> str:
    """Return the name of a policy in tables."""
    if options.get("ignore_preference"):
        return f"{options['name']} (ignores preference)"
    if options.get("entry"):
        return str(options["entry"]).rpartition(":")[2]
    return str(options["name"])


def allowed_indices(options: Mapping[str, Any], task: Task) -> tuple[int, ...] | None:
    """Return the init indices that a policy can play in a task, or None for any."""
    if options["name"] != "replay":
        return None
    return ReplayPolicy(_recordings(options, task)).spec.init_indices


def independent_policy(options: Mapping[str, Any]) -> Policy | None:
    """Return the policy if it is the same for every task; None if it is made for each.

    Args:
        options: As `check_options` gives them.

    Raises:
        PermError: No policy server answers.
    """
    name = str(options["name"])
    if name in SERVED:
        return ServedPolicy(options["url"], profile_from_mapping(options["profile"]), name)
    if name == "python":
        return PythonPolicy(options["entry"], options["settings"] or {})
    if options["name"] == "random":
        return RandomPolicy()
    return HoldPolicy() if options["name"] == "hold" else None


def task_policy(options: Mapping[str, Any], env: "SimEnv", task: Task) -> Policy:
    """Return the policy that is made for one task: the expert, or a replay.

    Args:
        options: As `check_options` gives them.
        env: The task's scene.
        task: What will be played.

    Raises:
        PermError: There is no demonstration of the task.
    """
    if options["name"] == "replay":
        return ReplayPolicy(_recordings(options, task))
    from perm.skills.expert import ExpertPolicy

    return ExpertPolicy(env, task, ignore_preference=options["ignore_preference"])


def _check_path(path: object) -> None:
    if path is None:
        raise PermError("policy=replay needs the demonstrations to play: policy.path=DIR.")
    if not Path(str(path)).exists():
        raise PermError(f"policy.path={path}: there is no such folder or file.")


def _check_server(options: Mapping[str, Any]) -> None:
    name = options["name"]
    if options["url"] is None:
        scheme = SERVED[name][1][0]
        raise PermError(f"policy={name} needs an address: policy.url={scheme}://HOST:PORT.")
    if options["profile"] is None:
        raise PermError(f"policy={name} needs a profile: see configs/policy/{name}.yaml.")
    profile_from_mapping(options["profile"])


def _recordings(options: Mapping[str, Any], task: Task) -> dict[int, FloatArray]:
    """Return the recorded actions of a task by init index."""
    given = Path(options["path"])
    path = given if given.is_file() else demo_path(given, task.id)
    actions: dict[int, FloatArray] = {}
    with read_demo_file(path) as file:
        if file.facts.task_id != task.id:
            raise PermError(f"{path} holds {file.facts.task_id}, not {task.id}.")
        for demo in file:
            if demo.episode.trace is not None:
                actions.setdefault(demo.episode.identity.init_index, demo.episode.trace.actions)
    return actions
