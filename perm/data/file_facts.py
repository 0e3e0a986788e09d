"""What is true of a whole file: one task, one prompt, one scene."""

import json
from dataclasses import dataclass

import h5py

from perm.bddl.read import parse_layout
from perm.core.errors import PermError
from perm.data.demo import Demo
from perm.data.libero_env import env_args, problem_info, scene_class
from perm.data.schema import CHECKSUM, FORMAT_VERSION, IMAGE_CONVENTION, OBS_ALIGNMENT, PERM, TAG


@dataclass(frozen=True)
class FileFacts:
    """Attributes that all demonstrations of a file share.

    Attributes:
        task_id: Task.
        twin: Id of the task with (or without) the preference, or None.
        layout_digest: Scene.
        prompt: Sentence as delivered. LIBERO's own readers find it as `language_instruction`, so
            that a policy trained from the file learns the preference with the task.
        bddl_file: Name of the problem file, relative.
        problem: Scene class as the problem file spells it.
        image_size: Height of the images [px], 0 if there are none.
    """

    task_id: str
    twin: str | None
    layout_digest: str
    prompt: str
    bddl_file: str
    problem: str
    image_size: int


def facts_of(demo: Demo) -> FileFacts:
    """Return the facts of the file that a demonstration belongs to.

    Raises:
        BddlError: The problem text is one that LIBERO would misread.
    """
    episode = demo.episode
    sizes = [frames.shape[1] for frames in demo.images.values()]
    return FileFacts(
        task_id=episode.identity.task_id,
        twin=demo.twin,
        layout_digest=episode.start.layout_digest if episode.start else "",
        prompt=episode.prompt,
        bddl_file=demo.problem_file,
        problem=parse_layout(demo.bddl_text, demo.problem_file).problem,
        image_size=sizes[0] if sizes else 0,
    )


def write_facts(file: h5py.File, facts: FileFacts, bddl_text: str, count: int) -> None:
    """Write LIBERO's attributes of /data and ours of /perm.

    What is known at the end only (`total`, the checksum) gets its place now, to be modified then: a
    header that grows moves to the end of the file, and would be lost with it.

    Args:
        file: New file with both groups.
        facts: What to write.
        bddl_text: Problem text of the first demonstration.
        count: Number of demonstrations.
    """
    data, ours = file["data"].attrs, file[PERM].attrs
    data["env_name"] = scene_class(facts.problem)
    data["problem_info"] = json.dumps(problem_info(facts.problem, facts.prompt))
    data["macros_image_convention"] = IMAGE_CONVENTION
    data["bddl_file_name"] = facts.bddl_file
    data["bddl_file_content"] = bddl_text
    data["env_args"] = json.dumps(env_args(facts.problem, facts.bddl_file, facts.image_size))
    data["num_demos"] = count
    data["total"] = 0
    data["tag"] = TAG
    data["obs_alignment"] = OBS_ALIGNMENT
    ours["format_version"] = FORMAT_VERSION
    ours["count"] = count
    ours[CHECKSUM] = ""
    ours["task_id"] = facts.task_id
    ours["layout_digest"] = facts.layout_digest
    ours["prompt"] = facts.prompt
    ours["problem"] = facts.problem
    ours["image_size"] = facts.image_size
    if facts.twin is not None:
        ours["twin"] = facts.twin


def read_facts(file: h5py.File) -> FileFacts:
    """Return the facts of a file of ours."""
    ours = file[PERM].attrs
    return FileFacts(
        task_id=ours["task_id"],
        twin=ours.get("twin"),
        layout_digest=ours["layout_digest"],
        prompt=ours["prompt"],
        bddl_file=file["data"].attrs["bddl_file_name"],
        problem=ours["problem"],
        image_size=int(ours["image_size"]),
    )


def require_same(facts: FileFacts, first: FileFacts) -> None:
    """Refuse a demonstration that belongs into another file.

    Raises:
        PermError: It differs from the file's first one in a fact.
    """
    for name, value in vars(first).items():
        if getattr(facts, name) != value:
            raise PermError(
                f"All demonstrations of a file share their {name}: the first one has {value!r}, "
                f"another one {getattr(facts, name)!r}."
            )
