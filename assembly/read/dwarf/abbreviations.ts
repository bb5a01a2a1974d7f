/**
 * Abbreviations: the shapes of the entries of a unit (DWARF 5, section 7.5.3).
 *
 *   declaration   tag · has children · bytes of all attributes if that is the same for every entry · attributes
 *   attribute     name u32 · form u32 · implicit constant i64
 */

import { Buffer, newBuffer } from "../../memory/buffer";
import { ended, missed, over, readU8, seek, sizeOf, sleb, uleb } from "../elf/pages";
import * as At from "./at";
import * as Form from "./form";
import { sizeOfForm, VARIES } from "./forms";

@unmanaged
export class Declaration {
  tag: u32;
  hasChildren: u32;
  /** Whether its entries may have addresses. */
  hasCode: u32;
  /** Bytes of the attributes of each entry, or VARIES. */
  bytes: u32;
  count: u32;
}

@unmanaged
export class Attribute {
  name: u32;
  form: u32;
  implicit: i64;
}

/** A larger code is no compiler's. */
const MOST_CODES: u64 = 1 << 20;
const MOST_ATTRIBUTES: u32 = 256;
/** Attributes without bytes: an entry of one byte costs as many steps. Real ones have up to ten. */
const MOST_EMPTY: u32 = 16;
/**
 * Attributes of abbreviations that are read, in bytes of .debug_abbrev: units that share lists may read them again and
 * again, those of a damaged file a long one.
 */
const MOST_READ: u64 = 64;
const FREE_READ: u64 = 1 << 24;
const MOST_IN_ALL: u64 = 1 << 28;

let declarations: Buffer = changetype<Buffer>(0);
/** u32 for each code: place of its declaration, + 1. */
let codes: Buffer = changetype<Buffer>(0);
let isRead: bool = false;
/** The list that was read last has its end. */
export let isListWhole: bool = true;
let readStream: u32 = 0;
let readOffset: u64 = 0;
let readAddressSize: u32 = 0;
let readOffsetSize: u32 = 0;
let readVersion: u32 = 0;
let fuel: u64 = 0;

export function beginAbbreviations(stream: u32): void {
  declarations = newBuffer(1 << 12);
  codes = newBuffer(1 << 10);
  isRead = false;
  fuel = min<u64>(sizeOf(stream) * MOST_READ + FREE_READ, MOST_IN_ALL);
}

/** Another file may be behind the stream. */
export function addAbbreviations(stream: u32): void {
  isRead = false;
  fuel = min<u64>(fuel + sizeOf(stream) * MOST_READ + FREE_READ, MOST_IN_ALL);
}

/** Reads the list at `offset`, unless it is the one that was read last. The cursor moves. */
export function readAbbreviations(stream: u32, offset: u64, addressSize: u32, offsetSize: u32, version: u32): void {
  const isSame =
    isRead &&
    readStream === stream &&
    readOffset === offset &&
    readAddressSize === addressSize &&
    readOffsetSize === offsetSize &&
    readVersion === version;
  if (isSame) return;
  isRead = false;
  isListWhole = offset < sizeOf(stream);
  declarations.size = 0;
  codes.size = 0;
  seek(stream, offset, sizeOf(stream));
  while (!ended() && !missed) {
    const code = uleb();
    if (code === 0) break;
    const isSound = !over && code < MOST_CODES && fuel > 0;
    if (isSound && readDeclaration(code, addressSize, offsetSize, version)) continue;
    isListWhole = false;
    break;
  }
  if (missed) return;
  isRead = true;
  readStream = stream;
  readOffset = offset;
  readAddressSize = addressSize;
  readOffsetSize = offsetSize;
  readVersion = version;
}

function readDeclaration(code: u64, addressSize: u32, offsetSize: u32, version: u32): bool {
  const at = declarations.size;
  declarations.need(offsetof<Declaration>());
  declarations.size += offsetof<Declaration>();
  const tag = <u32>uleb();
  const hasChildren = readU8();
  let bytes: u32 = 0;
  let count: u32 = 0;
  let hasCode: u32 = 0;
  let empty: u32 = 0;
  while (true) {
    const name = <u32>uleb();
    const form = <u32>uleb();
    const implicit = form === Form.IMPLICIT_CONST ? sleb() : 0;
    if (over || count === MOST_ATTRIBUTES) return false;
    if (fuel > 0) fuel--;
    if (name === 0 && form === 0) break;
    const attribute = changetype<Attribute>(declarations.need(offsetof<Attribute>()));
    declarations.size += offsetof<Attribute>();
    attribute.name = name;
    attribute.form = form;
    attribute.implicit = implicit;
    if (name === At.LOW_PC || name === At.RANGES) hasCode = 1;
    count++;
    const size = sizeOfForm(form, addressSize, offsetSize, version);
    if (size === 0) empty++;
    if (empty > MOST_EMPTY) return false;
    bytes = bytes === VARIES || size === VARIES ? VARIES : bytes + size;
  }
  const declaration = changetype<Declaration>(declarations.at + <usize>at);
  declaration.tag = tag;
  declaration.hasChildren = hasChildren;
  declaration.hasCode = hasCode;
  declaration.bytes = bytes;
  declaration.count = count;
  const slots = (<u32>(code + 1)) << 2;
  if (slots > codes.size) {
    const grown = slots - codes.size;
    memory.fill(codes.need(grown), 0, grown);
    codes.size = slots;
    fuel = fuel > <u64>grown ? fuel - <u64>grown : 0;
  }
  const slot = codes.at + ((<usize>code) << 2);
  if (load<u32>(slot) === 0) store<u32>(slot, at + 1);
  return true;
}

/** The declaration with a code; null if there is none. */
export function declarationOf(code: u64): Declaration | null {
  if (code >= <u64>(codes.size >> 2)) return null;
  const at = load<u32>(codes.at + ((<usize>code) << 2));
  return at === 0 ? null : changetype<Declaration>(declarations.at + <usize>at - 1);
}

export function attributeOf(declaration: Declaration, i: u32): Attribute {
  return changetype<Attribute>(
    changetype<usize>(declaration) + offsetof<Declaration>() + <usize>i * offsetof<Attribute>(),
  );
}
