"""The data clinic as a reader uses it: files of their own, results on the page, nothing sent anywhere."""

import csv
import json
import re

import numpy as np
import pytest
from sklearn.datasets import load_wine

from dimred_ref.clinic.session import Session, answer
from tests.browser.accessibility import violations
from tests.browser.clinic_site import build_clinic
from tests.browser.live import PATIENCE, LivePage

pytestmark = pytest.mark.browser

WINE = load_wine()
GERMAN = "\r\n".join(
    ";".join(cells)
    for cells in [
        ["", *(name.replace("/", " ") for name in WINE.feature_names), "cultivar"],
        *(
            [f"wine {i}", *(str(value).replace(".", ",") for value in row), "abc"[label]]
            for i, (row, label) in enumerate(zip(WINE.data, WINE.target, strict=True))
        ),
    ]
).encode("latin-1")
OVER = """() => {
  const clinic = document.querySelector(".clinic");
  return !clinic.matches("[aria-busy=true]") && clinic.querySelector(".status").textContent;
}"""


@pytest.fixture(scope="module")
def address(serve, why_not_live, tmp_path_factory):
    if why_not_live:
        pytest.skip(f"the files of live pages cannot be had: {why_not_live}")
    return f"{serve(build_clinic(tmp_path_factory.mktemp('clinic')))}/book/clinic.html"


class Clinic(LivePage):
    """The open page."""

    def read(self, name, content):
        self.page.evaluate("document.querySelector('.clinic .status').textContent = ''")
        self.page.locator(".clinic input[type=file]").set_input_files(
            {"name": name, "mimeType": "text/csv", "buffer": content}
        )
        return self.ended()  # a file may be refused before anyone sees that the page was busy

    def press(self, name):
        self.page.locator(".clinic").get_by_role("button", name=name).click()

    def ended(self):
        self.page.wait_for_function(OVER, timeout=PATIENCE)
        return self.page.locator(".clinic .status").inner_text()


@pytest.fixture(scope="module")
def clinic(chromium, address):
    context = chromium.new_context(viewport={"width": 390, "height": 900}, service_workers="block")
    context.set_default_timeout(PATIENCE)
    clinic = Clinic(context.new_page())
    clinic.listen()
    clinic.bodies = []
    context.on("request", lambda request: clinic.bodies.append((request.method, request.post_data)))
    clinic.go(address)
    clinic.page.locator(".clinic.is-live").wait_for()
    yield clinic
    context.close()


def test_nothing_is_fetched_before_a_file_comes(clinic):
    assert not [url for url in clinic.requests if re.search(r"\.(wasm|whl|zip)$", url)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"PK\x03\x04...", "workbook"),
        (b"x\n1\n2\n3\n4\n5\n", "one column of numbers"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_one_line(clinic, content, words):
    told = clinic.read("table.csv", content)
    assert words in told
    assert "\n" not in told
    assert clinic.page.locator(".clinic table").count() == 0


def test_a_file_that_is_too_large_is_refused_before_it_is_read(clinic):
    clinic.page.evaluate("""() => {
      const file = new File(["1,2"], "large.csv");
      Object.defineProperty(file, "size", { value: 3e9 });
      file.arrayBuffer = () => { throw new Error("it was read"); };
      const event = new Event("drop", { bubbles: true, cancelable: true });
      event.dataTransfer = { files: [file] };
      document.querySelector(".clinic .drop").dispatchEvent(event);
    }""")
    assert "more than 30 MB" in clinic.ended()


def test_an_analysis_can_be_stopped_and_what_was_computed_stays(clinic):
    assert "decimal comma" in clinic.read("wine.csv", GERMAN)
    clinic.press("Analyse")
    clinic.page.locator(".clinic section", has_text="Principal components").wait_for()
    clinic.page.locator(".clinic input[type=file]").set_input_files(
        {"name": "other.csv", "mimeType": "text/csv", "buffer": b"a,b"}
    )
    assert "running: stop it first" in clinic.page.locator(".clinic .status").inner_text()
    clinic.press("Stop")
    assert "Stopped" in clinic.ended()
    assert clinic.page.locator(".clinic section", has_text="Principal components").count() == 1
    assert clinic.page.locator(".clinic .findings").count() == 0


def test_the_page_shows_the_numbers_of_the_same_analysis_on_the_desktop(clinic):
    assert "178 rows" in clinic.read("wine.csv", GERMAN)
    clinic.press("Analyse")
    assert clinic.ended() == "Done."
    session = Session()
    report = json.loads(answer(json.dumps({"step": "report", "file": "wine.csv"}), GERMAN, session))
    page = clinic.page
    shown = [item.inner_text() for item in page.locator(".clinic .findings li").all()]
    assert len(shown) == len(report["findings"])
    assert all(
        re.sub(r"[\d.e-]+", "#", finding["words"]) in re.sub(r"[\d.e-]+", "#", text)
        for finding, text in zip(report["findings"], shown, strict=True)
    )
    assert page.locator(".clinic .map svg").count() == 9
    with page.expect_download() as waiting:
        page.get_by_text("Coordinates of all maps").click()
    rows = list(csv.DictReader(waiting.value.path().read_text("utf-8").splitlines()))
    assert rows[0]["row"] == "wine 0"
    expected = json.loads(answer(json.dumps({"step": "map", "map": "Isomap"}), GERMAN, session))
    coordinates = np.array(
        [[float(rows[row]["Isomap 1"]), float(rows[row]["Isomap 2"])] for row in expected["rows"]]
    )
    np.testing.assert_allclose(np.abs(coordinates), np.abs(expected["embedding"]), atol=1e-4)
    with page.expect_download() as waiting:
        page.get_by_text("The Python that repeats this").click()
    assert waiting.value.path().read_text("utf-8") == report["script"]


def test_the_results_break_no_rule_of_access_and_fit_a_phone(clinic):
    assert violations(clinic.page) == []
    assert clinic.page.evaluate("document.documentElement.scrollWidth") <= 390
    clinic.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert violations(clinic.page) == []


def test_nothing_leaves_the_browser(clinic, address):
    site = address.partition("/book/")[0]
    assert clinic.foreign(site) == []
    assert {method for method, _ in clinic.bodies} == {"GET"}
    assert not any(body for _, body in clinic.bodies)
    assert not any(
        "wine" in url or "?" in url.partition(site)[2] for url in clinic.requests if "_static" not in url
    )
    assert clinic.page.evaluate("[localStorage.length, sessionStorage.length]")[1] == 0
    assert clinic.errors == []
