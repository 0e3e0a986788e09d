import pytest

from perm.policies.address import without_credentials


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ws://host:8000", "ws://host:8000"),
        ("ws://me:secret@host:8000/a?b=c", "ws://host:8000/a?b=c"),
        ("wss://token@host", "wss://host"),
        ("ws://me:sec/r@et@host", "ws://host"),
        ("policy.url=me:secret@host is none", "policy.url=host is none"),
        ("policy.url='ws://me:secret@host': no", "policy.url='ws://host': no"),
        ("'ws://a:b@one' and 'ws://c:d@two'", "'ws://one' and 'ws://two'"),
        ("out=me@home", "out=me@home"),
    ],
)
def test_users_and_passwords_are_left_out_and_nothing_else(text: str, shown: str) -> None:
    assert without_credentials(text) == shown
