"""The examiner: plays a policy in tasks, writes one line an episode, and makes tables of them.

Imports from: core, metrics, suites, policies, data; sim and skills, inside functions only.
Never imports: pipeline, cli, h5py, a simulator.
Start reading at: `runner.py`, then `record.py` and `summary.py`. What `perm suite check` has
tried is summed up and shown by `trials_summary.py` and `trials_page.py`.
"""
