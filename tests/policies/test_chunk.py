import numpy as np
import pytest

from perm.policies.chunk import read_chunk
from perm.policies.errors import PolicyServerError


def _grippers(*values: float) -> np.ndarray:
    actions = np.full((len(values), 7), 0.25)
    actions[:, 6] = values
    return actions


@pytest.mark.parametrize(
    ("convention", "sent", "executed"),
    [
        ("minus1_open", (-1.0, 0.0, 0.9, 1.0), (-1.0, 0.0, 0.9, 1.0)),
        ("minus1_close", (-1.0, 0.0, 0.9, 1.0), (1.0, 0.0, -0.9, -1.0)),
        ("zero_open_one_close", (0.0, 0.5, 0.9, 1.0), (-1.0, 0.0, 0.8, 1.0)),
        ("zero_close_one_open", (0.0, 0.5, 0.9, 1.0), (1.0, 0.0, -0.8, -1.0)),
    ],
)
def test_each_gripper_convention_ends_at_minus_one_for_open(
    convention: str, sent: tuple[float, ...], executed: tuple[float, ...]
) -> None:
    actions = read_chunk(_grippers(*sent), convention, strict=True)
    np.testing.assert_allclose(actions[:, 6], executed, atol=1e-12)
    assert (actions[:, :6] == 0.25).all()


def test_actions_in_our_own_convention_keep_every_bit() -> None:
    sent = np.random.default_rng(0).uniform(-1.5, 1.5, (50, 7))
    np.testing.assert_array_equal(read_chunk(sent, "minus1_open", strict=False), sent)


@pytest.mark.parametrize(
    ("convention", "value", "message"),
    [
        ("zero_close_one_open", -1.0, r"sent gripper -1; .*zero_close_one_open goes from 0 to 1"),
        ("zero_open_one_close", 1.2, r"sent gripper 1\.2; .* goes from 0 to 1"),
        ("minus1_open", 1.01, r"sent gripper 1\.01; .* goes from -1 to 1"),
    ],
)
def test_a_gripper_outside_the_convention_is_an_error_only_if_strict(
    convention: str, value: float, message: str
) -> None:
    sent = _grippers(0.5, value)
    with pytest.raises(PolicyServerError, match=message):
        read_chunk(sent, convention, strict=True)
    assert read_chunk(sent, convention, strict=False).shape == (2, 7)


def test_large_arm_entries_are_left_to_the_simulator() -> None:
    sent = np.full((2, 7), 3.0)
    sent[:, 6] = 1.0
    np.testing.assert_array_equal(read_chunk(sent, "minus1_open", strict=True), sent)


def test_lists_and_half_precision_become_float64() -> None:
    as_lists = read_chunk([[0, 0, 0.5, 0, 0, 0, 1]] * 3, "minus1_open", strict=False)
    as_halves = read_chunk(np.ones((3, 7), np.float16), "minus1_open", strict=False)
    assert as_lists.dtype == as_halves.dtype == np.float64
    assert as_lists.shape == as_halves.shape == (3, 7)


@pytest.mark.parametrize(
    ("answer", "got"),
    [
        (np.zeros(7), r"shape \(7,\)"),
        (np.zeros((1, 10, 7)), r"shape \(1, 10, 7\)"),
        (np.zeros((10, 8)), r"shape \(10, 8\)"),
        (np.zeros((0, 7)), r"shape \(0, 7\)"),
        ([[0.0] * 7, [0.0] * 6], "type list, not numbers"),
        ("open the gripper", "type str, not numbers"),
        (None, "type NoneType, not numbers"),
    ],
)
def test_every_unusable_shape_gets_the_same_clear_message(answer: object, got: str) -> None:
    message = rf"sent actions of {got}; the profile wants shape \(n, 7\) with n >= 1"
    with pytest.raises(PolicyServerError, match=message):
        read_chunk(answer, "minus1_open", strict=False)


@pytest.mark.parametrize("value", [np.nan, -np.inf])
def test_what_is_not_finite_is_refused_with_its_place(value: float) -> None:
    sent = np.zeros((10, 7))
    sent[8, 2] = value
    with pytest.raises(PolicyServerError, match=rf"sent {value} as entry 2 of action 8\."):
        read_chunk(sent, "minus1_open", strict=False)
