"""perm preference list: the preferences and how each is measured."""

from perm.cli.arguments import Arguments
from perm.cli.tables import metric_text, print_table
from perm.cli.words import expect_words
from perm.suites.library import load_library


def run(arguments: Arguments) -> int:
    """Print one row a preference."""
    expect_words(arguments, "preference", {"list": ""})
    library = load_library(arguments.config_dirs)
    rows = [
        [preference.id, preference.level.value, preference.language, metric_text(preference.metric)]
        for preference in library.preferences.values()
    ]
    print_table(["Id", "Level", "Preference", "Metric"], rows)
    return 0
