// Wheels, put into Python's file system from outside: a browser decompresses faster than the Python that runs in it, and
// what lies there before Python starts is simply installed. Pyodide's own loader would besides compile every library of
// a wheel at once, 107 in scipy; this way only those that are imported are compiled.
const SITE = "/lib/python3.14/site-packages";

// The wheels that a lock of Pyodide names, in its folder.
export function locked({ packages }, folder) {
  const wheels = Object.entries(packages).map(([name, entry]) => [name, { ...entry, address: folder + entry.file_name }]);
  return Object.fromEntries(wheels);
}

export class Wheels {
  there = new Set();

  // entries: {name: {address, imports, depends, sha256}}; read: (address, integrity) => the bytes of a file
  constructor(entries, read) {
    this.entries = entries;
    this.read = read;
  }

  // What could still be imported if it were fetched.
  get absent() {
    return Object.keys(this.entries).filter(name => !this.there.has(name)).flatMap(name => this.entries[name].imports);
  }

  // The wheels of some imports and of all that they depend on, as far as they are not there yet.
  missing(imports) {
    const found = new Set();
    const add = name => {
      if (found.has(name) || this.there.has(name)) return;
      found.add(name);
      this.entries[name].depends.forEach(add);
    };
    for (const [name, entry] of Object.entries(this.entries)) if (entry.imports.some(one => imports.includes(one))) add(name);
    return [...found];
  }

  // Fetched and decompressed now, written when the file system is there: `(await wheels.fetched(names))(FS)`.
  async fetched(names) {
    const contents = await Promise.all(names.map(async name => unzipped(await this.read(this.entries[name].address, integrity(this.entries[name])))));
    return FS => {
      for (const [path, bytes] of contents.flat()) write(FS, `${SITE}/${path}`, bytes);
      names.forEach(name => this.there.add(name));
    };
  }
}

function integrity({ sha256 }) {
  return sha256 && `sha256-${btoa(String.fromCharCode(...sha256.match(/../g).map(pair => parseInt(pair, 16))))}`;
}

function write(FS, path, bytes) {
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  FS.writeFile(path, bytes, { canOwn: true });
}

// The files of a zip archive, by its central directory; numbers are little-endian.
async function unzipped(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const short = at => view.getUint16(at, true);
  const long = at => view.getUint32(at, true);
  let end = bytes.length - 22;
  while (end > 0 && long(end) !== 0x06054b50) end--;
  const files = [];
  for (let left = short(end + 10), at = long(end + 16); left > 0; left--) {
    const nameEnd = at + 46 + short(at + 28);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, nameEnd));
    const local = long(at + 42);
    const start = local + 30 + short(local + 26) + short(local + 28);
    const body = bytes.subarray(start, start + long(at + 20));
    if (!name.endsWith("/")) files.push((short(at + 10) ? inflated(body) : Promise.resolve(body)).then(content => [name, content]));
    at = nameEnd + short(at + 30) + short(at + 32);
  }
  return Promise.all(files);
}

async function inflated(body) {
  const stream = new Blob([body]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
