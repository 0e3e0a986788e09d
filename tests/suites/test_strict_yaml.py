from collections.abc import Callable
from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.suites.strict_yaml import read_mapping

Write = Callable[[str], Path]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("on", "on"),
        ("no", "no"),
        ("true", True),
        ("012_1", "012_1"),
        ("019", "019"),
        ("1-7", "1-7"),
        ("2026-01-01", "2026-01-01"),
        ("104", 104),
        ("-3", -3),
        ("0.45", 0.45),
        ("1e-3", 0.001),
        ("~", None),
        ("", None),
        ('"104"', "104"),
    ],
)
def test_scalars_mean_what_they_look_like(write: Write, written: str, value: object) -> None:
    found = read_mapping(write(f"key: {written}\n"))["key"]
    assert found == value
    assert type(found) is type(value)


def test_a_key_that_stands_twice_is_refused_with_its_line(write: Write) -> None:
    path = write("id: a\nplan: b\nid: c\n")
    with pytest.raises(PermError, match=rf"{path}:3: the key 'id' stands twice"):
        read_mapping(path)


def test_a_syntax_error_is_refused_with_its_line(write: Write) -> None:
    path = write("id: a\nplan: [b\n")
    with pytest.raises(PermError, match=rf"{path}:3: .*expected ',' or ']'"):
        read_mapping(path)


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "just text\n", "104: a\n"])
def test_a_file_without_names_and_values_is_refused(write: Write, text: str) -> None:
    path = write(text)
    with pytest.raises(PermError, match=rf"{path}: expected names with values, found"):
        read_mapping(path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(b"id: \xff\xfe")
    with pytest.raises(PermError, match=rf"{path}: cannot be read"):
        read_mapping(path)
