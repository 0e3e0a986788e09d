"""From `key=value` words to Hydra's overrides, so that nobody has to know Hydra's grammar.

Without `--multirun` a value is a plain number or word, or text that is meant as it stands:
ids, sentences and paths need no inner quotes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from perm.cli.arguments import Arguments
from perm.cli.keys import MISSING, Key, find_key, group_files, list_items
from perm.core.errors import PermError, unknown_name
from perm.suites.paths import packaged_configs
from perm.suites.sources import misspelled
from perm.suites.strict_yaml import read_mapping

_PLAIN = re.compile(r"[\w.+-]*")
_HYDRAS_OWN = re.compile(r"[\[{'\"]|.*\$\{")


def build_overrides(keys: Mapping[str, Key], arguments: Arguments) -> tuple[str, ...]:
    """Return the overrides for the settings of a command line.

    Raises:
        PermError: A key or an option of a group is not known, or a folder of the user cannot be
            told from ours.
    """
    _refuse_clashes(keys, arguments.config_dirs)
    _check_files(keys, arguments.config_dirs)
    _refuse_repeated(keys, arguments)  # first: a misspelt word is told as such, not as missing
    groups = [key for key in keys.values() if key.is_group]
    for key in groups:
        _check_group(key, arguments)
    folders = ",".join(quote(f"file://{folder}") for folder in arguments.config_dirs)
    search_path = [f"hydra.searchpath=[{folders}]"] if folders else []
    settings = arguments.settings.items()
    return (*search_path, *(_override(keys, word, text, arguments) for word, text in settings))


def quote(text: str) -> str:
    r"""Return the text as one quoted string of Hydra's grammar: 'the cook\'s plate'."""
    escaped = re.sub(r"(\\*)('|$)", lambda m: m[1] * 2 + ("\\'" if m[2] else ""), text)
    return f"'{escaped}'"


def _override(keys: Mapping[str, Key], word: str, text: str, arguments: Arguments) -> str:
    if re.match(r"hydra[./]", word):
        return f"{word}={text}"
    key = find_key(keys, word)
    if isinstance(key.default, list):
        return f"{key.name}=[{','.join(quote(item) for item in list_items(text))}]"
    is_text = isinstance(key.default, str) and "." not in word
    if _PLAIN.fullmatch(text) and not is_text:
        return f"{word}={text}"
    sweeps = arguments.multirun and " " not in text
    return f"{word}={text if sweeps or _HYDRAS_OWN.match(text) else quote(text)}"


def _check_group(key: Key, arguments: Arguments) -> None:
    """Check the option of a group, and the keys that are set in it, while no file is made yet."""
    known = group_files(key.name, arguments.config_dirs)
    option = arguments.settings.get(key.word, key.default)
    if option == MISSING:
        raise PermError(f"{key.word} is missing: {key.word}=NAME. Known: {', '.join(known)}.")
    for name in option.split(",") if arguments.multirun else [option]:
        if name not in known:
            raise unknown_name(key.word, name, known)
        content = read_mapping(known[name])
        if "defaults" not in content:  # else what it inherits counts too, and Hydra checks it
            for word in arguments.settings:
                group, dot, inner = word.partition(".")
                if dot and group == key.word:
                    _check_inner(f"key of {key.word}={name}", inner.split("."), content)


def _check_inner(kind: str, path: Sequence[str], content: object) -> None:
    """Refuse a path that leads to nothing, `["profile", "typo"]`."""
    for depth, part in enumerate(path):
        if isinstance(content, Mapping):
            prefix = "".join(f"{outer}." for outer in path[:depth])
            if part not in content:
                raise unknown_name(kind, prefix + part, (f"{prefix}{key}" for key in content))
            content = content[part]


def _refuse_repeated(keys: Mapping[str, Key], arguments: Arguments) -> None:
    """Refuse two spellings of one key, `task=A tasks=B`: Hydra would take the last."""
    seen: dict[str, str] = {}
    for word in arguments.settings:
        if not re.search(r"[./]", word):
            key = find_key(keys, word)
            if key.name in seen:
                raise PermError(
                    f"{seen[key.name]}= and {word}= are the same key; give all its values at "
                    f"once, {key.word}=A,B."
                )
            seen[key.name] = word


def _refuse_clashes(keys: Mapping[str, Key], folders: Sequence[Path]) -> None:
    """Refuse what Hydra would pass over in silence or take for something else."""
    seen: dict[Path, Path] = {}
    for folder in (packaged_configs(), *folders):
        for path in _own_files(keys, folder):
            name = path.relative_to(folder)
            if name in seen:
                raise PermError(
                    f"{path} has the same name as {seen[name]}: only one of them would be "
                    f"read. Rename yours."
                )
            seen[name] = path
    for folder in folders:
        for key in keys.values():
            if not key.is_group and (folder / key.name).is_dir():
                raise PermError(
                    f"{folder / key.name}: this folder would hide the key {key.word!r}. "
                    f"Rename it, or give --config-dir a folder that holds configs only."
                )


def _check_files(keys: Mapping[str, Key], folders: Sequence[Path]) -> None:
    """Refuse files of the user that Hydra would not read, or could not.

    Raises:
        PermError: Names the file, and the line if it is known.
    """
    for folder in folders:
        for key in keys.values():
            for path in sorted((folder / key.name).rglob("*")) if key.is_group else ():
                if problem := misspelled(path, ".yaml"):
                    raise PermError(problem)
                if path.suffix == ".yaml":
                    read_mapping(path)


def _own_files(keys: Mapping[str, Key], folder: Path) -> Iterator[Path]:
    """The files that Hydra could read: those at the top and those of the groups."""
    yield from sorted(folder.glob("*.yaml"))
    for key in keys.values():
        if key.is_group:
            yield from sorted((folder / key.name).rglob("*.yaml"))
