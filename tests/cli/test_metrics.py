import pytest

from perm.cli import metrics
from perm.cli.main import main
from perm.pipeline import verify as verifying
from perm.pipeline.verify import Verified, VerifyRequest
from perm.suites.library import Library


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[VerifyRequest]:
    """What was asked for; the metric of 1-7 is broken, the others are not."""
    seen: list[VerifyRequest] = []

    def verify(request: VerifyRequest, library: Library) -> tuple[Verified, ...]:
        seen.append(request)
        return tuple(
            Verified(name, "single/x", (1.0, 0.25, None), (0.1, 0.2), None, wrong)
            for name in request.preferences
            for wrong in [("the raw quantity does not follow",) if name == "1-7" else ()]
        )

    monkeypatch.setattr(verifying, "verify", verify)
    monkeypatch.setattr(metrics, "choose_renderer", lambda: "egl")
    return seen


def test_a_metric_that_fails_is_named_and_the_exit_code_says_so(
    requests: list[VerifyRequest], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["metrics", "verify", "preference=1-7,2-1"]) == 1
    text = capsys.readouterr().out
    assert "1 of 2 metrics are sound." in text
    assert max(map(len, text.splitlines())) <= 80
    assert main(["metrics", "verify", "preference=2-1"]) == 0


def test_without_names_all_37_are_verified(requests: list[VerifyRequest]) -> None:
    main(["metrics", "verify"])
    assert len(requests[0].preferences) == 37


def test_what_is_no_preference_or_action_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "verify", "preference=1-77"]) == 2
    assert "Unknown preference '1-77'. Did you mean 1-7" in capsys.readouterr().err
    assert main(["metrics", "prove"]) == 2
    assert "Unknown action of perm metrics 'prove'" in capsys.readouterr().err
