"""From `openai:gpt-...` in a command to the model."""

from collections.abc import Sequence
from pathlib import Path

from perm.core.errors import PermError, unknown_name
from perm.pipeline.models.question import Model
from perm.pipeline.models.recorded import Recorded, Recording, recorded_name
from perm.pipeline.models.remote import MAKERS, Remote

RULES = "rules"
FORMS = (
    RULES,
    "recorded:DIR",
    *(f"{maker}:MODEL" for maker in MAKERS[:3]),
    f"{MAKERS[3]}:MODEL@URL",
)


def find_model(text: str, kept: Path, known: Sequence[str] = FORMS) -> Model | None:
    """Return who is named, with answers kept in a folder; None for the rules.

    Args:
        text: One of `FORMS`.
        kept: Where raw answers go, and come from when a run is resumed.
        known: What may be said here, for the error.

    Raises:
        PermError: Nobody is called so.
    """
    if text == RULES and RULES in known:
        return None
    maker, _, rest = text.partition(":")
    if maker == "recorded":
        folder = Path(rest)
        if not folder.is_dir():
            raise PermError(f"There is no folder {rest!r} with recorded answers.")
        return Recorded(recorded_name(folder), folder)
    if maker not in MAKERS or not rest:
        raise unknown_name("model", text, known)
    model, _, url = rest.partition("@") if maker == MAKERS[3] else (rest, "", "")
    if maker == MAKERS[3] and not url.startswith(("http://", "https://")):
        raise PermError(f"{text!r} names no server: write {FORMS[-1]}, for example ...@http://...")
    return Recording(Remote(maker, model, url), kept)
