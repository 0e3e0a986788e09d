"""The workshop: changes scenes, plans, makes demonstrations, fits calibrations, tries the expert.

Imports from: core, bddl, metrics, suites, sim, policies, data, skills.
Never imports: evaluation, cli. Loads the simulator only when it is needed.
Start reading at: `demonstrate.py`; `trials.py` for `perm suite check`; `proposing.py`
for `perm layout propose`; `planner.py`.
"""
