"""The same scene with its things elsewhere."""

from perm.core.mission import Mission
from perm.pipeline.variations import Variation, Wanted


def rearranged(mission: Mission) -> Variation:
    """Return the variation in which nothing changes but where things stand.

    What something is put on or in stays where it is.
    """
    moves = [atom for atoms in mission.goal.any_of for atom in atoms if len(atom) > 2]
    owners = {region.full_name: region.target for region in mission.layout.regions}
    kept = {owners.get(atom[2], atom[2]) for atom in moves}
    names = [entity.name for entity in mission.layout.objects if entity.name not in kept]
    return Variation(tuple(Wanted(name, None) for name in names), mission.language, mission.goal)
