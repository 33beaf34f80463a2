"""Wrong programs of a task: misconceptions, slips, and edits of correct programs.

`applicable_mistakes` builds them once for a task, runs them on trial draws, and keeps those that are wrong, definite
and different from each other. `traces` then returns their answers on one case. All code that runs here is the
course's own.
"""

import functools
import itertools
from bisect import bisect_left
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.answers.arguments import arguments
from autograder.answers.arrays import Array, Inputs
from autograder.answers.values import to_plain_data
from autograder.authoring.mutants import mutants
from autograder.authoring.task import Misconception, Task
from autograder.errors import TimeLimitError
from autograder.judging import forms, slips, trace
from autograder.judging.key import INPUT_DIGITS, Hint, round_values
from autograder.judging.sameness import Sameness, discrepancy, up_to_absolute_value, up_to_column_signs
from autograder.judging.structures.kinds import Kind
from autograder.release.quiet import quiet
from autograder.release.randomised_linalg import patched_linalg
from autograder.release.time_limit import cpu_time_limit

EditIndex = tuple[int, int]  # index of the edited correct program, and of the edit among all its edits
WrongPart = Array | None  # a mistake's answer for one part; None if it has none
ENTRIES_MEAN = (
    "exactly",
    "up_to_order",
    "up_to_absolute_value",
)  # samenesses of numbers that stand for themselves
MAX_MISTAKES_PER_TASK = 160  # slips and edits that a key holds for one task
MAX_EDIT_SECONDS = 0.02  # edits of slower programs are left out
TRIAL_DRAWS = {"code": 2, "sym": 2, "hand": 6}  # a draw of a hand task has one case only
TIMING_REPEATS = 5  # runs of a program before it counts as slow
ANSWER_NOISE_RATIO = 1e-12  # of the right answer
MISTAKE_TIMEOUT_SECONDS = 0.5  # for a mistake on one case
MAX_MAGNITUDE = 1e30  # larger answers count as none


@dataclass(frozen=True)
class Mistake:
    """A named wrong program: `gives(inputs, right)` returns its parts."""

    name: str
    gives: Callable[[Inputs, Sequence[Array]], Sequence[WrongPart]]
    hint: Hint | None = None
    same: tuple[Sameness, ...] = ()
    indefinite: Callable[..., str | None] | None = None
    edit: EditIndex | None = None

    @property
    def is_own(self) -> bool:
        """Whether the task's author wrote it."""
        return ":" not in self.name


def own_mistakes(task: Task) -> list[Mistake]:
    """Return the misconceptions of the task as mistakes."""
    return [_mistake_of(task, misconception) for misconception in task.misconceptions]


def _mistake_of(task: Task, misconception: Misconception) -> Mistake:
    hint = Hint(misconception.hint, misconception.see, misconception.credit)
    same = (
        misconception.same
        if isinstance(misconception.same, tuple)
        else (misconception.same,)
        if misconception.same
        else ()
    )

    def gives(inputs: Inputs, right: Sequence[Array]) -> Sequence[WrongPart]:
        return parts_from(task, misconception.wrong, inputs)

    return Mistake(misconception.name, gives, hint, same, misconception.indefinite)


def call_quietly(way: Callable[..., object], inputs: Inputs) -> Any:
    """Call a program on copied inputs; return plain data without warnings."""
    with quiet():
        return to_plain_data(way(*arguments(inputs)))


def parts_from(task: Task, way: Callable[..., object], inputs: Inputs) -> tuple[Array, ...]:
    """Return the parts of a program's answer as arrays."""
    answer = listed_parts(task, call_quietly(way, inputs))
    return forms.read_parts(answer, forms.any_form(task.samenesses))


def listed_parts(task: Task, answer: Any) -> Any:
    """Split a table of formulas into columns.

    The table has one row per sample point. Other answers are returned unchanged.
    """
    number = len(task.samenesses)
    is_table = isinstance(answer, np.ndarray) and answer.ndim == 2 and answer.shape[1] == number > 1
    return tuple(answer.T) if task.kind == "sym" and is_table else answer


