// Nearest neighbours, their graph, and shortest paths. A graph is {starts, ends, lengths}: sparse rows.

// The k nearest other rows of each row, nearest first; of equally distant ones the smaller index, as in dimred_ref.
export function nearest(X, D, k) {
  const N = X.length / D;
  const indices = new Int32Array(N * k);
  const squares = new Float64Array(N * k).fill(Infinity);
  for (let i = 0; i < N; i++) {
    const last = i * k + k - 1;
    for (let j = 0; j < N; j++) {
      let square = 0;
      for (let a = 0; a < D; a++) square += (X[i * D + a] - X[j * D + a]) ** 2;
      if (j === i || square >= squares[last]) continue;
      let at = last; // those that are farther move one place up
      for (; at > i * k && squares[at - 1] > square; at--) {
        squares[at] = squares[at - 1];
        indices[at] = indices[at - 1];
      }
      squares[at] = square;
      indices[at] = j;
    }
  }
  return { indices, lengths: squares.map(Math.sqrt) };
}

// Join i and j when either is among the k nearest of the other; rows are sorted by their ends.
export function neighbourGraph(X, D, k) {
  const N = X.length / D;
  const { indices, lengths } = nearest(X, D, k);
  const rows = Array.from({ length: N }, () => new Map());
  for (let at = 0; at < indices.length; at++) {
    const i = Math.floor(at / k);
    rows[i].set(indices[at], lengths[at]);
    rows[indices[at]].set(i, lengths[at]);
  }
  const sorted = rows.map((row) => [...row].sort((a, b) => a[0] - b[0]));
  const starts = new Int32Array(N + 1);
  sorted.forEach((row, i) => (starts[i + 1] = starts[i] + row.length));
  return {
    starts,
    ends: Int32Array.from(sorted.flatMap((row) => row.map(([end]) => end))),
    lengths: Float64Array.from(sorted.flatMap((row) => row.map(([, length]) => length))),
  };
}

// The edges of a graph as pairs i < j.
export function edges({ starts, ends }) {
  const pairs = [];
  for (let i = 0; i + 1 < starts.length; i++) {
    for (let at = starts[i]; at < starts[i + 1]; at++) if (i < ends[at]) pairs.push([i, ends[at]]);
  }
  return pairs;
}

// Vertices of the largest connected component, ascending.
export function largestComponent({ starts, ends }) {
  const N = starts.length - 1;
  const label = new Int32Array(N).fill(-1);
  let best = [];
  for (let root = 0; root < N; root++) {
    if (label[root] >= 0) continue;
    const members = [root];
    label[root] = root;
    for (let at = 0; at < members.length; at++) {
      for (let edge = starts[members[at]]; edge < starts[members[at] + 1]; edge++) {
        if (label[ends[edge]] < 0) {
          label[ends[edge]] = root;
          members.push(ends[edge]);
        }
      }
    }
    if (members.length > best.length) best = members;
  }
  return best.sort((a, b) => a - b);
}

// A heap of vertices by length; a vertex that was improved is pushed again, and its old entry is skipped.
class Heap {
  constructor() {
    this.keys = [];
    this.vertices = [];
  }

  push(key, vertex) {
    let at = this.keys.length;
    for (let up = (at - 1) >> 1; at > 0 && this.keys[up] > key; at = up, up = (at - 1) >> 1) this.copy(up, at);
    this.keys[at] = key;
    this.vertices[at] = vertex;
  }

  pop() {
    const top = [this.keys[0], this.vertices[0]];
    const key = this.keys.pop();
    const vertex = this.vertices.pop();
    const size = this.keys.length;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.keys[child + 1] < this.keys[child]) child++;
      if (this.keys[child] >= key) break;
      this.copy(child, at);
      at = child;
    }
    if (size) {
      this.keys[at] = key;
      this.vertices[at] = vertex;
    }
    return top;
  }

  copy(from, to) {
    this.keys[to] = this.keys[from];
    this.vertices[to] = this.vertices[from];
  }
}

// Lengths of the shortest paths from one vertex (Dijkstra); no path is Infinity.
export function pathsFrom({ starts, ends, lengths }, source) {
  const best = new Float64Array(starts.length - 1).fill(Infinity);
  const heap = new Heap();
  best[source] = 0;
  heap.push(0, source);
  while (heap.keys.length) {
    const [length, vertex] = heap.pop();
    if (length > best[vertex]) continue;
    for (let edge = starts[vertex]; edge < starts[vertex + 1]; edge++) {
      const through = length + lengths[edge];
      if (through < best[ends[edge]]) {
        best[ends[edge]] = through;
        heap.push(through, ends[edge]);
      }
    }
  }
  return best;
}
