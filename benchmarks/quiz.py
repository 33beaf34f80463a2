"""Compare verdicts of exported quizzes on foreseen answers with those of the notebook.

    python -m benchmarks.quiz                            # every hand task, three variants, every format
    python -m benchmarks.quiz --variants 20 --formats qti21

A reader of each format computes verdict, points and feedback from the file alone. The columns count the answers (right
ways and misconceptions, over all variants), and those with the same verdict, the same points, the own hint, and no
other hint beside it.
"""

import argparse
from pathlib import Path

from autograder.course.course import Course
from autograder.quiz.agreement import agreement_table, count_line
from autograder.quiz.export import export_quiz
from autograder.quiz.formats import FORMATS
from autograder.release.practice import hand_tasks

COURSE = Course(Path(__file__).resolve().parents[1])


def main() -> None:
    """Print a table for each format."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--variants", type=int, default=3)
    parser.add_argument("--formats", nargs="*", default=list(FORMATS), choices=list(FORMATS))
    options = parser.parse_args()
    topics = [topic for topic in COURSE.topics() if hand_tasks(COURSE, topic)]
    for kind in options.formats:
        quiz = export_quiz(COURSE, topics, kind, options.variants, COURSE.public_seed)
        print(f"\n{kind}: {len(quiz.questions)} questions, {len(quiz.content):,} bytes")
        for name, reason in quiz.left_out.items():
            print(f"left out: {name} {reason}")
        print(agreement_table(quiz.agreements))
        print(count_line(quiz.agreements))


if __name__ == "__main__":
    main()
