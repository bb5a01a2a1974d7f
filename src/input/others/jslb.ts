/**
 * The container of Firefox profiles with binary columns, which samply writes:
 *
 *   DC DF 'JSLB' 01 00 | version u32 = 1 | slabs u32 | root u32 | (type u32, start u32, bytes u32)* | the slabs
 *
 * Slab `root` is JSON, in which `{ "$s": n }` has the content of slab n in its place.
 */
import { isList, type Node, type ParsedJson, parseJson } from "./parsed.ts";

export const JSLB_MAGIC = [0xdc, 0xdf, 0x4a, 0x53, 0x4c, 0x42, 0x01, 0x00];
const HEAD = 20;
const ROW = 12;
const JSON_TYPE = 10;
/** JSON slabs inside JSON slabs. */
const MOST_NESTED = 8;

/** By the number of a slab's type. */
const COLUMNS = [
  ...[Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array],
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
];

/** The content of a file of at least `HEAD` bytes. */
export function parseJslb(file: Uint8Array): ParsedJson {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const word = (at: number) => (at + 4 <= file.length ? view.getUint32(at, true) : 0);
  const version = word(8);
  if (version !== 1) return { value: null, fault: { message: `version ${version} of JSLB is not known`, at: 8 } };
  return new Slabs(file, word, word(12)).parse(word(16), HEAD);
}

class Slabs {
  private readonly file: Uint8Array;
  private readonly word: (at: number) => number;
  private readonly count: number;
  private fault: ParsedJson["fault"] = null;
  private nested = 0;

  constructor(file: Uint8Array, word: (at: number) => number, count: number) {
    this.file = file;
    this.word = word;
    this.count = count;
  }

  parse(root: number, at: number): ParsedJson {
    const value = this.content(root, at);
    return { value, fault: this.fault };
  }

  private wrong(message: string, at: number): null {
    this.fault ??= { message, at };
    return null;
  }

  private content(slab: number, at: number): unknown {
    const row = HEAD + ROW * slab;
    if (!(slab < this.count) || row + ROW > this.file.length) return this.wrong(`slab ${slab} does not exist`, at);
    const [type, start, bytes] = [this.word(row), this.word(row + 4), this.word(row + 8)];
    const whole = Math.max(0, Math.min(bytes, this.file.length - start));
    if (whole < bytes) this.wrong(`slab ${slab} is cut off`, start + whole);
    const column = COLUMNS[type];
    if (column !== undefined) {
      const size = column.BYTES_PER_ELEMENT;
      // Aligned, which the file's bytes need not be.
      const copy = this.file.slice(start, start + whole - (whole % size));
      return new column(copy.buffer);
    }
    if (type !== JSON_TYPE) return this.wrong(`slab ${slab} is of the unknown type ${type}`, row);
    if (this.nested === MOST_NESTED) return this.wrong(`slab ${slab} is too deep in others`, row);
    const { value, fault } = parseJson(new TextDecoder().decode(this.file.subarray(start, start + whole)));
    if (fault !== null) this.wrong(fault.message, start + fault.at);
    this.nested++;
    const filled = this.filled(value, start);
    this.nested--;
    return filled;
  }

  /** A JSON value with the slabs in it. Without recursion, because it may be deep. */
  private filled(value: unknown, at: number): unknown {
    const around = [value];
    const left: unknown[] = [around];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      for (const [key, inner] of isList(next)
        ? Array.from(next, (item, i) => [`${i}`, item] as const)
        : Object.entries(next as Node)) {
        if (typeof inner !== "object" || inner === null) continue;
        const slab = slabOf(inner as Node);
        if (slab === null) left.push(inner);
        else Object.defineProperty(next, key, { value: this.content(slab, at) });
      }
    }
    return around[0];
  }
}

/** The number in `{ "$s": n }`; null for anything else. */
function slabOf(node: Node): number | null {
  const slab = node.$s;
  return typeof slab === "number" && Number.isInteger(slab) && slab >= 0 && Object.keys(node).length === 1
    ? slab
    : null;
}
