"""Reads `configs/` into preferences, missions, tasks and suites; decides nothing at run time.

Imports from: core, bddl, metrics; yaml.
Never imports: a simulator, and no room above.
Start reading at: `entries.py` (the file formats), then `library.py`.
"""
