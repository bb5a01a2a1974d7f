/**
 * Notations of one method of the JVM, which other recorders and tools write: all become `java.util.Map.get`.
 *
 *   boolean java.util.Map.get(java.lang.Object, int)          the JDK's perf map, ART: return type and types
 *   java.util.Map.get(Object) line: 7                         `jfr print`
 *   Ljava/util/Map;::get  Ljava/util/Map;.get  Ljava/util/Map;->get(J)V    perf-map-agent, descriptors, smali
 *   java/util/Map.get(J)V  java/util/Map::get  java.util.Map#get           async-profiler, OpenJ9, Javadoc
 *   java.base/java.util.Map.get  app//com.acme.Shop.pay       modules and class loaders
 *   at java.base@17.0.1/java.util.Map.get(B.java:12)        stack traces: a source file, `Native Method`
 *   java.util.Map.get_[j]  java.util.Map.get (inlined)        marks of compiled, interpreted and inlined frames
 *
 * Other languages have the same signs, so what is removed has to be the JVM's: a class with a package in lower case
 * and a capital or `$` in its own name, a source file of a language of the JVM, types without names, a module of the
 * JDK, with a version, or with the package's beginning. Slashes of classes are left to generated-names.ts.
 */
import { lineIn } from "./lines";

/** Endings of source files, and texts in their place. */
const SOURCES: string = "\n.java\n.kt\n.scala\n.groovy\n.clj\nNative Method\nUnknown Source\n<generated>";
const JDK_MODULES: string = "\njava.\njdk.";
const MARKS: string = "\n_[j]\n_[i]\n_[0]\n_[1]\n (inlined)\n_[inlined]";
const AT: string = "\nat ";
const LINE: string = "\n line:";

const LINE_SIZE: usize = 6;

const MOST_BYTES: u32 = 4096;

/** The name of the last call in the plain notation. */
export const plain: usize = memory.data(4096);

let p: usize = 0;
let e: usize = 0;

function isLetter(c: u8): bool {
  return (c | 0x20) - 0x61 < 26 || c >= 0x80 || c === 0x5f || c === 0x24;
}

function isDigit(c: u8): bool {
  return c - 0x30 < 10;
}

function isName(c: u8): bool {
  return isLetter(c) || isDigit(c);
}

function isUpper(c: u8): bool {
  return c - 0x41 < 26;
}

/** The place of the first `c` in [at, to), `to` without one. */
function find(c: u8, at: usize, to: usize): usize {
  while (at < to && load<u8>(at) !== c) at++;
  return at;
}

/** The same of the last one; 0 without one. */
function findLast(c: u8, at: usize, to: usize): usize {
  while (to > at) if (load<u8>(--to) === c) return to;
  return 0;
}

/** Bytes of a name without its digits, with the colon before them: `B.java:12`. */
function withoutLine(at: usize, to: usize): usize {
  let q = to;
  while (q > at && isDigit(load<u8>(q - 1))) q--;
  return q < to && q > at && load<u8>(q - 1) === 0x3a ? q - 1 : to;
}

/**
 * Whether [at, to) is `package.Class.method`, `Class.method` without `packaged`, with dots or slashes: a part before
 * the last begins with a capital or has `$`, and parts before that one begin in lower case.
 */
function isMethod(at: usize, to: usize, packaged: bool): bool {
  let part = at;
  let isClass = false;
  for (let q = at; q < to; q++) {
    const c = load<u8>(q);
    if (c === 0x2e || c === 0x2f) {
      if (q === part) return false;
      const first = load<u8>(part);
      if ((isUpper(first) || find(0x24, part, q) !== q) && (part !== at || !packaged)) isClass = true;
      if (!isClass && !(isLetter(first) && !isUpper(first))) return false;
      part = q + 1;
    } else if (!isName(c) && !(isClass && (c === 0x2b || c === 0x2d || c === 0x3c || c === 0x3e))) {
      return false;
    }
  }
  return isClass && part < to && (isLetter(load<u8>(part)) || load<u8>(part) === 0x3c);
}

/** What is in the brackets at the end of a name. */
enum Args {
  None,
  Other,
  /** `(B.java:12)`, `(java.base@17/Native Method)`. */
  Source,
  /** `(int, java.lang.Object)`, `(J)V`. */
  Types,
}

