from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.suites.library import load_library

PREFERENCE = """\
id: my-height
name: Keep it up
level: motion
language: Carry it well above everything
metric: {name: carry_height}
better: larger
expert: {carry: {extra_height: 0.2}}
"""
MISSION = """\
id: bowl
bddl: libero_goal/put_the_bowl_on_the_plate.bddl
max_steps: 400
plan:
  - [pick, akita_black_bowl_1]
  - [place_on, akita_black_bowl_1, plate_1]
"""
TASK = """\
id: mine/high
mission: bowl
preference: my-height
"""


class Folder:
    """A user's own configuration folder: one preference, one mission, one task, all sound."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.write("preference/my-height.yaml", PREFERENCE)
        self.write("mission/bowl.yaml", MISSION)
        self.write("task/mine/high.yaml", TASK)

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def change(self, name: str, old: str, new: str) -> Path:
        text = (self.path / name).read_text()
        assert old in text
        return self.write(name, text.replace(old, new))

    def refusal(self) -> str:
        with pytest.raises(PermError) as caught:
            load_library([self.path])
        return str(caught.value)
