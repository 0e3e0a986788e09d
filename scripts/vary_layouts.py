"""Rearrange the layout of a mission, so often, and write what settles soundly and is well seen.

Usage: python scripts/vary_layouts.py [--config-dir DIR] MISSION NAME [NAME ...]

Each name is that of a layout, `layout/<name>.bddl`; where things stand in it depends on the mission
and the name, and on nothing else.
"""

import argparse
import sys
from pathlib import Path

from perm.bddl.write import write_layout
from perm.core.errors import PermError
from perm.data.atomic import completed
from perm.pipeline.proposals import RuleProposer, propose_variation
from perm.pipeline.rearranging import rearranged
from perm.suites.library import load_library
from perm.suites.paths import packaged_configs

TRIES = 40


def main() -> int:
    """Make the layouts named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mission")
    parser.add_argument("names", nargs="+")
    parser.add_argument("--config-dir", type=Path, help="your own folder of configs")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    own = arguments.config_dir
    folder = (own or packaged_configs()) / "layout"
    try:
        library = load_library([own] if own else [])
        mission = library.missions[arguments.mission]
        for name in arguments.names:
            proposer = RuleProposer(arguments.seed)
            variation = rearranged(mission)
            found = propose_variation(mission, name, variation, library.catalogue, proposer, TRIES)
            tried = len(found.rejections)
            if found.mission is None:
                raise PermError(f"{name}: {TRIES} tries; the last: {found.rejections[-1].reason}")
            with completed(folder / f"{name}.bddl") as unfinished:
                unfinished.write_text(write_layout(found.mission.layout), encoding="utf-8")
            print(f"{name}: after {tried} rejected tries")
    except PermError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
