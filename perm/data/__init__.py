"""Files: demonstrations in LIBERO's HDF5 layout with the whole Trace beside it; a check's trials.

Imports from: perm.core, perm.bddl, perm.metrics; numpy and h5py.
Never imports: the simulator, suites, policies, or anything that decides what is recorded.
Start reading at: `schema.py` for what is in a file, then `demo.py`, `writer.py`, `reader.py`.
`trial.py` and `film.py` are apart from these.
"""
