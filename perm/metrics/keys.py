"""Which keys a mapping from a user's file must have and may have."""

from collections.abc import Iterable, Sequence

from perm.core.errors import PermError, unknown_name


def check_keys(
    owner: str, keys: Iterable[str], required: Sequence[str], optional: Sequence[str] = ()
) -> None:
    """Refuse a key that is not known and the lack of one that is required.

    Args:
        owner: What the keys belong to, for the message.
        keys: The keys that were given.
        required: Keys that must be there.
        optional: Keys that may be there.

    Raises:
        PermError: With the key, and the keys that would have worked.
    """
    given = list(keys)
    for key in given:
        if key not in (*required, *optional):
            raise unknown_name(f"key of {owner}", key, [*required, *optional])
    missing = [key for key in required if key not in given]
    if missing:
        raise PermError(f"{owner} lacks {', '.join(missing)}.")
