/**
 * Namespaces and classes around an entry: they qualify the name of a function without a linkage name, such as one in an
 * anonymous namespace. A unit of which such a name is needed is walked once more for them.
 *
 *   container   offsets [start, end) of an entry with its children · the container around it · depth of its children
 *   qualifier   a container that a name needs (abi/rows/qualifier-row.ts)
 */

import * as Found from "../../abi/faults/dwarf-fault";
import * as QualifierRow from "../../abi/rows/qualifier-row";
import { alloc } from "../../memory/arena";
import { Buffer, newBuffer } from "../../memory/buffer";
import { KeyTable, newKeyTable } from "../../memory/key-table";
import { ended, ensure, missed, over, position, seek, sizeOf, uleb } from "../elf/pages";
import { textOf } from "../elf/texts";
import { attributeOf, declarationOf } from "./abbreviations";
import * as At from "./at";
import { formClass, formValue, NONE, UNIT_REFERENCE } from "./forms";
import * as Tag from "./tag";
import { passEntry } from "./tree";
import * as unit from "./unit";

/** Containers of a unit that are noted. */
const MOST_CONTAINERS: u32 = 1 << 20;
/** Bytes of units that are walked, in sizes of .debug_info: units of a damaged file may overlap. */
const MOST_WALKED: u64 = 4;

@unmanaged
class Container {
  start: u64;
  end: u64;
  /** + 1; 0 if there is none. */
  parent: u32;
  depth: u32;
}

/** A container whose row is not made yet. */
@unmanaged
class Pending {
  start: u64;
  name: u32;
  isNamespace: u32;
}

let containers: Buffer = changetype<Buffer>(0);
/** Offset + 1 of the unit that `containers` is of. */
let walkedUnit: u64 = 0;
let fuel: u64 = 0;
let qualifiers: Buffer = changetype<Buffer>(0);
/** Rows by the offset + 1 of their entry. */
let known: KeyTable = changetype<KeyTable>(0);
let pending: usize = 0;

export function beginContainers(): void {
  containers = newBuffer(offsetof<Container>() * 64);
  qualifiers = newBuffer(QualifierRow.BYTES * 64);
  memory.fill(qualifiers.need(QualifierRow.BYTES), 0, QualifierRow.BYTES);
  qualifiers.size = QualifierRow.BYTES;
  known = newKeyTable(64);
  pending = alloc(<u64>QualifierRow.MOST_QUALIFIERS * offsetof<Pending>());
  walkedUnit = 0;
  fuel = sizeOf(unit.infoStream()) * MOST_WALKED;
}

/** Units of another file follow. */
export function addContainers(): void {
  fuel += sizeOf(unit.infoStream()) * MOST_WALKED;
}

export function qualifierRows(): usize {
  return qualifiers.at;
}

function containerAt(i: u32): Container {
  return changetype<Container>(containers.at + <usize>i * offsetof<Container>());
}

function pendingAt(i: u32): Pending {
  return changetype<Pending>(pending + <usize>i * offsetof<Pending>());
}

/**
 * Row of the innermost container of an entry of the current unit; 0 if it has none, and if pages are missing.
 * `isMember`: only a class counts as the innermost one.
 */
export function qualifierOf(offset: u64, isMember: bool): u32 {
  if (walkedUnit !== unit.keyOf(unit.unitOffset)) walkContainers();
  let count: u32 = 0;
  let row: u32 = 0;
  let at = offset;
  while (count < <u32>QualifierRow.MOST_QUALIFIERS && !missed) {
    const around = innermost(at);
    if (around === 0) break;
    const start = containerAt(around - 1).start;
    row = known.find(unit.keyOf(start));
    if (row !== 0) {
      if (count === 0 && isMember && load<u32>(qualifierAt(row), QualifierRow.IS_NAMESPACE) !== 0) return 0;
      break;
    }
    at = readContainer(start, pendingAt(count));
    if (count === 0 && isMember && pendingAt(0).isNamespace !== 0) return 0;
    count++;
  }
  if (missed) return 0;
  while (count-- > 0) row = addQualifier(pendingAt(count), row);
  return row;
}

function qualifierAt(row: u32): usize {
  return qualifiers.at + <usize>row * QualifierRow.BYTES;
}

