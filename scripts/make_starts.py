"""Settle the starts of missions and store them in the `starts` folder of a configuration.

Usage: python scripts/make_starts.py [--config-dir DIR] MISSION [MISSION ...]
"""

import argparse
import sys
from pathlib import Path

from perm.core.errors import PermError
from perm.pipeline.starts import store_starts
from perm.suites.library import load_library
from perm.suites.paths import packaged_configs


def main() -> int:
    """Make the starts of the missions named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("missions", nargs="+")
    parser.add_argument("--config-dir", type=Path, help="your own folder of configs")
    arguments = parser.parse_args()
    own = arguments.config_dir
    folder = (own or packaged_configs()) / "starts"
    try:
        library = load_library([own] if own else [])
        for path in store_starts(arguments.missions, library, folder):
            print(path)
    except PermError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
