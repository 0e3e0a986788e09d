"""The simulator behind one adapter: LIBERO's scenes, stepping, predicates, cameras, recording.

Imports from: core, bddl; mujoco, robosuite and libero, which no other room imports.
Never imports: suites, policies, data, skills, and rooms above.
Start reading at: `env.py` (one scene), then `episode.py` (the one loop).
"""
