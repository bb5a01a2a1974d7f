/**
 * Normalised names. Frames are merged by name, so two notations of one name have to become one.
 *
 * Generated names: the part of a class, method or library name that differs from run to run. The same lambda is
 * `Shop$$Lambda$324/0x00007f00` in one run and `Shop$$Lambda$87/0x00007e00` in the next; without that part both are
 * `Shop$$Lambda`.
 *
 * Class names in the JVM's own form: `java/util/regex/Pattern.matcher` becomes `java.util.regex.Pattern.matcher`.
 * Methods in other notations come first (notations.ts).
 *
 * A rule is a kind and a text. The kind gives the characters after the text that are removed:
 *
 *   L   number, address and hash of a lambda's or a method handle's class: `$93+0x00007f479400ed90/446691317`. The
 *       lambda's method stays if it is a part of the class name: `$lambda$wrap$2` of `$lambda$wrap$2$93+0x00007f…`.
 *   D   digits
 *   P   digits, where a class name begins with the text
 *   J   digits, where the name begins with the text and a dot follows them
 *   H   hexadecimal digits, perhaps `_` and digits, up to the end of the part
 *   R   eight letters and digits up to the end of the part: ByteBuddy's random names
 *   W   letters, digits, `_` and `-`
 *
 * A part of a name ends before `.`, `$` and `/`. Two rules have no text. A hidden class loses its address of 16 digits:
 * `Foo/0x00007f479400ed90.run`. The name of a library loses ` (deleted)`, UUIDs, and runs of nine or more digits (of
 * four or more where the file was deleted): programs that unpack a library put them into the name of the file. An
 * address keeps its library as recorded (`libfoo123456789.so+0x12`): people look for that file to name the address.
 */
import { plain, plainSize } from "./notations";

const RULES: string = `
L$$Lambda
LLambdaForm$MH
LLambdaForm$DMH
LLambdaForm$BMH
P$Proxy
Jjdk.proxy
Jjdk.MHProxy
DGeneratedMethodAccessor
DGeneratedConstructorAccessor
DGeneratedSerializationConstructorAccessor
HCGLIB$$
HCGLIB$$FastClass$$
HByGuice$$
R$ByteBuddy$
R$HibernateProxy$
R$HibernateBasicProxy$
R$HibernateInstantiator$
R$HibernateAccessOptimizer$
R$auxiliary$
D$MockitoMock$
D_$$_javassist_
W_$$_jvst
Wjdk.jfr.internal.handlers.EventHandler
`;

/** A longer name is kept unchanged. */
const MOST_BYTES: u32 = 4096;
/** Digits of a hidden class's address. */
const ADDRESS_DIGITS: usize = 16;
/** Fewest digits in a row that are not the version of a library. */
const RUN_DIGITS: usize = 9;
const RANDOM_LETTERS: usize = 8;
const SYNTHETIC: string = "$lambda$";
const UUID_BYTES: usize = 36;
/** Fewest digits in a row that are not the version of a library whose file was deleted. */
const DELETED_DIGITS: usize = 4;
const LIBRARY: string = ".so";
const DELETED: string = " (deleted)";

const LINE_END: u16 = 0x0a;
/** `0x` */
const HEX_PREFIX: u16 = 0x7830;
const DOLLAR: u8 = 0x24;
const PLUS: u8 = 0x2b;
const HYPHEN: u8 = 0x2d;
const DOT: u8 = 0x2e;
const SLASH: u8 = 0x2f;
const UNDERSCORE: u8 = 0x5f;

/** The name normalised last. */
export const normalisedName: usize = memory.data(4096 + 8);

/** First byte of the current name, and the place after its last byte. */
let first: usize = 0;
let end: usize = 0;
/** The text of the rule that was found last, and the end of the part that it removes after the text. */
let textEnd: usize = 0;
let leftOutEnd: usize = 0;
/** It is a path, or has the ending of a library. */
let library: bool = false;
/** It is a library and an offset. */
let address: bool = false;
let fewestDigits: usize = 0;

/** Recordings state methods in one notation, so the others are read once a message was. */
let plainSizeOf: (p: usize, n: u32) => u32 = asItIs;

function asItIs(_p: usize, _n: u32): u32 {
  return 0;
}

/** From now on, names can be in any notation (notations.ts). */
export function takeNotations(): void {
  plainSizeOf = plainSize;
}

/** Size of the normalised name of the `n` bytes at `p`; 0 if it stays as it is. */
export function normaliseName(p: usize, n: u32): u32 {
  if (n > MOST_BYTES) return 0;
  first = p;
  end = p + n;
  if (!hasSign()) return 0;
  const plainly = plainSizeOf(p, n);
  if (plainly === 0) return withoutRun(p, n);
  const size = withoutRun(plain, plainly);
  if (size !== 0) return size;
  memory.copy(normalisedName, plain, plainly);
  return plainly;
}

