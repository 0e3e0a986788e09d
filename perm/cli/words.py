"""Commands of the form `perm VERB` and `perm VERB ACTION [NAME]`."""

from collections.abc import Mapping
from pathlib import Path

from perm.cli.arguments import Arguments
from perm.core.errors import PermError, unknown_name


def expect_words(arguments: Arguments, verb: str, actions: Mapping[str, str]) -> tuple[str, str]:
    """Return the action and the name behind it ("" for an action that takes none).

    A file whose path has an equals sign in it is no setting.

    Args:
        arguments: The command line.
        verb: For messages.
        actions: What stands behind each action in its usage: "FILE", or "" for nothing.

    Raises:
        PermError: The words are others.
    """
    usage = " | ".join(f"perm {verb} {action} {name}".strip() for action, name in actions.items())
    texts = [f"{key}={value}" for key, value in arguments.settings.items()]
    if not all(Path(text).exists() for text in texts):
        raise PermError(f"perm {verb} has no keys. Usage: {usage}")
    if not arguments.words:
        raise PermError(f"Usage: {usage}")
    action, *names = [*arguments.words, *texts]
    if action not in actions:
        raise unknown_name(f"action of perm {verb}", action, actions)
    if len(names) != (1 if actions[action] else 0):
        raise PermError(f"Usage: {usage}")
    return action, names[0] if names else ""


def refuse_all(arguments: Arguments, verb: str) -> None:
    """Refuse words and settings behind a verb that takes none.

    Raises:
        PermError: There is one.
    """
    given = [*arguments.words, *(f"{key}={value}" for key, value in arguments.settings.items())]
    if given:
        raise PermError(f"perm {verb} takes nothing behind it, found {given[0]!r}.")
