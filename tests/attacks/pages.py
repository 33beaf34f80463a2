"""What a browser would make of a page, without a browser."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """Collects the tags and attributes that a browser would see."""

    def __init__(self, text):
        super().__init__()
        self.seen = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


class Scripts(HTMLParser):
    """Collects what a browser would run: scripts, handlers, addresses that are scripts."""

    def __init__(self, text):
        super().__init__()
        self.found, self.inside = [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.inside = tag == "script"
        handlers = [value for name, value in attrs if name.startswith("on") or "javascript:" in str(value)]
        self.found += [value for value in handlers if "pwned" in str(value)]

    def handle_data(self, data):
        if self.inside and "pwned" in data:
            self.found.append(data[:60])
        self.inside = False