/** Size of the name of `n` bytes at `p` without the parts that differ from run to run; 0 if there are no such parts. */
function withoutRun(p: usize, n: u32): u32 {
  first = p;
  end = p + n;
  lookWhole();
  if (address) return 0;
  const size = withoutGenerated();
  if (library) return size;
  // The class is known only without its address: `com/acme/Shop$$Lambda$1/0x00007f00.run`.
  const classEnd = size === 0 ? slashedClassEnd(p, end) : slashedClassEnd(normalisedName, normalisedName + size);
  if (classEnd === 0) return size;
  if (size === 0) memory.copy(normalisedName, p, n);
  const last = size === 0 ? normalisedName + (classEnd - p) : classEnd;
  for (let q = normalisedName; q < last; q++) if (load<u8>(q) === SLASH) store<u8>(q, DOT);
  return size === 0 ? n : size;
}

/** Copies the name without its generated parts to `normalisedName`; 0 if it has none. */
function withoutGenerated(): u32 {
  let p = first;
  let to = normalisedName;
  /** Start of the part that is kept and not yet copied. */
  let kept = p;
  while (p < end) {
    if (!library && !mayStart(load<u8>(p))) {
      p++;
      continue;
    }
    let keptEnd = p;
    let after = p;
    if (isRuleAt(p)) {
      keptEnd = textEnd;
      after = leftOutEnd;
    } else {
      after = library ? libraryPartEnd(p) : addressEnd(p);
      // The hyphen that joins a UUID to the rest.
      if (after - p === UUID_BYTES && p > kept && load<u8>(p - 1) === HYPHEN) keptEnd--;
    }
    if (after === p) {
      p++;
      continue;
    }
    memory.copy(to, kept, keptEnd - kept);
    to += keptEnd - kept;
    p = after;
    kept = after;
  }
  if (kept === first) return 0;
  memory.copy(to, kept, end - kept);
  return <u32>(to + (end - kept) - normalisedName);
}

/** Bytes that the texts of rules and the addresses of hidden classes start with: `$ + . /` and `B C G L _ j`. */
const LOW_STARTS: u64 = ((<u64>1) << 36) | ((<u64>1) << 43) | ((<u64>1) << 46) | ((<u64>1) << 47);
const HIGH_STARTS: u64 =
  ((<u64>1) << 2) | ((<u64>1) << 3) | ((<u64>1) << 7) | ((<u64>1) << 12) | ((<u64>1) << 31) | ((<u64>1) << 42);

function mayStart(c: u8): bool {
  return (((c < 64 ? LOW_STARTS : HIGH_STARTS) >> (c & 63)) & 1) !== 0;
}

function isDigit(c: u8): bool {
  return c >= 0x30 && c <= 0x39;
}

function isHex(c: u8): bool {
  return isDigit(c) || (c >= 0x61 && c <= 0x66);
}

function isLetterOrDigit(c: u8): bool {
  return isDigit(c) || ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a);
}

/** Whether a part of the name ends before `p`. */
function isPartEnd(p: usize): bool {
  if (p === end) return true;
  const c = load<u8>(p);
  return c === DOT || c === DOLLAR || c === SLASH;
}

function skipDigits(p: usize): usize {
  while (p < end && isDigit(load<u8>(p))) p++;
  return p;
}

function skipHex(p: usize): usize {
  while (p < end && isHex(load<u8>(p))) p++;
  return p;
}

/** Where this text ends that may be at `p`; 0 where it is not. */
function endOfText(p: usize, text: usize, size: usize): usize {
  if (end - p < size) return 0;
  for (let i: usize = 0; i < size; i++) if (<u16>load<u8>(p + i) !== load<u16>(text + (i << 1))) return 0;
  return p + size;
}

/** Whether a text of the rules may start with these two bytes: most names contain no such pair. */
function mayBeText(p: usize): bool {
  if (end - p < 2) return false;
  const next = load<u8>(p + 1);
  switch (load<u8>(p)) {
    case DOLLAR: // $$Lambda, $Proxy, $ByteBuddy$, $Hibernate…$, $auxiliary$, $MockitoMock$
      return next === DOLLAR || next === 0x50 || next === 0x42 || next === 0x48 || next === 0x61 || next === 0x4d;
    case UNDERSCORE:
      return next === DOLLAR;
    case 0x42: // ByGuice$$
      return next === 0x79;
    case 0x43: // CGLIB$$
      return next === 0x47;
    case 0x47: // Generated…Accessor
      return next === 0x65;
    case 0x4c: // LambdaForm$MH
      return next === 0x61;
    case 0x6a: // jdk.proxy, jdk.jfr.internal…
      return p === first;
    default:
      return false;
  }
}

