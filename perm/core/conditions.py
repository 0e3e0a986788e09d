"""What of a group's preferences a task asks for, and what its expert keeps."""

from collections.abc import Mapping
from types import MappingProxyType

CONDITIONS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = MappingProxyType(
    {
        "none": ((), ()),
        "A": (("A",), ("A",)),
        "B": (("B",), ("B",)),
        "A+B": (("A", "B"), ("A", "B")),
        "P1": (("P1",), ("P1",)),
        "P2": (("P2",), ("P2",)),
        "P1+P2": (("P1", "P2"), ("P1",)),
        "task+P": (("P",), ()),
        "task+null": ((), ()),
    }
)
"""By condition: the preferences of a group that it asks for, and those of them that the expert
keeps. P1 and P2 exclude each other, and P excludes the task."""

OTHER_WAY: Mapping[str, str] = MappingProxyType({"P1+P2": "P2", "task+P": "P"})
"""What the expert may keep instead where wishes exclude each other."""

WORDINGS = ("explicit_field", "mixture", "implicit", "original")
"""How a prompt holds the preference: in a field of its own, woven into the task's sentence with its
key words, as a cue that only implies it, or not at all: LIBERO's own sentence."""

LEFT_ASIDE = 0.25
"""Largest label of a preference that was not kept."""
