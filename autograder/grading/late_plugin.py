"""A penalty for nbgrader's late-submission plugin: each begun day costs a share of the points."""

import math

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

DAY = 86400


class SharePerDay(LateSubmissionPlugin):  # type: ignore[misc]
    """Each begun day costs the same share of the points that were earned, until nothing is left."""

    share = Float(0.0, help="what each begun day costs, as a share of the points earned").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """The points that are taken off."""
        days = math.ceil(total_seconds_late / DAY)
        return float(round(min(1.0, self.share * days) * score, 2))
