/** Wrappers around recordings. lz4 and zstd here store what they hold; the committed fixtures compress it. */
import { gzipSync, type Zippable, zipSync } from "fflate";
import { hasMagic } from "../../src/input/chunk-header.ts";
import { DICTIONARY, delimited, frame, jsonOf, type ProfileSpec, protobufOf } from "../kit/otlp/otlp-message.ts";
import type { Random } from "../kit/random.ts";
import { splice } from "./damage.ts";

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return parts.reduce((all, part) => splice(all, all.length, 0, part), new Uint8Array(0));
}

function little(value: number, width: number): Uint8Array {
  return Uint8Array.from({ length: width }, (_, i) => Math.floor(value / 2 ** (8 * i)) % 256);
}

function blocksOf(bytes: Uint8Array, size: number): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) blocks.push(bytes.subarray(at, at + size));
  return blocks;
}

function lz4(bytes: Uint8Array): Uint8Array {
  const blocks = blocksOf(bytes, 65536).flatMap((block) => [little(block.length + 0x8000_0000, 4), block]);
  return concat([Uint8Array.of(0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82), ...blocks, little(0, 4)]);
}

/** One frame of raw blocks: single segment, content size of four bytes. */
function zstd(bytes: Uint8Array): Uint8Array {
  const all = blocksOf(bytes, 65536);
  const blocks = all.flatMap((block, i) => [little(block.length * 8 + (i === all.length - 1 ? 1 : 0), 3), block]);
  if (blocks.length === 0) blocks.push(little(1, 3));
  return concat([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xa0), little(bytes.length, 4), ...blocks]);
}

function zip(bytes: Uint8Array, other: Uint8Array, level: 0 | 1): Uint8Array {
  const entries: Zippable = { "a/first.jfr": bytes, "note.txt": Uint8Array.of(104, 105), "b.jfr": other };
  return zipSync(entries, { level, mtime: new Date(2024, 0, 1) });
}

/** The profile with the recording in the middle of three, of which another has one too. */
function otlp(bytes: Uint8Array, other: Uint8Array, random: Random): [string, Uint8Array] {
  // What begins like no recording is left alone where its format comes later.
  const payloadFirst = random.one(2) && hasMagic(bytes);
  const profile = { format: "jfr", payload: bytes, payloadFirst };
  const profiles: ProfileSpec[] = [{}, profile, { format: "JFR", payload: other }];
  const form = random.pick(["protobuf", "frames", "delimited", "JSON", "JSON lines"]);
  const each = form === "JSON lines" ? profiles.map((one) => jsonOf([one])) : profiles.map((one) => protobufOf(one));
  if (form === "frames") return [`OTLP ${form}`, concat(each.map(frame))];
  if (form === "delimited") return [`OTLP ${form}`, delimited(each)];
  if (form === "JSON lines") return [`OTLP ${form}`, concat(each.flatMap((line) => [line, Uint8Array.of(10)]))];
  return [`OTLP ${form}`, form === "JSON" ? jsonOf(profiles) : concat([...each, DICTIONARY])];
}

/** Packs `bytes`; a zip and an OTLP message get `other` as an entry besides. */
export function wrap(bytes: Uint8Array, other: Uint8Array, random: Random): [string, Uint8Array] {
  switch (random.below(6)) {
    case 0:
      return ["gzip", gzipSync(bytes, { level: 1, mtime: 0 })];
    case 1: {
      const at = random.below(bytes.length + 1);
      const members = [bytes.subarray(0, at), bytes.subarray(at)];
      return ["gzip of two members", concat(members.map((member) => gzipSync(member, { level: 1, mtime: 0 })))];
    }
    case 2:
      return ["zstd", zstd(bytes)];
    case 3:
      return ["lz4", lz4(bytes)];
    case 4:
      return otlp(bytes, other, random);
    default: {
      const level = random.one(2) ? 0 : 1;
      return [`zip of level ${level}`, zip(bytes, other, level)];
    }
  }
}
