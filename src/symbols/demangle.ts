/**
 * Readable names of functions of C++ and Rust, by gecko-profiler-demangle: with parameters, without return types. Names
 * come out of files and may be made to cost much, so the module's memory is limited, one that traps is replaced, and
 * once names that take long have used up their time, further ones stay as they are.
 */
import * as glue from "gecko-profiler-demangle/index_bg.js";
import { withCrates } from "./crates.ts";
import { withoutHash, withoutMarks } from "./fold.ts";

/** Pages of 64 KiB that the module may have: a readable name is at most a few times as long as its symbol. */
const MOST_PAGES = 512;
/** Characters of a name that is read, and of a readable name that is kept. */
const LONGEST = 4096;
/** Milliseconds of a name that takes long: a usual one takes a fiftieth of one. All of these may take MOST_TIME. */
const LONG_TIME = 10;
const MOST_TIME = 2000;
const MEMORY_SECTION = 5;
const HEAD = 8;

interface Exports extends WebAssembly.Exports {
  __wbindgen_start(): void;
}

export class Demangler {
  private readonly module: WebAssembly.Module;
  private readonly names = new Map<string, string>();
  private isReady = false;
  private time = 0;

  private constructor(module: WebAssembly.Module) {
    this.module = module;
  }

  /** `wasm`: the bytes of the package's module. */
  static async create(wasm: Uint8Array): Promise<Demangler> {
    return new Demangler(await WebAssembly.compile(withMostPages(wasm, MOST_PAGES) as BufferSource));
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
    return withCrates(linkage, withoutHash(this.demangle(linkage)));
  }

  private demangle(name: string): string {
    if (name.length > LONGEST || this.time > MOST_TIME) return name;
    const start = performance.now();
    try {
      if (!this.isReady) this.start();
      return demangled(name) ?? demangled(withQualifierEnds(name)) ?? name;
    } catch {
      // After a trap the instance is used up.
      this.isReady = false;
      return name;
    } finally {
      const time = performance.now() - start;
      if (time > LONG_TIME) this.time += time;
    }
  }

  private start(): void {
    const instance = new WebAssembly.Instance(this.module, { "./index_bg.js": glue as WebAssembly.ModuleImports });
    glue.__wbg_set_wasm(instance.exports);
    (instance.exports as Exports).__wbindgen_start();
    this.isReady = true;
  }
}

/** Null for a name that the library does not know: it returns such a name, or the name without its first underscore. */
function demangled(name: string): string | null {
  const readable = glue.demangle_any(name);
  return readable === name || readable === name.slice(1) ? null : readable;
}

/**
 * The name with an E after the qualifier of each unresolved name: GCC leaves it out, as in `sr3FooIXT_EE5value`, which
 * the library reads as `sr3FooIXT_EEE5value`. The base name, which begins with its length, follows the qualifier.
 */
function withQualifierEnds(name: string): string {
  let text = "";
  let at = 0;
  for (const { index, 0: head, 1: length } of name.matchAll(/sr(\d{1,4})/g)) {
    if (index < at) continue;
    let end = index + head.length + Number(length);
    if (name[end] === "I") {
      const after = name.slice(end).search(/E\d/);
      if (after < 0) break;
      end += after + 1;
    }
    text += `${name.slice(at, end)}E`;
    at = end;
  }
  return text + name.slice(at);
}

function isMangled(name: string): boolean {
  return /^_{1,2}[ZR]/.test(name);
}

/** A number in LEB128, and the place after it. */
function leb(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

function lebOf(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...lebOf(value >>> 7)];
}

/** A module whose memory, which it defines without a limit, has at most `pages`. */
export function withMostPages(wasm: Uint8Array, pages: number): Uint8Array {
  for (let at = HEAD; at < wasm.length; ) {
    const [size, start] = leb(wasm, at + 1);
    if (wasm[at] === MEMORY_SECTION) {
      const [least] = leb(wasm, start + 2);
      const body = [1, 1, ...lebOf(least), ...lebOf(pages)];
      const section = [MEMORY_SECTION, ...lebOf(body.length), ...body];
      const limited = new Uint8Array(at + section.length + wasm.length - start - size);
      limited.set(wasm.subarray(0, at));
      limited.set(section, at);
      limited.set(wasm.subarray(start + size), at + section.length);
      return limited;
    }
    at = start + size;
  }
  throw new Error("the module has no memory");
}
