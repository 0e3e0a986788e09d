"""The door: `perm <verb> key=value ...` finds the verb's module, runs it, and reports errors."""

import importlib
import logging
import os
import sys
from collections.abc import Sequence

from perm import __version__
from perm.cli.arguments import parse_arguments
from perm.cli.usage import overview, verb_help
from perm.cli.verbs import VERBS
from perm.core.errors import PermError, unknown_name
from perm.policies.address import without_credentials

OK, PROBLEM_FOUND, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line.

    Args:
        argv: Words behind `perm`; None takes those of this process.

    Returns:
        Exit code: 0 done, 1 a check found a problem or every episode broke, 2 bad input,
            130 interrupted.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("perm").setLevel(logging.INFO)  # others speak from WARNING on
    try:
        code = _dispatch(words)
        sys.stdout.flush()  # here, where a reader that has left can still be handled
        return code
    except PermError as error:
        print(f"perm: {without_credentials(str(error))}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        left = [VERBS[name].interrupted for name in words[:1] if name in VERBS]
        print("\nInterrupted.", *left, file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # `perm suite list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("--help", "-h", "help"):
        print(overview())
        return OK
    if words[0] == "--version":
        print(f"perm {__version__}")
        return OK
    name, *rest = words
    if name not in VERBS:
        raise unknown_name("command", name, VERBS)
    arguments = parse_arguments(rest)
    if arguments.wants_help:
        print(verb_help(name))
        return OK
    return int(importlib.import_module(VERBS[name].module).run(arguments))
