"""Is a demonstration file what it says it is? Everything that can be told without a simulator."""

import json
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np

from perm.core.errors import PermError
from perm.data.check_demo import check_demo
from perm.data.checksum import H5_ERRORS, file_digest, tell
from perm.data.finding import Finding, compare
from perm.data.libero_env import env_args, problem_info, scene_class
from perm.data.private_paths import absolute_paths
from perm.data.reader import DemoFile, read_demo_file
from perm.data.schema import CHECKSUM, IMAGE_CONVENTION, OBS_ALIGNMENT, PERM, TAG, demo_name


def check_structure(path: Path) -> list[Finding]:
    """Return what is wrong with a demonstration file; nothing, if all is well.

    Structure, types, shapes, alignment, checksums, and whether stored facts agree with each other.
    Whether the actions replay to the same states takes the simulator and is not checked here.
    """
    try:
        with read_demo_file(path) as file:
            demos = [finding for index in range(len(file)) for finding in check_demo(file, index)]
            try:
                return [*_check_file(file), *_check_paths(file.file), *demos]
            except H5_ERRORS as error:
                return [Finding("content", "/", tell(error), "readable"), *demos]
    except PermError as error:
        return [Finding("content", str(path), str(error), "a complete file of perm's")]


def _check_file(file: DemoFile) -> Iterator[Finding]:
    data, facts = file.file["data"], file.facts
    names = [demo_name(index) for index in range(len(file))]
    lengths = [data[name].attrs.get("num_samples", 0) for name in names if name in data]
    attributes = {
        "env_name": scene_class(facts.problem),
        "problem_info": json.dumps(problem_info(facts.problem, facts.prompt)),
        "env_args": json.dumps(env_args(facts.problem, facts.bddl_file, facts.image_size)),
        "macros_image_convention": IMAGE_CONVENTION,
        "num_demos": len(file),
        "total": sum(lengths),
        "tag": TAG,
        "obs_alignment": OBS_ALIGNMENT,
    }
    yield from compare("/data", "members", sorted(data), sorted(names))
    for name, expected in attributes.items():
        yield from compare("/data", f"attribute {name}", data.attrs.get(name), expected)
    if names[0] in data:
        first = data[names[0]][PERM].attrs.get("bddl_file_content")
        stored = data.attrs.get("bddl_file_content")
        yield from compare("/data", "attribute bddl_file_content", stored, first)
    ours = file.file[PERM].attrs
    yield from compare(f"/{PERM}", "count", ours.get("count"), len(file))
    yield from compare(f"/{PERM}", "checksum", ours.get(CHECKSUM), file_digest(file.file))


def _check_paths(file: h5py.File) -> list[Finding]:
    """Find texts that name a place on the machine that wrote them."""
    findings: list[Finding] = []

    def visit(name: str, node: h5py.Group | h5py.Dataset) -> None:
        texts = {f"/{name}@{key}": value for key, value in node.attrs.items()}
        if isinstance(node, h5py.Dataset) and node.dtype.kind in "OS":
            texts[f"/{name}"] = node.asstr()[()]
        for where, value in texts.items():
            for text in np.ravel(value).tolist():
                if isinstance(text, str) and (found := absolute_paths(text)):
                    findings.append(Finding("path", where, found[0], "relative paths only"))

    visit("", file)
    file.visititems(visit)
    return findings
