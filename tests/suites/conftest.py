from collections.abc import Callable
from pathlib import Path

import pytest

from .user_folder import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "my")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def _write(text: str) -> Path:
        path = tmp_path / "file.yaml"
        path.write_text(text)
        return path

    return _write
