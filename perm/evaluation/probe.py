"""Does a policy see and act as its profile says? Asked on a real scene, before hours are spent.

The expert plays one episode; at some of its moments the policy is asked what it would do. One that
has learnt anything in such scenes moves more like the expert with the right picture than with a
turned one, opens and closes with it, moves about as far, and answers another prompt otherwise.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.episode import EpisodeId
from perm.core.policy import Observation, Policy, PolicySpec
from perm.core.task import Task
from perm.evaluation.players import independent_policy
from perm.policies.check_policy import Finding, Verdict, check_policy
from perm.policies.errors import PolicyServerError
from perm.policies.images import IMAGE_TURNS
from perm.policies.profile import profile_from_mapping
from perm.policies.served import SERVED, ServedPolicy

MOMENTS = 12
"""So many moments of the expert's episode are looked at."""
CLEARER = 0.1
"""A turned picture that agrees better by so much (cosine) is told."""
NOTHING = 0.02
"""Agreement with the expert below which nothing can be said of turns."""
SMALL, LARGE = 0.2, 5.0
"""Ratios of the policy's motion to the expert's beyond which the scale is doubtful."""
GIBBERISH = "Stand on one leg"


@dataclass(frozen=True)
class Moment:
    """What was seen, and what the expert did."""

    obs: Observation
    action: FloatArray


class Witness:
    """Plays as another policy does, sees pictures, and keeps both."""

    def __init__(self, policy: Policy, image_size: int) -> None:
        """Watch a policy.

        Args:
            policy: Who acts.
            image_size: Of the pictures [px].
        """
        self._policy = policy
        self.spec = PolicySpec("witness", image_size=image_size)
        self.seen: list[Moment] = []

    def reset(self, prompt: str, seed: int) -> None:
        """Begin an episode."""
        self.seen = []
        self._policy.reset(prompt, seed)

    def act(self, obs: Observation) -> FloatArray:
        """Return the next action of the other policy."""
        chunk = self._policy.act(obs)
        self.seen.append(Moment({k: np.array(v) for k, v in obs.items()}, chunk[0].copy()))
        return chunk[:1]


def watch_expert(task: Task, image_size: int, init_index: int = 0) -> list[Moment]:
    """Return moments of an episode of the expert, evenly spread.

    Raises:
        PermError: There is no scene or no start.
    """
    from perm.sim.env import SimEnv
    from perm.sim.episode import run_episode
    from perm.sim.starts import start_of
    from perm.skills.expert import ExpertPolicy

    with closing(SimEnv(task.mission.layout)) as env:
        witness = Witness(ExpertPolicy(env, task), image_size)
        start = start_of(task.mission, init_index, env)
        run_episode(env, witness, task, EpisodeId(task.id, init_index, 0), start)
    places = np.linspace(0, len(witness.seen) - 1, MOMENTS).round().astype(int)
    return [witness.seen[place] for place in dict.fromkeys(places.tolist())]


def probe(options: Mapping[str, Any], task: Task, moments: Sequence[Moment]) -> list[Finding]:
    """Return what was found of a policy.

    Args:
        options: Its settings, as `perm.evaluation.players.check_options` gives them.
        task: What the moments are of.
        moments: See `watch_expert`.

    Raises:
        PermError: The policy cannot be had.
    """
    policy = independent_policy(options)
    assert policy is not None
    try:
        findings = list(check_policy(policy))
        if any(finding.verdict is Verdict.PROBLEM for finding in findings):
            return findings
        acted = _answers(policy, task.prompt, moments)
        findings.append(_about_prompt(policy, task, moments, acted))
        wanted = np.array([moment.action for moment in moments])
        findings += [_about_gripper(acted, wanted), _about_scale(acted, wanted)]
    except PolicyServerError as error:
        return [Finding("answers what a real scene shows", Verdict.PROBLEM, str(error))]
    finally:
        if isinstance(policy, ServedPolicy):
            policy.close()
    if options["name"] in SERVED:
        findings.append(_about_turn(options, task, moments, acted, wanted))
    return findings


