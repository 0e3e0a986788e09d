import os

import pytest

from perm.cli import renderer
from perm.cli.main import main
from perm.cli.renderer import choose_renderer, probe
from perm.core.errors import PermError
from perm.evaluation import runner
from perm.pipeline import calibrate, demonstrate


@pytest.fixture
def _unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is chosen yet, and nothing that is chosen outlives the test."""
    for name in ("MUJOCO_GL", "PYOPENGL_PLATFORM"):
        monkeypatch.setenv(name, "")


def answer(monkeypatch: pytest.MonkeyPatch, printed: str, reason: str) -> None:
    monkeypatch.setattr(renderer, "attempt", lambda *args, **variables: (printed, reason))


def test_a_frame_that_shows_something_is_good(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "254\n", "")
    assert probe("egl") == ""


def test_a_black_frame_is_no_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "0\n", "")
    assert probe("egl") == "the frame is black"


def test_a_missing_library_is_named_instead_of_its_symptom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer(monkeypatch, "", "AttributeError: 'NoneType' object has no attribute 'glGetError'")
    monkeypatch.setattr(renderer, "find_library", lambda name: None)
    assert probe("osmesa") == "the library OSMesa is not installed"


@pytest.mark.usefixtures("_unset")
def test_egl_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "probe", lambda backend: "")
    assert choose_renderer() == "egl"
    assert os.environ["MUJOCO_GL"] == os.environ["PYOPENGL_PLATFORM"] == "egl"


@pytest.mark.usefixtures("_unset")
def test_osmesa_steps_in_where_egl_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "probe", lambda backend: "broken" * (backend == "egl"))
    assert choose_renderer() == "osmesa"
    assert os.environ["MUJOCO_GL"] == os.environ["PYOPENGL_PLATFORM"] == "osmesa"


def test_a_choice_of_the_user_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "glfw")
    monkeypatch.setattr(renderer, "probe", lambda backend: pytest.fail("nothing to try"))
    assert choose_renderer() == "glfw"


@pytest.mark.parametrize("chosen", ["vulkan", "EGL", "egl,osmesa"])
def test_a_choice_that_mujoco_does_not_know_is_refused_with_what_works(
    monkeypatch: pytest.MonkeyPatch, chosen: str
) -> None:
    monkeypatch.setenv("MUJOCO_GL", chosen)
    with pytest.raises(PermError, match=f"MUJOCO_GL={chosen} names no .* egl, osmesa or glfw, to"):
        choose_renderer()


def test_pictures_cannot_be_asked_for_and_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "off")
    assert choose_renderer(pictures=False) == "off"
    with pytest.raises(PermError, match="MUJOCO_GL=off turns pictures off, but some were asked"):
        choose_renderer(pictures=True)


@pytest.mark.parametrize(
    ("command", "is_refused"),
    [
        ("generate task=1-7_104 out=x", True),
        ("generate task=1-7_104 out=x images=none", False),
        ("evaluate task=1-7_104 out=x policy=hold", True),
        ("evaluate task=1-7_104 out=x policy=hold videos=0", False),
        ("evaluate task=1-7_104 out=x policy=openpi policy.url=ws://h:1 videos=0", True),
        ("calibrate task=1-7_104 out=x", False),
    ],
)
def test_a_command_knows_whether_it_needs_pictures(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    is_refused: bool,
) -> None:
    def reached(*arguments: object) -> None:
        raise PermError("not refused")

    monkeypatch.setenv("MUJOCO_GL", "off")
    for module, name in (
        (demonstrate, "generate"),
        (runner, "evaluate"),
        (calibrate, "calibrate"),
    ):
        monkeypatch.setattr(module, name, reached)
    assert main(command.split()) == 2
    assert ("MUJOCO_GL=off turns pictures off" in capsys.readouterr().err) == is_refused


@pytest.mark.usefixtures("_unset")
def test_where_nothing_renders_doctor_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "probe", lambda backend: "broken")
    with pytest.raises(PermError, match="neither EGL nor OSMesa: `perm doctor` says what to do"):
        choose_renderer()


@pytest.mark.sim
def test_this_machine_renders() -> None:
    assert "" in [probe("egl"), probe("osmesa")]
