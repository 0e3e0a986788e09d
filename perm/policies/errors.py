"""What can break on the policy's side of an episode."""


class PolicyServerError(Exception):
    """A policy server was lost, was too slow, failed, or sent something unusable.

    Raised within an episode, it makes the outcome an ERROR, never a FAILURE: the policy was not
    beaten by the task, it could not play.
    """
