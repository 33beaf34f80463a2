"""A JupyterHub for this course, on one machine: people log in with their own accounts, and nbgrader is set up for them.

`jupyterhub --config jupyterhub_config.py`, run by root, reads it; book/instructor_hub.md has every step. Whoever owns
the course's folder teaches. Whoever is in the Unix group named like the course (`course_id` in course.toml) studies.
"""

import os
import sys
from pathlib import Path

from autograder.course.course import Course

HERE = Path(__file__).resolve().parent
COURSE = Course(Path(os.environ.get("DIMRED_COURSE", "/srv/course")))
NAME = str(COURSE.settings["course_id"])
TEACHER = COURSE.root.owner()
STATE = HERE / "state"  # the hub's own: who is logged in, and with which cookies
STATE.mkdir(mode=0o700, exist_ok=True)

c = get_config()  # noqa: F821  (JupyterHub provides it)

# This machine only: let a web server with a certificate stand in front of it, or set c.JupyterHub.ssl_key and ssl_cert.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.db_url = f"sqlite:///{STATE / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(STATE / "cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(STATE / "proxy.pid")
c.ConfigurableHTTPProxy.command = [str(HERE / "node_modules" / ".bin" / "configurable-http-proxy")]

c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.allowed_groups = {NAME}
c.Authenticator.allowed_users = {TEACHER}

# Everyone's notebooks run with the Python that runs the hub, each as their own account.
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
SERVER = [sys.executable, "-P", "-m", "jupyterhub.singleuser"]  # -P: what lies in the folder is not imported
c.Spawner.cmd = SERVER
c.Spawner.default_url = "/lab"
# A login shell, as Jupyter would start it here, forgets the PATH that is set below.
c.Spawner.args = ["--ServerApp.terminado_settings=shell_command=/bin/bash"]


def set_up(spawner):
    """Tell nbgrader where the course is: to the teacher its folder, to a student its name and the exchange."""
    spawner.environment["PATH"] = os.pathsep.join(
        [str(Path(sys.executable).parent), "/usr/local/bin:/usr/bin:/bin"]
    )
    if spawner.user.name == TEACHER:
        spawner.notebook_dir = str(COURSE.root)  # formgrader opens only what lies below it
        spawner.cmd = ["/usr/bin/env", f"--chdir={COURSE.root}", *SERVER]  # where a terminal starts
        spawner.environment["JUPYTER_CONFIG_PATH"] = f"{COURSE.root}{os.pathsep}{HERE / 'teacher'}"
    else:
        spawner.environment["JUPYTER_CONFIG_PATH"] = str(HERE / "student")
        spawner.environment["DIMRED_COURSE_ID"] = NAME
        spawner.environment["DIMRED_EXCHANGE"] = str(COURSE.exchange)


c.Spawner.pre_spawn_hook = set_up
