/**
 * Readable names of functions of C++ and Rust, by gecko-profiler-demangle: with parameters, without return types. Names
 * come out of files and may be made to cost much, so the module's memory and work are limited when it is built
 * (scripts/bound-module.mjs): a name that has used up its fuel traps, however the library came to it, and stays as it
 * is. An instance that trapped is replaced. Names that cost more than usual ones share a budget.
 */
import { withCrates } from "./crates.ts";
import { withKeptEscapes } from "./escapes.ts";
import { isMangled, withoutHash, withoutMarks } from "./fold.ts";

/** Characters of a name that is read, and of a readable name that is kept. */
const LONGEST = 4096;
/** Fuel of a name: names of libjvm need 12 for each character, at most 40. 2^24 are a tenth of a second. */
const FUEL_PER_CHARACTER = 256;
const MOST_FUEL = 2 ** 24;
/** Fuel beyond that of usual names, for all names; and the part of it that replacing an instance costs. */
const BUDGET = 2 ** 28;
const REPLACEMENT = 2 ** 18;

/** First byte of gzip; that of a module is 0. */
const GZIP = 0x1f;

/** The interface of the package's module, which wasm-bindgen made, with its fuel. */
interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  fuel: WebAssembly.Global<"i32">;
  __wbindgen_start(): void;
  __wbindgen_malloc(size: number, align: number): number;
  __wbindgen_free(at: number, size: number, align: number): void;
  demangle_any(at: number, size: number): [at: number, size: number];
}

/** The module passes no JavaScript values, so their table needs no entries. */
const IMPORTS = { "./index_bg.js": { __wbindgen_init_externref_table() {} } };

export class Demangler {
  private readonly module: WebAssembly.Module;
  private readonly names = new Map<string, string>();
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** Null before the first name, and after a trap. */
  private instance: Exports | null = null;
  private budget = BUDGET;

  private constructor(module: WebAssembly.Module) {
    this.module = module;
  }

  /** `wasm`: build/demangle.wasm. */
  static async create(wasm: Uint8Array): Promise<Demangler> {
    return new Demangler(await WebAssembly.compile(wasm as BufferSource));
  }

