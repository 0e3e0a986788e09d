"""The workshop: makes demonstrations, fits calibrations, checks that files replay.

Imports from: core, bddl, metrics, suites, sim, policies, data, skills.
Never imports: evaluation, cli. Loads the simulator only when it is needed.
Start reading at: `demonstrate.py`.
"""
