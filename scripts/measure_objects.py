"""Measure the objects of a configuration and store what was found in their files.

Usage: python scripts/measure_objects.py [--config-dir DIR] [CATEGORY ...]
"""

import argparse
import sys
from pathlib import Path

from perm.core.errors import PermError
from perm.pipeline.catalogue import measure_objects
from perm.suites.paths import packaged_configs


def main() -> int:
    """Measure the categories named on the command line, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("categories", nargs="*")
    parser.add_argument("--config-dir", type=Path, help="your own folder of configs")
    arguments = parser.parse_args()
    try:
        for path in measure_objects(
            arguments.config_dir or packaged_configs(), arguments.categories
        ):
            print(path)
    except PermError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
