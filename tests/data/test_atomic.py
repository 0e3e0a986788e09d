from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.data.atomic import make_folder


def test_a_folder_that_cannot_be_made_is_told_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PermError, match=r"^Folder .*file/x cannot be made: .*\. Choose another"):
        make_folder(tmp_path / "file" / "x")
