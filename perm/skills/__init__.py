"""The hands: skills, grasp frames, OMPL planning, timing, tracking; the expert is a Policy.

Imports from: core, sim (the expert may use simulator state); ompl, which no other room imports.
Never imports: pipeline, evaluation, cli.
Start reading at: `expert.py`, then `library.py` for what a skill is made of.
"""
