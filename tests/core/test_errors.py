import pytest

from perm.core.errors import pass_on_interrupt, unknown_name


def test_an_unknown_name_comes_with_the_nearest_known_ones() -> None:
    error = unknown_name("task", "1-7_140", ["1-7_104", "3-3_019"])
    assert str(error) == "Unknown task '1-7_140'. Did you mean 1-7_104?"


def test_without_a_near_one_the_known_ones_are_listed() -> None:
    error = unknown_name("policy", "zzz", ["hold", "expert"])
    assert str(error) == "Unknown policy 'zzz'. Known: expert, hold."


def test_a_ctrl_c_behind_an_error_is_passed_on_and_other_errors_are_not() -> None:
    hidden = SystemError("returned a result with an exception set")
    hidden.__cause__ = ValueError("numba's own")
    pass_on_interrupt(hidden)
    hidden.__cause__.__context__ = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        pass_on_interrupt(hidden)
