import ast
import sys
from pathlib import Path

import perm.bddl


def _imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    names = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    return names | {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}


def test_the_room_imports_nothing_but_core_and_the_standard_library() -> None:
    modules = list(Path(perm.bddl.__path__[0]).glob("*.py"))
    assert len(modules) > 5
    for module in modules:
        for name in _imports(module):
            ours = name.startswith(("perm.bddl", "perm.core"))
            assert ours or name.partition(".")[0] in sys.stdlib_module_names, (module.name, name)


def test_nothing_is_evaluated() -> None:
    for module in Path(perm.bddl.__path__[0]).glob("*.py"):
        called = {
            n.func.id
            for n in ast.walk(ast.parse(module.read_text()))
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        }
        assert not called & {"eval", "exec", "compile", "__import__"}
