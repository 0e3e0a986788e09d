"""The commands, everyday ones first: what `perm --help` lists and where each is found."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Verb:
    """One command.

    Attributes:
        module: Where its `run(arguments) -> exit code` is; imported only when it is run.
        purpose: One line.
        usage: Pattern behind `perm`.
        example: A command line that works.
        keys: Name of the file `configs/<name>.yaml` that lists its keys, or "".
        interrupted: What a Ctrl-C leaves behind.
    """

    module: str
    purpose: str
    usage: str
    example: str
    keys: str = ""
    interrupted: str = "Nothing was changed."


_GOES_ON = "What was finished is intact; the same command goes on from there."

VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "doctor": Verb(
            "perm.cli.doctor",
            "Is this machine ready? If not, the line to type.",
            "doctor",
            "perm doctor",
        ),
        "suite": Verb(
            "perm.cli.suite",
            "What can be asked, and whether the expert can do it.",
            "suite list | show NAME | draw|check|leakage suite=NAME out=DIR",
            "perm suite check task=1-7_104 trials=2 out=out/check",
            keys="check",
            interrupted=_GOES_ON,
        ),
        "generate": Verb(
            "perm.cli.generate",
            "Make demonstrations, with and without the preference.",
            "generate task=ID|suite=NAME out=DIR [key=value ...]",
            "perm generate task=1-7_104 demos=2 out=out/demos",
            keys="generate",
            interrupted=_GOES_ON,
        ),
        "evaluate": Verb(
            "perm.cli.evaluate",
            "Play a policy and score it: SR and SA.",
            "evaluate task=ID|suite=NAME policy=NAME out=DIR [key=value ...]",
            "perm evaluate task=1-7_104 policy=random episodes=5 out=out/random",
            keys="evaluate",
            interrupted=_GOES_ON,
        ),
        "policy": Verb(
            "perm.cli.policy",
            "Try a policy on a few moments, before hours are spent.",
            "policy probe policy=NAME [policy.KEY=VALUE ...]",
            "perm policy probe policy=openpi policy.url=ws://localhost:8000",
            keys="probe",
        ),
        "results": Verb(
            "perm.cli.results",
            "Put the shards of an evaluation together.",
            "results merge runs=DIR,DIR out=DIR",
            "perm results merge runs=out/a,out/b out=out/whole",
        ),
        "report": Verb(
            "perm.cli.report",
            "Set several evaluations side by side.",
            "report runs=DIR,DIR out=DIR",
            "perm report runs=out/expert,out/random out=out/report",
            keys="report",
        ),
        "dataset": Verb(
            "perm.cli.dataset",
            "Check a demonstration file by replay; add images; salvage.",
            "dataset check FILE | render FILE images=N | salvage FILE out=FILE",
            "perm dataset check out/demos/single/1-7_104_demo.hdf5",
            interrupted="The file is as it was; the same command goes on or begins anew.",
        ),
        "layout": Verb(
            "perm.cli.layout",
            "Change scenes so that preferences can be shown in them.",
            "layout propose mission=ID preference=ID out=DIR [key=value ...]",
            "perm layout propose mission=104 preference=3-4 out=out/layouts",
            keys="propose",
            interrupted="What was accepted is in the folder; begin anew for the rest.",
        ),
        "preference": Verb(
            "perm.cli.preference",
            "The preferences and how each is measured.",
            "preference list",
            "perm preference list",
        ),
        "metrics": Verb(
            "perm.cli.metrics",
            "Prove the metrics on real episodes and on changed ones.",
            "metrics verify [preference=ID ...] [key=value ...]",
            "perm metrics verify preference=1-7 workers=2",
            keys="verify",
        ),
        "calibrate": Verb(
            "perm.cli.calibrate",
            "Fit the scale of a task's preference from demonstrations.",
            "calibrate task=ID out=DIR [key=value ...]",
            "perm calibrate task=1-7_104 out=my/calibration",
            keys="calibrate",
            interrupted="Nothing was written: scales are fitted at the end. Begin anew.",
        ),
    }
)
