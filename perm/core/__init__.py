"""The benchmark's words as frozen records, and the conventions everybody shares.

Imports from: numpy and the standard library.
Never imports: another room, a simulator, a file format.
Start reading at: `trace.py`, then `task.py` and `episode.py`.
"""
