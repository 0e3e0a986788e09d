"""How much room the arm keeps to its own bounds, and why a motion will not do."""

from dataclasses import dataclass

from perm.sim.rehearsal import Reach


class PlanningError(Exception):
    """No motion was found. Its text is one of few, so that causes can be counted."""


@dataclass(frozen=True)
class Care:
    """How far from its bounds the arm has to stay.

    Attributes:
        margin: Distance of the joints to their limits [rad].
        dexterity: See `perm.sim.rehearsal.Reach`. The hand is off its way by 3 cm at 0.11, and with
            little the controller loses hold of the arm, which swings straight (measured: it wavers
            at 0.07 and is lost at 0.05).
        room: Distance kept to what is not to be touched on straight motions [m]. The hand is off
            its way by some millimetres.
        bold: Whether to do what may go wrong, where nothing else is left.
    """

    margin: float
    dexterity: float
    room: float
    bold: bool = False


CAREFUL, USUAL = Care(0.20, 0.12, 0.004), Care(0.10, 0.085, 0.002)
BOLD = Care(0.05, 0.071, 0.0, bold=True)
CARES = (CAREFUL, USUAL, BOLD)
"""With care first."""


def why_not(reach: Reach, care: Care) -> str:
    """Return what is wrong with a motion of the arm, or "".

    Args:
        reach: How the arm would do it.
        care: How far from its bounds it has to stay.
    """
    if reach.problem:
        return reach.problem
    if reach.margin < care.margin:
        return "comes too near to a joint's limit"
    return "stretches the arm too far" if reach.dexterity < care.dexterity else ""
