"""Choose how to render before any test imports MuJoCo; afterwards it cannot be changed."""

import pytest

from perm.cli.renderer import choose_renderer
from perm.core.errors import PermError


def pytest_configure(config: pytest.Config) -> None:
    if "not sim" in config.option.markexpr:
        return
    try:
        choose_renderer()
    except PermError as error:
        raise pytest.UsageError(str(error)) from error
