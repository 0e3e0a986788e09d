"""Against a real local server: what goes over the wire, and what may go wrong on it."""

import base64

import pytest

from perm.pipeline.models import remote
from perm.pipeline.models.question import Answer, ModelError, Question
from perm.pipeline.models.remote import Remote

from .server import Reply, serve

QUESTION = Question("layout-1", "Where?", max_tokens=77)


def small(url: str) -> Remote:
    return Remote("openai-compatible", "small", url)


def test_question_pictures_and_limits_go_out_and_text_and_tokens_come_back() -> None:
    png = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    with serve([Reply("there")]) as server:
        answer = small(server.url).answer(Question("inspect-1", "What?", (png,), max_tokens=77))
    assert answer == Answer("there", "stop", 120)
    (asked,) = server.asked
    assert asked["model"] == "small"
    assert 77 in (asked.get("max_tokens"), asked.get("max_completion_tokens"))
    assert asked["temperature"] == 0.0
    picture = asked["messages"][-1]["content"][1]["image_url"]["url"]
    assert base64.b64decode(picture.partition(",")[2]) == png


def test_an_answer_that_was_cut_is_told_as_cut() -> None:
    with serve([Reply('{"x": 0.1', finish="length")]) as server:
        assert small(server.url).answer(QUESTION).finish == "length"


def test_who_is_turned_away_waits_as_long_as_the_server_says() -> None:
    busy = Reply(status=429, headers={"Retry-After": "2"})
    with serve([busy, Reply("there")]) as server:
        assert small(server.url).answer(QUESTION).text == "there"
    assert len(server.asked) == 2
    assert 1.9 < server.times[1] - server.times[0] < 6.0


def test_a_refused_request_is_told_without_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", "very-secret")
    with (
        serve([Reply(status=401)]) as server,
        pytest.raises(ModelError, match=r"openai-compatible:small did not answer: .*401") as told,
    ):
        small(server.url).answer(QUESTION)
    assert "very-secret" not in str(told.value)
    assert len(server.asked) == 1


def test_garbage_and_silence_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "TIMEOUT", 0.3)
    monkeypatch.setattr(remote, "RETRIES", 0)
    with serve([Reply(garbage=True)]) as server, pytest.raises(ModelError, match="did not answer"):
        small(server.url).answer(QUESTION)
    with serve([Reply("late", wait=2.0)]) as server, pytest.raises(ModelError, match="did not"):
        small(server.url).answer(QUESTION)
    with pytest.raises(ModelError, match="did not answer"):
        small("http://127.0.0.1:9/v1").answer(QUESTION)


@pytest.mark.parametrize("maker", ["openai", "google", "anthropic"])
def test_a_key_that_is_not_there_is_asked_for_by_name(
    maker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(remote.KEYS[maker], raising=False)
    with pytest.raises(ModelError, match=f"export {remote.KEYS[maker]}="):
        Remote(maker, "some").answer(QUESTION)


@pytest.mark.parametrize("maker", ["openai", "google", "anthropic"])
def test_each_makers_library_is_found(maker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(remote.KEYS[maker], "none")
    assert Remote(maker, "some")._model() is not None
