"""Saves what is intact in a damaged file."""

from pathlib import Path

from perm.core.errors import PermError
from perm.data.checksum import H5_ERRORS
from perm.data.damage import describe, survey
from perm.data.damaged_file import open_damaged
from perm.data.demo_group import read_demo
from perm.data.schema import demo_name
from perm.data.writer import write_demo_file


def salvage(damaged: Path, out: Path) -> tuple[int, ...]:
    """Write the intact demonstrations of a damaged file into a new one, numbered from 0.

    Args:
        damaged: A file that `read_demo_file` refuses; it is left as it is.
        out: The new file.

    Returns:
        The numbers that they had.

    Raises:
        PermError: Nothing is intact.
    """
    try:
        with open_damaged(damaged) as file:
            found = survey(file)
            intact = tuple(index for index, why in found.items() if not why)
            if not intact:
                raise PermError(f"{damaged}: {describe(found)}")
            groups = (file["data"][demo_name(index)] for index in intact)
            write_demo_file(out, (read_demo(group, images=True) for group in groups), len(intact))
            return intact
    except H5_ERRORS as error:
        raise PermError(f"{damaged}: {describe({})} {error}") from error
