"""How often do the intervals of a report hold the truth? Tried with policies whose truth is known.

Usage: python scripts/plant_policy.py RUN [--draws N]

RUN is a folder of `perm evaluate suite=single_pref policy=expert twins=true`.
"""

import argparse
import sys
from pathlib import Path

from perm.core.errors import PermError
from perm.evaluation.pairing import read_evaluated
from perm.evaluation.planted import Planted, coverage, level_probabilities, recorded_in, truth

POLICIES = {
    "hears": Planted(level_probabilities((0.9, 0.8, 0.7)), level_probabilities((0.8, 0.5, 0.3))),
    "half deaf": Planted(level_probabilities((0.6,) * 3), level_probabilities((0.5, 0.2, 0.1))),
    "ignores language": Planted(level_probabilities((0.8,) * 3), level_probabilities((0.0,) * 3)),
}
"""Succeeds and follows, by level: motion, skill, profile."""


def main() -> int:
    """Print the coverage for each policy."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--draws", type=int, default=200)
    asked = parser.parse_args()
    try:
        recorded = recorded_in(read_evaluated(asked.run))
    except PermError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(recorded)} recorded episodes with twins, {asked.draws} draws")
    for name, planted in POLICIES.items():
        true = truth(recorded, planted)
        found = coverage(recorded, planted, asked.draws)
        cells = [f"{k.upper()} {100 * true[k]:6.2f} covered {100 * found[k]:5.1f} %" for k in found]
        print(f"{name:18}{'   '.join(cells)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
