import subprocess
import sys
from collections.abc import Callable

import pytest

from perm import __version__
from perm.cli import main as door
from perm.cli.main import main
from perm.cli.verbs import VERBS

Refusal = Callable[[str], str]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("genrate", "Unknown command 'genrate'. Did you mean generate"),
        ("generate demo=2", "Unknown key 'demo'. Did you mean demos?"),
        ("generate task=1-7_104", "out is missing: out=..."),
        ("generate out=x", "Say which tasks: task=ID or suite=NAME."),
        ("generate out=x task=1-7_1044", "Unknown task '1-7_1044'. Did you mean 1-7_104"),
        ("generate out=x suite=single", "Unknown suite 'single'. Did you mean single_pref?"),
        ("generate out=x suite=single_pref level=motoin", "Did you mean motion?"),
        ("generate out=x task=1-7_104 images=64", "Unknown size of images '64'."),
        ("generate out=x task=1-7_104 workers=0", "workers must be at least 1, not 0."),
        ("generate out=x task=1-7_104 demos=ten", "demos must be a whole number, not 'ten'."),
        ("generate 1-7_104", "'1-7_104' is not a setting."),
        ("evaluate out=x task=1-7_104", "policy is missing: policy=NAME."),
        ("evaluate out=x task=1-7_104 policy=expret", "Did you mean expert?"),
        ("evaluate out=x task=1-7_104 policy=replay", "policy.path=DIR"),
        ("evaluate out=x task=1-7_104 policy=openpi", "policy.url=ws://HOST:PORT"),
        ("evaluate out=x policy=hold episodes=0 task=1-7_104", "episodes must be at least 1"),
        ("calibrate out=x", "Say which tasks"),
        ("calibrate out=x task=1-7_104 demos=5", "demos must be at least 30, not 5."),
        ("calibrate out=x task=1-7_104 init=3,0-9", "init: '0-9' gives 3 for a second time."),
        ("doctor bogus=1", "perm doctor takes nothing behind it, found 'bogus=1'."),
        ("doctor now", "perm doctor takes nothing behind it, found 'now'."),
        ("report out=x", "Say which evaluations: runs=DIR,DIR."),
        ("report out=x runs=nowhere", "nowhere"),
        ("dataset check nowhere.hdf5", "There is no file nowhere.hdf5."),
        ("dataset chek x", "Unknown action of perm dataset 'chek'. Did you mean check?"),
        ("dataset check", "Usage: perm dataset check FILE"),
        ("suite show singel_pref", "Did you mean single_pref"),
        ("suite show", "Usage: perm suite list | perm suite show SUITE|TASK"),
        ("preference list level=motion", "perm preference has no keys."),
        ("suite list --config-dir nowhere", "--config-dir nowhere: there is no such folder."),
    ],
)
def test_bad_input_exits_with_2_and_creates_nothing(
    refusal: Refusal, command: str, message: str
) -> None:
    assert message in refusal(command)


@pytest.mark.parametrize(
    "words",
    [
        "evaluate task=1-7_104 policy=openpi policy.url=ws://me:secret@h policy.url=ws://h out=x",
        "evaluate task=1-7_104 policy=openpi policy.url.x=ws://me:secret@h out=x",
        "evaluate task=1-7_104 policy=openpi policy.url=ws://me:secret@${h out=x",
        "evaluate ws://me:secret@h",
        "doctor policy.url=ws://me:secret@h",
    ],
)
def test_no_message_shows_a_password(refusal: Refusal, words: str) -> None:
    assert "secret" not in refusal(words)


def test_what_hydra_refuses_exits_with_2(refusal: Refusal) -> None:
    assert "hydra.nonsense" in refusal("generate out=x task=1-7_104 hydra.nonsense=1")


def test_the_config_is_shown_and_nothing_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "task=1-7_104", "out=x", "demos=3", "--cfg", "job"]) == 0
    assert "demos: 3" in capsys.readouterr().out


def test_help_names_every_command_with_an_example_in_80_columns(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for verb in VERBS.values():
        assert verb.example in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("name", VERBS)
def test_each_command_explains_itself_in_80_columns(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"perm {VERBS[name].usage}" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_the_help_of_a_verb_lists_keys_defaults_and_policies(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["evaluate", "--help"])
    shown = capsys.readouterr().out
    assert "episodes (20)          episodes of each task" in shown
    assert "policy (required)" in shown
    assert "policy.url" in shown


def test_help_takes_well_under_a_second_and_loads_little() -> None:
    program = (
        "import sys, time; from perm.cli.main import main; main(['evaluate', '--help']); "
        "print(time.process_time(), *sys.modules, file=sys.stderr)"
    )
    seconds = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        )
        spent, *modules = done.stderr.split()
        seconds.append(float(spent))
        assert {"numpy", "hydra", "rich", "mujoco"} & set(modules) == set()
    assert min(seconds) < 0.5


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"perm {__version__}\n"


@pytest.mark.parametrize(
    ("verb", "left"),
    [
        ("generate", "What was finished is intact; the same command goes on from there."),
        ("evaluate", "What was finished is intact; the same command goes on from there."),
        ("calibrate", "Nothing was written: scales are fitted at the end. Begin anew."),
        ("suite", "What was finished is intact; the same command goes on from there."),
        ("preference", "Nothing was changed."),
    ],
)
def test_an_interruption_exits_with_130_and_says_what_it_leaves(
    verb: str, left: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(words: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(door, "_dispatch", interrupted)
    assert main([verb]) == 130
    assert f"Interrupted. {left}" in capsys.readouterr().err


def test_a_reader_that_leaves_early_is_no_error() -> None:
    program = "import sys; from perm.cli.main import main; sys.exit(main(['suite', 'list']))"
    command = f'"{sys.executable}" -c "{program}" | true'
    bash = ["bash", "-o", "pipefail", "-c", command]
    done = subprocess.run(bash, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
