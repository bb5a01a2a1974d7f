/** Values of attributes by their forms (DWARF 5, section 7.5.6). */

import { breakOff, position, readU8, readU16, readU32, readU64, skip, skipText, sleb, uleb, word } from "../elf/pages";
import * as Form from "./form";

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

/** Form.INDIRECT may name itself. */
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
    case Form.ADDR:
      return addressSize;
    case Form.DATA1:
    case Form.REF1:
    case Form.FLAG:
    case Form.STRX1:
    case Form.ADDRX1:
      return 1;
    case Form.DATA2:
    case Form.REF2:
    case Form.STRX1 + 1:
    case Form.ADDRX1 + 1:
      return 2;
    case Form.STRX1 + 2:
    case Form.ADDRX1 + 2:
      return 3;
    case Form.DATA4:
    case Form.REF4:
    case Form.STRX4:
    case Form.ADDRX4:
    case Form.REF_SUP4:
      return 4;
    case Form.DATA8:
    case Form.REF8:
    case Form.REF_SIG8:
    case Form.REF_SUP8:
      return 8;
    case Form.DATA16:
      return 16;
    case Form.STRP:
    case Form.SEC_OFFSET:
    case Form.LINE_STRP:
    case Form.STRP_SUP:
    case Form.GNU_REF_ALT:
    case Form.GNU_STRP_ALT:
      return offsetSize;
    case Form.REF_ADDR:
      return version < 3 ? addressSize : offsetSize;
    case Form.FLAG_PRESENT:
    case Form.IMPLICIT_CONST:
      return 0;
    default:
      return VARIES;
  }
}

/** Reads the value at the cursor into `formClass` and `formValue`. `implicit`: the value of Form.IMPLICIT_CONST. */
export function readForm(form: u32, implicit: i64, addressSize: u32, offsetSize: u32, version: u32): void {
  for (let i: u32 = 0; form === Form.INDIRECT && i < MOST_INDIRECT; i++) form = <u32>uleb();
  switch (form) {
    case Form.ADDR:
      set(ADDRESS, word(addressSize));
      return;
    case Form.DATA1:
    case Form.FLAG:
      set(CONSTANT, readU8());
      return;
    case Form.DATA2:
      set(CONSTANT, readU16());
      return;
    case Form.DATA4:
      set(CONSTANT, readU32());
      return;
    case Form.DATA8:
      set(CONSTANT, readU64());
      return;
    case Form.SEC_OFFSET:
      set(CONSTANT, word(offsetSize));
      return;
    case Form.UDATA:
      set(CONSTANT, uleb());
      return;
    case Form.SDATA:
      set(CONSTANT, <u64>sleb());
      return;
    case Form.IMPLICIT_CONST:
      set(CONSTANT, <u64>implicit);
      return;
    case Form.FLAG_PRESENT:
      set(CONSTANT, 1);
      return;
    case Form.REF1:
      set(UNIT_REFERENCE, readU8());
      return;
    case Form.REF2:
      set(UNIT_REFERENCE, readU16());
      return;
    case Form.REF4:
      set(UNIT_REFERENCE, readU32());
      return;
    case Form.REF8:
      set(UNIT_REFERENCE, readU64());
      return;
    case Form.REF_UDATA:
      set(UNIT_REFERENCE, uleb());
      return;
    case Form.REF_ADDR:
      set(INFO_REFERENCE, word(version < 3 ? addressSize : offsetSize));
      return;
    case Form.STRING:
      set(TEXT_HERE, position());
      skipText();
      return;
    case Form.STRP:
      set(TEXT_IN_STR, word(offsetSize));
      return;
    case Form.LINE_STRP:
      set(TEXT_IN_LINE_STR, word(offsetSize));
      return;
    case Form.STRX:
    case Form.GNU_STR_INDEX:
      set(TEXT_INDEX, uleb());
      return;
    case Form.ADDRX:
    case Form.GNU_ADDR_INDEX:
      set(ADDRESS_INDEX, uleb());
      return;
    case Form.RNGLISTX:
    case Form.LOCLISTX:
      set(LIST_INDEX, uleb());
      return;
    case Form.BLOCK1:
      set(UNUSED, 0);
      skip(readU8());
      return;
    case Form.BLOCK2:
      set(UNUSED, 0);
      skip(readU16());
      return;
    case Form.BLOCK4:
      set(UNUSED, 0);
      skip(readU32());
      return;
    case Form.BLOCK:
    case Form.EXPRLOC:
      set(UNUSED, 0);
      skip(uleb());
      return;
    case Form.GNU_STRP_ALT:
    case Form.STRP_SUP:
      set(TEXT_IN_ALTERNATE, word(offsetSize));
      return;
    case Form.GNU_REF_ALT:
    case Form.REF_SUP4:
    case Form.REF_SUP8:
      set(ALTERNATE, word(sizeOfForm(form, addressSize, offsetSize, version)));
      return;
    case Form.DATA16:
    case Form.REF_SIG8:
      set(UNUSED, 0);
      skip(sizeOfForm(form, addressSize, offsetSize, version));
      return;
    default:
      break;
  }
  if (form >= Form.STRX1 && form <= Form.STRX4) {
    set(TEXT_INDEX, word(form - Form.STRX1 + 1));
    return;
  }
  if (form >= Form.ADDRX1 && form <= Form.ADDRX4) {
    set(ADDRESS_INDEX, word(form - Form.ADDRX1 + 1));
    return;
  }
  set(NONE, 0);
  breakOff();
}
