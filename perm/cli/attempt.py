"""Run a few lines of Python in a process of their own, for what may hang or cannot be undone."""

import os
import subprocess
import sys


def attempt(program: str, timeout_s: float, **variables: str) -> tuple[str, str]:
    """Run a program and tell what became of it.

    Args:
        program: Python source.
        timeout_s: When to give up [s].
        variables: Environment variables to set.

    Returns:
        What it printed, and "" or in one line why it failed.
    """
    command = [sys.executable, "-c", program]
    environment = {**os.environ, **variables}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired:
        return "", f"no answer within {timeout_s:g} s"
    if done.returncode == 0:
        return done.stdout, ""
    last_words = done.stderr.strip().splitlines()[-1:]
    return done.stdout, last_words[0] if last_words else f"exit code {done.returncode}"