  /** `packed`: build/demangle.wasm.gz, which a server may have unpacked on its way. */
  static async createPacked(packed: Uint8Array): Promise<Demangler> {
    if (packed[0] !== GZIP) return Demangler.create(packed);
    const { body } = new Response(packed as BodyInit);
    const wasm = await new Response(body?.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    return Demangler.create(new Uint8Array(wasm));
  }

  /** The readable name of a linkage name, without the marks of compilers; a name that is no mangled one stays. */
  readable(linkage: string): string {
    const known = this.names.get(linkage);
    if (known !== undefined) return known;
    const plain = withoutMarks(linkage);
    const name = isMangled(plain) ? this.shown(plain).slice(0, LONGEST) : plain;
    this.names.set(linkage, name);
    return name;
  }

  private shown(linkage: string): string {
    const thunk = targetOfThunk(linkage);
    if (thunk !== null) return `${thunk.words} ${this.shown(thunk.target)}`;
    const name = this.demangle(withKeptEscapes(linkage)) ?? this.demangle(withQualifierEnds(linkage)) ?? linkage;
    return withCrates(linkage, withoutHash(name));
  }

  /** Null for a name that the library does not know: it returns this one, or the name without its first underscore. */
  private demangle(name: string): string | null {
    if (name.length > LONGEST) return null;
    const usual = name.length * FUEL_PER_CHARACTER;
    const fuel = Math.min(MOST_FUEL, usual + this.budget);
    const exports = this.exports();
    if (exports === null) return null;
    exports.fuel.value = fuel;
    try {
      const readable = this.call(exports, name);
      return readable === name || readable === name.slice(1) ? null : readable;
    } catch {
      // After a trap the instance is used up.
      this.instance = null;
      return null;
    } finally {
      this.budget -= Math.max(0, fuel - Math.max(0, exports.fuel.value) - usual);
    }
  }

  private call(exports: Exports, name: string): string {
    const given = this.encoder.encode(name);
    const to = exports.__wbindgen_malloc(given.length, 1) >>> 0;
    new Uint8Array(exports.memory.buffer, to, given.length).set(given);
    const [at, size] = exports.demangle_any(to, given.length);
    const text = this.decoder.decode(new Uint8Array(exports.memory.buffer, at >>> 0, size >>> 0));
    exports.__wbindgen_free(at, size, 1);
    return text;
  }

  /** Null if names that trapped have used up the budget. */
  private exports(): Exports | null {
    if (this.instance !== null) return this.instance;
    if (this.budget < REPLACEMENT) return null;
    this.budget -= REPLACEMENT;
    const { exports } = new WebAssembly.Instance(this.module, IMPORTS);
    this.instance = exports as Exports;
    this.instance.fuel.value = MOST_FUEL;
    this.instance.__wbindgen_start();
    return this.instance;
  }
}

/** Names of C++ that the demangler reads in another way than other tools, or not at all. */

/**
 * A thunk calls a method for an object whose base class is elsewhere in it; `n` is a minus.
 *
 *   _ZThn8_N4Base4workEv                   by a fixed offset
 *   _ZTv0_n24_N4Base4workEv                by one that the object has
 *   _ZTchn8_v0_n24_N4Base4workEv           with both for the result
 */
const THUNKS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^_ZThn?\d+_(?!T)/, "non-virtual thunk to"],
  [/^_ZTvn?\d+_n?\d+_(?!T)/, "virtual thunk to"],
  [/^_ZTc(?:hn?\d+_|vn?\d+_n?\d+_){2}(?!T)/, "covariant return thunk to"],
];

/** The method that a thunk calls, as a linkage name; null if it is no thunk. */
function targetOfThunk(linkage: string): { words: string; target: string } | null {
  for (const [pattern, words] of THUNKS) {
    const [head] = pattern.exec(linkage) ?? [];
    if (head !== undefined) return { words, target: `_Z${linkage.slice(head.length)}` };
  }
  return null;
}

/**
 * The name with an E after the qualifier of each unresolved name: GCC leaves it out, as in `sr3FooIXT_EE5value`, which
 * the library reads as `sr3FooIXT_EEE5value`, and one of std as `srNSt3FooIXT_EEE5value`. The base name, which begins
 * with its length, follows the qualifier.
 */
function withQualifierEnds(name: string): string {
  let text = "";
  let at = 0;
  for (const { index, 0: head, 1: std = "", 2: length } of name.matchAll(/sr(St)?(\d{1,4})/g)) {
    if (index < at) continue;
    const start = index + head.length + Number(length);
    const end = name[start] === "I" ? endOfList(name, start) : start;
    if (end === null) break;
    // Names inside the qualifier may have qualifiers, too.
    text += `${name.slice(at, index)}sr${std === "" ? "" : "N"}${name.slice(index + 2, start)}`;
    text += `${end === start ? "" : withQualifierEnds(name.slice(start, end))}E`;
    at = end;
  }
  return text + name.slice(at);
}

/** The place after a list of template arguments; null if it does not end. */
function endOfList(name: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < name.length; ) {
    const [digits] = /^\d{1,4}/.exec(name.slice(at, at + 4)) ?? [];
    // The length of an identifier; other numbers follow a letter that takes them: S1_, T2_, Li3E.
    if (digits !== undefined && !/[ST_a-z]/.test(name[at - 1] ?? "")) {
      at += digits.length + Number(digits);
      continue;
    }
    const letter = name[at++] ?? "";
    if ("INXLJFZ".includes(letter)) depth++;
    else if (letter === "E" && --depth === 0) return at;
  }
  return null;
}
