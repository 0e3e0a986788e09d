"""LIBERO-PeRM: does a robot policy do a task the way its user wants it done?

Rooms, top to bottom (imports point down): cli, pipeline | evaluation, skills,
suites | sim | policies | data, bddl | metrics, core.
Importing this package, or any room but `perm.sim` and those above it, loads no simulator.
"""

__version__ = "0.1.0"
