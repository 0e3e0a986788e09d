from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.data.lines import Lines, read_lines


def number(line: str) -> int:
    if not line.isdecimal():
        raise PermError(f"{line!r} is no number.")
    return int(line)


def test_a_file_that_is_not_there_has_no_lines(tmp_path: Path) -> None:
    assert list(read_lines(tmp_path / "a" / "x.jsonl", number)) == []
    assert not (tmp_path / "a").exists()


def test_a_line_is_on_the_disk_at_once(tmp_path: Path) -> None:
    path = tmp_path / "new" / "x.jsonl"
    with Lines(path, "check") as lines:
        lines.append("7")
        assert path.read_text() == "7\n"


def test_a_torn_line_is_not_read_and_then_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("1\n2\n99")
    assert list(read_lines(path, number)) == [1, 2]
    with Lines(path, "check") as lines:
        lines.append("3")
    assert path.read_text() == "1\n2\n3\n"


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("1\ntwo\n3\n")
    with pytest.raises(PermError, match=r"x\.jsonl, line 2: 'two' is no number\."):
        list(read_lines(path, number))


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with Lines(path, "check"), pytest.raises(PermError, match="Another check is writing to"):
        Lines(path, "check").__enter__()
    with Lines(path, "check"):
        pass
