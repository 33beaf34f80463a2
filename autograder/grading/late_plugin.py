"""nbgrader plugin for late penalties per begun day."""

import math

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

SECONDS_PER_DAY = 86400


class SharePerDay(LateSubmissionPlugin):  # type: ignore[misc]
    """Subtract a fixed share of the earned points for each begun day."""

    share = Float(0.0, help="what each begun day costs, as a share of the points earned").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """Return the points to subtract, at most the score."""
        days = math.ceil(total_seconds_late / SECONDS_PER_DAY)
        return round(min(1.0, float(self.share) * days) * score, 2)
