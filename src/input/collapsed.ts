/**
 * Detection of collapsed stacks by the first lines of a text, and their transfer to the core in blocks of whole lines,
 * so that memory does not grow with the file.
 */

import { BYTE_ORDER_MARK, startsWith } from "../bytes/byte-order-mark.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import type { Message as Block, NoteFault } from "../otlp/framed-messages.ts";

/** Bytes of a block. A longer line is left out. */
const BLOCK = 4 << 20;
/** Bytes of a text that are checked; more only if the first line is longer. */
const LOOK = 1 << 16;
/** Number of lines that are checked. */
const LINES = 10;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Replaces a line that is left out, so that the core counts the lines right. */
const EMPTY_LINE = Uint8Array.of(LINE_FEED);

const WEIGHT = /^-?\d+(?:\.\d*)?$/;
/** As the reader in assembly/read/collapsed takes it. */
const COMMENT = /^\s*(?:$|#(?!<)|\/\/)/;
const JSON_START = /^\ufeff?\s*(?:\{\s*["}]|\[\s*["{[\]])/;

/** Whether most of the first lines are stacks. */
export async function hasStacks(source: ByteSource): Promise<boolean> {
  let size = LOOK;
  let bytes = await source.slice(0, size);
  while (bytes.length === size && size < BLOCK && !bytes.some(endsLine)) {
    size *= 4;
    bytes = await source.slice(0, size);
  }
  if (bytes.includes(0)) return false;
  const text = new TextDecoder().decode(bytes);
  if (JSON_START.test(text)) return false;
  const all = text.split(/\r\n?|\n/);
  // The last line may be cut.
  const whole = bytes.length < size ? all : all.slice(0, -1);
  const lines = whole.filter((line) => !COMMENT.test(line)).slice(0, LINES);
  return 2 * lines.filter(isStack).length > lines.length;
}

/** One name or several, and a number after the last blank. Similar lines of YAML, INI files and JSON are excluded. */
function isStack(line: string): boolean {
  const text = line.trimEnd();
  const blank = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\t"));
  const names = text.slice(0, Math.max(0, blank)).trimEnd();
  const last = names.at(-1);
  const isOther = last === ":" || last === "," || (last === "=" && !names.includes(";"));
  return names !== "" && !isOther && WEIGHT.test(text.slice(blank + 1));
}

/** The lines of a file, in blocks. */
export async function* blocksOf(source: ByteSource, note: NoteFault): AsyncGenerator<Block> {
  const head = await source.slice(0, BYTE_ORDER_MARK.length);
  for (let at = startsWith(head, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0; ; ) {
    const bytes = await source.slice(at, at + BLOCK);
    if (bytes.length === 0) return;
    const length = bytes.length < BLOCK ? bytes.length : wholeLines(bytes);
    if (length > 0) {
      yield { offset: at, length, fill: async (target) => copy(bytes, target) };
      at += length;
      continue;
    }
    const message = `collapsed: a line of more than ${BLOCK} bytes; left out (offset ${at})`;
    note("collapsed.line.long", "error", message, at);
    yield { offset: at, length: 1, fill: async (target) => copy(EMPTY_LINE, target) };
    at = await endOfLine(source, at + BLOCK);
  }
}

function endsLine(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

/** Length of the lines that end in `bytes`, of which the last byte may be the first of two that end a line. */
function wholeLines(bytes: Uint8Array): number {
  return Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN, bytes.length - 2)) + 1;
}

function copy(bytes: Uint8Array, target: Uint8Array): number {
  target.set(bytes.subarray(0, target.length));
  return target.length;
}

/** Offset after the next end of a line from `at` on, or the end of the source. */
async function endOfLine(source: ByteSource, at: number): Promise<number> {
  for (let from = at; ; ) {
    const bytes = await source.slice(from, from + LOOK);
    const last = bytes.findIndex(endsLine);
    if (last < 0) {
      if (bytes.length === 0) return from;
      from += bytes.length;
      continue;
    }
    const [first, second] = await source.slice(from + last, from + last + 2);
    return from + last + (first === CARRIAGE_RETURN && second === LINE_FEED ? 2 : 1);
  }
}
