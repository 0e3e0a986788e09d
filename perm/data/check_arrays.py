"""Are all arrays of a demonstration there, with the right types and shapes?"""

from collections.abc import Iterator

import h5py

from perm.data.file_facts import FileFacts
from perm.data.finding import Finding
from perm.data.schema import ARRAYS, IMAGES, PERM, TRACE_ARRAYS, ArraySpec


def check_arrays(group: h5py.Group, where: str, facts: FileFacts) -> Iterator[Finding]:
    """Yield the arrays of a demonstration that are missing or of a wrong type or shape.

    Args:
        group: The demonstration.
        where: Its name in the file.
        facts: What the file's demonstrations share.
    """
    n_steps = int(group.attrs["num_samples"])
    for name, spec in ARRAYS.items():
        yield from _check_array(group, where, name, spec, n_steps)
    for name, spec in TRACE_ARRAYS.items():
        yield from _check_array(group, where, f"{PERM}/trace/{name}", spec, n_steps + 1)
    for name in IMAGES.values():
        if facts.image_size:
            spec = ArraySpec("uint8", (facts.image_size, facts.image_size, 3))
            yield from _check_array(group, where, name, spec, n_steps)
        elif name in group:
            yield Finding("images", f"{where}/{name}", "there", "none in this file")


def _check_array(
    group: h5py.Group, where: str, name: str, spec: ArraySpec, n_rows: int
) -> Iterator[Finding]:
    if name not in group:
        yield Finding("array", f"{where}/{name}", "missing", f"{spec.dtype} of {n_rows} rows")
        return
    found = group[name]
    wanted = (n_rows, *spec.row)
    fits = len(found.shape) == len(wanted) and all(
        size in (None, actual) for size, actual in zip(wanted, found.shape, strict=True)
    )
    if not fits or found.dtype != spec.dtype:
        value = f"{found.dtype} {found.shape}"
        yield Finding("array", f"{where}/{name}", value, f"{spec.dtype} {wanted}")
