"""From object files to the catalogue."""

from collections.abc import Mapping
from dataclasses import replace

from perm.core.catalogue import Catalogue, ObjectKind
from perm.core.layout import DerivedCategory
from perm.suites.entries import ObjectEntry
from perm.suites.sources import Sources


def build_catalogue(entries: Mapping[str, ObjectEntry], sources: Sources) -> Catalogue:
    """Return what is known of each category that has been measured."""
    for entry in entries.values():
        if entry.derived is not None:
            sources.require("object", entry.derived.base, where=("object", entry.id))
    derived = derived_categories(entries)
    return {
        entry.id: ObjectKind(
            category=entry.id,
            tags=frozenset(entry.tags),
            container=entry.container,
            measured=entry.measured,
            derived=derived.get(entry.id),
            inside=entry.inside,
        )
        for entry in entries.values()
        if entry.measured is not None
    }


def derived_categories(entries: Mapping[str, ObjectEntry]) -> dict[str, DerivedCategory]:
    """Return the categories of ours by name."""
    return {
        entry.id: replace(entry.derived, category=entry.id)
        for entry in entries.values()
        if entry.derived is not None
    }
