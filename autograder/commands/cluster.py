"""The verb `cluster`: grade on several machines."""

import argparse
from pathlib import Path

from autograder.commands.common import AddVerb
from autograder.terminal import print


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    parser = verb("cluster", cluster)
    actions = parser.add_subparsers(required=True, dest="action", metavar="certificates|scheduler|worker")
    actions.add_parser("certificates", description="Make the certificates of a new cluster.").add_argument(
        "certificates", type=Path, metavar="FOLDER"
    )
    parser = actions.add_parser("scheduler", description="Start the scheduler of a cluster.")
    parser.add_argument(
        "--host", default="0.0.0.0", help="address to listen on (default: all of this machine)"
    )
    parser.add_argument("--port", type=int, default=8786, help="default %(default)d")
    parser.add_argument("--certificates", type=Path, metavar="FOLDER", required=True)
    parser = actions.add_parser("worker", description="Start workers on this machine.")
    parser.add_argument("address", help="of the scheduler, such as tls://10.0.0.1:8786")
    parser.add_argument("--workers", type=int, help="submissions run side by side (default: one per core)")
    parser.add_argument("--certificates", type=Path, metavar="FOLDER", required=True)


def cluster(options: argparse.Namespace) -> None:
    """Grade on several machines: make certificates, start the scheduler, start workers."""
    from autograder.grading import cluster_processes as processes
    from autograder.grading.certificates import make_certificates

    if options.action == "certificates":
        make_certificates(options.certificates)
        print(f"{options.certificates}: copy it to the cluster's machines; who holds it can run code on them")
    elif options.action == "scheduler":
        processes.run_scheduler(options.certificates, options.host, options.port)
    else:
        processes.run_worker(options.certificates, options.address, options.workers)
