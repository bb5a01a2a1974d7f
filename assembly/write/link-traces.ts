/**
 * Trace ids of Links in a message: those of the store's rows, or those of a trace beside the recordings
 * (store/span-traces.ts) for spans whose row has no trace id. The local root of such a row becomes an attribute.
 */
import * as LinkRow from "../store/rows/link-row";
import { spanTraceCount, spanTraceHigh, spanTraceLow, spanTraceOf } from "../store/span-traces";
import { LinkOrigin, links, originOf, traceHighOf } from "../store/tables";
import { at, put } from "./columns";
import { zeroed } from "./output";

/** u32 per link: the row of its trace; 0 while no link has one. */
let rows: usize = 0;

/** To be called once a message: `traced` formats have the ids of a trace beside the recordings. */
export function beginLinkTraces(traced: bool): void {
  rows = 0;
  if (!traced || spanTraceCount === 0) return;
  const found = zeroed(links.count);
  for (let i: u32 = 1; i < links.count; i++) {
    const origin = originOf(i);
    if (origin !== LinkOrigin.None && origin !== LinkOrigin.LocalRoot) continue;
    const span = links.get64(i, LinkRow.SPAN);
    if (span !== 0) put(found, i, spanTraceOf(span));
  }
  rows = found;
}

/** Whether any link may have both a Link and an attribute for its root. */
export function hasLinkTraces(): bool {
  return rows !== 0;
}

/** Row of the trace that a link gets, 0 if it keeps its ids. */
export function traceRowOf(link: u32): u32 {
  return rows === 0 ? 0 : at(rows, link);
}

export function writtenOrigin(link: u32): LinkOrigin {
  const row = traceRowOf(link);
  if (row === 0) return originOf(link);
  return spanTraceHigh(row) === 0 ? LinkOrigin.Trace64 : LinkOrigin.Trace128;
}

export function writtenHigh(link: u32): u64 {
  const row = traceRowOf(link);
  return row === 0 ? traceHighOf(link) : spanTraceHigh(row);
}

export function writtenLow(link: u32): u64 {
  const row = traceRowOf(link);
  return row === 0 ? links.get64(link, LinkRow.TRACE_LOW) : spanTraceLow(row);
}

/**
 * The trace whose Link for a link's span looks like this link's, 0 if there is none: one Link for several links of a
 * span, which may differ in their roots.
 */
export function sharedTrace(link: u32): u32 {
  if (rows === 0) return 0;
  const own = at(rows, link);
  if (own !== 0) return own;
  const row = spanTraceOf(links.get64(link, LinkRow.SPAN));
  if (row === 0 || originOf(link) === LinkOrigin.None) return 0;
  const isSame = spanTraceHigh(row) === traceHighOf(link) && spanTraceLow(row) === links.get64(link, LinkRow.TRACE_LOW);
  return isSame ? row : 0;
}
