"""A model in the places where rules plan and propose: its words, and how its answers are read."""

from dataclasses import dataclass, field, replace

from perm.bddl.changes import Spot
from perm.core.conventions import EDIT_CLEARANCE
from perm.core.errors import PermError
from perm.core.mission import Mission, SkillCall, SubtaskPlan
from perm.core.plan import SWITCHES
from perm.core.task import Preference
from perm.core.vocabulary import SKILLS
from perm.pipeline.models.answers import read_json, read_number
from perm.pipeline.models.asking import Budget, ask
from perm.pipeline.models.question import Model, Question
from perm.pipeline.plan_text import read_plan, write_plan
from perm.pipeline.planner import RulePlanner, check_plan
from perm.pipeline.proposals import PlaceRequest
from perm.pipeline.spots import LIMIT, REACH

DOES = {
    "pick": "take an object",
    "place_on": "put the held object onto something",
    "place_in": "put the held object into something that is open to above",
    "slide_in": "put the held object into something with a roof, from the front",
    "throw": "let the held object fly onto or into something",
    "lay_down": "lay the held object down into something",
    "push": "move an object along the surface without holding it",
    "drag": "move an object along the surface, holding it",
    "open": "open a drawer or a door",
    "close": "close a drawer or a door",
    "turn_on": "turn a knob on",
    "turn_off": "turn a knob off",
}


@dataclass
class ModelPlanner:
    """Asks a model for plans in the paper's format.

    Attributes:
        model: Who is asked.
        rules: Make the plain plan, and know which choice a profile preference means.
        budget: Of all questions together.
    """

    model: Model
    rules: RulePlanner
    budget: Budget = field(default_factory=Budget)

    @property
    def name(self) -> str:
        """Of the model."""
        return self.model.name

    def plan(self, mission: Mission, preference: Preference | None) -> SubtaskPlan:
        """Return the first plan that will do; parameters of skills are the rules'."""
        baseline = self.rules.plan(mission, None)
        wish = preference.language if preference else "none"
        question = Question("plan-1", _plan_words(mission, baseline, wish))

        def read(text: str) -> SubtaskPlan:
            plan, _ = read_plan(text, f"{self.name} plan-1")
            check_plan(plan, mission, preference)
            if preference is not None:
                self.rules.check_choice(plan, mission, preference)
            return plan

        plan = ask(self.model, question, read, self.budget)
        return replace(plan, calls=tuple(_with_params(call, baseline) for call in plan.calls))


def _with_params(call: SkillCall, baseline: SubtaskPlan) -> SkillCall:
    """Return a call with the parameters that the rules give the same one: the format has none."""
    for known in baseline.calls:
        if (known.skill, known.object) == (call.skill, call.object):
            return replace(call, params=known.params)
    return call


def _plan_words(mission: Mission, baseline: SubtaskPlan, wish: str) -> str:
    layout = mission.layout
    objects = ", ".join(f"{e.name} (a {e.category})" for e in layout.objects)
    fixtures = ", ".join(f"{e.name} (a {e.category})" for e in layout.fixtures)
    regions = ", ".join(region.full_name for region in layout.regions)
    start = ", ".join(f"({' '.join(atom)})" for atom in layout.init)
    goals = " or ".join(
        " and ".join(f"({' '.join(atom)})" for atom in goal) for goal in mission.goal.any_of
    )
    skills = "\n".join(
        f"- {name}: {DOES[name]}; takes {SKILLS[name][0]} name(s)" for name in SKILLS
    )
    switched = ", ".join(SWITCHES)
    return (
        f"A robot arm with one hand is told: {mission.language!r}\n"
        f"Its user's preference: {wish}\n"
        f"Objects: {objects}\nFixtures: {fixtures}\nRegions: {regions}\n"
        f"At the start: {start}\nThe task is done once: {goals}\n"
        f"Skills:\n{skills}\n({switched} act on a fixture or one of its regions.)\n"
        f"A plan without any preference: {write_plan(baseline, 'none')}\n\n"
        "Write the plan that does the task as the user wants it, in exactly this form, with names "
        "from above only:\n"
        "1.||('skill','object'),('skill','object','target'),...||"
        '2.||"required":[...],"prohibited":[...],"order":[...]||3.||the preference||\n'
        "required and prohibited hold pairs ('skill','object'), order holds pairs of pairs "
        "[('skill','object'),('skill','object')]; '_ALL' stands for any skill or any object."
    )


@dataclass
class ModelProposer:
    """Asks a model where something goes."""

    model: Model
    budget: Budget = field(default_factory=Budget)

    @property
    def name(self) -> str:
        """Of the model."""
        return self.model.name

    def place(self, request: PlaceRequest) -> Spot:
        """Return the first place in an answer that will do."""
        question = Question("layout-1", _place_words(request))
        return ask(self.model, question, _read_spot, self.budget)


def _read_spot(text: str) -> Spot:
    found = read_json(text)
    x, y = (read_number(found, key, -LIMIT, LIMIT) for key in ("x", "y"))
    if not isinstance(found.get("reasoning", ""), str):
        raise PermError(f"reasoning has to be a text, found {found['reasoning']!r}")
    return Spot(round(x, 3), round(y, 3))


def _place_words(request: PlaceRequest) -> str:
    width, depth, height = request.size
    others = "\n".join(
        f"- {one.name}: x={one.middle[0]:.3f}, y={one.middle[1]:.3f}, "
        f"radius {one.radius + float(max(one.half)):.3f}"
        for one in request.others
    )
    told = "".join(f"\nAn earlier place was rejected: {reason}" for reason in request.reasons)
    return (
        f"Find a place on a table for {request.wanted.name}, {width:.3f} x {depth:.3f} x "
        f"{height:.3f} m, radius {request.radius:.3f} m. Constraint: {request.wanted.constraint}.\n"
        f"Metres; x grows towards the camera (front), y to the right; the robot's base is at "
        f"x={request.base:.2f}, y=0 and reaches {REACH} m. Already there:\n{others}\n"
        f"x and y have to lie in [-{LIMIT}, {LIMIT}], with {EDIT_CLEARANCE} m free to everything "
        f"else, and nothing may hide it from the camera.{told}\n"
        'Answer with one JSON object and nothing else: {"x": number, "y": number, '
        '"reasoning": "one sentence"}'
    )