/** Takes the brackets off the end. */
function takeArgs(): Args {
  const close = findLast(0x29, p, e);
  const open: usize = close === 0 ? 0 : find(0x28, p, close);
  if (open === 0 || open === close) return Args.None;
  if (open === p || load<u8>(open - 1) === 0x20) return Args.Other;
  for (let q = close + 1; q < e; q++) {
    // The descriptor of a result: `V`, `[I`, `Ljava/lang/Object;`.
    const c = load<u8>(q);
    if (!isName(c) && c !== 0x5b && c !== 0x2f && c !== 0x3b) return Args.Other;
  }
  const isPlain = close + 1 === e;
  e = open;
  if (isPlain && lineIn(SOURCES, open + 1, withoutLine(open + 1, close), false) !== 0) return Args.Source;
  let last: u8 = 0x2c;
  for (let q = open + 1; q < close; q++) {
    const c = load<u8>(q);
    // A type begins with a letter, and has no name after it.
    if (c === 0x20 ? last !== 0x2c : last === 0x2c && !isLetter(c) && c !== 0x5b) return Args.Other;
    if (!isName(c) && c !== 0x2e && c !== 0x2f && c !== 0x3b && c !== 0x2c && c !== 0x20 && c !== 0x5b && c !== 0x5d)
      return Args.Other;
    if (c !== 0x20) last = c;
  }
  return Args.Types;
}

/** Moves the beginning past a module or a class loader. */
function passModule(): void {
  for (let i = 0, at = p; i < 2; i++) {
    const slash = find(0x2f, at, e);
    if (slash === e || slash === at) return;
    for (let q = at; q < slash; q++) {
      const c = load<u8>(q);
      if (!isName(c) && c !== 0x2e && c !== 0x2d && c !== 0x40 && c !== 0x2b) return;
    }
    const after = load<u8>(slash + 1) === 0x2f ? slash + 2 : slash + 1;
    const dot = find(0x2e, at, slash);
    const isOfPackage = dot !== slash && after + (dot - at) < e && memory.compare(at, after, dot - at + 1) === 0;
    const isModule = isOfPackage || find(0x40, at, slash) !== slash || lineIn(JDK_MODULES, at, slash, true) !== 0;
    if ((isModule || after === slash + 2) && isMethod(after, e, true)) {
      p = after;
      return;
    }
    at = slash + 1;
  }
}

/**
 * Copies the name without a separator other than a dot: `Ljava/util/Map;::get`, `java.util.Map#get`. False if the part
 * before it is no class of a package, as in C++.
 */
function takeSeparator(): bool {
  const isDescriptor = load<u8>(p) === 0x4c && find(0x2f, p, e) !== e;
  let at = isDescriptor ? find(0x3b, p, e) : find(0x23, p, e);
  // In collapsed stacks a semicolon has become a colon.
  if (at === e) at = find(0x3a, p, e);
  const start: usize = isDescriptor ? p + 1 : p;
  if (at === e) {
    memory.copy(plain, p, e - p);
  } else {
    let method = at;
    while (method < e && !isLetter(load<u8>(method)) && load<u8>(method) !== 0x3c) method++;
    const part = max(findLast(0x2e, start, at), findLast(0x2f, start, at)) + 1;
    if (part === 1 || !(isUpper(load<u8>(part)) || find(0x24, part, at) !== at)) return false;
    if (method === e || find(0x2e, method, e) !== e || find(0x2f, method, e) !== e) return false;
    memory.copy(plain, start, at - start);
    store<u8>(plain + (at - start), 0x2e);
    memory.copy(plain + (at - start) + 1, method, e - method);
    e = at + 1 + (e - method);
    p = start;
  }
  e = plain + (e - p);
  p = plain;
  return true;
}

/** Size of the plain notation of the name of `n` bytes at `from`; 0 if it is plain, or no method of the JVM. */
export function plainSize(from: usize, n: u32): u32 {
  if (n === 0 || n > MOST_BYTES) return 0;
  p = from;
  e = from + n;
  while (p < e && (load<u8>(p) === 0x20 || load<u8>(p) === 0x09)) p++;
  const at = lineIn(AT, p, e, true);
  const isTrace = at !== 0;
  p += at;
  // Logs add the library of a class: ` ~[shop.jar:1.0]`.
  while (isTrace && p < e && load<u8>(e - 1) === 0x5d && findLast(0x20, p, e) !== 0) e = findLast(0x20, p, e);
  e -= lineIn(MARKS, p, e, false);
  const blankOfLine = findLast(0x20, p, e);
  if (blankOfLine !== 0 && lineIn(LINE, p, blankOfLine, false) !== 0) e = blankOfLine - LINE_SIZE;
  const args = takeArgs();
  if (args === Args.Other) return 0;
  const blank = findLast(0x20, p, e);
  if (blank !== 0) {
    if (args !== Args.Types) return 0;
    for (let q = p; q < blank; q++) {
      const c = load<u8>(q);
      if (!isName(c) && c !== 0x2e && c !== 0x5b && c !== 0x5d) return 0;
    }
    p = blank + 1;
  }
  if (!takeSeparator()) return 0;
  passModule();
  if (!isMethod(p, e, blank === 0 && args !== Args.Source)) return 0;
  const size = <u32>(e - p);
  memory.copy(plain, p, size);
  return size === n && memory.compare(plain, from, n) === 0 ? 0 : size;
}
