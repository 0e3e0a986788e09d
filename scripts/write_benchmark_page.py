"""Write docs/benchmark.md: the suites and the preferences, as the configuration has them.

Usage: python scripts/write_benchmark_page.py [FILE]
"""

import sys
from pathlib import Path

from perm.cli.benchmark_page import benchmark_page
from perm.suites.library import load_library

if __name__ == "__main__":
    page = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/benchmark.md")
    page.write_text(benchmark_page(load_library()), encoding="utf-8")
