from perm.core.seeding import derive_seed, make_rng


def test_a_seed_depends_on_every_one_of_its_arguments() -> None:
    base = (0, "single/1-7_104", 3, "plan", 0)
    others = [
        (1, "single/1-7_104", 3, "plan", 0),
        (0, "single/1-7_065", 3, "plan", 0),
        (0, "single/1-7_104", 4, "plan", 0),
        (0, "single/1-7_104", 3, "style", 0),
        (0, "single/1-7_104", 3, "plan", 1),
    ]
    seeds = [derive_seed(*arguments) for arguments in (base, *others)]
    assert len(set(seeds)) == 6
    assert all(0 <= seed < 2**32 for seed in seeds)


def test_a_seed_is_the_same_on_every_machine() -> None:
    assert derive_seed(0, "single/1-7_104", 0, "plan") == 1993206246


def test_draws_do_not_depend_on_what_was_drawn_before() -> None:
    first = make_rng(0, "t", 0, "a").random(3).tolist()
    make_rng(0, "t", 0, "b").random(100)
    assert make_rng(0, "t", 0, "a").random(3).tolist() == first