def applicable_mistakes(
    task: Task, course_slips: Sequence[slips.InputSlip] = (), ways: Sequence[Callable[..., object]] = ()
) -> tuple[Mistake, ...]:
    """Return the slips and edits that are worth keeping for this task.

    The result is cached, because a class has many variants.
    """
    key = (id(task), tuple(map(id, course_slips)), tuple(map(id, ways)))
    if key not in _APPLICABLE:
        _APPLICABLE[key] = (
            task,
            tuple(_distinct_mistakes(task, list(all_mistakes(task, course_slips, ways)))),
        )
    return _APPLICABLE[key][1]


_APPLICABLE: dict[
    Any, tuple[Task, tuple[Mistake, ...]]
] = {}  # the task is kept, so that its id stays its own


def restored(
    task: Task,
    course_slips: Sequence[slips.InputSlip],
    ways: Sequence[Callable[..., object]],
    edits: Mapping[str, EditIndex | None],
) -> tuple[Mistake, ...]:
    """Rebuild the mistakes that `applicable_mistakes` returned before, by name.

    None of them is tried.
    """
    return tuple(
        mistake for mistake in all_mistakes(task, course_slips, ways, edits) if mistake.name in edits
    )


def all_mistakes(
    task: Task,
    course_slips: Sequence[slips.InputSlip],
    ways: Sequence[Callable[..., object]] = (),
    known: Mapping[str, EditIndex | None] | None = None,
) -> Iterator[Mistake]:
    """Yield all slips and edits of a task, the simplest first.

    If the names worth keeping are `known`, input slips and edits are built for these only.
    """
    inputs = trial_inputs(task)[0]
    tables = {name: value for name, value in inputs.items() if isinstance(value, np.ndarray)}
    numbers = {name: value for name, value in inputs.items() if name not in tables}
    yield from _input_slips(task, tables, course_slips if task.kind != "sym" else (), known)
    yield from _answer_slips(task, inputs)
    yield from _parts_exchanged(task)
    yield from _inputs_exchanged(task, inputs)
    yield from _input_slips(task, numbers, slips.ENTRYWISE_INPUTS, known)
    yield from _argument_mistakes(task, inputs)
    every_edit = _edits(task, ways) if known is None else _remake_edits(task, ways, known)
    edits = sorted(every_edit, key=_rank_of_edit)  # a stable order
    n_common = bisect_left(edits, len(slips.COMMON_EDITS), key=_rank_of_edit)
    yield from edits[:n_common]
    yield from _input_slips(task, tables, (*_whole_input_slips(task), *slips.ENTRYWISE_INPUTS), known)
    yield from edits[n_common:]


def _rank_of_edit(edit: Mistake) -> int:
    """Return the rank of an edit; rare edits share the last rank.

    Common edits are tried before rare changes of the inputs.
    """
    word = edit.name.removeprefix("edit:").partition("#")[0]
    common = slips.COMMON_EDITS
    return common.index(word) if word in common else len(common)


def _whole_input_slips(task: Task) -> list[slips.InputSlip]:
    """Return the slips on a whole list or table that mean something.

    A symbol is a list of sample points, whose order has no meaning. Slips that only programs make are left out for hand
    tasks: nobody sorts a few printed numbers.
    """
    if task.kind == "sym":
        return []
    return [
        slip for slip in slips.INPUT_SLIPS if task.kind == "code" or slip.name not in slips.BY_PROGRAM_ONLY
    ]


@functools.cache
def trial_inputs(task: Task) -> tuple[Inputs, ...]:
    """Return the cases of a few draws that no variant uses."""
    draws = (task.draw(np.random.default_rng([20_270, number])) for number in range(TRIAL_DRAWS[task.kind]))
    return tuple(
        {name: round_values(to_plain_data(value), INPUT_DIGITS) for name, value in case.items()}
        for draw in draws
        for case in draw.values()
    )


