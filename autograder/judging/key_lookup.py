"""Find the public key of a notebook on disk, inside it, or online.

A kernel does not know which notebook it runs. So the notebook is looked for in the places that Jupyter, VS Code and
Colab name, and in the working directory. These places differ between versions, so none of them is required.
"""

import base64
import json
import os
import sys
import zlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from autograder.errors import BadKeyError
from autograder.judging.key import Key, load_key, read_key
from autograder.judging.notebook_identity import identity_of
from autograder.program import ENGINE

# Variables with the address of the folder of keys, which notebooks made for elsewhere set. The second is an older name.
KEY_FOLDERS = ("COURSE_KEYS", "DIMRED_KEYS")
DOWNLOAD_TIMEOUT_SECONDS = 10
MAX_KEY_BYTES = 8_000_000  # keys of this course have some hundred thousand


def find_key(topic: str) -> Key:
    """Return the key of the topic; BadKeyError says where to get it."""
    for folder in _folders():
        if (folder / f"{topic}.key.json").is_file():
            return read_key(folder / f"{topic}.key.json")
    return _key_of(list(_notebooks(topic)), topic)


def _key_of(notebooks: list[Mapping[str, Any]], topic: str) -> Key:
    """Return the key that a notebook contains, or its published key."""
    for identity in notebooks:
        if isinstance(identity.get("key"), str):
            return _parse(_unpack(identity["key"]), f"the key inside the notebook of {topic}")
    for address in _addresses(topic, notebooks):
        text = _fetch(address)
        if text:
            return _parse(text, address)
    raise BadKeyError(_where_to_get_it(topic, notebooks))


def key_of_notebook(path: Path, notebook: object, topic: str) -> Key:
    """Return the key in the notebook's folder, inside it, or online."""
    if (path.parent / f"{topic}.key.json").is_file():
        return read_key(path.parent / f"{topic}.key.json")
    return _key_of([*_identities_of_topic(notebook, topic)], topic)


def _folders() -> Iterator[Path]:
    """Yield the folders that may hold a key.

    They are the working directory and those of the notebook and the script.
    """
    yield Path.cwd()
    for path in _notebook_paths():
        yield path.parent
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    if script:
        yield Path(script).resolve().parent


def _notebook_paths() -> Iterator[Path]:
    """Yield the notebook paths that Jupyter's server and VS Code name."""
    shell = _shell()
    candidates = [
        os.environ.get("JPY_SESSION_NAME"),
        shell.user_ns.get("__vsc_ipynb_file__") if shell is not None else None,
    ]
    for name in candidates:
        if isinstance(name, str) and name.endswith(".ipynb") and Path(name).is_file():
            yield Path(name).resolve()


def _shell() -> Any:
    """Return the running IPython, or None."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


def _notebooks(topic: str) -> Iterator[Mapping[str, object]]:
    """Yield the identities of notebooks of a topic, the likeliest first."""
    for path in _notebook_paths():
        yield from _identities_of_topic(_read(path), topic)
    yield from _identities_of_topic(_from_colab(), topic)
    identities = [
        identity
        for path in sorted(Path.cwd().glob("*.ipynb"))
        for identity in _identities_of_topic(_read(path), topic)
    ]
    if (
        len({identity.get("seed") for identity in identities}) == 1
    ):  # with two variants in the folder, either could be open
        yield from identities


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError):
        return None


def _from_colab() -> object:
    """Return the notebook that Colab shows, which has no file; else None."""
    if "google.colab" not in sys.modules:
        return None
    try:
        # by name: an import statement would list it among the packages that an assignment needs
        message = import_module("google.colab._message")
        return message.blocking_request("get_ipynb", request="", timeout_sec=DOWNLOAD_TIMEOUT_SECONDS)[
            "ipynb"
        ]
    except Exception:  # a private module of Colab, which may change: then the key comes from the book
        return None


def _identities_of_topic(notebook: object, topic: str) -> Iterator[Mapping[str, object]]:
    """Yield the identity of a notebook, if it has this topic."""
    identity = identity_of(notebook)
    if identity is not None and identity["topic"] == topic:
        yield identity


def _unpack(packed: str) -> str:
    """Return the text of a key; a few kilobytes may unpack to gigabytes, which are not read."""
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(base64.b64decode(packed), MAX_KEY_BYTES)
        if not unpacking.eof:
            raise ValueError(f"incomplete, or more than {MAX_KEY_BYTES} bytes")
        return data.decode()
    except (ValueError, zlib.error) as error:
        raise BadKeyError(
            f"the key inside the notebook is damaged ({error}): download the notebook again"
        ) from None


def _parse(text: str, place: str) -> Key:
    try:
        return load_key(text)
    except BadKeyError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise BadKeyError(f"{place} is damaged ({error}): download the assignment's files again") from None


def _addresses(topic: str, notebooks: list[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the addresses where this variant's key may be published.

    A key of another variant has other numbers and would judge wrongly.
    """
    for folder in filter(None, map(os.environ.get, KEY_FOLDERS)):
        yield f"{folder.rstrip('/')}/{topic}.key.json"
    for identity in notebooks:
        if isinstance(identity.get("book"), str) and isinstance(identity.get("seed"), str):
            yield f"{identity['book'].rstrip('/')}/keys/{identity['seed']}/{topic}.key.json"


@cache
def _fetch(address: str) -> str:
    """Return the text at an address; empty if it cannot be fetched."""
    if not address.startswith(("https://", "http://")) or sys.platform == "emscripten":
        return ""
    from urllib.request import urlopen

    try:
        with urlopen(address, timeout=DOWNLOAD_TIMEOUT_SECONDS) as response:
            return str(response.read(MAX_KEY_BYTES).decode("utf-8"))
    except (OSError, ValueError):
        return ""


def _where_to_get_it(topic: str, notebooks: list[Mapping[str, Any]]) -> str:
    books = [ours["book"] for ours in notebooks if isinstance(ours.get("book"), str)]
    address = next((book.rstrip("/") for book in (*books, *_known_books()) if book), "")
    place = (
        f"{address}/book/assignments/{topic}.html" if address else "the archive in which you got the notebook"
    )
    missing = f"{topic}.key.json is missing: it belongs beside the notebook of this assignment"
    return f"{missing}; take it from {place}"


def _known_books() -> Iterator[str]:
    """Yield addresses of the book: from the environment, and from pip's note of an installation."""
    yield os.environ.get("COURSE_BOOK_URL", "")
    try:
        package = metadata.distribution(ENGINE)
        installed_from = json.loads(package.read_text("direct_url.json") or "{}").get("url", "")
    except (metadata.PackageNotFoundError, ValueError):
        return
    site, folder, _ = str(installed_from).partition("/install/")
    if folder and site.startswith("http"):
        yield site
