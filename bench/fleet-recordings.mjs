/**
 * Recordings of a fleet, made of a few: each copy has its own span ids and local roots, its own times on one of several
 * dates, and thereby its own hash. Stacks and names are those of the original.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newCore, read } from "./load.mjs";

const MAGIC = 0x464c5200;
const SIZE_AT = 8;
const START_AT = 32;
const DAY = 86_400_000_000_000n;
/** Bytes of a number above 2^56 in a recording: seven bits in each of eight bytes, eight in the last. */
const LONGEST = 9;

/**
 * Writes `count` copies of the recordings, in turns, to a folder. Returns their names. Each begins `step` nanoseconds
 * after the one before, on the next of `dates` dates.
 */
export async function makeFleet(originals, count, folder, { dates = 3, step = 1_000_003n } = {}) {
  const core = await newCore();
  const sources = [];
  for (const path of originals) {
    const bytes = new Uint8Array(readFileSync(path));
    await read(core, bytes);
    sources.push({ bytes, ids: placesOf(bytes, await idsOf(core)), starts: startsOf(bytes) });
  }
  return Array.from({ length: count }, (_, i) => {
    const name = `${String(i).padStart(5, "0")}.jfr`;
    writeFileSync(join(folder, name), copyOf(sources[i % sources.length], i + 1, { dates, step }));
    return name;
  });
}

/** Span ids and local roots that take nine bytes. */
async function idsOf(core) {
  const { allColumns } = await import("../dist-lib/core/samples/store-columns.js");
  const LINKS = 5;
  const [spanLow, spanHigh, rootLow, rootHigh] = allColumns(core.instance, LINKS);
  const ids = new Set();
  const add = (low, high) => {
    if (high >= 1 << 24) ids.add((BigInt(high) << 32n) | BigInt(low));
  };
  for (let i = 0; i < spanLow.length; i++) {
    add(spanLow[i], spanHigh[i]);
    add(rootLow[i], rootHigh[i]);
  }
  return ids;
}

function placesOf(bytes, ids) {
  const places = [];
  let run = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (run >= LONGEST - 1) {
      const start = at - (LONGEST - 1);
      let value = BigInt(bytes[at]) << 56n;
      for (let i = 0; i < LONGEST - 1; i++) value |= BigInt(bytes[start + i] & 0x7f) << BigInt(7 * i);
      if (ids.has(value)) {
        places.push(start);
        run = 0;
        continue;
      }
    }
    run = bytes[at] >= 0x80 ? run + 1 : 0;
  }
  return places;
}

function startsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const starts = [];
  for (let at = 0; at + 68 <= bytes.length && view.getUint32(at) === MAGIC; ) {
    starts.push(at);
    const size = Number(view.getBigUint64(at + SIZE_AT));
    if (size <= 0) break;
    at += size;
  }
  return starts;
}

function copyOf({ bytes, ids, starts }, number, { dates, step }) {
  const copy = bytes.slice();
  // The lower seven bits of all bytes but the last one, by numbers that are others for each copy: ids of copies share
  // no bytes that could be compressed, as little as those of other recordings do.
  const masks = [0x9e3779b1, 0x85ebca6b].map((factor) => Math.imul(number, factor));
  for (const at of ids) {
    for (let i = 0; i < LONGEST - 1; i++) copy[at + i] ^= (masks[i >> 2] >>> (7 * (i & 3))) & 0x7f;
  }
  const view = new DataView(copy.buffer);
  const shift = BigInt(number % dates) * DAY + BigInt(number) * step;
  for (const at of starts) view.setBigUint64(at + START_AT, view.getBigUint64(at + START_AT) + shift);
  return copy;
}
