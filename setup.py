"""Puts configs/ into the wheel as perm/configs; everything else is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithConfigs(build_py):
    """Copies the configuration beside the modules; an editable install reads it in place."""

    def run(self) -> None:
        """Build the package, then add the configuration."""
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "perm" / "configs"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree("configs", target)


setup(cmdclass={"build_py": BuildWithConfigs})
