"""The skills, one a file; start reading at `pick.py` and `place_on.py`."""
