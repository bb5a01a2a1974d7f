/** Links, and the ids that samples without one carry as attributes. Link: 1 trace id, 16 bytes · 2 span id, 8 bytes. */
import * as Diagnostic from "../../abi/formats/otlp";
import { diagnose } from "../../store/diagnostics";
import {
  ATTRIBUTE_VALUE,
  attributes,
  internLink,
  internRootLink,
  LINK_SPAN,
  LinkOrigin,
  links,
  localRootOf,
  strings,
} from "../../store/tables";
import { field, from, offsetOf, takeOf, to } from "../protobuf";
import { Role, saysTraces64 } from "./attributes";
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
  return root === 0 ? row : internLink(LinkOrigin.Trace64, 0, root, links.get64(row, LINK_SPAN));
}

/** The link of element `index`; `is64`: its profile declares trace ids of 64 bits. */
export function linkAt(index: u64, p: usize, is64: bool): u32 {
  const row = rowAt(Table.Link, index, p);
  return is64 ? trace64Of(row) : row;
}

/** The link of a lone id, 0 if the attribute's text is not an id in our writer's form. */
export function loneLink(role: Role, attribute: u32, is64: bool): u32 {
  const text = <u32>attributes.get64(attribute, ATTRIBUTE_VALUE);
  const p = strings.pointer(text);
  const n = strings.size(text);
  if (n !== (role === Role.Trace ? <u32>32 : <u32>16) || !isHex(p, n)) return 0;
  const first = hex64(p);
  if (role === Role.Span) return internRootLink(0, first);
  if (role === Role.Root) return internRootLink(first, 0);
  const low = hex64(p + 16);
  if (first !== 0) return internLink(LinkOrigin.Trace128, first, low, 0);
  return is64 && low !== 0 ? internLink(LinkOrigin.Trace64, 0, low, 0) : 0;
}

/** Lower-case digits only: others would change when they are written again. */
function isHex(p: usize, n: u32): bool {
  for (let i: u32 = 0; i < n; i++) {
    const c = <u32>load<u8>(p + i);
    if (c - 0x30 > 9 && c - 0x61 > 5) return false;
  }
  return true;
}

function hex64(p: usize): u64 {
  let v: u64 = 0;
  for (let i: u32 = 0; i < 16; i++) {
    const c = <u64>load<u8>(p + i);
    v = (v << 4) | (c < 0x3a ? c - 0x30 : c - 0x57);
  }
  return v;
}
