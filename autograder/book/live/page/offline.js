// On every page: what lets the book open without a network. Where a browser has no such thing, nothing is lost.
navigator.serviceWorker?.register(new URL("../../../sw.js", import.meta.url)).catch(() => {});