/** Looks for the rule whose text is at `p` and that leaves something out. */
function isRuleAt(p: usize): bool {
  if (!mayBeText(p)) return false;
  let row = changetype<usize>(RULES) + 2;
  const last = changetype<usize>(RULES) + ((<usize>RULES.length) << 1);
  while (row < last) {
    const text = row + 2;
    let next = text;
    while (load<u16>(next) !== LINE_END) next += 2;
    textEnd = endOfText(p, text, (next - text) >> 1);
    if (textEnd !== 0) {
      leftOutEnd = madeUpEnd(<u8>load<u16>(row), p);
      if (leftOutEnd !== textEnd) return true;
    }
    row = next + 2;
  }
  return false;
}

/** Where that ends which a rule of this kind leaves out; `p` is the start of its text. */
function madeUpEnd(kind: u8, p: usize): usize {
  switch (kind) {
    case 0x4c: // L
      return lambdaEnd(textEnd);
    case 0x50: // P
      return p === first || load<u8>(p - 1) === DOT || load<u8>(p - 1) === SLASH ? skipDigits(textEnd) : textEnd;
    case 0x4a: {
      // J
      const q = skipDigits(textEnd);
      return p === first && q < end && load<u8>(q) === DOT ? q : textEnd;
    }
    case 0x48: {
      // H
      let q = skipHex(textEnd);
      if (q !== textEnd && q < end && load<u8>(q) === UNDERSCORE) q = skipDigits(q + 1);
      return isPartEnd(q) ? q : textEnd;
    }
    case 0x52: {
      // R
      let q = textEnd;
      while (q < end && isLetterOrDigit(load<u8>(q))) q++;
      return q - textEnd === RANDOM_LETTERS && isPartEnd(q) ? q : textEnd;
    }
    case 0x57: {
      // W
      let q = textEnd;
      while (q < end && (isLetterOrDigit(load<u8>(q)) || load<u8>(q) === UNDERSCORE || load<u8>(q) === HYPHEN)) q++;
      return q;
    }
    default:
      return skipDigits(textEnd);
  }
}

/** `[$number] [./+ 0x address] [./ hash]`, in any of the forms of JDK 8 to 25, `/` or `.` as recorders write it. */
function lambdaEnd(p: usize): usize {
  if (p < end && load<u8>(p) === DOLLAR) {
    const digits = skipDigits(p + 1);
    if (digits === p + 1) p = methodEnd(p);
    // Digits that letters follow are a part of a native image's hash.
    else if (digits < end && isNameByte(load<u8>(digits)) && load<u8>(digits) !== DOLLAR) return p;
    else p = digits;
  }
  const q = afterAddress(p);
  return hashEnd(q !== 0 ? q : p);
}

/**
 * The name of a lambda's method in the class name at `p`: `$lambda$wrap$2` of `$lambda$wrap$2$93`, `$run` of `$run$93`.
 * Moves the end of the text after it, and returns the end of the class's number. A method `lambda$…` has a number, too.
 */
function methodEnd(p: usize): usize {
  let q = p;
  while (q < end && isNameByte(load<u8>(q))) q++;
  const number = numberStart(p, q);
  const isSynthetic = endOfText(p, changetype<usize>(SYNTHETIC), SYNTHETIC.length) !== 0;
  const isOfClass = number !== 0 && (!isSynthetic || numberStart(p, number) !== 0);
  if (!isOfClass && afterAddress(q) === 0) return p;
  textEnd = isOfClass ? number : q;
  return q;
}

/** Start of `$` and digits before `q`, not before `p`; 0 if there are none. */
function numberStart(p: usize, q: usize): usize {
  let r = q;
  while (r > p && isDigit(load<u8>(r - 1))) r--;
  return r !== q && r > p && load<u8>(r - 1) === DOLLAR ? r - 1 : 0;
}

/**
 * End of a class name in the JVM's own form at the start of a frame's name: `java/util/Map` of `java/util/Map.get`;
 * 0 if the name has another form. The class begins with a capital or has `$`, which distinguishes it from packages of
 * Go (`net/http.Get`). A method may follow it, with a signature or a line, but not a path with a function, as in
 * `src/View.js:render`.
 */
function slashedClassEnd(p: usize, last: usize): usize {
  let part = p;
  let dollar = false;
  let q = p;
  for (; q < last && (isNameByte(load<u8>(q)) || load<u8>(q) === SLASH); q++) {
    const c = load<u8>(q);
    if (c === DOLLAR) dollar = true;
    if (c !== SLASH) continue;
    if (q === part || isDigit(load<u8>(part))) return 0;
    part = q + 1;
    dollar = false;
  }
  if (part === p || part === q) return 0;
  const c = load<u8>(part);
  if (!(c >= 0x41 && c <= 0x5a) && !dollar) return 0;
  if (q === last) return q;
  if (load<u8>(q) !== DOT) return 0;
  let r = q + 1;
  while (r < last && isMethodByte(load<u8>(r))) r++;
  if (r === q + 1) return 0;
  if (r === last) return q;
  const after = load<u8>(r);
  const isLine = after === 0x3a && r + 1 < last && isDigit(load<u8>(r + 1));
  // `(` of a signature, `[` of a frame type.
  return isLine || after === 0x28 || after === 0x5b || after === 0x20 ? q : 0;
}

