"""The address of a policy server, as it may be shown and kept."""

import re

_CREDENTIALS = re.compile(r"(policy\.url='?(?:\w+://)?|\w+://)\S*@")


def without_credentials(text: str) -> str:
    """Return a text, or an address alone, without the users and passwords of its addresses.

    What stands before the last @ counts, since a password may hold anything.

    >>> without_credentials("No policy server answers at ws://me:secret@host:8000.")
    'No policy server answers at ws://host:8000.'
    """
    return _CREDENTIALS.sub(r"\1", text)
