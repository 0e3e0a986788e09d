"""Settle the 50 starts of missions and store them under configs/starts/.

Usage: python scripts/make_starts.py [--config-dir DIR] MISSION [MISSION ...]
"""

import argparse
from pathlib import Path

from perm.core.conventions import N_STARTS
from perm.core.task import Mission
from perm.sim.env import SimEnv
from perm.sim.starts import make_start, save_starts
from perm.suites.library import load_library
from perm.suites.paths import packaged_configs


def main() -> None:
    """Make the starts of the missions named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("missions", nargs="+")
    parser.add_argument("--config-dir", type=Path, help="your own folder of configs")
    arguments = parser.parse_args()
    folders = [arguments.config_dir] if arguments.config_dir else []
    missions: dict[str, Mission] = {
        task.mission.id: task.mission for task in load_library(folders).tasks.values()
    }
    out = (arguments.config_dir or packaged_configs()) / "starts"
    out.mkdir(exist_ok=True)
    for name in arguments.missions:
        env = SimEnv(missions[name].layout)
        save_starts(
            out / f"{name}.npz", [make_start(missions[name], i, env) for i in range(N_STARTS)]
        )
        env.close()
        print(f"{out / f'{name}.npz'}: {N_STARTS} starts")


if __name__ == "__main__":
    main()