def equal(parts: Sequence[Array], other_parts: Sequence[Array], samenesses: Sequence[Sameness]) -> bool:
    """Return whether two answers agree in all their parts."""
    return all(is_equal(*pair) for pair in zip(parts, other_parts, samenesses, strict=True))


def _answer_slips(task: Task, inputs: Inputs) -> Iterator[Mistake]:
    entrywise = {name for name, _, _ in (*slips.ENTRYWISE, *slips.DECIMAL_SLIPS)} | {
        "running totals",
        "differences",
    }
    for slip in slips.answer_slips(task.kind):
        # if a length, a sign or a basis is free, the square or the logarithm of an entry has no meaning
        fit = [
            not same.kind and (slip.name not in entrywise or same.name in ENTRIES_MEAN)
            for same in task.samenesses
        ]
        if any(fit):
            free = _transposed_signs(task) if slip.name == "transposed" else ()
            yield Mistake(f"answer:{slip.name}", _changed_answer(slip.change, fit), same=free)
    if task.kind == "sym":
        for slip in slips.symbol_slips(inputs):
            yield Mistake(f"answer:{slip.name}", _changed_by_symbol(slip.name))


def _transposed_signs(task: Task) -> tuple[Sameness, ...]:
    """Return the samenesses of a transposed answer.

    Columns with free signs have become rows with free signs.
    """
    if task.kind != "code" or up_to_column_signs not in task.samenesses:
        return ()
    return tuple(up_to_absolute_value if same is up_to_column_signs else same for same in task.samenesses)


def _changed_answer(
    change: Callable[[Array, slips.Sizes], Array], fit: Sequence[bool]
) -> Callable[[Inputs, Sequence[Array]], list[WrongPart]]:
    def gives(inputs: Inputs, right: Sequence[Array]) -> list[WrongPart]:
        sizes = slips.sizes_of(inputs)
        return [
            _call_safely(change, part, sizes) if yes else None for part, yes in zip(right, fit, strict=True)
        ]

    return gives


def _changed_by_symbol(name: str) -> Callable[[Inputs, Sequence[Array]], list[WrongPart]]:
    def gives(inputs: Inputs, right: Sequence[Array]) -> list[WrongPart]:
        slip = next(
            symbol_slip for symbol_slip in slips.symbol_slips(inputs) if symbol_slip.name == name
        )  # bound to these sample points
        return [_call_safely(slip.change, part, {}) for part in right]

    return gives


def _call_safely(change: Callable[..., object], *arguments: object) -> WrongPart:
    try:
        with quiet():
            result = np.asarray(change(*arguments), dtype=np.float64)
    except (ValueError, TypeError, IndexError, ArithmeticError, np.linalg.LinAlgError):
        return None
    return result if np.isfinite(result).all() else None


def _parts_exchanged(task: Task) -> Iterator[Mistake]:
    for first, second in itertools.combinations(range(len(task.samenesses)), 2):

        def gives(
            inputs: Inputs, right: Sequence[Array], first: int = first, second: int = second
        ) -> list[WrongPart]:
            parts: list[WrongPart] = list(right)
            parts[first], parts[second] = right[second], right[first]
            return parts

        same = list(task.samenesses)  # a part keeps its sameness at its new position
        same[first], same[second] = same[second], same[first]
        yield Mistake(f"parts:{first + 1} and {second + 1}", gives, same=tuple(same))


def _inputs_exchanged(task: Task, inputs: Inputs) -> Iterator[Mistake]:
    for first, second in itertools.combinations(inputs, 2):
        if _shape_of_input(inputs[first]) == _shape_of_input(inputs[second]):

            def change(values: Inputs, first: str = first, second: str = second) -> Inputs:
                return {**values, first: values[second], second: values[first]}

            yield Mistake(f"exchanged:{first}:{second}", _changed_inputs(task, change))


def _shape_of_input(value: Any) -> Any:
    """Return what must agree of two inputs that someone exchanges."""
    is_number = isinstance(value, np.ndarray | int | float)
    return np.shape(value) if is_number else type(value)


