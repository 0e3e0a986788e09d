"""Demonstration files: LIBERO's HDF5 layout with the whole Trace beside it.

Imports from: perm.core, perm.bddl; numpy and h5py.
Never imports: the simulator, suites, policies, or anything that decides what is recorded.
Start reading at: `schema.py` for what is in a file, then `demo.py`, `writer.py`, `reader.py`.
"""
