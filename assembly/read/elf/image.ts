/**
 * Images: files with code or debug information, and what is known of them. Their headers are read by headers.ts and
 * macho.ts.
 *
 *   image   row of abi/elf-image.ts; its file and its sections are streams (pages.ts)
 */

import * as ElfImage from "../../abi/elf-image";
import * as Section from "../../abi/elf-section";
import { alloc } from "../../memory/arena";
import { Buffer } from "../../memory/buffer";
import { onReset } from "../../memory/resets";
import { closeStream, MOST_IMAGES, openStream, STREAMS_PER_IMAGE } from "./pages";

const PF_EXECUTE: u64 = 1;

let images: usize = 0;
export let imageCount: u32 = 0;
/** Address and end of each section, for symbols without a size: u64 each. One list for each image. */
let extents: usize = 0;

onReset((): void => {
  const bytes = <usize>MOST_IMAGES * ElfImage.BYTES;
  images = alloc(bytes);
  memory.fill(images, 0, bytes);
  imageCount = 0;
  extents = alloc((<usize>MOST_IMAGES) << 2);
  for (let i: u32 = 0; i < MOST_IMAGES; i++) store<u32>(extents + ((<usize>i) << 2), 0);
});

export function imageRow(image: u32): usize {
  return images + <usize>image * ElfImage.BYTES;
}

export function streamOf(image: u32, section: u32): u32 {
  return image * STREAMS_PER_IMAGE + section;
}

export function sectionRow(image: u32, section: u32): usize {
  return imageRow(image) + ElfImage.SECTIONS + <usize>section * ElfImage.SECTION_BYTES;
}

export function hasSection(image: u32, section: u32): bool {
  return load<u32>(sectionRow(image, section), ElfImage.SECTION_THERE) !== 0;
}

/** A new image over a file of `size` bytes; MOST_IMAGES when there is no room for it. */
export function newImage(size: u64): u32 {
  if (imageCount === MOST_IMAGES) return MOST_IMAGES;
  const image = imageCount++;
  openStream(streamOf(image, Section.File), size);
  return image;
}

/** The image has another file from now on. */
export function renewImage(image: u32, size: u64): void {
  for (let i: u32 = 0; i < STREAMS_PER_IMAGE; i++) closeStream(image * STREAMS_PER_IMAGE + i);
  openStream(streamOf(image, Section.File), size);
}

/** Address space of a file: whether an executable segment has the address. */
export function isCode(image: u32, address: u64): bool {
  return inSegment(image, address, PF_EXECUTE);
}

export function isMapped(image: u32, address: u64): bool {
  return inSegment(image, address, 0);
}

function inSegment(image: u32, address: u64, flags: u64): bool {
  const row = imageRow(image);
  const count = load<u32>(row, ElfImage.LOADS);
  let at = <usize>load<u32>(row, ElfImage.LOAD_ROWS);
  for (let i: u32 = 0; i < count; i++, at += ElfImage.LOAD_BYTES) {
    const isIn = address - load<u64>(at, ElfImage.LOAD_ADDRESS) < load<u64>(at, ElfImage.LOAD_SIZE);
    if (isIn && (load<u64>(at, ElfImage.LOAD_FLAGS) & flags) === flags) return true;
  }
  return false;
}

/** Keeps whether each section has code, and where it ends. */
export function keepExtents(image: u32, list: Buffer): void {
  store<u32>(extents + ((<usize>image) << 2), <u32>changetype<usize>(list));
}

/** Address after the section `index`; 0 if the image has no such section. */
export function sectionEnd(image: u32, index: u32): u64 {
  const list = changetype<Buffer>(<usize>load<u32>(extents + ((<usize>image) << 2)));
  if (changetype<usize>(list) === 0 || index >= list.size >> 4) return 0;
  return load<u64>(list.at + ((<usize>index) << 4) + sizeof<u64>());
}

/** Whether the section `index` has code. */
export function isCodeSection(image: u32, index: u32): bool {
  const list = changetype<Buffer>(<usize>load<u32>(extents + ((<usize>image) << 2)));
  if (changetype<usize>(list) === 0 || index >= list.size >> 4) return false;
  return (load<u64>(list.at + ((<usize>index) << 4)) & 1) !== 0;
}

/** Notes damage of a section. */
export function damage(image: u32, section: u32, bit: u32): void {
  const row = sectionRow(image, section);
  store<u32>(row, load<u32>(row, ElfImage.SECTION_FAULTS) | bit, ElfImage.SECTION_FAULTS);
}

export function fault(row: usize, bit: u32): void {
  store<u32>(row, load<u32>(row, ElfImage.FAULTS) | bit, ElfImage.FAULTS);
}
