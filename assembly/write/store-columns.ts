/**
 * Tables of the store as columns of u32 for the host, which gives the memory: column w of rows [from, to) begins at
 * `out` + w × 4 × their number.
 *
 *   strings, stacks, sets   | pointer | size |                                 bytes, packed varints, u32 attributes
 *   functions, mappings, attributes, threads                                   the words of a row (store/tables.ts)
 *   links                   | span lo, hi | local root lo, hi | trace low lo, hi | trace high lo, hi | set |
 *                           a trace id is 0 where there is a local root; the set is that of the local root
 *   frame counts            | frames |                                         a row for each location
 *   frames                  | location | function | name | line | column | frame type | mapping | address lo, hi |
 *
 * Rows of frames are those of the locations [from, to), innermost first within a location.
 */

import * as StoreTable from "../abi/store-table";
import { BytesTable } from "../memory/bytes-table";
import { RowTable } from "../memory/row-table";
import { addressOf, frameCount, frameName, frameOf } from "../store/frames";
import { linkSets } from "../store/roots";
import * as LineRow from "../store/rows/line-row";
import * as LinkRow from "../store/rows/link-row";
import * as LocationRow from "../store/rows/location-row";
import {
  attributes,
  functions,
  links,
  localRootOf,
  locations,
  mappings,
  sets,
  stacks,
  strings,
  threads,
  traceHighOf,
} from "../store/tables";
import { at, put } from "./columns";

/** Rows of a table; of frames and their counts the number of locations. */
function rowCount(table: u32): u32 {
  if (table === StoreTable.Strings) return strings.count;
  if (table === StoreTable.Functions) return functions.count;
  if (table === StoreTable.Mappings) return mappings.count;
  if (table === StoreTable.Stacks) return stacks.count;
  if (table === StoreTable.Links) return links.count;
  if (table === StoreTable.Attributes) return attributes.count;
  if (table === StoreTable.Sets) return sets.count;
  if (table === StoreTable.Threads) return threads.count;
  return locations.count;
}

/** Writes rows [from, to) to `out`; with `out` 0 it returns how many rows the table has. */
export function storeColumns(table: u32, from: u32, to: u32, out: usize): u32 {
  if (out === 0) return rowCount(table);
  if (table === StoreTable.Strings) slices(strings, from, to, out);
  else if (table === StoreTable.Functions) rows(functions, from, to, out);
  else if (table === StoreTable.Mappings) rows(mappings, from, to, out);
  else if (table === StoreTable.Stacks) slices(stacks, from, to, out);
  else if (table === StoreTable.Links) linkRows(from, to, out);
  else if (table === StoreTable.Attributes) rows(attributes, from, to, out);
  else if (table === StoreTable.Sets) slices(sets, from, to, out);
  else if (table === StoreTable.Threads) rows(threads, from, to, out);
  else if (table === StoreTable.FrameCounts) {
    for (let i = from; i < to; i++) put(out, i - from, frameCount(i));
  } else frames(from, to, out);
  return to - from;
}

function slices(table: BytesTable, from: u32, to: u32, out: usize): void {
  const n = to - from;
  for (let i: u32 = 0; i < n; i++) {
    put(out, i, <u32>table.pointer(from + i));
    put(out, n + i, table.size(from + i));
  }
}

function rows(table: RowTable, from: u32, to: u32, out: usize): void {
  const n = to - from;
  const words = table.words;
  for (let i: u32 = 0; i < n; i++) {
    for (let w: u32 = 0; w < words; w++) put(out, w * n + i, table.get(from + i, w));
  }
}

/** Two words of a row, the lower one first. */
function putLong(out: usize, n: u32, i: u32, w: u32, value: u64): void {
  put(out, w * n + i, <u32>value);
  put(out, (w + 1) * n + i, <u32>(value >> 32));
}

function linkRows(from: u32, to: u32, out: usize): void {
  const n = to - from;
  const rootSets = linkSets();
  for (let i: u32 = 0; i < n; i++) {
    const link = from + i;
    const root = localRootOf(link);
    putLong(out, n, i, 0, links.get64(link, LinkRow.SPAN));
    putLong(out, n, i, 2, root);
    putLong(out, n, i, 4, root !== 0 ? 0 : links.get64(link, LinkRow.TRACE_LOW));
    putLong(out, n, i, 6, traceHighOf(link));
    put(out, 8 * n + i, rootSets === 0 ? 0 : at(rootSets, link));
  }
}

function frames(from: u32, to: u32, out: usize): void {
  let n: u32 = 0;
  for (let i = from; i < to; i++) n += frameCount(i);
  let row: u32 = 0;
  for (let location = from; location < to; location++) {
    const count = frameCount(location);
    for (let i: u32 = 0; i < count; i++, row++) {
      const frame = frameOf(location, i);
      put(out, row, location);
      put(out, n + row, load<u32>(frame, LineRow.FUNCTION));
      put(out, 2 * n + row, frameName(location, i));
      put(out, 3 * n + row, load<u32>(frame, LineRow.NUMBER));
      put(out, 4 * n + row, load<u32>(frame, LineRow.COLUMN));
      put(out, 5 * n + row, locations.get(location, LocationRow.FRAME_TYPE));
      put(out, 6 * n + row, locations.get(location, LocationRow.MAPPING));
      putLong(out, n, row, 7, addressOf(location));
    }
  }
}
