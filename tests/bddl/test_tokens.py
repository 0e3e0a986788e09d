import pytest

from perm.bddl.errors import BddlError
from perm.bddl.tokens import Group, Word, read_tree


def test_words_keep_their_case_and_know_their_line() -> None:
    tree = read_tree("(On\n  Mug_1 (a))", "x.bddl")
    assert tree == Group((Word("On", 1), Word("Mug_1", 2), Group((Word("a", 2),), 2)), 1)
    assert tree.items[1] == Word("Mug_1", 2)


def test_a_comment_ends_with_its_line_and_hides_brackets() -> None:
    tree = read_tree("; first (\n(a;b)\n c) ; last )", "x.bddl")
    assert tree == Group((Word("a", 2), Word("c", 3)), 2)


def test_brackets_without_end_or_beginning_are_errors_not_crashes() -> None:
    for text in ("", "x", ")", "(", "(" * 5_000, "(a) (b)", "(a) b"):
        with pytest.raises(BddlError, match=r"^x\.bddl:1:"):
            read_tree(text, "x.bddl")
    assert read_tree("(" * 5_000 + ")" * 5_000, "x.bddl").line == 1


def test_a_surplus_bracket_is_named_where_everything_ends_too_early() -> None:
    message = r"^x\.bddl:2: at '\)': This ends 'define' of line 1, yet '\)' follows on line 3"
    with pytest.raises(BddlError, match=message):
        read_tree("(define\n(a))\n)", "x.bddl")


def test_a_missing_bracket_is_named_with_the_section_that_comes_too_early() -> None:
    message = r"^x\.bddl:3: at ':goal': A '\)' is missing: .* ':init' on line 2 is still open"
    with pytest.raises(BddlError, match=message):
        read_tree("(define\n (:init (On a b)\n (:goal (On a b)))", "x.bddl", (":init", ":goal"))


def test_a_missing_bracket_at_the_end_is_named_with_the_last_group() -> None:
    message = r"^x\.bddl:2: at ':goal': A '\)' is missing: .* 'define' on line 1 is still open"
    with pytest.raises(BddlError, match=message):
        read_tree("(define (:init)\n (:goal (On a b))\n", "x.bddl", (":init", ":goal"))
