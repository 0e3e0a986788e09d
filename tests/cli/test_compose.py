import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from perm.cli.arguments import parse_arguments
from perm.cli.compose import Work, run_with_hydra
from perm.core.errors import PermError


class Jobs:
    """Remembers the configs that it was given."""

    def __init__(self, code: int = 0, error: Exception | None = None) -> None:
        self.configs: list[Mapping[str, Any]] = []
        self.folders: tuple[Path, ...] = ()
        self.code = code
        self.error = error

    def __call__(self, config: Mapping[str, Any], folders: tuple[Path, ...]) -> Work:
        self.folders = folders
        if config["episodes"] == 0:
            raise PermError("episodes must be at least 1")

        def work() -> int:
            self.configs.append(config)
            if self.error:
                raise self.error
            return self.code

        return work


def compose(jobs: Jobs, *words: str) -> int:
    return run_with_hydra("evaluate", parse_arguments(words), jobs)


def test_settings_policy_and_defaults_become_one_config() -> None:
    jobs = Jobs()
    words = ("task=1-7_104,104", "policy=expert", "policy.ignore_preference=true", "out=a b")
    assert compose(jobs, *words) == 0
    (config,) = jobs.configs
    assert config["tasks"] == ["1-7_104", "104"]
    assert config["policy"] == {"name": "expert", "ignore_preference": True}
    assert (config["out"], config["episodes"]) == ("a b", 20)


def test_nested_settings_of_a_policy_can_be_set() -> None:
    jobs = Jobs()
    compose(jobs, "policy=openpi", "policy.profile.replan_steps=8", "out=x")
    assert jobs.configs[0]["policy"]["profile"]["replan_steps"] == 8
    assert jobs.configs[0]["policy"]["profile"]["image_turn"] == "rotate_180"


def test_every_config_dir_reaches_hydra_and_the_job(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        (folder / "policy").mkdir(parents=True)
        (folder / "policy" / f"mine_{folder.name}.yaml").write_text("name: random\n")
    options = [word for folder in folders for word in ("--config-dir", str(folder))]
    for folder in folders:
        jobs = Jobs()
        assert compose(jobs, f"policy=mine_{folder.name}", "out=x", *options) == 0
        assert jobs.configs[0]["policy"] == {"name": "random"}
        assert jobs.folders == tuple(folders)


def test_a_policy_of_the_user_may_inherit_from_a_packaged_one(tmp_path: Path) -> None:
    (tmp_path / "policy").mkdir()
    text = "defaults: [openpi, _self_]\nurl: ws://h:1\n"
    (tmp_path / "policy" / "mine.yaml").write_text(text)
    jobs = Jobs()
    compose(jobs, "policy=mine", "out=x", "--config-dir", str(tmp_path))
    assert jobs.configs[0]["policy"]["url"] == "ws://h:1"
    assert jobs.configs[0]["policy"]["name"] == "openpi"


def test_multirun_runs_every_combination(here: Path) -> None:
    jobs = Jobs()
    words = ("policy=random,hold", "seed=0,1", "out=out/${policy.name}-${seed}", "--multirun")
    assert compose(jobs, *words) == 0
    assert [config["out"] for config in jobs.configs] == [
        "out/random-0",
        "out/random-1",
        "out/hold-0",
        "out/hold-1",
    ]
    assert list(here.iterdir()) == []


def test_no_combination_runs_before_all_are_checked(here: Path) -> None:
    jobs = Jobs()
    with pytest.raises(PermError, match="episodes must be at least 1"):
        compose(jobs, "policy=hold", "episodes=3,0", "out=out/${episodes}", "--multirun")
    assert jobs.configs == []
    assert list(here.iterdir()) == []


def test_combinations_are_checked_here_whatever_launches_them() -> None:
    words = ("policy=hold", "episodes=3,0", "out=out/${episodes}", "--multirun")
    with pytest.raises(PermError, match="episodes must be at least 1"):
        compose(Jobs(), *words, "hydra/launcher=warp", "hydra.launcher.drive=9")


def test_combinations_that_share_a_folder_are_refused() -> None:
    jobs = Jobs()
    with pytest.raises(PermError, match=r"Several combinations write to out=x; .*out/\$\{seed\}"):
        compose(jobs, "policy=hold", "seed=0,1", "out=x", "--multirun")
    assert jobs.configs == []


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("out=${x}", r"out: Interpolation key 'x' not found\. In a value, \$\{KEY\} stands for"),
        ("out=a ${x", r"out=a \$\{x: mismatched input '\{' expecting <EOF>"),
        ("out=${x", r"out=\$\{x: mismatched input '\{' expecting <EOF>"),
        ("policy.profile.replan_steps.x=1", r"'policy\.profile\.replan_steps\.x'"),
        ("hydra/launcher=warp", r"Could not find 'hydra/launcher/warp'"),
    ],
)
def test_what_hydra_refuses_is_told_in_one_line(
    word: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = {"out": "out=x", word.partition("=")[0]: word}.values()
    with pytest.raises(PermError, match=message) as caught:
        compose(Jobs(), "policy=openpi", *words)
    assert "\n" not in str(caught.value)
    assert capsys.readouterr() == ("", "")


def test_the_exit_code_is_the_jobs() -> None:
    assert compose(Jobs(code=1), "policy=hold", "out=x") == 1


def test_an_error_of_the_job_comes_out_as_it_was_raised() -> None:
    with pytest.raises(PermError, match="the folder holds another run"):
        compose(Jobs(error=PermError("the folder holds another run")), "policy=hold", "out=x")


def test_a_crash_of_the_job_keeps_its_traceback() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        compose(Jobs(error=ZeroDivisionError()), "policy=hold", "out=x")
    assert caught.traceback[-1].name == "work"


def test_the_command_line_of_the_process_is_left_as_it_was(here: Path) -> None:
    before = list(sys.argv)
    compose(Jobs(), "policy=hold", "out=x")
    assert sys.argv == before
    assert list(here.iterdir()) == []