function addQualifier(container: Pending, parent: u32): u32 {
  const at = qualifiers.need(QualifierRow.BYTES);
  store<u32>(at, parent, QualifierRow.PARENT);
  store<u32>(at, container.name, QualifierRow.NAME);
  store<u32>(at, container.isNamespace, QualifierRow.IS_NAMESPACE);
  qualifiers.size += QualifierRow.BYTES;
  const row = qualifiers.size / QualifierRow.BYTES - 1;
  known.put(unit.keyOf(container.start), row);
  return row;
}

/** Reads the name of a container. Returns where the containers around it are: a class may be declared elsewhere. */
function readContainer(start: u64, to: Pending): u64 {
  to.start = start;
  to.name = 0;
  to.isNamespace = 0;
  let at = start;
  for (let hop: u32 = 0; hop < 2; hop++) {
    seek(unit.infoStream(), at, unit.unitEnd);
    const declaration = declarationOf(uleb());
    if (declaration === null) return at;
    if (declaration.tag === Tag.NAMESPACE) to.isNamespace = 1;
    let nameClass: u32 = NONE;
    let name: u64 = 0;
    let declared: u64 = 0;
    for (let i: u32 = 0; i < declaration.count; i++) {
      const attribute = attributeOf(declaration, i);
      unit.readValue(attribute.form, attribute.implicit);
      if (attribute.name === At.NAME) {
        nameClass = formClass;
        name = formValue;
      } else if (attribute.name === At.SPECIFICATION && formClass === UNIT_REFERENCE)
        declared = unit.unitOffset + formValue;
    }
    if (over) return at;
    if (nameClass !== NONE) to.name = textOf(unit.placeOfText(nameClass, name));
    if (declared < unit.entriesAt || declared >= unit.unitEnd) return at;
    at = declared;
  }
  return at;
}

/** Index + 1 of the innermost container around an offset; 0 if there is none. */
function innermost(offset: u64): u32 {
  let low: u32 = 0;
  let high = containers.size / offsetof<Container>();
  while (low < high) {
    const middle = (low + high) >> 1;
    if (containerAt(middle).start < offset) low = middle + 1;
    else high = middle;
  }
  while (low > 0 && containerAt(low - 1).end <= offset) low = containerAt(low - 1).parent;
  return low;
}

function isContainer(tag: u32): bool {
  switch (tag) {
    case Tag.NAMESPACE:
    case Tag.CLASS:
    case Tag.STRUCTURE:
    case Tag.UNION:
    case Tag.INTERFACE:
    case Tag.MODULE:
      return true;
    default:
      return false;
  }
}

/** Notes the containers of the current unit. To be repeated while pages are missing. */
function walkContainers(): void {
  containers.size = 0;
  walkedUnit = 0;
  const bytes = unit.unitEnd - unit.unitOffset;
  if (!ensure(unit.infoStream(), unit.unitOffset, bytes)) return;
  unit.loadAbbreviations();
  if (missed) return;
  walkedUnit = unit.keyOf(unit.unitOffset);
  if (bytes > fuel) {
    unit.found(Found.Fuel);
    return;
  }
  fuel -= bytes;
  seek(unit.infoStream(), unit.entriesAt, unit.unitEnd);
  let depth: u32 = 0;
  let around: u32 = 0;
  while (!ended() && !over) {
    const start = position();
    const code = uleb();
    if (code === 0) {
      if (depth <= 1) return;
      depth--;
      for (; around > 0 && containerAt(around - 1).depth > depth; around = containerAt(around - 1).parent)
        containerAt(around - 1).end = position();
      continue;
    }
    const declaration = declarationOf(code);
    if (declaration === null) return;
    if (declaration.hasChildren !== 0) {
      depth++;
      if (isContainer(declaration.tag)) around = addContainer(start, around, depth);
    } else if (depth === 0) return;
    passEntry(declaration);
  }
}

function addContainer(start: u64, parent: u32, depth: u32): u32 {
  if (containers.size >= MOST_CONTAINERS * offsetof<Container>()) return parent;
  const container = changetype<Container>(containers.need(offsetof<Container>()));
  containers.size += offsetof<Container>();
  container.start = start;
  container.end = unit.unitEnd;
  container.parent = parent;
  container.depth = depth;
  return containers.size / offsetof<Container>();
}
