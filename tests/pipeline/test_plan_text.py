import pytest

from perm.core.errors import PermError
from perm.core.mission import SkillCall, SubtaskPlan
from perm.pipeline.plan_text import read_plan, write_plan

PLAN = SubtaskPlan(
    calls=(SkillCall("pick", "mug_1"), SkillCall("place_on", "mug_1", "plate_1")),
    source="model",
    required=(("pick", "mug_1"),),
    prohibited=(("pick", "_ALL"), ("_ALL", "mug_2")),
    order=((("pick", "mug_1"), ("place_on", "mug_1")),),
)
TEXT = (
    "1.||('pick','mug_1'),('place_on','mug_1','plate_1')||"
    "2.||\"required\":[('pick','mug_1')],\"prohibited\":[('pick','_ALL'),('_ALL','mug_2')],"
    "\"order\":[[('pick','mug_1'),('place_on','mug_1')]]||3.||Prefer red objects||"
)


def test_a_plan_is_written_in_the_papers_format() -> None:
    assert write_plan(PLAN, "Prefer red objects") == TEXT


def test_what_was_written_is_read_back() -> None:
    assert read_plan(TEXT, "model") == (PLAN, "Prefer red objects")


@pytest.mark.parametrize(
    "text",
    [
        f"Here is the plan you asked for:\n```\n{TEXT}\n```\nGood luck!",
        TEXT.replace("||2.", "||\n\n2.").replace("||3.", "||\n3. "),
        TEXT.replace("'", "\u2019").replace('"', "\u201d"),
    ],
    ids=["prose", "lines", "quotes"],
)
def test_words_round_a_plan_lines_and_typographic_quotes_do_no_harm(text: str) -> None:
    assert read_plan(text, "model")[0] == PLAN


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I cannot help with that.", "There is no plan of the form"),
        (TEXT.replace("'pick','mug_1'),('pl", "'grab','mug_1'),('pl"), "Unknown skill 'grab'"),
        (TEXT.replace(",'plate_1'", ""), r"place_on takes 2 name\(s\), found 1"),
        (TEXT.replace("('pick','mug_1'),('place_on','mug_1','plate_1')", ""), "no calls"),
        (TEXT.replace("required", "requires"), "Did you mean required"),
        (TEXT.replace("('_ALL','mug_2')", "'mug_2'"), r"a pair \('skill','object'\)"),
        (TEXT.replace("('pick','mug_1'),('pl", "(pick,mug_1),('pl"), "part 1 cannot be read"),
        (TEXT.replace("('pick','mug_1'),('pl", "__import__('os').getcwd(),('pl"), "part 1 cannot"),
        (TEXT.replace("||3.||Prefer red objects||", ""), "There is no plan"),
    ],
)
def test_what_is_no_plan_is_refused_with_the_reason(text: str, told: str) -> None:
    with pytest.raises(PermError, match=told):
        read_plan(text, "model")
