"""Which of a goal's alternatives a profile preference means: by colour, size, kind or drawer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perm.core.catalogue import Catalogue, ObjectKind
from perm.core.errors import PermError
from perm.core.layout import Atom, Layout
from perm.core.task import Preference

Alternative = tuple[Atom, ...]


@dataclass(frozen=True)
class Chosen:
    """What a preference makes of a goal's alternatives.

    Attributes:
        preferred: Alternatives that keep it, the first one first.
        others: Those that do not.
    """

    preferred: tuple[Alternative, ...]
    others: tuple[Alternative, ...]


def choose(
    preference: Preference,
    alternatives: Sequence[Alternative],
    layout: Layout,
    catalogue: Catalogue,
) -> Chosen:
    """Return which alternatives keep a profile preference, judged by the object catalogue.

    Args:
        preference: One with a `choice`.
        alternatives: Of the goal; they differ in what is moved, or in where to.
        layout: The scene.
        catalogue: What is known of objects.

    Raises:
        PermError: None of them, or all, keep it: then there is nothing to choose.
    """
    judge = _Judge(preference.choice, alternatives, layout, catalogue)
    keeps = [judge.keeps(alternative) for alternative in alternatives]
    preferred = tuple(one for one, kept in zip(alternatives, keeps, strict=True) if kept)
    others = tuple(one for one, kept in zip(alternatives, keeps, strict=True) if not kept)
    if not preferred or not others:
        which = "All" if preferred else "None"
        raise PermError(
            f"{which} of the goal's alternatives keep {preference.name!r}: there is no choice. "
            f"Alternatives: {'; '.join(' and '.join(map(' '.join, one)) for one in alternatives)}."
        )
    return Chosen(preferred, others)


class _Judge:
    """Judges alternatives by the names in which they differ."""

    def __init__(
        self,
        choice: Mapping[str, float | str],
        alternatives: Sequence[Alternative],
        layout: Layout,
        catalogue: Catalogue,
    ) -> None:
        self._choice = choice
        entities = (*layout.fixtures, *layout.objects)
        self._kinds = {e.name: catalogue[e.category] for e in entities if e.category in catalogue}
        self._regions = {region.full_name: region.name for region in layout.regions}
        named = [self._names(alternative) for alternative in alternatives]
        self._common = set.intersection(*map(set, named)) if named else set()
        differing = [name for names in named for name in names if name not in self._common]
        self._volumes = sorted(
            {self._kinds[n].measured.volume for n in differing if n in self._kinds}
        )
        self._most = max((len(alternative) for alternative in alternatives), default=0)

    def keeps(self, alternative: Alternative) -> bool:
        """Return whether an alternative is one that the preference asks for."""
        if "portions" in self._choice:
            wanted = float(self._choice["portions"])
            return len(alternative) >= wanted and len(alternative) == self._most
        if "drawer" in self._choice:
            return self._fits_drawer(alternative)
        chosen = [name for name in self._names(alternative) if name not in self._common]
        return any(self._suits(self._kinds[name]) for name in chosen if name in self._kinds)

    def _suits(self, kind: ObjectKind) -> bool:
        choice, measured = self._choice, kind.measured
        if "colour" in choice:
            return measured.colour == choice["colour"]
        if "size" in choice:
            best = self._volumes[-1 if choice["size"] == "bigger" else 0]
            return measured.volume == best and len(self._volumes) > 1
        if "container" in choice:
            return kind.container == choice["container"]
        return bool(set(str(choice["tag"]).split()) & kind.tags)

    def _fits_drawer(self, alternative: Alternative) -> bool:
        """Return whether what has the tag, and nothing else, comes into the drawer for it."""
        tags, drawer = set(str(self._choice["tag"]).split()), str(self._choice["drawer"])
        put = [atom for atom in alternative if atom[0] in ("in", "on")]
        return bool(put) and all(
            (self._regions.get(atom[2], "") == f"{drawer}_region")
            == bool(tags & self._kinds[atom[1]].tags)
            for atom in put
        )

    @staticmethod
    def _names(alternative: Alternative) -> list[str]:
        return [name for atom in alternative for name in atom[1:]]
