from pathlib import Path

import pytest

from perm.cli.arguments import parse_arguments, refuse_words
from perm.core.errors import PermError


def test_words_settings_and_options_are_told_apart(tmp_path: Path) -> None:
    arguments = parse_arguments(
        ["check", "a.hdf5", "task=1-7_104", "--config-dir", str(tmp_path), "--cfg=job"]
    )
    assert arguments.words == ("check", "a.hdf5")
    assert arguments.settings == {"task": "1-7_104"}
    assert arguments.config_dirs == (tmp_path,)
    assert not arguments.multirun
    assert arguments.show_config == "job"


def test_a_sweep_is_asked_for_by_a_flag() -> None:
    assert parse_arguments(["-m"]).multirun
    assert parse_arguments(["seed=1,2", "--multirun"]).multirun


def test_a_value_may_hold_an_equals_sign() -> None:
    assert parse_arguments(["policy.url=ws://h:1/?a=b"]).settings == {"policy.url": "ws://h:1/?a=b"}


def test_every_config_dir_counts(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    arguments = parse_arguments(["--config-dir", str(one), f"--config-dir={two}"])
    assert arguments.config_dirs == (one, two)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--confg-dir=x"], r"Unknown option '--confg-dir=x'\. Did you mean --config-dir"),
        (["--config-dir"], r"--config-dir needs a value behind it"),
        (["--config-dir", "nowhere"], r"--config-dir nowhere: there is no such folder"),
        (["--cfg", "jobb"], r"Unknown value of --cfg 'jobb'\. Did you mean job\?"),
        (["--cfg", "job", "-m"], r"--cfg shows one combination .* leave --multirun out"),
        (["seed=1", "seed=2"], r"seed is given twice: '1' and '2'"),
    ],
)
def test_what_cannot_be_meant_is_refused(words: list[str], message: str) -> None:
    with pytest.raises(PermError, match=message):
        parse_arguments(words)


def test_a_word_without_a_key_is_refused_where_only_settings_count() -> None:
    with pytest.raises(PermError, match=r"'1-7_104' is not a setting.*perm generate --help"):
        refuse_words(parse_arguments(["1-7_104"]), "generate")
