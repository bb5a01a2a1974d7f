/** Links. Link: 1 trace id, 16 bytes · 2 span id, 8 bytes. */

import * as Diagnostic from "../../abi/formats/otlp";
import { diagnose } from "../../store/diagnostics";
import * as LinkRow from "../../store/rows/link-row";
import { internLink, internRootLink, LinkOrigin, links, localRootOf } from "../../store/tables";
import { field, from, offsetOf, takeOf, to } from "../protobuf";
import { saysTraces64 } from "./attributes";
import { beginRows, elementAt, elementSize, rowAt, setRow, Table } from "./tables";

const LINK: u64 = 0x440;

export function readLinks(first: u32, end: u32): void {
  if (first === 0) beginRows(Table.Link);
  for (let i = max<u32>(first, 1); i < end; i++) {
    const p = elementAt(Table.Link, i);
    setRow(Table.Link, i, readLink(p, p + elementSize(Table.Link, i)));
  }
}

/** Bytes of each half of a trace id. */
const HALF: usize = 8;

/** An id of another length is no id. */
function readLink(p: usize, end: usize): u32 {
  let high: u64 = 0;
  let low: u64 = 0;
  let span: u64 = 0;
  while (p < end) {
    p = takeOf(p, end, LINK);
    if (field === 0 || from === to) continue;
    const n = <u32>(to - from);
    if (n !== (field === 1 ? <u32>16 : <u32>8)) {
      diagnose(Diagnostic.IdLength, offsetOf(from), n);
    } else if (field === 2) {
      span = bswap<u64>(load<u64>(from));
    } else {
      high = bswap<u64>(load<u64>(from));
      low = bswap<u64>(load<u64>(from, HALF));
    }
  }
  if (high !== 0) return internLink(LinkOrigin.Trace128, high, low, span);
  const row = internRootLink(low, span);
  // Here, so that links keep the order of the message whatever its profiles say.
  if (saysTraces64) trace64Of(row);
  return row;
}

/** Link `row` where trace ids of 64 bits are no local roots. */
function trace64Of(row: u32): u32 {
  const root = localRootOf(row);
  return root === 0 ? row : internLink(LinkOrigin.Trace64, 0, root, links.get64(row, LinkRow.SPAN));
}

/** The link of element `index`; `is64`: its profile declares trace ids of 64 bits. */
export function linkAt(index: u64, p: usize, is64: bool): u32 {
  const row = rowAt(Table.Link, index, p);
  return is64 ? trace64Of(row) : row;
}
