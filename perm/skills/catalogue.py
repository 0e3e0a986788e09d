"""All skills, by name."""

from collections.abc import Mapping
from types import MappingProxyType

from perm.core.errors import unknown_name
from perm.core.mission import SkillCall
from perm.skills.library.close import CLOSE
from perm.skills.library.drag import DRAG
from perm.skills.library.lay_down import LAY_DOWN
from perm.skills.library.open import OPEN
from perm.skills.library.pick import PICK
from perm.skills.library.place_in import PLACE_IN
from perm.skills.library.place_on import PLACE_ON
from perm.skills.library.push import PUSH
from perm.skills.library.slide_in import SLIDE_IN
from perm.skills.library.throw import THROW
from perm.skills.skill import Skill
from perm.skills.style import Style

SKILLS: Mapping[str, Skill] = MappingProxyType(
    {
        skill.name: skill
        for skill in (PICK, PLACE_ON, PLACE_IN, SLIDE_IN, THROW, LAY_DOWN, PUSH, DRAG, OPEN, CLOSE)
    }
)


def skill_for(call: SkillCall, style: Style) -> Skill:
    """Return the skill of a call, or the one that a style has in its place."""
    if call.skill.startswith("place") and style.place.skill:
        return find_skill(style.place.skill)
    return find_skill(call.skill)


def find_skill(name: str) -> Skill:
    """Return a skill by name, or say which names would have worked."""
    if name not in SKILLS:
        raise unknown_name("skill", name, SKILLS)
    return SKILLS[name]