def _changed_inputs(
    task: Task, change: Callable[[Inputs], Inputs], *, rows_added: bool = False
) -> Callable[[Inputs, Sequence[Array]], Sequence[WrongPart]]:
    def gives(inputs: Inputs, right: Sequence[Array]) -> Sequence[WrongPart]:
        with quiet():
            parts = parts_from(task, task.answer, change(inputs))
        return [
            part[: len(want)] if rows_added and part.ndim and want.ndim else part
            for part, want in zip(parts, right, strict=True)
        ]

    return gives


def _input_slips(
    task: Task, inputs: Inputs, those: Sequence[slips.InputSlip], known: Container[str] | None
) -> Iterator[Mistake]:
    numeric = [name for name, value in inputs.items() if _is_numeric_input(value)]
    for argument in numeric:
        for slip in those:
            name = f"input:{argument}:{slip.name}"
            if not (_applies(task, argument, slip) if known is None else name in known):
                continue

            def change(values: Inputs, argument: str = argument, slip: slips.InputSlip = slip) -> Inputs:
                before = values[argument]
                after = slip.change(np.asarray(before, dtype=float))
                return {**values, argument: _cast_like(before, after)}

            sentence = slips.said_of(slip.sentence, argument)
            hint = None if slips.slip_sentence(name) else Hint(sentence, slip.see)
            yield Mistake(name, _changed_inputs(task, change, rows_added=slip.rows_added), hint)


def _is_numeric_input(value: object) -> bool:
    return isinstance(value, np.ndarray | int | float) and not isinstance(value, bool)


def _applies(task: Task, argument: str, slip: slips.InputSlip) -> bool:
    return slip.moot_under is None or not _is_moot(task, argument, slip.moot_under)


def _is_moot(task: Task, argument: str, move: Callable[[Array], Array]) -> bool:
    """Return whether a change of all equally wide tables changes no answer.

    An answer that undergoes the same change counts as unchanged.
    """
    for inputs in trial_inputs(task):
        width = np.shape(inputs[argument])[-1:]
        moved = {
            name: move(value) if isinstance(value, np.ndarray) and value.shape[-1:] == width else value
            for name, value in inputs.items()
        }
        try:
            before, after = right_parts(task, inputs), right_parts(task, moved)
        except Exception:  # outside of the task's contract
            return False
        if not all(
            is_equal(new, old, same) or (old.shape[-1:] == width and is_equal(new, move(old), same))
            for new, old, same in zip(after, before, task.samenesses, strict=True)
        ):
            return False
    return True


def _cast_like(before: object, after: Array) -> Any:
    """Convert the result back to a number if the input was one.

    An integer stays an integer where the result is whole.
    """
    if isinstance(before, int):
        return int(after) if float(after).is_integer() else float(after)
    return float(after) if isinstance(before, float) else after


def _argument_mistakes(task: Task, inputs: Inputs) -> Iterator[Mistake]:
    reductions: dict[str, Callable[[Array], Any]] = {
        "itself": lambda A: A,
        "sum": np.sum,
        "mean": np.mean,
        "largest": np.max,
        "smallest": np.min,
        "count": np.size,
    }
    for argument, value in inputs.items():
        kinds = [same.kind for same in task.samenesses]
        if any(kinds):
            yield Mistake(f"given:{argument}:itself", _argument_of_kind(argument, kinds))
            continue
        if not isinstance(value, np.ndarray | int | float):
            continue
        for name in (
            slips.ARGUMENT_SENTENCES if isinstance(value, np.ndarray) and task.kind != "sym" else ("itself",)
        ):

            def gives(
                values: Inputs, right: Sequence[Array], argument: str = argument, name: str = name
            ) -> list[WrongPart]:
                return [
                    _call_safely(reductions[name], np.asarray(values[argument], dtype=float)) for _ in right
                ]

            yield Mistake(f"given:{argument}:{name}", gives)