/** As `<init>`, and `constructor-impl` of Kotlin. */
function isMethodByte(c: u8): bool {
  return isNameByte(c) || c === HYPHEN || c === 0x3c || c === 0x3e;
}

/** A byte of an identifier of the JVM; characters beyond ASCII may be in one. */
function isNameByte(c: u8): bool {
  return isLetterOrDigit(c) || c === UNDERSCORE || c === DOLLAR || c >= 0x80;
}

/** End of the address whose separator is at `p`; 0 if there is no address. */
function afterAddress(p: usize): usize {
  if (end - p < 4) return 0;
  const c = load<u8>(p);
  if ((c !== DOT && c !== SLASH && c !== PLUS) || load<u16>(p + 1) !== HEX_PREFIX) return 0;
  const q = skipHex(p + 3);
  return q !== p + 3 ? q : 0;
}

function hashEnd(p: usize): usize {
  if (end - p < 2 || (load<u8>(p) !== DOT && load<u8>(p) !== SLASH)) return p;
  const q = skipDigits(p + 1);
  return q !== p + 1 ? q : p;
}

/** Where the address of a hidden class ends that may be at `p`, else `p`. A method follows it, but not an offset. */
function addressEnd(p: usize): usize {
  const q = afterAddress(p);
  if (q === 0 || q - p !== ADDRESS_DIGITS + 3) return p;
  const last = hashEnd(q);
  return last < end && (load<u8>(last) === DOT || load<u8>(last) === SLASH) ? last : p;
}

/**
 * Whether the name has one of `#$%&'(`, a slash, a digit, a colon, a blank or `[`: every name that is normalised
 * contains one of them. The check reads 16 bytes at a time, so it may read up to 15 bytes after the name; such a byte
 * can only make a name look generated.
 */
function hasSign(): bool {
  for (let p = first; p < end; p += 16) {
    const bytes = v128.load(p);
    // A slash is before the digits, a colon after them.
    const digits = v128.lt<u8>(v128.sub<i8>(bytes, v128.splat<i8>(SLASH)), v128.splat<i8>(12));
    const signs = v128.lt<u8>(v128.sub<i8>(bytes, v128.splat<i8>(0x23)), v128.splat<i8>(6));
    const others = v128.or(v128.eq<i8>(bytes, v128.splat<i8>(0x5b)), v128.eq<i8>(bytes, v128.splat<i8>(0x20)));
    if (v128.any_true(v128.or(v128.or(digits, others), signs))) return true;
  }
  return false;
}

/** Finds whether the name is a path or has the ending of a library, and how many digits in a row are made up there. */
function lookWhole(): void {
  library = load<u8>(first) === SLASH;
  address = false;
  fewestDigits = RUN_DIGITS;
  for (let p = first; p < end; p++) {
    const c = load<u8>(p);
    if (c === DOT && !library) {
      const q = endOfText(p, changetype<usize>(LIBRARY), LIBRARY.length);
      library = q !== 0 && (q === end || !isLetterOrDigit(load<u8>(q)));
    } else if (c === 0x20 && endOfText(p, changetype<usize>(DELETED), DELETED.length) !== 0) {
      fewestDigits = DELETED_DIGITS;
    } else if (c === PLUS && p + 3 < end && load<u16>(p + 1) === HEX_PREFIX) {
      address = library;
    }
  }
}

/** Where a part of a library's name ends that an unpacker made up, else `p`. */
function libraryPartEnd(p: usize): usize {
  const c = load<u8>(p);
  if (c === 0x20) {
    const deleted = endOfText(p, changetype<usize>(DELETED), DELETED.length);
    return deleted !== 0 ? deleted : p;
  }
  if (isUuid(p)) return p + UUID_BYTES;
  const q = skipDigits(p);
  return q - p >= fewestDigits ? q : p;
}

/** Eight hexadecimal digits, four, four, four and twelve. */
function isUuid(p: usize): bool {
  if (end - p < UUID_BYTES || (p > first && isHex(load<u8>(p - 1)))) return false;
  for (let i: usize = 0; i < UUID_BYTES; i++) {
    const c = load<u8>(p + i);
    if (i === 8 || i === 13 || i === 18 || i === 23 ? c !== HYPHEN : !isHex(c)) return false;
  }
  return true;
}
