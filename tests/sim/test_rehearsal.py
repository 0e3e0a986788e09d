import numpy as np
import pytest

from perm.core.arrays import FloatArray
from perm.sim.bodies import entity_boxes
from perm.sim.env import SimEnv
from perm.sim.load import Load
from perm.sim.rehearsal import Reach, Rehearsal, Room
from perm.sim.starts import start_of
from perm.skills.expert import ExpertPolicy

from .scenes import scene, task

pytestmark = pytest.mark.sim

BOWL, BOTTLE, CABINET = "akita_black_bowl_1", "wine_bottle_1", "wooden_cabinet_1"
TASK = task("1-7_104")
EMPTY = Load()


@pytest.fixture
def env() -> SimEnv:
    """A bowl, a plate, a cabinet and more on a table, the hand over them."""
    env = scene("104")
    env.begin(start_of(TASK.mission, 41, env))
    return env


def middle(env: SimEnv, name: str) -> FloatArray:
    corners = entity_boxes(env, name).corners
    return (corners.min(axis=0) + corners.max(axis=0)) / 2


def go(env: SimEnv, place: FloatArray, load: Load = EMPTY, clearance: float = 0.0) -> Reach:
    """Rehearse a straight way to a place, the hand turned as it is."""
    rehearsal = Rehearsal(env)
    shares = np.linspace(0.0, 1.0, 15)
    poses = [(env.ee_pos + s * (place - env.ee_pos), env.ee_rotation) for s in shares]
    return rehearsal.follow(poses, rehearsal.joints, load, clearance)


def test_the_arm_is_foretold_to_within_0_05_rad_at_the_end_of_a_real_pick(env: SimEnv) -> None:
    rehearsal = Rehearsal(env)
    begin, poses, joints = rehearsal.joints, [], []
    expert = ExpertPolicy(env, TASK, ignore_preference=True)
    expert.reset(TASK.prompt, seed=1)
    while True:
        action = expert.act(env.observe())
        if len(expert.subtasks) == 2:
            break
        env.step(action[0])
        poses.append((env.ee_pos, env.ee_rotation))
        joints.append(rehearsal.joints)
    foretold = rehearsal.follow(poses[4::5], begin, Load(), clearance=None).joints
    assert len(foretold) >= 10
    assert np.abs(foretold - joints[4::5]).max() < 0.05
    assert np.abs(joints[-1] - begin).max() > 0.3


@pytest.mark.parametrize("fixture", [CABINET, "flat_stove_1"])
def test_a_way_into_a_fixture_hits_it(env: SimEnv, fixture: str) -> None:
    reach = go(env, middle(env, fixture))
    assert reach.problem == f"hits {fixture}"


def test_a_way_into_the_table_hits_the_work_surface(env: SimEnv) -> None:
    assert go(env, np.array([0.05, 0.2, 0.88])).problem == "hits the work surface"


def test_a_way_beyond_the_arms_length_is_out_of_reach_and_stops_there(env: SimEnv) -> None:
    reach = go(env, np.array([1.0, 0.0, 1.2]))
    assert reach.problem == "out of reach"
    assert len(reach.joints) < 15


def test_a_free_way_has_no_problem_and_the_arm_at_every_pose(env: SimEnv) -> None:
    reach = go(env, env.ee_pos + np.array([0.1, 0.1, 0.0]))
    assert reach.problem == ""
    assert reach.joints.shape == (15, 7)


def test_a_stretched_arm_has_less_dexterity(env: SimEnv) -> None:
    near, far = (go(env, np.array([x, 0.0, 1.18])) for x in (-0.2, 0.15))
    assert far.dexterity < near.dexterity


def test_the_finger_tips_may_touch_what_the_call_is_about(env: SimEnv) -> None:
    assert go(env, middle(env, BOWL)).problem == f"hits {BOWL}"
    assert go(env, middle(env, BOWL), Load(taken=BOWL)).problem == ""


def test_what_lies_in_what_is_taken_goes_along_and_stops_nothing(env: SimEnv) -> None:
    assert go(env, middle(env, BOWL), Load(contents={BOWL})).problem == ""


def test_the_palm_may_not_touch_it(env: SimEnv) -> None:
    top = entity_boxes(env, BOTTLE).corners[:, 2].max()
    neck, deep = (np.array([*middle(env, BOTTLE)[:2], top - depth]) for depth in (0.03, 0.09))
    assert go(env, neck, Load(touchable={BOTTLE})).problem == ""
    assert go(env, deep, Load(touchable={BOTTLE})).problem == f"hits {BOTTLE}"


def held_over_plate(env: SimEnv, gap: float, clearance: float, *touchable: str) -> str:
    """What stops the bowl, 10 cm under the hand, so far over the height at which it stands."""
    rehearsal, bowl, plate = Rehearsal(env), middle(env, BOWL), middle(env, "plate_1")
    held = rehearsal.held_at(BOWL, bowl + np.array([0.0, 0.0, 0.10]), env.ee_rotation)
    hand = np.array([*plate[:2], bowl[2] + 0.10 + gap])
    assert go(env, hand).problem == ""
    return go(env, hand, Load(held, touchable), clearance).problem


def test_what_is_held_may_come_near_to_the_target_but_not_go_into_it(env: SimEnv) -> None:
    assert held_over_plate(env, 0.015, 0.012) == "hits plate_1"
    assert held_over_plate(env, 0.015, 0.012, "plate_1") == ""
    assert held_over_plate(env, -0.005, 0.0, "plate_1") == "hits plate_1"


