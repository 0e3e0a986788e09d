from pathlib import Path

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser

from perm.cli.arguments import parse_arguments
from perm.cli.keys import read_keys
from perm.cli.overrides import build_overrides, quote
from perm.core.errors import PermError


def value_of(word: str, verb: str = "evaluate") -> object:
    """The value that Hydra reads from one word of a command line."""
    words = ["policy=random", "out=x", word]
    key = word.partition("=")[0]
    chosen = dict(item.split("=", 1) for item in words) | {key: word.split("=", 1)[1]}
    arguments = parse_arguments([f"{k}={v}" for k, v in chosen.items()])
    overrides = build_overrides(read_keys(verb), arguments)
    parsed = OverridesParser.create().parse_overrides(list(overrides))
    return {override.key_or_group: override.value() for override in parsed}[
        read_keys(verb)[key].name if key in read_keys(verb) else key
    ]


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("task=1-7_104", ["1-7_104"]),
        ("task=104,081_1", ["104", "081_1"]),
        ("suite=1_000", ["1_000"]),
        ("level=motion,skill", ["motion", "skill"]),
        ("init=30,31", ["30", "31"]),
        ("out=104", "104"),
        ("out=it's (a, folder)", "it's (a, folder)"),
        ("out=back\\slash\\", "back\\slash\\"),
        ("seed=7", 7),
        ("twins=true", True),
    ],
)
def test_a_value_arrives_as_it_was_meant(word: str, value: object) -> None:
    assert value_of(word) == value


@pytest.mark.parametrize(
    "text", ["plain", "the cook's plate", "a\\'b", "ends in \\", "\\\\", "a=b,c {d} [e]", ""]
)
def test_quoting_survives_hydras_grammar(text: str) -> None:
    (parsed,) = OverridesParser.create().parse_overrides([f"key={quote(text)}"])
    assert parsed.value() == text


def build(*words: str) -> tuple[str, ...]:
    return build_overrides(read_keys("evaluate"), parse_arguments(list(words)))


def test_a_setting_of_a_policy_keeps_its_type_and_a_sentence_needs_no_quotes() -> None:
    overrides = build("policy=expert", "policy.ignore_preference=true")
    assert "policy.ignore_preference=true" in overrides
    assert "policy.url='ws://h:1/a b'" in build("policy=openpi", "policy.url=ws://h:1/a b")


def test_commas_sweep_only_where_a_sweep_is_asked_for() -> None:
    assert "seed=1,2" in build("policy=random", "seed=1,2", "--multirun")
    assert "seed='1,2'" in build("policy=random", "seed=1,2")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["out=x"], r"policy is missing: policy=NAME\. Known: expert, groot, hold"),
        (["policy=expret"], r"Unknown policy 'expret'\. Did you mean expert\?"),
        (["policy=random,expret", "-m"], r"Unknown policy 'expret'"),
        (
            ["policy=openpi", "policy.ulr=x"],
            r"Unknown key of policy=openpi 'ulr'\. Did you mean url\?",
        ),
        (
            ["policy=openpi", "policy.profile.replan_step=1"],
            r"key of policy=openpi 'profile\.replan_step'\. Did you mean profile\.replan_steps",
        ),
        (["policy=random", "polcy.x=1"], r"Unknown key 'polcy\.x'\. Did you mean policy\?"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(words: list[str], message: str) -> None:
    with pytest.raises(PermError, match=message):
        build(*words)


def user_folder(folder: Path, file: str, text: str = "name: random\n") -> Path:
    path = folder / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return folder


def test_a_policy_of_the_user_is_found(tmp_path: Path) -> None:
    folder = user_folder(tmp_path / "my", "policy/mine.yaml")
    overrides = build("policy=mine", "--config-dir", str(folder))
    assert overrides[0] == f"hydra.searchpath=['file://{folder}']"


def test_a_policy_that_inherits_is_left_to_hydra(tmp_path: Path) -> None:
    text = "defaults: [openpi, _self_]\nname: openpi\n"
    folder = user_folder(tmp_path / "my", "policy/mine.yaml", text)
    words = ("policy=mine", "policy.url=ws://h:1", "--config-dir", str(folder))
    assert "policy.url='ws://h:1'" in build(*words)


def test_a_users_file_with_a_packaged_name_is_refused_naming_both(tmp_path: Path) -> None:
    folder = user_folder(tmp_path / "my", "policy/random.yaml")
    with pytest.raises(
        PermError, match=r"my/policy/random\.yaml has the same name as .*configs/policy/random\.ya"
    ):
        build("policy=random", "--config-dir", str(folder))


def test_two_folders_of_the_user_may_not_clash(tmp_path: Path) -> None:
    folders = [user_folder(tmp_path / name, "policy/mine.yaml") for name in ("one", "two")]
    options = [word for folder in folders for word in ("--config-dir", str(folder))]
    with pytest.raises(PermError, match=r"two/policy/mine\.yaml has the same name as .*/one/"):
        build("policy=mine", *options)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("mine.yaml", "name: random\nurl: [\n", r"policy/mine\.yaml:3: .*expected.* node content"),
        ("mine.yaml", "- random\n", r"policy/mine\.yaml: expected names with values"),
        ("other.yaml", "name: a\nname: b\n", r"policy/other\.yaml:2: the key 'name' stands twice"),
        ("mine.yml", "name: random\n", r"policy/mine\.yml: rename it to end in \.yaml"),
        ("mine.YAML", "name: random\n", r"policy/mine\.YAML: rename it to end in \.yaml"),
    ],
)
def test_a_file_of_the_user_that_cannot_be_read_is_named(
    tmp_path: Path, file: str, text: str, message: str
) -> None:
    folder = user_folder(tmp_path / "my", f"policy/{file}", text)
    with pytest.raises(PermError, match=message):
        build("policy=mine", "--config-dir", str(folder))


def test_a_file_of_the_user_that_is_not_text_is_named(tmp_path: Path) -> None:
    folder = user_folder(tmp_path / "my", "policy/mine.yaml")
    (folder / "policy" / "mine.yaml").write_bytes(b"name: \xff\n")
    with pytest.raises(PermError, match=r"policy/mine\.yaml: cannot be read"):
        build("policy=mine", "--config-dir", str(folder))


def test_two_spellings_of_one_key_are_refused() -> None:
    with pytest.raises(PermError, match=r"tasks= and task= are the same key; .* task=A,B\."):
        build("policy=random", "tasks=1-7_104", "task=1-2_065")


def test_a_folder_that_hydra_would_take_for_a_key_is_refused(tmp_path: Path) -> None:
    folder = user_folder(tmp_path / "my", "out/x.yaml")
    with pytest.raises(PermError, match=r"my/out: this folder would hide the key 'out'"):
        build("policy=random", "--config-dir", str(folder))


def test_a_misspelt_policy_is_not_called_missing() -> None:
    with pytest.raises(PermError, match=r"Unknown key 'polcy'\. Did you mean policy\?"):
        build("polcy=random")
