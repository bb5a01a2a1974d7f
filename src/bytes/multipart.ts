/**
 * Parts of a multipart body (RFC 2046 5.1), as a profiler uploads them by HTTP. The boundary is that of the first line.
 *
 *   body := "--" boundary CRLF part (CRLF "--" boundary CRLF part)* CRLF "--" boundary "--"
 *   part := (header CRLF)* CRLF bytes
 *
 * Lengths in headers are not used: the boundary decides.
 */
import type { ByteSource } from "./byte-source.ts";
import { StreamSource } from "./stream-source.ts";
import { Window } from "./window.ts";
import type { Entry } from "./zip.ts";

const latin1 = new TextDecoder("latin1");
/** RFC 2046: at most 70 characters, and the two hyphens before them. */
const LONGEST_BOUNDARY = 72;
const LONGEST_HEADERS = 1 << 14;
const LONGEST_NAME = 1000;
const HEADERS_END = new TextEncoder().encode("\r\n\r\n");

/**
 * One part at a time, under the name of its file or field. A part must be read, as far as it is wanted, before the next
 * one is requested. Throws where the body itself is broken.
 */
export async function* multipartEntries(body: ByteSource): AsyncGenerator<Entry> {
  const window = new Window(body);
  const first = await lineOf(window, LONGEST_BOUNDARY);
  if (first === null) throw new Error("no boundary is in the first line");
  const delimiter = new TextEncoder().encode(`\r\n${first}`);
  for (;;) {
    const at = window.offset();
    const headers = await headersOf(window);
    if (headers === null) throw new Error(`the headers of the part at byte ${at} do not end`);
    const part = new Part(window, delimiter);
    const source = new StreamSource(part.bytes());
    yield { name: nameIn(headers), source };
    await source.close();
    if (!(await part.pass())) throw new Error(`the part at byte ${at} ends without a boundary`);
    await window.wait(2);
    const after = latin1.decode(window.rest().subarray(0, 2));
    if (after === "--") return;
    if (after !== "\r\n") throw new Error(`no part starts at byte ${window.offset()}`);
    window.pass(2);
  }
}

/** The line at the cursor, which is passed; null if it is longer than `most`. */
async function lineOf(window: Window, most: number): Promise<string | null> {
  await window.wait(most + 2);
  const text = latin1.decode(window.rest().subarray(0, most + 2));
  const end = text.indexOf("\r\n");
  if (end < 0) return null;
  window.pass(end + 2);
  return text.slice(0, end);
}

async function headersOf(window: Window): Promise<string | null> {
  await window.wait(LONGEST_HEADERS);
  const rest = window.rest().subarray(0, LONGEST_HEADERS);
  const end = indexOf(rest, HEADERS_END);
  if (end < 0) return null;
  const text = new TextDecoder().decode(rest.subarray(0, end));
  window.pass(end + HEADERS_END.length);
  return text;
}

const FILE_NAME = /[;\s]filename="([^"]*)"/i;
const FIELD_NAME = /[;\s]name="([^"]*)"/i;

function nameIn(headers: string): string {
  return (FILE_NAME.exec(headers)?.[1] ?? FIELD_NAME.exec(headers)?.[1] ?? "part").slice(0, LONGEST_NAME);
}

class Part {
  private readonly window: Window;
  private readonly delimiter: Uint8Array;
  private isOver = false;

  constructor(window: Window, delimiter: Uint8Array) {
    this.window = window;
    this.delimiter = delimiter;
  }

  /** The bytes up to the next boundary, or up to the end of the body where there is none. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const { window, delimiter } = this;
    while (!this.isOver) {
      const isWhole = !(await window.wait(delimiter.length));
      const rest = window.rest();
      const found = indexOf(rest, delimiter);
      this.isOver = found >= 0 || isWhole;
      // The boundary may begin in the last bytes that are held.
      const certain = isWhole ? rest.length : rest.length - delimiter.length + 1;
      const end = found >= 0 ? found : certain;
      // A copy: the window moves its bytes when it reads more. Passed first: the reader may not come back.
      const bytes = rest.slice(0, end);
      window.pass(end);
      if (end > 0) yield bytes;
    }
  }

  /** Passes the rest and the boundary; false if there is none. */
  async pass(): Promise<boolean> {
    for await (const _ of this.bytes());
    const { window, delimiter } = this;
    if (!(await window.wait(delimiter.length))) return false;
    window.pass(delimiter.length);
    return true;
  }
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const first = wanted[0]!;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + wanted.length > bytes.length) return -1;
    let same = 1;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
    if (same === wanted.length) return at;
  }
  return -1;
}
