/**
 * Numbers that a compiler gives to code without a name. An edit of the class renumbers all that follow:
 *
 *   Shop.lambda$main$10   Shop.access$100   Shop$2$1.run   Shop$1Local.run         javac
 *   Shop$main$1.invoke    Shop.main$lambda$3   Shop$all$$inlined$map$1$2.emit      Kotlin
 *   Shop.$anonfun$total$1$adapted   Shop$$anon$2.run                               Scala
 *   Shop$_run_closure2.doCall   shop$fn__1234.invoke   Shop$$ExternalSyntheticLambda0.run
 *                                                        Groovy, Clojure, Android
 *
 * Digits are such a number after one of the texts below, in a name with `$`. Lower case letters after them belong to a
 * hash. Names of the JDK keep their numbers: mostly both recordings are of one JDK.
 */
import { lineIn } from "./lines";

const BEFORE: string = "\n$\n$eval\n__\nclosure\nambda";
const JDK: string = "\njava.\njavax.\njdk.\nsun.";
const DOLLAR: u8 = 0x24;
/** A longer name is kept unchanged. */
const MOST_BYTES: u32 = 4096;

/** The name of the last call without its numbers. */
export const stem: usize = memory.data(4096);
/** The numbers of that name as one: of names that differ in one number, the smaller is first. */
export let stemNumber: u32 = 0;

/** Size of the name of `n` bytes at `p` without such numbers; 0 if it has none. */
export function stemSize(p: usize, n: u32): u32 {
  if (n > MOST_BYTES || n === 0) return 0;
  const end = p + n;
  let q = p;
  while (load<u8>(q) !== DOLLAR) if (++q === end) return 0;
  if (lineIn(JDK, p, end, true) !== 0) return 0;
  let to = stem;
  stemNumber = 0;
  for (q = p; q < end; ) {
    const digits = q;
    while (q < end && isDigit(load<u8>(q))) q++;
    const isNumber = q !== digits && (q === end || !isLower(load<u8>(q))) && lineIn(BEFORE, p, digits, false) !== 0;
    if (isNumber) {
      for (let d = digits; d < q; d++) stemNumber = stemNumber * 10 + load<u8>(d) - 0x30;
    } else {
      // The digits stay, and so does the byte that ends them.
      if (q < end) q++;
      memory.copy(to, digits, q - digits);
      to += q - digits;
    }
  }
  const size = <u32>(to - stem);
  return size === n ? 0 : size;
}

function isDigit(c: u8): bool {
  return c >= 0x30 && c <= 0x39;
}

function isLower(c: u8): bool {
  return c >= 0x61 && c <= 0x7a;
}
