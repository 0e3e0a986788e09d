"""The `:regions` section: named rectangles on the work surface, named parts of things."""

from perm.bddl.sections import Section
from perm.bddl.tokens import Group, Node
from perm.core.errors import unknown_name
from perm.core.layout import Region

_ATTRIBUTES = (":target", ":ranges", ":yaw_rotation")


def read_regions(section: Section) -> tuple[Region, ...]:
    """Return the regions in the order of the file, names in lower case.

    Raises:
        BddlError: An attribute that is unknown, repeated, missing or of the wrong form.
    """
    return tuple(_region(section, group) for group in section.groups())


def _region(section: Section, group: Group) -> Region:
    if not group.items:
        raise section.error(group, "A region has a name and a (:target ...).")
    name, *rest = group.items
    values: dict[str, Group] = {}
    for node in rest:
        attribute = section.group(node)
        key = attribute.head.lower()
        if key not in _ATTRIBUTES:
            raise section.error(attribute, _unknown_attribute(key))
        if key in values:
            raise section.error(attribute, f"{key} stands twice in this region.")
        values[key] = attribute
    if ":target" not in values:
        raise section.error(name, "The region has no (:target ...): whose region is it?")
    (target,) = _exactly(section, values[":target"], 1, "one name")
    return Region(
        name=section.word(name).key,
        target=section.word(target).key,
        ranges=_ranges(section, values.get(":ranges")),
        yaw=_yaw(section, values.get(":yaw_rotation")),
    )


def _unknown_attribute(key: str) -> str:
    if key == ":rgba":
        return "A layout does not carry the tint of a region (LIBERO's is invisible); remove it."
    return str(unknown_name("attribute", key, _ATTRIBUTES))


def _ranges(
    section: Section, attribute: Group | None
) -> tuple[tuple[float, float, float, float], ...]:
    if attribute is None:
        return ()
    (rectangles,) = _exactly(section, attribute, 1, "one bracket of rectangles: ((x0 y0 x1 y1))")
    found = []
    for node in section.group(rectangles).items:
        x0, y0, x1, y1 = _numbers(section, node, 4, "four numbers: (x0 y0 x1 y1)")
        found.append((x0, y0, x1, y1))
    return tuple(found)


def _yaw(section: Section, attribute: Group | None) -> tuple[float, float] | None:
    if attribute is None:
        return None
    form = "one pair: ((low high))"
    (pairs,) = _exactly(section, attribute, 1, form)
    # LIBERO takes the last of several pairs and drops the others without a word.
    if len(section.group(pairs).items) != 1:
        raise section.error(attribute, f"{attribute.head} takes {form}.")
    low, high = _numbers(section, section.group(pairs).items[0], 2, form)
    return low, high


def _exactly(section: Section, attribute: Group, count: int, form: str) -> tuple[Node, ...]:
    values = attribute.items[1:]
    if len(values) != count:
        raise section.error(attribute, f"{attribute.head} takes {form}.")
    return values


def _numbers(section: Section, node: Node, count: int, form: str) -> list[float]:
    words = [section.word(item) for item in section.group(node).items]
    if len(words) != count:
        raise section.error(node, f"{len(words)} values stand here instead of {form}.")
    numbers = []
    for word in words:
        try:
            numbers.append(float(word.text))
        except ValueError:
            message = "Not a number; an expression such as pi/2 is not evaluated."
            raise section.error(word, message) from None
    return numbers
