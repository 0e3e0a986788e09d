"""Place in: the same as placing on, into something with walls."""

from perm.skills.library.place_on import PLACE_ON, release_frames
from perm.skills.skill import Skill

PLACE_IN = Skill("place_in", PLACE_ON.waypoints, release_frames, params={"gap": 0.012})
"""gap: free height under the object when the fingers open [m]."""
