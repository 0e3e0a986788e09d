"""Who answers questions of the pipeline: rules, recorded answers, or a model somewhere.

Imports from: `perm.core`, `perm.data`; the model libraries, only in `remote.py` and when asked.
Never imports: a simulator; a key never leaves `remote.py`.
Start reading at: `question.py`, then `asking.py`.
"""
