"""perm layout propose: layouts of missions in which preferences can be shown."""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.renderer import choose_renderer
from perm.cli.tables import print_table
from perm.cli.values import output_folder, whole_number
from perm.core.errors import PermError, unknown_name
from perm.suites.library import Library, load_library

if TYPE_CHECKING:
    from perm.pipeline.proposing import Pair

ACTIONS = ("propose",)


def run(arguments: Arguments) -> int:
    """Run the command line behind `perm layout`; return 1 if nothing was accepted."""
    action, *rest = arguments.words or ("",)
    if action not in ACTIONS:
        raise unknown_name("action of perm layout", action, ACTIONS)
    return run_with_hydra("propose", replace(arguments, words=tuple(rest)), _propose)


def _propose(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    from perm.pipeline.model_planner import ModelProposer
    from perm.pipeline.models.names import find_model
    from perm.pipeline.proposals import Proposer, RuleProposer
    from perm.pipeline.proposing import propose_all

    library, seed = load_library(config_dirs), whole_number(0, values, "seed")
    pairs = _pairs(library, values, seed)
    out, tries = output_folder(values), whole_number(1, values, "tries")
    model = find_model(str(values["planner"]), out / "answers")
    proposer: Proposer = RuleProposer(seed) if model is None else ModelProposer(model)
    pictures = bool(values["pictures"])
    choose_renderer(pictures=pictures)

    def work() -> int:
        from perm.evaluation.video import write_jpeg

        rows, stages, accepted = [], Counter[str](), 0
        for done in propose_all(pairs, library, proposer, out, tries, pictures):
            tried = len(done.proposal.rejections) if done.proposal else 0
            stages += done.proposal.stages if done.proposal else Counter()
            accepted += done.accepted is not None
            said = done.accepted.language if done.accepted else done.reason
            if done.proposal and done.proposal.avoided:
                said += f"; keep away from {done.proposal.avoided}"
            if done.proposal and done.accepted and not done.proposal.edits:
                said += " (nothing had to change)"
            ok = "yes" if done.accepted else "no" if done.proposal else "cannot"
            tries_made = str(tried + (done.accepted is not None))
            rows.append([done.pair[0].id, done.pair[1].id, ok, tries_made, said])
            if done.picture is not None:
                write_jpeg(out / f"{done.name}.jpg", done.picture)
            print(f"{done.name}: {ok}", file=sys.stderr)
        print_table(["Mission", "Preference", "Accepted", "Tries", "Sentence, or why not"], rows)
        failed = ", ".join(f"{count} at {stage}" for stage, count in stages.most_common())
        print(f"{accepted} of {len(pairs)} accepted; rejected tries: {failed or 'none'}.")
        print(f"Layouts and diffs: {out}")
        return 0 if accepted else 1

    return work


def _pairs(library: Library, values: Mapping[str, Any], seed: int) -> "list[Pair]":
    """Return the pairs that are named, or as many drawn ones as are asked for."""
    from perm.pipeline.proposing import draw_pairs

    drawn = whole_number(0, values, "draw")
    named = [kind for kind in ("missions", "preferences") if values[kind]]
    if drawn and named:
        raise PermError(f"draw={drawn} draws the pairs; leave out {named[0]}.")
    if drawn:
        return draw_pairs(library, drawn, seed)
    for kind in ("missions", "preferences"):
        if kind not in named:
            raise PermError(f"Say which {kind}: {kind[:-1]}=ID; or draw=N for N pairs.")
    return [
        (
            _find("mission", name, library.missions),
            _find("preference", wish, library.preferences),
        )
        for name in values["missions"]
        for wish in values["preferences"]
    ]


def _find(kind: str, name: str, known: Mapping[str, Any]) -> Any:
    if name not in known:
        raise unknown_name(kind, name, known)
    return known[name]
