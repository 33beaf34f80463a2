"""Show quick questions on paper: text, items, answer box, and the letters of the marking key."""

from autograder.authoring.question_cells import how_to_answer_on_paper
from autograder.judging.question import QuickQuestion, describe_picture
from autograder.release.prose import prose_html, prose_inline


def quick_question_html(question: QuickQuestion, below: str = "") -> str:
    """Return text, items and answer box of a question; `below` is Markdown between items and box."""
    return (
        f"{prose_html(question.text)}{_picture(question.figure, 'The data: ')}"
        f"<p>{how_to_answer_on_paper(question)}</p>"
        f'<ul class="{_list_class(question)}">{_items(question)}</ul>{prose_html(below)}'
        f'<div class="answer"><span class="label">{_form(question)}</span>'
        f'<span class="room" style="height: 1.6em"></span></div>'
    )


def _form(question: QuickQuestion) -> str:
    if question.kind == "order":
        return "Your answer: letters in a right order"
    return (
        "Your answer: one or more letters"
        if question.several or question.kind == "fault"
        else "Your answer: one letter"
    )


def _picture(uri: str, words: str) -> str:
    return f'<p><img src="{uri}" alt="{words}{describe_picture(uri)}"></p>' if uri else ""


def _list_class(question: QuickQuestion) -> str:
    return "pictures" if any(item.picture for item in question.items.values()) else "items"


def _items(question: QuickQuestion) -> str:
    return "".join(
        f"<li><b>{letter}</b> {_shown(item.text, item.is_code)}{_picture(item.picture, f'{letter}: ')}</li>"
        for letter, item in question.items.items()
    )


def _shown(text: str, is_code: bool) -> str:
    if is_code and "\n" in text:
        return prose_html(f"```python\n{text}\n```")
    return prose_inline(f"`{text}`" if is_code else text)


def quick_key_html(question: QuickQuestion, points: float) -> str:
    """Return the right letters with what a blind guess earns, and why each other letter is wrong."""
    rows = "".join(
        f"<tr><td><b>{letter}</b></td><td>{_reason(question, letter)}</td></tr>" for letter in question.items
    )
    others = " or another order that the table allows" if question.n_orders > 1 else ""
    return (
        f"<p>Right: <strong>{' '.join(question.right)}</strong>{others}, all or nothing: {points:g}. "
        f"A blind guess earns at most {points * question.guessing:.2g} on average; "
        f"taking off {points * question.penalty:.2g} for a wrong answer makes it nothing.</p>"
        f"<table><tr><th>Letter</th><th>Why</th></tr>{rows}</table>"
    )


def _reason(question: QuickQuestion, letter: str) -> str:
    item = question.items[letter]
    if not item.is_right:
        return prose_inline(item.hint)
    return f"right; after {', '.join(item.after)}" if item.after else "right"
