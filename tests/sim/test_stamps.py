from pathlib import Path

import pytest

from perm.sim import stamps


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "scenery_assets"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "bowl.xml").write_text("<mujoco/>")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(stamps, "PACKAGES", ("scenery_assets",))
    return folder


def test_a_changed_source_file_changes_the_fingerprint(package: Path) -> None:
    before = stamps.fingerprint.__wrapped__()
    assert stamps.fingerprint.__wrapped__() == before
    (package / "bowl.xml").write_text("<mujoco model='b'/>")
    assert stamps.fingerprint.__wrapped__() != before


def test_a_link_to_nowhere_is_passed_over(package: Path) -> None:
    before = stamps.fingerprint.__wrapped__()
    (package / ".#bowl.xml").symlink_to("somebody@elsewhere")  # an editor's lock
    (package / "self").symlink_to(package)
    assert stamps.fingerprint.__wrapped__() == before
