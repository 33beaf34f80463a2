"""Crawl a site that was built for publication: `python -m tests.crawl _build/html https://example.org/course`.

Every fault is a line: a link or an address of the site that leads nowhere, a page without its tags, a file at the root
that is missing or says something else than the pages, a mention of the machine on which the book was built.
"""

import io
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urljoin, urlsplit

from bs4 import BeautifulSoup

HERE = re.compile(r"https?://(?:127\.0\.0\.1|localhost)\b")
TEXTS = {".html", ".ipynb", ".json", ".md", ".txt", ".xml", ".toml", ".cfg", ".webmanifest"}
# What other projects wrote: their code may speak of a local address.
OTHERS = ("_static/live/", "lite/build/", "lite/extensions/", "lite/static/", "_static/scripts/")
GUIDES = re.compile(
    r"(?:_sources/)?book/instructor_hub\."
)  # it tells of a server on the instructor's machine
SHORTEST = 30  # characters of a description
PNG = b"\x89PNG\r\n\x1a\n"
GRAPH = ("og:title", "og:description", "og:type", "og:site_name", "og:url", "og:image", "og:image:alt")


class Crawl:
    """A built site, the address for which it was built, and the faults that were seen."""

    def __init__(self, site: Path, address: str) -> None:
        self.site, self.address = site.resolve(), address.rstrip("/")
        self.pages = {
            path.relative_to(self.site).as_posix(): BeautifulSoup(path.read_text("utf-8"), "html.parser")
            for path in sorted(self.site.rglob("*.html"))
            if not path.relative_to(self.site).as_posix().startswith(("lite/", "_static/"))
        }
        self.anchors = {
            name: {tag["id"] for tag in page.select("[id]")} | {tag["name"] for tag in page.select("a[name]")}
            for name, page in self.pages.items()
        }
        self.n_links = 0

    def faults(self) -> Iterator[str]:
        """Yield every fault of the site."""
        for name, page in self.pages.items():
            for fault in (*self._links(name, page), *self._head(name, page)):
                yield f"{name}: {fault}"
        yield from self._root()
        yield from self._inventory()
        yield from self._notebooks()
        yield from self._this_machine()

    @property
    def contents(self) -> set[str]:
        """Return the pages that a reader reads."""
        return {name for name in self.pages if name.startswith("book/")}

    def _links(self, name: str, page: BeautifulSoup) -> Iterator[str]:
        base = page.base["href"] if page.base and page.base.get("href") else ""
        here = urljoin(f"{self.address}/{name}", base)
        tags = [
            (tag, tag[attribute]) for attribute in ("href", "src") for tag in page.select(f"[{attribute}]")
        ]
        for meta in page.select("meta[http-equiv]"):
            if meta["http-equiv"].lower() == "refresh":
                tags.append((meta, meta["content"].partition("url=")[2]))
        for tag, link in tags:
            if tag.name != "base" and (fault := self._leads_nowhere(here, link)):
                yield f"{tag.name} {link!r} {fault}"

    def _leads_nowhere(self, here: str, link: str) -> str:
        """Return what is wrong with a link; empty if it leads to a place, or to another site by https."""
        self.n_links += 1
        target = urljoin(here, link)
        parts = urlsplit(target)
        if parts.scheme in ("data", "mailto", "vscode"):
            return ""
        if not target.startswith(f"{self.address}/"):
            same_host = parts.netloc == urlsplit(self.address).netloc
            is_open = parts.scheme == "https" and not same_host and not HERE.search(target)
            return "" if is_open else "leads out of the site"
        path = unquote(target.removeprefix(f"{self.address}/").partition("#")[0].partition("?")[0])
        place = path + "index.html" if not path or path.endswith("/") else path
        if not (self.site / place).is_file():
            return "leads to no file"
        fragment = unquote(parts.fragment)
        if fragment and place in self.anchors and fragment not in self.anchors[place]:
            return "leads to no place of its page"
        return ""

    def _head(self, name: str, page: BeautifulSoup) -> Iterator[str]:
        """Yield what is wrong with the head of a page."""
        if page.head is None:
            yield "has no head"
            return
        if len(page.select('meta[name="viewport"]')) != 1:
            yield "does not have one viewport tag"
        if not (page.title and page.title.get_text().strip()):
            yield "has no title"
        if name not in {"404.html", "search.html"}:
            yield from self._canonical(name, page)
        if name in {*self.contents, "index.html"}:
            yield from self._description(page)

    def _canonical(self, name: str, page: BeautifulSoup) -> Iterator[str]:
        found = [tag["href"] for tag in page.select('link[rel="canonical"]')]
        leads_on = name == "index.html" or name.startswith("go/")
        is_own = found == [f"{self.address}/{name}"]
        is_open = len(found) == 1 and not self._leads_nowhere(f"{self.address}/", found[0])
        if not (is_open if leads_on else is_own):
            yield f"has the canonical addresses {found}"

    def _description(self, page: BeautifulSoup) -> Iterator[str]:
        found = [tag["content"] for tag in page.select('meta[name="description"]')]
        if len(found) != 1 or len(found[0]) < SHORTEST:
            yield f"has the descriptions {found}"
        for key in GRAPH:
            if len([tag for tag in page.select(f'meta[property="{key}"]') if tag["content"]]) != 1:
                yield f"does not have one {key}"
        for tag in page.select('meta[property="og:image"]'):
            path = self.site / tag["content"].removeprefix(f"{self.address}/")
            if not path.is_file() or path.read_bytes()[:8] != PNG:
                yield f"shows no picture at {tag['content']}"

    def _root(self) -> Iterator[str]:
        tree = ElementTree.parse(self.site / "sitemap.xml")
        listed = [element.text for element in tree.iter() if element.tag.endswith("loc")]
        expected = {f"{self.address}/{name}" for name in self.contents}
        for address in expected ^ set(listed):
            yield f"sitemap.xml and the pages differ in {address}"
        if f"Sitemap: {self.address}/sitemap.xml" not in (self.site / "robots.txt").read_text("utf-8"):
            yield "robots.txt does not name the sitemap"
        texts = re.findall(r"\]\((\S+?)\)", (self.site / "llms.txt").read_text("utf-8"))
        for address in {f"{self.address}/{name.removesuffix('.html')}.md" for name in self.contents} ^ set(
            texts
        ):
            yield f"llms.txt and the pages differ in {address}"
        for address in texts:
            path = self.site / address.removeprefix(f"{self.address}/")
            if not path.is_file() or not path.read_text("utf-8").startswith("# "):
                yield f"llms.txt names {address}, where no page stands as Markdown"

    def _inventory(self) -> Iterator[str]:
        head = (self.site / "objects.inv").read_bytes().split(b"\n", 4)
        if b"not set" in head[1] or head[2].strip() == b"# Version:":
            yield "objects.inv has no name or no version"
        for row in zlib.decompress(head[4]).decode().splitlines():
            object_name, _, rest = row.partition(" ")
            place = re.match(r".*?\s-?\d+\s(\S+)\s", f"{object_name} {rest}")
            fault = (
                self._leads_nowhere(f"{self.address}/", place[1].replace("$", object_name)) if place else "?"
            )
            if fault:
                yield f"objects.inv: {row!r} {fault}"

    def _notebooks(self) -> Iterator[str]:
        """Yield links of notebooks to this site that lead nowhere, in folders and in archives."""
        for name, data in self._files():
            if not name.endswith(".ipynb"):
                continue
            for cell in json.loads(data)["cells"]:
                for link in re.findall(rf"{re.escape(self.address)}[^\s)\"'`\]]*", "".join(cell["source"])):
                    is_folder_of_keys = (
                        "/keys/" in link and (self.site / link.removeprefix(f"{self.address}/")).is_dir()
                    )
                    if not is_folder_of_keys and (fault := self._leads_nowhere(f"{self.address}/", link)):
                        yield f"{name}: {link} {fault}"

    def _this_machine(self) -> Iterator[str]:
        for name, data in self._files():
            if name.startswith(OTHERS) or GUIDES.match(name) or PurePosixPath(name).suffix not in TEXTS:
                continue
            if found := HERE.search(data.decode("utf-8", "replace")):
                yield f"{name} names {found[0]}"

    def _files(self) -> Iterator[tuple[str, bytes]]:
        """Yield every file of the site, and every file in its archives and wheels."""
        for path in sorted(self.site.rglob("*")):
            if path.is_file():
                name, data = path.relative_to(self.site).as_posix(), path.read_bytes()
                yield name, data
                if path.suffix in (".zip", ".whl"):
                    with zipfile.ZipFile(io.BytesIO(data)) as packed:
                        for inner in packed.namelist():
                            yield f"{name}!{inner}", packed.read(inner)


def main(site: str, address: str) -> int:
    """Print every fault, then the sizes; return how a program ends."""
    crawl = Crawl(Path(site), address)
    faults = list(crawl.faults())
    for fault in faults:
        print(fault)
    print(f"{len(crawl.pages)} pages, {crawl.n_links} links, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
