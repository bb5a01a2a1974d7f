/** Lists of texts in source code: ASCII lines, each after a line feed. */
const LINE_END: u16 = 0x0a;

/** Size of the line of `lines` that the bytes from `at` to `to` begin with, or else end with; 0 without one. */
export function lineIn(lines: string, at: usize, to: usize, begin: bool): usize {
  const first = changetype<usize>(lines);
  let last = first + ((<usize>lines.length) << 1);
  while (last > first) {
    let line = last - 2;
    while (load<u16>(line) !== LINE_END) line -= 2;
    const size = (last - line - 2) >> 1;
    if (size <= to - at && isText(line + 2, begin ? at : to - size, size)) return size;
    last = line;
  }
  return 0;
}

/** Whether the text of 16-bit units at `text` is that of the bytes at `at`. */
function isText(text: usize, at: usize, size: usize): bool {
  for (let i: usize = 0; i < size; i++) if (<u16>load<u8>(at + i) !== load<u16>(text + (i << 1))) return false;
  return true;
}
