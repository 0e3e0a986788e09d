"""The scene as text: LIBERO's problem files, read, checked and written.

Imports from: `perm.core` and the standard library.
Never imports: another room, a simulator, LIBERO's own parser; nothing is evaluated.
Start reading at: `read.py`, then `check.py`.
"""
