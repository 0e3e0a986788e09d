"""Players that need no simulator: remote servers, replay, random, hold; and a checker for yours.

A policy is anything that has the two methods of `perm.core.policy.Policy`.

Imports from: core, numpy, pillow, msgpack, websockets, zmq.
Never imports: the simulator, suites, data, rooms above.
Start reading at: `builtin.py`, then `served.py`.
"""
