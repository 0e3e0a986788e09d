"""Keeps robosuite from talking."""

import logging


def silence_robosuite() -> None:
    """Keep robosuite from logging to the console at import and at each construction."""
    logging.getLogger("robosuite_logs").setLevel(logging.ERROR)
