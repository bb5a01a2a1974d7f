/** Values of attributes by their forms (DWARF 5, section 7.5.6). */

import { breakOff, position, readU8, readU16, readU32, readU64, skip, skipText, sleb, uleb, word } from "../elf/pages";
import {
  FORM_ADDR,
  FORM_ADDRX,
  FORM_ADDRX1,
  FORM_ADDRX4,
  FORM_BLOCK,
  FORM_BLOCK1,
  FORM_BLOCK2,
  FORM_BLOCK4,
  FORM_DATA1,
  FORM_DATA2,
  FORM_DATA4,
  FORM_DATA8,
  FORM_DATA16,
  FORM_EXPRLOC,
  FORM_FLAG,
  FORM_FLAG_PRESENT,
  FORM_GNU_ADDR_INDEX,
  FORM_GNU_REF_ALT,
  FORM_GNU_STR_INDEX,
  FORM_GNU_STRP_ALT,
  FORM_IMPLICIT_CONST,
  FORM_INDIRECT,
  FORM_LINE_STRP,
  FORM_LOCLISTX,
  FORM_REF_ADDR,
  FORM_REF_SIG8,
  FORM_REF_SUP4,
  FORM_REF_SUP8,
  FORM_REF_UDATA,
  FORM_REF1,
  FORM_REF2,
  FORM_REF4,
  FORM_REF8,
  FORM_RNGLISTX,
  FORM_SDATA,
  FORM_SEC_OFFSET,
  FORM_STRING,
  FORM_STRP,
  FORM_STRP_SUP,
  FORM_STRX,
  FORM_STRX1,
  FORM_STRX4,
  FORM_UDATA,
} from "./constants";

/** What a value is. */
export const NONE: u32 = 0;
export const ADDRESS: u32 = 1;
export const ADDRESS_INDEX: u32 = 2;
/** A number, or in DWARF 2 and 3 an offset in another section. */
export const CONSTANT: u32 = 3;
export const UNIT_REFERENCE: u32 = 4;
export const INFO_REFERENCE: u32 = 5;
/** A text where the attribute is: its offset in the stream. */
export const TEXT_HERE: u32 = 6;
export const TEXT_IN_STR: u32 = 7;
export const TEXT_IN_LINE_STR: u32 = 8;
export const TEXT_INDEX: u32 = 9;
export const LIST_INDEX: u32 = 10;
/** In a supplement, a file that dwz made: an offset in its .debug_info, or in its .debug_str. */
export const ALTERNATE: u32 = 11;
export const TEXT_IN_ALTERNATE: u32 = 12;
export const UNUSED: u32 = 13;

/** FORM_INDIRECT may name itself. */
const MOST_INDIRECT: u32 = 8;
/** No fixed size. */
export const VARIES: u32 = 0xffff_ffff;

export let formClass: u32 = 0;
export let formValue: u64 = 0;

function set(kind: u32, value: u64): void {
  formClass = kind;
  formValue = value;
}

/** Bytes of a form, VARIES if they depend on the value. `offsetSize`: 4 or 8 bytes of an offset. */
export function sizeOfForm(form: u32, addressSize: u32, offsetSize: u32, version: u32): u32 {
  switch (form) {
    case FORM_ADDR:
      return addressSize;
    case FORM_DATA1:
    case FORM_REF1:
    case FORM_FLAG:
    case FORM_STRX1:
    case FORM_ADDRX1:
      return 1;
    case FORM_DATA2:
    case FORM_REF2:
    case FORM_STRX1 + 1:
    case FORM_ADDRX1 + 1:
      return 2;
    case FORM_STRX1 + 2:
    case FORM_ADDRX1 + 2:
      return 3;
    case FORM_DATA4:
    case FORM_REF4:
    case FORM_STRX4:
    case FORM_ADDRX4:
    case FORM_REF_SUP4:
      return 4;
    case FORM_DATA8:
    case FORM_REF8:
    case FORM_REF_SIG8:
    case FORM_REF_SUP8:
      return 8;
    case FORM_DATA16:
      return 16;
    case FORM_STRP:
    case FORM_SEC_OFFSET:
    case FORM_LINE_STRP:
    case FORM_STRP_SUP:
    case FORM_GNU_REF_ALT:
    case FORM_GNU_STRP_ALT:
      return offsetSize;
    case FORM_REF_ADDR:
      return version < 3 ? addressSize : offsetSize;
    case FORM_FLAG_PRESENT:
    case FORM_IMPLICIT_CONST:
      return 0;
    default:
      return VARIES;
  }
}

