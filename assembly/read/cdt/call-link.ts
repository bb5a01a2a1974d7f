/**
 * Link of a call of a CDT dump: Brave's ids among its parameters, each exactly once, in hex and not 0. Shorter ids are
 * padded with zeros on the left.
 */
import * as CallRow from "../../abi/rows/call-row";
import { Buffer } from "../../memory/buffer";
import { PAIR_BYTES, PAIR_NAME, PAIR_VALUE } from "../../store/calls";
import { Run, wordCount, wordOf } from "../../store/runs";
import { internLink, internText, LinkOrigin, strings } from "../../store/tables";

const TRACE: string = "brave.trace_id";
const SPAN: string = "brave.span_id";

/** Ids of the two names in the dictionary; `wordCount` where it has none. */
let traceWord: u32 = 0;
let spanWord: u32 = 0;

/** To be called when the dictionary was read. */
export function endLinkWords(run: Run): void {
  const trace = internText(TRACE) + 1;
  const span = internText(SPAN) + 1;
  const n = wordCount(run);
  traceWord = n;
  spanWord = n;
  for (let id: u32 = 0; id < n; id++) {
    const word = wordOf(run, id);
    if (word === trace) traceWord = id;
    if (word === span) spanWord = id;
  }
  hasWords = traceWord < n && spanWord < n;
}

let hasWords: bool = false;
let high: u64 = 0;
let low: u64 = 0;

/** The link of a record with these parameters (store/calls.ts), 0 if they state none. */
export function callLink(pairs: Buffer): u32 {
  if (!hasWords) return 0;
  const trace = only(pairs, traceWord);
  const span = only(pairs, spanWord);
  if (trace === 0 || span === 0) return 0;
  if (!takeHex(span, 16)) return 0;
  const spanId = low;
  if (!takeHex(trace, 32)) return 0;
  return internLink(high === 0 ? LinkOrigin.Trace64 : LinkOrigin.Trace128, high, low, spanId);
}

/** The only value of a word; 0 if it has none, several, or the empty string. */
function only(pairs: Buffer, word: u32): u32 {
  let found: u32 = 0;
  for (let o: u32 = 0; o < pairs.size; o += PAIR_BYTES) {
    if (load<u32>(pairs.at + o, PAIR_NAME) !== word) continue;
    if (found !== 0) return 0;
    found = load<u32>(pairs.at + o, PAIR_VALUE);
    if (found === 0 || found === <u32>CallRow.NO_VALUE) return 0;
  }
  return found;
}

/** Sets `high` and `low` to a number of at most `most` hex digits. False if it is none, or 0. */
function takeHex(text: u32, most: u32): bool {
  const n = strings.size(text);
  if (n > most) return false;
  high = 0;
  low = 0;
  for (let i: u32 = 0; i < n; i++) {
    const digit = hexDigit(load<u8>(strings.pointer(text) + i));
    if (digit > 15) return false;
    high = (high << 4) | (low >> 60);
    low = (low << 4) | <u64>digit;
  }
  return (high | low) !== 0;
}

function hexDigit(c: u32): u32 {
  if (c - 0x30 < 10) return c - 0x30;
  const letter = (c | 0x20) - 0x61;
  return letter < 6 ? letter + 10 : 16;
}
