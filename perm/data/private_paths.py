"""Finds absolute paths in text: a file that travels must not name the machine it was made on."""

import re

_POSIX = r"(?<![\w.)\]}/<~])/(?:[\w.@+~-]+/)+[\w.@+~-]*"
"""A slash that does not continue a word, and at least one folder: not "m/s", not "</body>"."""
_HOME = r"(?<!\w)~[\w.-]*/[\w.@+/-]*"
_WINDOWS = r"(?<!\w)[A-Za-z]:[\\/][\w.@+~\\/-]+"
_FILE_URL = r"file://\S+"
_PATH = re.compile("|".join((_FILE_URL, _HOME, _WINDOWS, _POSIX)))


def absolute_paths(text: str) -> list[str]:
    """Return the absolute paths in a text, in order.

    >>> absolute_paths('<mesh file="meshes/plate.stl"/> at 3 m/s')
    []
    >>> absolute_paths('<mesh file="/home/me/plate.stl"/>')
    ['/home/me/plate.stl']
    """
    return _PATH.findall(text)
