from perm.core.difference import differences


def test_differences_are_told_with_both_values() -> None:
    ours = {"seed": 1, "tasks": {"a": {"scale": {"cut": 50.0}, "level": "motion"}}}
    assert differences(ours, ours) == ""
    theirs = {"seed": 0, "tasks": {"a": {"scale": None, "level": "motion"}}}
    assert differences(ours, theirs).splitlines() == [
        "  seed: 1, there 0",
        "  tasks.a.scale.cut: 50.0, there nothing",
        "  tasks.a.scale: nothing, there null",
    ]


def test_many_differences_are_cut_short() -> None:
    lines = differences({str(i): i for i in range(10)}, {"9": 9}).splitlines()
    assert len(lines) == 6
    assert lines[-1] == "  and 4 more"
