import dataclasses
from pathlib import Path

import pytest

from perm.core.episode import Outcome
from perm.core.errors import PermError
from perm.evaluation.journal import EPISODES_FILE, RUN_FILE, Journal, read_records, read_run
from perm.evaluation.record import to_json
from perm.evaluation.run import Run
from tests.evaluation.world import record

RUN = Run("random", {"name": "random"}, 2, 1, "normal", "", 0, {"perm": "0.1.0"}, {})


def test_nothing_is_written_before_the_first_episode(tmp_path: Path) -> None:
    Journal(tmp_path / "out", RUN)
    assert not (tmp_path / "out").exists()


def test_a_record_is_on_the_disk_at_once(tmp_path: Path) -> None:
    with Journal(tmp_path, RUN) as journal:
        journal.append(record())
        assert (tmp_path / EPISODES_FILE).read_text() == to_json(record()) + "\n"
    assert read_run(tmp_path) == RUN


def test_the_next_one_finds_what_was_played(tmp_path: Path) -> None:
    with Journal(tmp_path, RUN) as journal:
        journal.append(record(init_index=30))
        journal.append(record(init_index=31))
    assert [i.init_index for i in Journal(tmp_path, RUN).records] == [30, 31]


def test_a_torn_last_line_is_dropped_and_written_over(tmp_path: Path) -> None:
    with Journal(tmp_path, RUN) as journal:
        journal.append(record(init_index=30))
    with (tmp_path / EPISODES_FILE).open("ab") as file:
        file.write(to_json(record(init_index=31)).encode()[:100])
    again = Journal(tmp_path, RUN)
    assert [i.init_index for i in again.records] == [30]
    with again:
        again.append(record(init_index=32))
    lines = (tmp_path / EPISODES_FILE).read_text().splitlines()
    assert lines == [to_json(record(init_index=30)), to_json(record(init_index=32))]


def test_a_damaged_line_in_the_middle_is_refused_with_its_number(tmp_path: Path) -> None:
    with Journal(tmp_path, RUN) as journal:
        journal.append(record())
    path = tmp_path / EPISODES_FILE
    path.write_text(path.read_text() + "garbage\n" + path.read_text())
    with pytest.raises(PermError, match=r"episodes\.jsonl, line 2: An episode record is not JSON"):
        Journal(tmp_path, RUN)


def test_a_bad_byte_is_refused_with_its_file_and_line(tmp_path: Path) -> None:
    with Journal(tmp_path, RUN) as journal:
        journal.append(record())
    path = tmp_path / EPISODES_FILE
    path.write_bytes(path.read_bytes() + b'{"run": "\xff"}\n')
    with pytest.raises(
        PermError, match=r"episodes\.jsonl, line 2: 'utf-8' codec can't decode byte"
    ):
        Journal(tmp_path, RUN)
    (tmp_path / RUN_FILE).write_bytes(b"\xff")
    with pytest.raises(PermError, match=r"run\.json is damaged: 'utf-8' codec can't decode byte"):
        read_run(tmp_path)


def test_the_newest_line_of_an_episode_counts(tmp_path: Path) -> None:
    with Journal(tmp_path, RUN) as journal:
        journal.append(record(outcome=Outcome.ERROR, success=False))
        journal.append(record())
    assert [one.outcome for one in read_records(tmp_path).values()] == [Outcome.SUCCESS]


def test_a_folder_with_another_run_is_refused_with_what_differs(tmp_path: Path) -> None:
    with Journal(tmp_path, RUN) as journal:
        journal.append(record())
    before = (tmp_path / RUN_FILE).read_bytes()
    with pytest.raises(PermError, match=r"(?s)holds another run\..*  seed: 7, there 0"):
        Journal(tmp_path, dataclasses.replace(RUN, seed=7))
    assert (tmp_path / RUN_FILE).read_bytes() == before


def test_episodes_without_their_run_are_refused(tmp_path: Path) -> None:
    (tmp_path / EPISODES_FILE).write_text(to_json(record()) + "\n")
    with pytest.raises(PermError, match=r"holds episodes\.jsonl but no run\.json"):
        Journal(tmp_path, RUN)


def test_a_kill_before_the_first_line_leaves_a_folder_that_can_be_used(tmp_path: Path) -> None:
    (tmp_path / EPISODES_FILE).touch()
    assert Journal(tmp_path, RUN).records == {}


def test_two_writers_are_kept_apart(tmp_path: Path) -> None:
    with (
        Journal(tmp_path, RUN),
        pytest.raises(PermError, match="Another evaluation is writing to"),
        Journal(tmp_path, RUN),
    ):
        pass
    with Journal(tmp_path, RUN):
        pass


def test_a_line_separator_inside_a_text_is_no_line_break(tmp_path: Path) -> None:
    with Journal(tmp_path, RUN) as journal:
        journal.append(record(prompt="one\u2028two"))
    assert [one.prompt for one in read_records(tmp_path).values()] == ["one\u2028two"]


def test_a_folder_without_a_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(PermError, match=r"is not a folder of `perm evaluate`: it has no run\.json"):
        read_run(tmp_path)