def agreement(acted: FloatArray, wanted: FloatArray) -> float:
    """Return the mean cosine of the hand's motions, where the expert moves at all."""
    ours, theirs = acted[:, :3], wanted[:, :3]
    norms = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
    moving = norms > 1e-6
    if not moving.any():
        return 0.0
    return float(((ours * theirs).sum(axis=1)[moving] / norms[moving]).mean())


def _answers(policy: Policy, prompt: str, moments: Sequence[Moment]) -> FloatArray:
    """Return the first action of the policy at each moment, (N, 7)."""
    found = []
    for moment in moments:
        policy.reset(prompt, 0)
        found.append(policy.act(moment.obs)[0])
    return np.array(found)


def _about_prompt(
    policy: Policy, task: Task, moments: Sequence[Moment], acted: FloatArray
) -> Finding:
    claim = "another prompt changes the actions"
    again = _answers(policy, task.prompt, moments[:3])
    noise = float(np.abs(again - acted[:3]).max())
    other = _answers(policy, GIBBERISH, moments[:3])
    change = float(np.abs(other - acted[:3]).max())
    if change > 2 * noise and change > 0:
        return Finding(claim, Verdict.OK)
    return Finding(
        claim,
        Verdict.WARNING,
        f"the largest change is {change:.2g}, where asking the same again changes {noise:.2g}. "
        "Does the prompt arrive? See prompt_key of the profile, and what the server does with it.",
    )


def _about_gripper(acted: FloatArray, wanted: FloatArray) -> Finding:
    claim = "the gripper opens and closes as the expert's"
    same = float((np.sign(acted[:, 6]) == np.sign(wanted[:, 6])).mean())
    if same >= 0.5:
        return Finding(claim, Verdict.OK)
    return Finding(
        claim,
        Verdict.WARNING,
        f"it agrees at {100 * same:.0f} % of the moments. Is it the other way round? See gripper "
        "of the profile: -1 opens and +1 closes in the environment.",
    )


def _about_scale(acted: FloatArray, wanted: FloatArray) -> Finding:
    claim = "the hand moves about as far as the expert's"
    ours, theirs = (float(np.median(np.linalg.norm(a[:, :3], axis=1))) for a in (acted, wanted))
    ratio = ours / theirs if theirs else 1.0
    if SMALL <= ratio <= LARGE:
        return Finding(claim, Verdict.OK)
    return Finding(
        claim,
        Verdict.WARNING,
        f"the typical motion is {ratio:.2g} times the expert's. Are actions un-normalised? 1 is "
        "5 cm or 0.5 rad in a step.",
    )


def _about_turn(
    options: Mapping[str, Any],
    task: Task,
    moments: Sequence[Moment],
    acted: FloatArray,
    wanted: FloatArray,
) -> Finding:
    claim = "the picture is turned as the model knows it"
    profile = profile_from_mapping(options["profile"])
    found = {profile.image_turn: agreement(acted, wanted)}
    for turn, policy in _turned(options):
        with closing(policy):
            found[turn] = agreement(_answers(policy, task.prompt, moments), wanted)
    best = max(found, key=lambda turn: found[turn])
    told = ", ".join(f"{turn} {value:+.2f}" for turn, value in found.items())
    if found[best] < NOTHING:
        advice = f"with no turn does it move as the expert does ({told}); nothing can be said."
        return Finding(claim, Verdict.WARNING, advice)
    if found[best] - found[profile.image_turn] <= CLEARER:
        return Finding(claim, Verdict.OK)
    return Finding(
        claim,
        Verdict.WARNING,
        f"it moves more like the expert with image_turn={best} (mean cosine: {told}).",
    )


def _turned(options: Mapping[str, Any]) -> Iterator[tuple[str, ServedPolicy]]:
    """Yield the policy with its pictures turned in other ways."""
    profile = profile_from_mapping(options["profile"])
    make: Callable[..., ServedPolicy] = ServedPolicy
    for turn in IMAGE_TURNS:
        if turn != profile.image_turn:
            yield turn, make(options["url"], replace(profile, image_turn=turn), options["name"])
