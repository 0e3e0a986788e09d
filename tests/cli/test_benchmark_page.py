from pathlib import Path

from perm.cli.benchmark_page import benchmark_page
from perm.suites.library import load_library

PAGE = Path(__file__).parents[2] / "docs" / "benchmark.md"


def test_the_page_is_what_the_configuration_says() -> None:
    made = "python scripts/write_benchmark_page.py"
    assert benchmark_page(load_library()) == PAGE.read_text(encoding="utf-8"), f"run {made}"
