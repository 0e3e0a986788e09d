"""Measuring in processes of their own, where nothing is loaded yet."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from perm.core.errors import PermError

ROOT = Path(__file__).parents[1]


def ask_new_process(module: str, *arguments: str) -> Any:
    """Run `python -m benchmarks.<module>` and return the JSON value in its last line of output.

    Raises:
        PermError: It failed; the message is what it said last.
    """
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PermError(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def answer(value: Any) -> None:
    """Give a JSON value to the process that asked."""
    sys.stdout.write(f"{json.dumps(value)}\n")
