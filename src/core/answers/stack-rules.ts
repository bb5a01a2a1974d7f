/**
 * Weight of the current selection in the stacks that match rules. Each name is compared with the patterns once, and
 * names of the same rules form a class; the core then needs one pass over its call tree for 64 rules
 * (assembly/view/stack-rules.ts).
 */

import * as StackRules from "../../../assembly/abi/stack-rules.ts";
import { Numbered } from "../../bytes/numbered.ts";
import { newWork } from "../../pattern/pattern.ts";
import { plainPattern } from "../../pattern/plain.ts";
import type { Access } from "../instance/access.ts";
import type { StackRule } from "../view-types.ts";
import { foundBy } from "./find-texts.ts";

/** Classes of all names for up to 64 rules, as the core reads them. */
interface Classes {
  rules: number;
  classes: BigUint64Array;
  /** Name and class by turns. */
  names: Uint32Array;
}

const WORDS = StackRules.BYTES / BigUint64Array.BYTES_PER_ELEMENT;
const PLACES = [
  ["any", StackRules.ANY],
  ["leaf", StackRules.LEAF],
  ["outermost", StackRules.OUTERMOST],
  ["unless", StackRules.UNLESS],
] as const;

/** Throws a SpanflameError if a pattern is refused. */
export function classesOf(rules: readonly StackRule[], texts: readonly string[], ids: readonly number[]): Classes[] {
  const parts: Classes[] = [];
  for (let from = 0; from < rules.length; from += StackRules.MOST_RULES) {
    parts.push(partOf(rules.slice(from, from + StackRules.MOST_RULES), texts, ids));
  }
  return parts;
}

function partOf(rules: readonly StackRule[], texts: readonly string[], ids: readonly number[]): Classes {
  const words = new Map<number, bigint[]>();
  rules.forEach((rule, bit) => {
    for (const [place, offset] of PLACES) {
      const pattern = rule[place];
      if (pattern === undefined) continue;
      foundBy(pattern, texts, newWork()).forEach((isFound, i) => {
        if (!isFound) return;
        const own = words.get(i) ?? Array<bigint>(WORDS).fill(0n);
        own[offset / BigUint64Array.BYTES_PER_ELEMENT]! |= 1n << BigInt(bit);
        words.set(i, own);
      });
    }
  });
  const classes = new Numbered("", Array<bigint>(WORDS).fill(0n));
  const names: number[] = [];
  for (const [i, own] of words) {
    names.push(
      ids[i]!,
      classes.of(own.join(), () => own),
    );
  }
  return { rules: rules.length, classes: BigUint64Array.from(classes.list.flat()), names: Uint32Array.from(names) };
}

/** The value that each rule finds in the current selection, in the profile's unit. */
export function stackValues(core: Access, parts: readonly Classes[]): bigint[] {
  const { wasm, memory } = core;
  return parts.flatMap(({ rules, classes, names }) => {
    const bytes = new Uint8Array(classes.byteLength + names.byteLength);
    bytes.set(new Uint8Array(classes.buffer));
    bytes.set(new Uint8Array(names.buffer), classes.byteLength);
    return core.lend(bytes, (p) => {
      const at = wasm.stackRules(p, p + classes.byteLength, names.byteLength / StackRules.RULED_BYTES);
      return Array.from({ length: rules }, (_, i) => memory.i64(at + BigInt64Array.BYTES_PER_ELEMENT * i));
    });
  });
}

/**
 * The names of functions that are in files of a pattern only, by pattern, the first of each. Names tell functions apart
 * that languages without packages write as `decode`.
 */
export function namesInFiles(core: Access, plain: readonly string[], most: number): string[][] {
  const { wasm } = core;
  const patterns = plain.map((pattern) => plainPattern(pattern, false));
  const count = wasm.functionCount();
  wasm.functionNames();
  const bySource = new Map<number, boolean[]>();
  /** By name, whether all its functions are in files of each pattern. */
  const all = new Map<number, boolean[]>();
  for (let i = 1; i < count; i++) {
    const source = wasm.functionSource(i);
    if (!bySource.has(source)) {
      const file = source === 0 ? "" : core.string(source).replaceAll("\\", "/");
      bySource.set(
        source,
        patterns.map((pattern) => file !== "" && pattern?.test(file) === true),
      );
    }
    const found = bySource.get(source)!;
    const name = wasm.functionShown(i) >>> 0;
    const before = all.get(name);
    if (before === undefined) all.set(name, found);
    else if (before !== found)
      all.set(
        name,
        before.map((is, place) => is && found[place]!),
      );
  }
  return patterns.map((_, place) =>
    [...all].flatMap(([name, found]) => (found[place] ? [core.frameName(name)] : [])).slice(0, most),
  );
}
