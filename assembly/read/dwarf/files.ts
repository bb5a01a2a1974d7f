/**
 * Directories and files of a line table (DWARF 5, section 6.2.4; DWARF 4, section 6.2.4). Their texts are read for the
 * files that are used.
 *
 *   row   class of the text u32 · number of the directory u32 · place or offset of the text u64
 */
import * as Section from "../../abi/elf-section";
import { Buffer, newBuffer } from "../../memory/buffer";
import { streamOf } from "../elf/image";
import { ended, left, over, position, readU8, seek, skipText, uleb } from "../elf/pages";
import { copyHere, textOf } from "../elf/texts";
import { formClass, formValue, NONE, readForm, TEXT_HERE } from "./forms";
import { folder, image, placeOfText } from "./unit";

const ROW_CLASS: usize = 0;
const ROW_FOLDER: usize = 4;
const ROW_VALUE: usize = 8;
const ROW_BYTES: u32 = 16;
/** The row's value is the row of a text. */
const KNOWN: u32 = 0xffff_ffff;
const CONTENT_PATH: u32 = 1;
const CONTENT_FOLDER: u32 = 2;
const MOST_FORMATS: u32 = 16;
const MOST_ENTRIES: u64 = 1 << 20;

let folders: Buffer = changetype<Buffer>(0);
let files: Buffer = changetype<Buffer>(0);
/** Content type and form of each value of an entry, u32 each. */
let formats: Buffer = changetype<Buffer>(0);
let lineVersion: u32 = 0;
let headerEnd: u64 = 0;
let wordSize: u32 = 8;
let offsetBytes: u32 = 4;

/** Base, folder and name of the file that `readFile` found, as texts. */
export let fileBase: u32 = 0;
export let fileFolder: u32 = 0;
export let fileName: u32 = 0;

export function beginFiles(): void {
  folders = newBuffer(ROW_BYTES * 64);
  files = newBuffer(ROW_BYTES * 256);
  formats = newBuffer(8 * MOST_FORMATS);
}

/** Reads the tables at the cursor, of a header that ends at `end`. */
export function readTables(version: u32, end: u64, addressSize: u32, offsetSize: u32): void {
  folders.size = 0;
  files.size = 0;
  lineVersion = version;
  headerEnd = end;
  wordSize = addressSize;
  offsetBytes = offsetSize;
  if (version >= 5) {
    readEntries(folders);
    readEntries(files);
    return;
  }
  while (!ended()) {
    const start = position();
    if (readU8() === 0) break;
    skipText();
    addRow(folders, TEXT_HERE, start, 0);
  }
  while (!ended()) {
    if (!readOldFile()) break;
  }
}

/** A file of DWARF 2 to 4, also one that the program adds. False at the end of the list. */
export function readOldFile(): bool {
  const start = position();
  if (readU8() === 0) return false;
  skipText();
  const folderNumber = <u32>uleb();
  uleb();
  uleb();
  if (over) return false;
  addRow(files, TEXT_HERE, start, folderNumber);
  return true;
}

function addRow(rows: Buffer, kind: u32, value: u64, folderNumber: u32): void {
  const row = rows.need(ROW_BYTES);
  rows.size += ROW_BYTES;
  store<u32>(row, kind, ROW_CLASS);
  store<u32>(row, folderNumber, ROW_FOLDER);
  store<u64>(row, value, ROW_VALUE);
}

function readEntries(rows: Buffer): void {
  const formatCount = readU8();
  formats.size = 0;
  for (let i: u32 = 0; i < formatCount; i++) {
    const content = <u32>uleb();
    const form = <u32>uleb();
    if (formats.size < 8 * MOST_FORMATS) {
      formats.u32(content);
      formats.u32(form);
    }
  }
  const count = uleb();
  if (formatCount === 0 || formatCount > MOST_FORMATS) return;
  const most = count < left() && count < MOST_ENTRIES ? count : min<u64>(left(), MOST_ENTRIES);
  for (let i: u64 = 0; i < most && !over; i++) {
    let kind: u32 = NONE;
    let value: u64 = 0;
    let number: u32 = 0;
    for (let k: u32 = 0; k < formatCount; k++) {
      const format = formats.at + ((<usize>k) << 3);
      readForm(load<u32>(format, sizeof<u32>()), 0, wordSize, offsetBytes, lineVersion);
      const content = load<u32>(format);
      if (content === CONTENT_PATH) {
        kind = formClass;
        value = formValue;
      } else if (content === CONTENT_FOLDER) number = <u32>formValue;
    }
    addRow(rows, kind, value, number);
  }
}

/** Finds the texts of a file by its number in rows and call sites. The cursor moves. */
export function readFile(number: u32): void {
  fileBase = 0;
  fileFolder = 0;
  fileName = 0;
  const i = lineVersion >= 5 ? number : number - 1;
  if (i >= files.size / ROW_BYTES) return;
  fileName = textAt(files, i);
  const place = load<u32>(files.at + <usize>i * ROW_BYTES, ROW_FOLDER);
  // Since DWARF 5 the compilation directory is the first one place the list.
  if (lineVersion >= 5) fileFolder = textAt(folders, place);
  else if (place > 0) fileFolder = textAt(folders, place - 1);
  fileBase = textOf(folder);
}

function textAt(rows: Buffer, i: u32): u32 {
  if (i >= rows.size / ROW_BYTES) return 0;
  const row = rows.at + <usize>i * ROW_BYTES;
  const kind = load<u32>(row, ROW_CLASS);
  const value = load<u64>(row, ROW_VALUE);
  if (kind === KNOWN) return <u32>value;
  let text: u32 = 0;
  if (kind === TEXT_HERE) {
    seek(streamOf(image, Section.DebugLine), value, headerEnd);
    text = textOf(copyHere());
  } else text = textOf(placeOfText(kind, value));
  store<u32>(row, KNOWN, ROW_CLASS);
  store<u64>(row, text, ROW_VALUE);
  return text;
}
