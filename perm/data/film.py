"""What the cameras of an episode saw, as configurations: pictures are drawn from it later."""

from pathlib import Path

import h5py

from perm.core.episode import Episode, EpisodeId, Outcome
from perm.core.errors import PermError
from perm.data.arrays_io import put_array
from perm.data.atomic import completed
from perm.data.start_group import read_start, write_start
from perm.data.trial import Trial

FILMS_FOLDER = "films"


def film_path(folder: Path, trial: Trial) -> Path:
    """Return where the film of a trial goes in the folder of its check."""
    return folder / FILMS_FOLDER / f"{trial.task_id.replace('/', '-')}_{trial.index}.hdf5"


def write_film(path: Path, episode: Episode) -> None:
    """Keep what is needed to draw an episode; of one that broke there is nothing to keep."""
    start, states, view = episode.start, episode.states, episode.view_qpos
    if start is None or states is None or view is None:
        return
    with completed(path) as unfinished, h5py.File(unfinished, "w") as file:
        file.attrs["task_id"] = episode.identity.task_id
        file.attrs["init_index"] = episode.identity.init_index
        file.attrs["seed"] = episode.identity.seed
        for name in ("prompt", "policy", "outcome", "stop"):
            file.attrs[name] = str(getattr(episode, name))
        write_start(file.create_group("start"), start)
        put_array(file, "states", states)
        put_array(file, "view_qpos", view)


def read_film(path: Path) -> Episode:
    """Return an episode with its identity, how it ended, and what is needed to draw it.

    Raises:
        PermError: The file is missing or damaged.
    """
    try:
        with h5py.File(path, "r") as file:
            known = file.attrs
            return Episode(
                EpisodeId(known["task_id"], int(known["init_index"]), int(known["seed"])),
                prompt=known["prompt"],
                policy=known["policy"],
                outcome=Outcome(known["outcome"]),
                stop=known["stop"],
                start=read_start(file["start"]),
                states=file["states"][()],
                view_qpos=file["view_qpos"][()],
            )
    except (OSError, KeyError, ValueError) as error:
        raise PermError(f"{path} cannot be read: {error}.") from error
