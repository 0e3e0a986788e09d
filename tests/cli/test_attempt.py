from perm.cli.attempt import attempt


def test_what_a_program_prints_comes_back() -> None:
    program = "import os; print(os.environ['PERM_TEST'])"
    assert attempt(program, 20, PERM_TEST="seen") == ("seen\n", "")


def test_the_last_line_of_an_error_tells_why() -> None:
    assert attempt("raise ValueError('no such thing')", 20) == ("", "ValueError: no such thing")


def test_a_silent_death_shows_its_exit_code() -> None:
    assert attempt("import os; os._exit(7)", 20) == ("", "exit code 7")


def test_a_program_that_hangs_is_given_up() -> None:
    assert attempt("import time; time.sleep(60)", 0.5) == ("", "no answer within 0.5 s")
