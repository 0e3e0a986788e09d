import pytest

from perm.cli.keys import (
    check_types,
    describe_options,
    find_key,
    list_items,
    read_keys,
)
from perm.core.errors import PermError


@pytest.mark.parametrize("verb", ["generate", "evaluate", "calibrate", "report", "check"])
def test_every_key_of_a_verb_is_explained(verb: str) -> None:
    keys = read_keys(verb)
    assert keys
    assert [key.word for key in keys.values() if not key.meaning] == []


def test_a_list_key_is_singular_on_the_command_line() -> None:
    keys = read_keys("generate")
    assert keys["task"].name == "tasks"
    assert find_key(keys, "task") is find_key(keys, "tasks") is keys["task"]


def test_only_a_group_has_keys_of_its_own() -> None:
    keys = read_keys("evaluate")
    assert find_key(keys, "policy.url").name == "policy"
    with pytest.raises(PermError, match=r"Unknown key 'seed\.x'"):
        find_key(keys, "seed.x")


def test_the_nearest_key_is_named() -> None:
    with pytest.raises(PermError, match=r"Unknown key 'episode'\. Did you mean episodes\?"):
        find_key(read_keys("evaluate"), "episode")


def test_lists_are_split_at_commas() -> None:
    assert list_items("1-7_104,104") == ["1-7_104", "104"]
    assert list_items("[a, b]") == ["a", "b"]
    with pytest.raises(PermError, match=r"'a,,b' is not a list"):
        list_items("a,,b")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("demos", "ten", r"demos must be a whole number, not 'ten'"),
        ("demos", True, r"demos must be a whole number, not True"),
        ("twins", "yes", r"twins must be true or false, not 'yes'"),
        ("out", "???", r"out is missing: out=\.\.\. \(folder"),
    ],
)
def test_a_value_of_another_type_is_refused(name: str, value: object, message: str) -> None:
    keys = read_keys("generate")
    values = {key.name: key.default for key in keys.values()} | {"out": "x", name: value}
    with pytest.raises(PermError, match=message):
        check_types(keys, values)


def test_the_options_of_a_group_are_explained() -> None:
    described = dict(describe_options("policy"))
    assert described["random"].startswith("Uniform actions")
    assert "ws://" in described["  policy.url"]
