"""IMS content packages: a manifest and files in an archive with the same bytes on every machine."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from autograder.quiz.xml import add, to_bytes

PACKAGE_NAMESPACE = "http://www.imsglobal.org/xsd/imscp_v1p1"
EARLIEST_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that an archive can record


@dataclass(frozen=True)
class Resource:
    """A file of a package, its type, and the resources that it needs."""

    identifier: str
    kind: str
    path: str
    content: bytes
    needs: Sequence[str] = ()


def content_package(schema: tuple[str, str], resources: Sequence[Resource]) -> bytes:
    """Return the archive of these resources; `schema` is the name and version in the manifest."""
    root = Element("manifest", {"xmlns": PACKAGE_NAMESPACE, "identifier": "quiz-manifest"})
    metadata = add(root, "metadata")
    add(metadata, "schema", schema[0])
    add(metadata, "schemaversion", schema[1])
    add(root, "organizations")
    listed = add(root, "resources")
    for resource in resources:
        element = add(
            listed, "resource", identifier=resource.identifier, type=resource.kind, href=resource.path
        )
        add(element, "file", href=resource.path)
        for other in resource.needs:
            add(element, "dependency", identifierref=other)
    files = {"imsmanifest.xml": to_bytes(root)} | {item.path: item.content for item in resources}
    return archive(files)


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return an archive whose bytes depend on these files alone."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, EARLIEST_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, content)
    return target.getvalue()
