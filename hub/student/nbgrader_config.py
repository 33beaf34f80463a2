"""What nbgrader must know in a student's server and terminal: the hub says it (jupyterhub_config.py)."""

import os

c = get_config()  # noqa: F821  (nbgrader provides it)
c.CourseDirectory.course_id = os.environ["DIMRED_COURSE_ID"]
c.Exchange.root = os.environ["DIMRED_EXCHANGE"]