def test_what_is_1_cm_away_is_not_touched_whatever_clearance_is_kept(env: SimEnv) -> None:
    assert held_over_plate(env, 0.011, 0.0) == ""
    assert held_over_plate(env, 0.011, 0.012, "plate_1") == ""


def test_what_will_have_been_moved_is_found_where_it_will_be(env: SimEnv) -> None:
    place = middle(env, BOWL)
    assert go(env, place).problem == f"hits {BOWL}"
    away = (BOWL, np.array([0.2, 0.2, 0.9]), np.eye(3))
    assert go(env, place, Load(moved=(away,))).problem == ""


def test_a_drawer_that_will_have_been_opened_is_in_the_way(env: SimEnv) -> None:
    joint = env.blueprint.regions["wooden_cabinet_1_middle_region"].joints[0]
    before_drawer = np.array([middle(env, CABINET)[0], 0.0, 1.0])
    assert go(env, before_drawer).problem == ""
    low, high = env.model.joint(joint).range
    wide = Load(slid=((joint, low if abs(low) > abs(high) else high),))
    assert go(env, before_drawer, wide).problem == f"hits {CABINET}"


def over_cabinet(env: SimEnv, height: float) -> FloatArray:
    top = entity_boxes(env, CABINET).corners[:, 2].max()
    return np.array([*middle(env, CABINET)[:2], top + height])


def test_a_clearance_is_kept(env: SimEnv) -> None:
    # The finger tips reach about 1 cm below the point between them.
    assert go(env, over_cabinet(env, 0.018), clearance=0.0).problem == ""
    assert go(env, over_cabinet(env, 0.018), clearance=0.012).problem == f"hits {CABINET}"


def test_no_clearance_is_kept_to_the_table(env: SimEnv) -> None:
    assert go(env, np.array([0.05, 0.25, 0.92]), clearance=0.02).problem == ""


def test_the_room_is_the_distance_to_the_nearest_thing(env: SimEnv) -> None:
    joints = go(env, over_cabinet(env, 0.018)).joints
    room = Rehearsal(env).room(joints[-1], Load(), most=0.012)
    assert room.name == CABINET
    assert room.distance == pytest.approx(0.008, abs=0.002)
    assert Rehearsal(env).room(joints[0], Load(), most=0.02) == Room(0.02, "nothing")


def test_an_object_in_the_hand_goes_with_the_hand(env: SimEnv) -> None:
    rehearsal, place = Rehearsal(env), env.data.body(env.blueprint.entities[BOWL].root_body)
    held = rehearsal.held_at(BOWL, env.ee_pos, env.ee_rotation)
    assert env.ee_pos + env.ee_rotation @ held.pos == pytest.approx(place.xpos)
    assert env.ee_rotation @ held.rotation == pytest.approx(place.xmat.reshape(3, 3))


def test_nothing_moves_in_the_scene(env: SimEnv) -> None:
    def everything() -> list[FloatArray]:
        data, model = env.data, env.model
        seen = [env.state, data.xpos, data.xmat, data.qacc_warmstart, data.ctrl]
        built = [model.geom_contype, model.geom_conaffinity, model.geom_margin, model.body_pos]
        return [np.array(array) for array in (*seen, *built)]

    before = everything()
    held = Rehearsal(env).held_at(BOWL, env.ee_pos, env.ee_rotation)
    moved = ("plate_1", np.array([0.2, 0.2, 0.9]), np.eye(3))
    assert go(env, middle(env, "flat_stove_1"), Load(held, moved=(moved,)), 0.01).problem
    for array, now in zip(before, everything(), strict=True):
        assert np.array_equal(array, now)


def test_it_looks_again_when_it_is_told_to(env: SimEnv) -> None:
    rehearsal = Rehearsal(env)
    begin, place = rehearsal.joints, middle(env, BOWL)
    pose = [(place + np.array([0.0, 0.0, 0.05]), env.ee_rotation), (place, env.ee_rotation)]
    address = env.model.joint(env.blueprint.entities[BOWL].joints[-1]).qposadr[0]
    env.data.qpos[address : address + 2] = [0.3, 0.3]
    assert rehearsal.follow(pose, begin, Load()).problem == f"hits {BOWL}"
    rehearsal.look()
    assert rehearsal.follow(pose, begin, Load()).problem == ""


def test_what_is_found_does_not_depend_on_what_was_asked_before(env: SimEnv) -> None:
    used, rng = Rehearsal(env), np.random.default_rng(0)
    held = used.held_at(BOWL, middle(env, BOWL), env.ee_rotation)
    spots = [np.array([*rng.uniform(-0.2, 0.2, 2), rng.uniform(0.9, 1.1)]) for _ in range(30)]
    answers = []
    for spot in spots:
        pair = []
        for rehearsal in (used, Rehearsal(env)):
            reach = rehearsal.follow([(spot, env.ee_rotation)], used.joints, Load(held), 0.02)
            room = rehearsal.room(reach.joints[-1], Load(held), 0.02)
            fits = rehearsal.fits(*held.pose(spot, env.ee_rotation), Load(held), 0.003)
            pair.append((reach.problem, room, fits))
        answers.append(pair)
    assert all(one == other for one, other in answers)
    assert len({one[0] for one, _ in answers}) >= 3
    assert {one[2] for one, _ in answers} == {True, False}
