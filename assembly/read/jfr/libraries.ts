/**
 * File names of native libraries by build id, from jdk.NativeLibrary as ddprof writes it: the JDK's own event has no
 * build id. Only chunks with frames known by build id are scanned for it, when the first such frame is decoded, because
 * the event may come after the samples.
 */
import { KeyTable, ownKeyTable } from "../../memory/key-table";
import { onReset } from "../../memory/resets";
import { internString } from "../../store/tables";
import { compressed, overrun, position, readInt, readLong, seek, varLong } from "./cursor";
import { chunkEnd, chunkStart, HEADER_BYTES } from "./header";
import { classCount, classOf } from "./metadata";
import { fuel, lendFuel, read, restoreFuel } from "./plan";
import {
  bind,
  fieldNamed,
  found,
  isKind,
  NO_FIELD,
  newBinding,
  planOf,
  slot,
  slotPointer,
  textOf,
  wantTextOf,
} from "./struct";

const NO_CLASS: u32 = 0xffff_ffff;

let libraryClass: u32 = NO_CLASS;
let plan: u32 = 0;
/** Text sources of the two fields. */
let pathSource: u32 = 0;
let idSource: u32 = 0;
/** Whether the open chunk was scanned. */
let scanned: bool = false;
/** By build id, a string: the file's name, a string that is not empty. Kept for the later chunks of the file. */
const names: KeyTable = ownKeyTable(32);

onReset((): void => {
  libraryClass = NO_CLASS;
  scanned = false;
});

/** The file ends: the next one may be of a run that unpacked a library under another name. */
export function forgetLibraries(): void {
  if (names.used !== 0) names.clear();
}

/** Whether any file name is known. */
export function knowsLibraries(): bool {
  return names.used !== 0;
}

/** Plans the event, where this chunk has it. */
export function planLibraries(): void {
  libraryClass = NO_CLASS;
  scanned = false;
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
    if (!isKind(i, "NativeLibrary")) continue;
    const id = fieldNamed(i, "buildId");
    const path = fieldNamed(i, "name");
    if (id === NO_FIELD || path === NO_FIELD) continue;
    // Read while a stack is decoded, whose event has the other slots.
    const map = newBinding(i);
    bind(map, path, 0);
    bind(map, id, 1);
    pathSource = wantTextOf(i, path);
    idSource = wantTextOf(i, id);
    plan = planOf(i, map);
    libraryClass = i;
    return;
  }
}

/** Base name of the library's file, a string; 0 if the recording does not state it. Moves the cursor. */
export function libraryName(buildId: u32): u32 {
  if (!scanned) {
    scanned = true;
    if (libraryClass !== NO_CLASS) scan();
  }
  return names.find(buildId);
}

/** Reads all events of the class. A damaged event ends the scan; the events' own reader reports it. */
function scan(): void {
  const left = lendFuel(<u32>(chunkEnd - chunkStart));
  let p = chunkStart + HEADER_BYTES;
  while (p < chunkEnd && fuel >= 0) {
    seek(p, chunkEnd);
    const size = readInt();
    const next = p + size;
    const type = compressed ? varLong() : readLong();
    if (overrun || size > <u32>(chunkEnd - p) || next < position()) break;
    if (type > 1 && classOf(type) === libraryClass) {
      seek(position(), next);
      readLibrary();
    }
    p = next;
  }
  restoreFuel(left);
}

function readLibrary(): void {
  store<u64>(slotPointer(0), 0);
  store<u64>(slotPointer(1), 0);
  if (!read(plan)) return;
  const path = slot(0);
  if (!textOf(idSource, slot(1)) || found.size === 0) return;
  const id = internString(found.at, found.size);
  if (names.find(id) !== 0 || !textOf(pathSource, path)) return;
  let start = found.size;
  while (start > 0 && load<u8>(found.at + start - 1) !== 0x2f) start--;
  if (start < found.size) names.add(id, internString(found.at + start, found.size - start));
}
