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
        has_keys: Whether `configs/<verb>.yaml` lists its keys.
        interrupted: What a Ctrl-C leaves behind.
    """

    module: str
    purpose: str
    usage: str
    example: str
    has_keys: bool = False
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
            "What can be asked: suites and their tasks.",
            "suite list | suite show SUITE|TASK",
            "perm suite show 1-7_104",
        ),
        "generate": Verb(
            "perm.cli.generate",
            "Make demonstrations, with and without the preference.",
            "generate task=ID|suite=NAME out=DIR [key=value ...]",
            "perm generate task=1-7_104 demos=2 out=out/demos",
            has_keys=True,
            interrupted=_GOES_ON,
        ),
        "evaluate": Verb(
            "perm.cli.evaluate",
            "Play a policy and score it: SR and SA.",
            "evaluate task=ID|suite=NAME policy=NAME out=DIR [key=value ...]",
            "perm evaluate task=1-7_104 policy=random episodes=5 out=out/random",
            has_keys=True,
            interrupted=_GOES_ON,
        ),
        "report": Verb(
            "perm.cli.report",
            "Set several evaluations side by side.",
            "report runs=DIR,DIR out=DIR",
            "perm report runs=out/expert,out/random out=out/report",
            has_keys=True,
        ),
        "dataset": Verb(
            "perm.cli.dataset",
            "Check a demonstration file by replay; add images; salvage.",
            "dataset check FILE | render FILE images=N | salvage FILE out=FILE",
            "perm dataset check out/demos/single/1-7_104_demo.hdf5",
            interrupted="The file is as it was; the same command goes on or begins anew.",
        ),
        "preference": Verb(
            "perm.cli.preference",
            "The preferences and how each is measured.",
            "preference list",
            "perm preference list",
        ),
        "calibrate": Verb(
            "perm.cli.calibrate",
            "Fit the scale of a task's preference from demonstrations.",
            "calibrate task=ID out=DIR [key=value ...]",
            "perm calibrate task=1-7_104 out=my/calibration",
            has_keys=True,
            interrupted="Nothing was written: scales are fitted at the end. Begin anew.",
        ),
    }
)
