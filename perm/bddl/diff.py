"""What differs between two layouts, line by line of their canonical text."""

import difflib

from perm.bddl.write import write_layout
from perm.core.layout import Layout


def diff_layouts(before: Layout, after: Layout) -> str:
    """Return the lines that differ, those that go with "-" and those that come with "+"."""
    old, new = write_layout(before).splitlines(), write_layout(after).splitlines()
    lines = list(difflib.unified_diff(old, new, lineterm="", n=0))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))
