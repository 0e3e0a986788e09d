"""Commands of the form `perm VERB` and `perm VERB ACTION [NAME]`."""

from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType

from perm.cli.arguments import Arguments
from perm.core.errors import PermError, unknown_name


def expect_words(
    arguments: Arguments,
    verb: str,
    actions: Mapping[str, str],
    keys: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> tuple[str, str, dict[str, str]]:
    """Return the action, the name behind it ("" for an action that takes none), and its settings.

    A file whose path has an equals sign in it is no setting.

    Args:
        arguments: The command line.
        verb: For messages.
        actions: What stands behind each action in its usage: "FILE", or "" for nothing.
        keys: The settings that each action knows; none if it is not named.

    Raises:
        PermError: The words or the settings are others.
    """
    usage = " | ".join(f"perm {verb} {action} {name}".strip() for action, name in actions.items())
    if not arguments.words:
        raise PermError(f"Usage: {usage}")
    action, *names = arguments.words
    if action not in actions:
        raise unknown_name(f"action of perm {verb}", action, actions)
    settings = dict(arguments.settings)
    for key, value in arguments.settings.items():
        if key in keys.get(action, ()):
            continue
        if not Path(f"{key}={value}").exists():
            raise _unknown_key(key, verb, action, keys.get(action, ()), usage)
        del settings[key]
        names.append(f"{key}={value}")
    if len(names) != (1 if actions[action] else 0):
        raise PermError(f"Usage: {usage}")
    return action, names[0] if names else "", settings


def _unknown_key(key: str, verb: str, action: str, known: Collection[str], usage: str) -> PermError:
    if known:
        return unknown_name(f"key of perm {verb} {action}", key, known)
    return PermError(f"perm {verb} has no keys. Usage: {usage}")


def refuse_all(arguments: Arguments, verb: str) -> None:
    """Refuse words and settings behind a verb that takes none.

    Raises:
        PermError: There is one.
    """
    given = [*arguments.words, *(f"{key}={value}" for key, value in arguments.settings.items())]
    if given:
        raise PermError(f"perm {verb} takes nothing behind it, found {given[0]!r}.")