def _argument_of_kind(
    argument: str, kinds: Sequence[Kind | None]
) -> Callable[[Inputs, Sequence[Array]], list[WrongPart]]:
    def gives(inputs: Inputs, right: Sequence[Array]) -> list[WrongPart]:
        return [kind.digest(inputs[argument]) if kind else None for kind in kinds]

    return gives


def _edits(task: Task, ways: Sequence[Callable[..., object]]) -> Iterator[Mistake]:
    numbers: dict[str, int] = {}
    inputs = trial_inputs(task)[0]
    for place, way in enumerate(_edited_ways(task, ways)):
        if not _is_quick(way, inputs):
            continue
        for mutant in mutants(way):
            if not slips.slip_sentence(f"edit:{mutant.word}"):
                continue  # there is no sentence for this edit
            if task.kind == "hand" and mutant.word not in slips.EDITS_BY_HAND:
                continue
            numbers[mutant.word] = numbers.get(mutant.word, 0) + 1
            name = f"edit:{mutant.word}#{numbers[mutant.word]}"
            yield Mistake(name, _parts_of_program(task, mutant.function), edit=(place, mutant.position))


def _edited_ways(task: Task, ways: Sequence[Callable[..., object]]) -> tuple[Callable[..., Any], ...]:
    return (*ways, task.answer, *(way for way in task.alternatives if callable(way)))


def _parts_of_program(
    task: Task, function: Callable[..., object]
) -> Callable[[Inputs, Sequence[Array]], Sequence[WrongPart]]:
    def gives(inputs: Inputs, right: Sequence[Array]) -> Sequence[WrongPart]:
        return parts_from(task, function, inputs)

    return gives


def _remake_edits(
    task: Task, ways: Sequence[Callable[..., object]], known: Mapping[str, EditIndex | None]
) -> Iterator[Mistake]:
    """Repeat recorded edits in the order of `_edits`."""
    names = {edit: name for name, edit in known.items() if edit}
    for place, way in enumerate(_edited_ways(task, ways)):
        positions = {position for number, position in names if number == place}
        for mutant in mutants(way, positions) if positions else ():
            edit = (place, mutant.position)
            yield Mistake(names[edit], _parts_of_program(task, mutant.function), edit=edit)


def _is_quick(way: Callable[..., object], inputs: Inputs) -> bool:
    import time

    # shortest CPU time of a few calls: a busy machine or a slow first call must not change the key
    for _ in range(TIMING_REPEATS):
        start = time.thread_time()
        try:
            call_quietly(way, inputs)
        except Exception:
            return False
        if time.thread_time() - start < MAX_EDIT_SECONDS:
            return True
    return False


def mistake_answer(mistake: Mistake, inputs: Inputs, right: Sequence[Array]) -> list[WrongPart]:
    """Return a mistake's answer on one case, None for each missing part.

    All parts are missing if it raises, exceeds the time limit, or returns another number of parts.
    """
    try:
        with cpu_time_limit(MISTAKE_TIMEOUT_SECONDS):
            parts = list(mistake.gives(inputs, right))
    except (Exception, TimeLimitError):  # a wrong program may crash or never end
        return [None] * len(right)
    return parts if len(parts) == len(right) else [None] * len(right)


def traces(task: Task, mistake: Mistake, inputs: Inputs, right: Sequence[Array]) -> Array:
    """Return a mistake's traces on one case, two numbers per part."""
    if mistake.indefinite is not None and mistake.indefinite(*arguments(inputs)):
        return np.full((len(right), 2), trace.UNDEFINED)
    rows = []
    for part, want, same in zip(
        mistake_answer(mistake, inputs, right), right, mistake.same or task.samenesses, strict=True
    ):
        rows.append(_trace(part, want, same, is_own=mistake.is_own))
    return np.array(rows)


