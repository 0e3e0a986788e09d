"""Models that are asked over the network, through pydantic-ai; keys come from the environment."""

import importlib
import os
from dataclasses import dataclass
from typing import Any

from perm.pipeline.models.question import Answer, ModelError, Question

TIMEOUT = 120.0
"""Longest wait for an answer [s]."""
RETRIES = 4
"""How often a request is sent again that was turned away for now; Retry-After is kept to."""
MAKERS = ("openai", "google", "anthropic", "openai-compatible")
KEYS = {
    "openai": "OPENAI_API_KEY",
    "google": "GEMINI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "openai-compatible": "OPENAI_COMPATIBLE_API_KEY",
}
"""Environment variables that hold the keys; a local server may need none."""


@dataclass(frozen=True)
class Remote:
    """A model of a maker.

    Attributes:
        maker: One of `MAKERS`.
        model: Its name there.
        url: Of the server, for "openai-compatible".
    """

    maker: str
    model: str
    url: str = ""

    @property
    def name(self) -> str:
        """As it is written in commands and in what is kept; the server does not matter."""
        return f"{self.maker}:{self.model}"

    def answer(self, question: Question) -> Answer:
        """Return what the model answers."""
        ai = _library()
        content: list[Any] = [question.prompt]
        content += [ai.BinaryContent(data=png, media_type="image/png") for png in question.images]
        request = ai.ModelRequest(parts=[ai.UserPromptPart(content=content)])
        settings = {
            "max_tokens": question.max_tokens,
            "temperature": question.temperature,
            "timeout": TIMEOUT,
        }
        try:
            reply = importlib.import_module("pydantic_ai.direct").model_request_sync(
                self._model(), [request], model_settings=settings
            )
        except Exception as error:  # noqa: BLE001 - each maker's library has errors of its own
            raise ModelError(f"{self.name} did not answer: {_reason(error)}") from None
        text = "".join(part.content for part in reply.parts if part.part_kind == "text")
        return Answer(text, reply.finish_reason or "stop", reply.usage.total_tokens)

    def _model(self) -> Any:
        key = os.environ.get(KEYS[self.maker], "")
        if not key and self.maker != "openai-compatible":
            raise ModelError(f"{self.name} needs a key: export {KEYS[self.maker]}=...")
        if self.maker == "google":
            google = importlib.import_module("pydantic_ai.models.google")
            provider = importlib.import_module("pydantic_ai.providers.google")
            return google.GoogleModel(self.model, provider=provider.GoogleProvider(api_key=key))
        if self.maker == "anthropic":
            sdk = importlib.import_module("anthropic").AsyncAnthropic(
                api_key=key, max_retries=RETRIES
            )
            anthropic = importlib.import_module("pydantic_ai.models.anthropic")
            provider = importlib.import_module("pydantic_ai.providers.anthropic")
            return anthropic.AnthropicModel(
                self.model, provider=provider.AnthropicProvider(anthropic_client=sdk)
            )
        sdk = importlib.import_module("openai").AsyncOpenAI(
            api_key=key or "none", base_url=self.url or None, max_retries=RETRIES
        )
        openai = importlib.import_module("pydantic_ai.models.openai")
        provider = importlib.import_module("pydantic_ai.providers.openai")
        return openai.OpenAIChatModel(
            self.model, provider=provider.OpenAIProvider(openai_client=sdk)
        )


def _library() -> Any:
    try:
        return importlib.import_module("pydantic_ai.messages")
    except ImportError as error:
        raise ModelError(
            "Models need an extra: pip install 'libero-perm[models]'; or do without a model."
        ) from error


def _reason(error: Exception) -> str:
    """Return what went wrong in one line, without what may hold a key."""
    body = getattr(error, "message", None) or str(error)
    status = getattr(error, "status_code", None)
    text = " ".join(str(body).split())[:300]
    for key in filter(None, (os.environ.get(name) for name in KEYS.values())):
        text = text.replace(key, "***")
    return f"HTTP {status}: {text}" if status else f"{type(error).__name__}: {text}"
