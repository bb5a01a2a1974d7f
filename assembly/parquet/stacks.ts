/** Stacks of the core, packed varints of locations (ARCHITECTURE.md, "The store"), as lists of functions and lines. */

/**
 * `bytes` has the stacks one after the other, `sizes` the bytes of each. Location l has the frames [first[l],
 * first[l + 1]), of which `keys` has the functions and `lineOf` the lines. Writes the frames of each stack, leaf first,
 * and to `offsets` where they begin. With `functions` 0 it only counts them. Returns the number of frames.
 */
export function decodeStacks(
  bytes: usize,
  sizes: usize,
  count: u32,
  first: usize,
  keys: usize,
  lineOf: usize,
  offsets: usize,
  functions: usize,
  lines: usize,
): u32 {
  let n: u32 = 0;
  let p = bytes;
  for (let stack: u32 = 0; stack < count; stack++) {
    store<u32>(offsets + ((<usize>stack) << 2), n);
    const end = p + load<u32>(sizes + ((<usize>stack) << 2));
    while (p < end) {
      let location: u32 = 0;
      for (let shift: u32 = 0; ; shift += 7) {
        const byte = <u32>load<u8>(p++);
        location |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      const from = at(first, location);
      const to = at(first, location + 1);
      if (functions !== 0) {
        for (let frame = from; frame < to; frame++) {
          const place = (<usize>(n + frame - from)) << 2;
          store<u32>(functions + place, load<u32>(keys + ((<usize>frame) << 2)));
          store<u32>(lines + place, load<u32>(lineOf + ((<usize>frame) << 2)));
        }
      }
      n += to - from;
    }
  }
  store<u32>(offsets + ((<usize>count) << 2), n);
  return n;
}

function at(column: usize, i: u32): u32 {
  return load<u32>(column + ((<usize>i) << 2));
}

/** The order of two stacks by the ranks of their functions from the root, then by lines from the leaf. */
function compared(a: u32, b: u32, offsets: usize, ranks: usize, lines: usize): i32 {
  const startA = at(offsets, a);
  const startB = at(offsets, b);
  let i = at(offsets, a + 1);
  let k = at(offsets, b + 1);
  while (i > startA && k > startB) {
    const f = at(ranks, --i);
    const g = at(ranks, --k);
    if (f !== g) return f < g ? -1 : 1;
  }
  if (i > startA || k > startB) return i > startA ? 1 : -1;
  for (let end = at(offsets, a + 1); i < end; i++, k++) {
    const f = at(lines, i);
    const g = at(lines, k);
    if (f !== g) return f < g ? -1 : 1;
  }
  return 0;
}

/** Merges sorted runs of stacks, from pairs on. `ranks` has that of each frame. Returns `stacks` or `room`. */
export function sortStacks(stacks: usize, count: u32, offsets: usize, ranks: usize, lines: usize, room: usize): usize {
  let from = stacks;
  let to = room;
  for (let width: u32 = 1; width < count; width <<= 1) {
    for (let first: u32 = 0; first < count; first += width << 1) {
      const middle = min(first + width, count);
      const end = min(middle + width, count);
      let a = first;
      let b = middle;
      for (let n = first; n < end; n++) {
        const takesA = b === end || (a < middle && compared(at(from, a), at(from, b), offsets, ranks, lines) <= 0);
        store<u32>(to + ((<usize>n) << 2), takesA ? at(from, a++) : at(from, b++));
      }
    }
    const done = to;
    to = from;
    from = done;
  }
  return from;
}

/** Drops stacks that equal the one before; writes the number of each to `ids`. Returns how many are left. */
export function distinctStacks(stacks: usize, count: u32, offsets: usize, ranks: usize, lines: usize, ids: usize): u32 {
  let n: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const stack = at(stacks, i);
    if (n === 0 || compared(at(stacks, n - 1), stack, offsets, ranks, lines) !== 0) {
      store<u32>(stacks + ((<usize>n) << 2), stack);
      n++;
    }
    store<u32>(ids + ((<usize>stack) << 2), n - 1);
  }
  return n;
}

/**
 * Frames of `count` stacks one after the other, as `numbers` of their functions, and lines of the stacks that have any;
 * the others are marked in `absent`. Writes where the frames and the lines of each stack begin, and the ends.
 */
export function stackItems(
  stacks: usize,
  count: u32,
  offsets: usize,
  functions: usize,
  lines: usize,
  numbers: usize,
  frameOffsets: usize,
  frames: usize,
  lineOffsets: usize,
  lineItems: usize,
  absent: usize,
): void {
  let n: u32 = 0;
  let m: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const place = (<usize>i) << 2;
    store<u32>(frameOffsets + place, n);
    store<u32>(lineOffsets + place, m);
    const stack = at(stacks, i);
    const from = at(offsets, stack);
    const size = at(offsets, stack + 1) - from;
    let known: u32 = 0;
    for (let k: u32 = 0; k < size; k++) {
      const line = at(lines, from + k);
      known |= line;
      store<u32>(frames + ((<usize>(n + k)) << 2), at(numbers, at(functions, from + k)));
      store<u32>(lineItems + ((<usize>(m + k)) << 2), line);
    }
    n += size;
    store<u8>(absent + i, known === 0 ? 1 : 0);
    if (known !== 0) m += size;
  }
  store<u32>(frameOffsets + ((<usize>count) << 2), n);
  store<u32>(lineOffsets + ((<usize>count) << 2), m);
}
