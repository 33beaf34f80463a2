"""A live cell as a reader handles it, for the tests."""

from dataclasses import dataclass, field

PATIENCE = (
    120_000  # milliseconds: machines differ, and a cell that never ends should fail the test, not stop it
)


@dataclass
class LivePage:
    """A page with live cells that was opened, and what it asked for and complained of."""

    page: "playwright.sync_api.Page"  # noqa: F821 - imported only where Chromium is
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def listen(self):
        # the context hears workers, too
        self.page.context.on("request", lambda request: self.requests.append(request.url))
        self.page.context.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _hear(self, line):
        if line.type == "error":
            self.errors.append(line.text)

    def go(self, address):
        """Open a page, and leave its scripts half a second for what they ask for unbidden."""
        self.page.goto(address)
        self.page.wait_for_timeout(500)

    def foreign(self, site):
        return [url for url in self.requests if not url.startswith((site, "data:", f"blob:{site}"))]

    def cell(self, task):
        return LiveCell(self.page, task)


class LiveCell:
    """One task on the page."""

    def __init__(self, page, task):
        self.page = page
        self.task = task
        self.block = page.locator(f'.live[data-task="{task}"]')

    def open(self):
        """Focus the editor, which replaces the plain field at the first touch."""
        self.block.locator("textarea, .cm-content").first.click()
        self.block.locator(".cm-content").wait_for(timeout=PATIENCE)
        self.block.locator(".cm-content").focus()

    def write(self, code):
        self.open()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(code)

    @property
    def text(self):
        field = self.block.locator("textarea")
        if field.count():
            return field.input_value()
        return "\n".join(self.block.locator(".cm-line").all_inner_texts())

    def press(self, button):
        self.block.get_by_role("button", name=f"{button} {self.task}").click()

    def begin(self, code):
        """Run some code and return while it runs."""
        self.write(code)
        self.press("Run")
        self.page.wait_for_function(
            "block => block.querySelector('[role=status]').textContent === 'Running…'",
            arg=self.block.element_handle(),
            timeout=PATIENCE,
        )

    def ended(self):
        """Wait for the end and return what the status says."""
        self.page.wait_for_function(
            "block => block.getAttribute('aria-busy') === 'false'",
            arg=self.block.element_handle(),
            timeout=PATIENCE,
        )
        return self.block.locator("[role=status]").inner_text()

    def run(self, code):
        self.write(code)
        self.press("Run")
        return self.ended()

    def check(self, code):
        self.write(code)
        self.press("Check")
        return self.ended()

    @property
    def said(self):
        return self.block.locator(".live-said").inner_text()
