"""A task is a function with its mistakes on it: what the decorators make, and what they refuse."""

import numpy as np
import pytest

from autograder.authoring import task
from autograder.authoring.task import TaskError
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.judging.sameness import exactly, up_to_sign
from tests import command

TOPIC = "squares"


def cases(rng):
    return {"numbers": {"width": float(rng.integers(2, 9)), "height": 3.0}}


def rectangle(**settings):
    @task.hand(**{"points": 1, "minutes": 2, "see": "eq-areas-rectangle"} | settings)
    def area(width, height):
        """Return the area."""
        return width * height

    return area


def drawn(**settings):
    area = rectangle(**settings)
    area.draw(cases)
    return area


def added(width, height):
    return width + height


def test_a_task_is_still_a_function():
    area = rectangle()
    assert area(4, height=3) == 12
    assert (area.__name__, area.__doc__) == ("area", "Return the area.")


def test_decorators_return_their_functions():
    area = rectangle()
    add_all = [area.draw, area.hard, area.practice_draw]
    assert all(add(cases) is cases for add in add_all)
    add_all = [area.wrong("Hint."), area.also, area.must_fail, area.ill_posed, area.worked]
    assert all(add(added) is added for add in add_all)


def test_the_task_has_everything_in_the_order_of_the_module():
    area = drawn(points=2)
    area.wrong("First.")(added)
    area.wrong("Second.", see="eq-other", credit=0.5, same=up_to_sign)(np.maximum)
    area.also(np.multiply)
    area.must_fail(np.minimum)
    area.announces("may be long", "numbers", lambda width, height: width > height)
    made = area.task
    assert (made.kind, made.points, made.answer, made.draw) == ("hand", 2, area.answer, cases)
    assert [(one.name, one.hint, one.see, one.credit, one.same) for one in made.misconceptions] == [
        ("added", "First.", "eq-areas-rectangle", 0.0, None),
        ("maximum", "Second.", "eq-other", 0.5, up_to_sign),
    ]
    assert (made.alternatives, made.must_fail) == ((np.multiply,), (np.minimum,))
    assert (made.announced[0].words, made.announced[0].situation) == ("may be long", "numbers")
    assert area.task is made


@pytest.mark.parametrize(
    ("settings", "same"),
    [
        ({}, (exactly,)),
        ({"same": up_to_sign}, (up_to_sign,)),
        ({"parts": ("first", "second")}, (exactly, exactly)),
        ({"parts": ("first", "second"), "same": up_to_sign}, (up_to_sign, up_to_sign)),
        ({"parts": ("first", "second"), "same": (up_to_sign, exactly)}, (up_to_sign, exactly)),
        ({"same": (up_to_sign, exactly)}, (up_to_sign, exactly)),
    ],
)
def test_one_sameness_holds_for_all_parts(settings, same):
    assert drawn(**settings).task.samenesses == same


def test_an_earlier_task_gives_inputs_and_mistakes():
    earlier = drawn()
    earlier.wrong("You added.")(added)

    @task.code(points=1, minutes=2, see="eq-areas-box")
    def volume(width, height, depth):
        return earlier(width, height) * depth

    @volume.follows(earlier)
    def of_the_floor(width, height, depth):
        return {"width": width, "height": height}

    @volume.inherits(earlier)
    def on_a_floor(floor, width, height, depth):
        return floor(width, height) * depth

    volume.draw(cases)
    (step,), (mistake,) = volume.task.follows, volume.task.misconceptions
    assert (step.name, step.answer, step.inputs) == ("area", earlier.answer, of_the_floor)
    assert (mistake.name, mistake.wrong(2, 3, 4)) == ("added", 20)
    assert on_a_floor(added, 2, 3, 4) == 20


def after_its_task(area):
    assert area.task
    area.also(added)


def two_draws(area):
    area.draw(lambda rng: {})


def same_name_twice(area):
    area.wrong("One.")(added)
    area.wrong("Two.")(added)


REFUSED = {
    "two draws": (two_draws, r"area has two functions for draw: cases and <lambda>; keep one"),
    "two names": (same_name_twice, r"area has two mistakes of the name added"),
    "no hint": (
        lambda area: area.wrong(added),
        r'a mistake needs a hint: @area\.wrong\("…"\), not <function added',
    ),
    "blank hint": (lambda area: area.wrong("  "), r"a mistake needs a hint"),
    "other inputs": (
        lambda area: area.wrong("Hint.")(lambda width: width),
        r"<lambda>\(width\) must be a function of the inputs of area: width, height",
    ),
    "no function": (lambda area: area.also(7), r"7 must be a function of the inputs of area"),
    "formula": (lambda area: area.also("width*height"), r"area is no sym task: .* not 'width\*height'"),
    "follows nothing": (lambda area: area.follows(added), r"area must follow a task .* not <function added"),
    "wrong order": (
        lambda area: area.inherits(rectangle()),
        r"put @area\.follows\(area\) before @area\.inherits",
    ),
    "too late": (after_its_task, r"area is complete and takes no more: move this before the first use"),
}


@pytest.mark.parametrize(("write", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_written_wrongly_is_refused_with_a_line(write, message):
    with pytest.raises(TaskError, match=message):
        write(drawn())


def test_a_task_without_a_draw_is_refused():
    with pytest.raises(TaskError, match=r"area has no draw: put @area\.draw over"):
        assert rectangle().task


def test_parts_and_their_samenesses_must_be_as_many():
    with pytest.raises(TaskError, match="area names 3 parts and the sameness of 2"):
        assert drawn(parts=("a", "b", "c"), same=(exactly, exactly)).task


def test_a_formula_is_another_right_way_of_a_sym_task():
    @task.sym(points=1, minutes=1, see="eq-x")
    def square(a):
        return a**2

    square.draw(cases)
    square.also("a*a")
    assert square.task.alternatives == ("a*a",)


BEGUN = """\
from autograder.authoring import task


@task.code(points=1, minutes=1, see="eq-x")
def NAME(x):
    return x
"""
DRAWN = f"""\
{BEGUN}

@NAME.draw
def draw(rng):
    return {{}}
"""
MODULES = {
    "no draw": (
        BEGUN.replace("NAME", "more"),
        "squares/more.py: more has no draw: put @more.draw over the function that draws its inputs",
    ),
    "a task that is there": (
        DRAWN.replace("NAME", "total"),
        "squares.total is in more.py and in tasks.py: rename a task",
    ),
    "two draws": (
        f"{DRAWN}\n\nNAME.draw(draw)\n".replace("NAME", "more"),
        "solutions/squares/more.py: more has two functions for draw: draw and draw; keep one",
    ),
}


@pytest.mark.parametrize(("text", "message"), MODULES.values(), ids=MODULES)
def test_a_module_that_is_no_task_ends_a_command_with_one_line(sample_course, text, message):
    (sample_course.source(TOPIC) / "more.py").write_text(text, "utf-8")
    code, out, error = command.program(sample_course.root, "mutate", "squares.cubes", "--draws", "1")
    assert (code, out) == (1, "")
    assert error.splitlines()[-1] == f"dimred: {message}"


def test_a_task_belongs_to_the_module_that_defines_it(sample_course):
    borrowing = "import sys\n\ntotal = sys.modules['solutions.squares.tasks'].total\nborrowed = total\n"
    (sample_course.source(TOPIC) / "user.py").write_text(borrowing, "utf-8")
    assert {*load_tasks(Course(sample_course.root), TOPIC)} == {"total", "cubes", "by_hand", "binomial"}
