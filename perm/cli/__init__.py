"""The door: takes a command line apart, composes the config, calls one function, prints.

Imports from: every room, and those of the simulator inside functions only; hydra, rich.
Never imports: mujoco, robosuite, libero, ompl, h5py.
Start reading at: `main.py`, then `verbs.py` and `generate.py`.
"""