/** Reads the value at the cursor into `formClass` and `formValue`. `implicit`: the value of FORM_IMPLICIT_CONST. */
export function readForm(form: u32, implicit: i64, addressSize: u32, offsetSize: u32, version: u32): void {
  for (let i: u32 = 0; form === FORM_INDIRECT && i < MOST_INDIRECT; i++) form = <u32>uleb();
  switch (form) {
    case FORM_ADDR:
      set(ADDRESS, word(addressSize));
      return;
    case FORM_DATA1:
    case FORM_FLAG:
      set(CONSTANT, readU8());
      return;
    case FORM_DATA2:
      set(CONSTANT, readU16());
      return;
    case FORM_DATA4:
      set(CONSTANT, readU32());
      return;
    case FORM_DATA8:
      set(CONSTANT, readU64());
      return;
    case FORM_SEC_OFFSET:
      set(CONSTANT, word(offsetSize));
      return;
    case FORM_UDATA:
      set(CONSTANT, uleb());
      return;
    case FORM_SDATA:
      set(CONSTANT, <u64>sleb());
      return;
    case FORM_IMPLICIT_CONST:
      set(CONSTANT, <u64>implicit);
      return;
    case FORM_FLAG_PRESENT:
      set(CONSTANT, 1);
      return;
    case FORM_REF1:
      set(UNIT_REFERENCE, readU8());
      return;
    case FORM_REF2:
      set(UNIT_REFERENCE, readU16());
      return;
    case FORM_REF4:
      set(UNIT_REFERENCE, readU32());
      return;
    case FORM_REF8:
      set(UNIT_REFERENCE, readU64());
      return;
    case FORM_REF_UDATA:
      set(UNIT_REFERENCE, uleb());
      return;
    case FORM_REF_ADDR:
      set(INFO_REFERENCE, word(version < 3 ? addressSize : offsetSize));
      return;
    case FORM_STRING:
      set(TEXT_HERE, position());
      skipText();
      return;
    case FORM_STRP:
      set(TEXT_IN_STR, word(offsetSize));
      return;
    case FORM_LINE_STRP:
      set(TEXT_IN_LINE_STR, word(offsetSize));
      return;
    case FORM_STRX:
    case FORM_GNU_STR_INDEX:
      set(TEXT_INDEX, uleb());
      return;
    case FORM_ADDRX:
    case FORM_GNU_ADDR_INDEX:
      set(ADDRESS_INDEX, uleb());
      return;
    case FORM_RNGLISTX:
    case FORM_LOCLISTX:
      set(LIST_INDEX, uleb());
      return;
    case FORM_BLOCK1:
      set(UNUSED, 0);
      skip(readU8());
      return;
    case FORM_BLOCK2:
      set(UNUSED, 0);
      skip(readU16());
      return;
    case FORM_BLOCK4:
      set(UNUSED, 0);
      skip(readU32());
      return;
    case FORM_BLOCK:
    case FORM_EXPRLOC:
      set(UNUSED, 0);
      skip(uleb());
      return;
    case FORM_GNU_STRP_ALT:
    case FORM_STRP_SUP:
      set(TEXT_IN_ALTERNATE, word(offsetSize));
      return;
    case FORM_GNU_REF_ALT:
    case FORM_REF_SUP4:
    case FORM_REF_SUP8:
      set(ALTERNATE, word(sizeOfForm(form, addressSize, offsetSize, version)));
      return;
    case FORM_DATA16:
    case FORM_REF_SIG8:
      set(UNUSED, 0);
      skip(sizeOfForm(form, addressSize, offsetSize, version));
      return;
    default:
      break;
  }
  if (form >= FORM_STRX1 && form <= FORM_STRX4) {
    set(TEXT_INDEX, word(form - FORM_STRX1 + 1));
    return;
  }
  if (form >= FORM_ADDRX1 && form <= FORM_ADDRX4) {
    set(ADDRESS_INDEX, word(form - FORM_ADDRX1 + 1));
    return;
  }
  set(NONE, 0);
  breakOff();
}