def _trace(part: WrongPart, want: Array, same: Sameness, *, is_own: bool) -> Array:
    if part is None:
        return np.full(2, trace.RAISED)
    if is_own and trace.is_lost(part, want):
        return np.full(2, trace.CANCELLED)
    if not np.isfinite(part).all() or np.abs(part).max(initial=0.0) > MAX_MAGNITUDE:
        return np.full(2, trace.RAISED)
    if float(np.abs(part).max(initial=0.0)) <= ANSWER_NOISE_RATIO * float(np.abs(want).max(initial=0.0)):
        part = np.zeros_like(part)  # rounding errors differ from machine to machine
    form = forms.ExpectedForm((want.shape,), free_columns=(same.free_columns,))
    fitted = forms.reshape_to_expected(part, form, want.shape, free_columns=same.free_columns)
    try:
        quantity = trace.quantity_of(fitted, same)
    except ValueError:
        return np.full(2, trace.RAISED)
    return trace.round_traces(trace.trace(quantity), float(np.linalg.norm(quantity)))


def right_parts(task: Task, inputs: Inputs) -> tuple[Array, ...]:
    """Return the parts of the reference's answer."""
    return parts_from(task, task.answer, inputs)


def _distinct_mistakes(task: Task, candidates: list[Mistake]) -> Iterator[Mistake]:
    """Yield mistakes that are wrong, definite and new on the trial draws.

    Of several that always agree, only the first is kept.
    """
    cases = trial_inputs(task)
    rights = [right_parts(task, inputs) for inputs in cases]
    known = [_tables(task, mistake, cases, rights) for mistake in own_mistakes(task)]
    known.append(_tables(task, Mistake("the:right", lambda inputs, right: right), cases, rights))
    number = 0
    for mistake in candidates:
        if number == MAX_MISTAKES_PER_TASK:
            return
        table = _tables(task, mistake, cases, rights)
        if np.isneginf(table).all() or _equal_tables(np.array(known), table).any():
            continue
        if not _is_definite(task, mistake, cases, rights, table):
            continue
        known.append(table)
        number += 1
        yield mistake


def _tables(
    task: Task, mistake: Mistake, cases: Sequence[Inputs], rights: Sequence[Sequence[Array]]
) -> Array:
    return np.array([traces(task, mistake, *pair) for pair in zip(cases, rights, strict=True)])


def _equal_tables(tables: Array, table: Array) -> NDArray[np.bool_]:
    """Return for each table whether it equals `table`."""
    with np.errstate(invalid="ignore"):  # infinities mark missing answers and are compared by ==
        close: Any = np.abs(tables - table) <= 1e-5 * np.maximum(np.abs(tables), np.abs(table))
    same: Any = np.where(
        np.isfinite(tables) & np.isfinite(table),
        close,
        (tables == table) | (np.isnan(tables) & np.isnan(table)),
    )
    agree: NDArray[np.bool_] = same.reshape(len(tables), -1).all(axis=1)
    return agree


def is_equal(part: Array, want: Array, same: Sameness) -> bool:
    """Return whether a part equals the expected part up to its sameness."""
    try:
        return discrepancy(part, want, same) <= 1e-6
    except ValueError:
        return False


def _is_definite(
    task: Task, mistake: Mistake, cases: Sequence[Inputs], rights: Sequence[Sequence[Array]], table: Array
) -> bool:
    """Return whether perturbed inputs and another library give the same answer."""
    if mistake.name.startswith(("answer:", "parts:", "given:")):
        return True
    rng = np.random.default_rng(5)
    nudged = [{name: _nudge(value, rng) for name, value in inputs.items()} for inputs in cases]
    with patched_linalg(7):
        return bool(_equal_tables(_tables(task, mistake, nudged, rights)[None], table)[0])


def _nudge(value: object, rng: np.random.Generator) -> Any:
    """Change the last digits of an array; whole numbers stay."""
    if (
        isinstance(value, np.ndarray)
        and value.dtype.kind == "f"
        and not np.array_equal(value, np.rint(value))
    ):
        return value * (1 + 1e-11 * rng.standard_normal(value.shape))
    return value
