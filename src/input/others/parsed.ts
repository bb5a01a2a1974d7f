/**
 * JSON of unknown origin: values by their expected types, and the part of a damaged text that could be read. Nothing
 * here throws for the content of a text.
 */
import { PROFILES } from "../../core/tables/catalogue.ts";

export type Node = Readonly<Record<string, unknown>>;
/** An array, or a column of a binary file. */
export type List = ArrayLike<unknown>;

const NOTHING: Node = {};
const NO_LIST: List = [];

export function nodeOf(value: unknown): Node {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : NOTHING;
}

export function isList(value: unknown): value is List {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

export function listOf(value: unknown): List {
  return isList(value) ? value : NO_LIST;
}

export function textOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}

/** A finite number; null for anything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** An index below `count`; −1 for anything else. */
export function indexOf(value: unknown, count: number): number {
  const index = numberOf(value);
  return index !== null && Number.isInteger(index) && index >= 0 && index < count ? index : -1;
}

/** A line or column: 0 is unknown. */
export function lineOf(value: unknown): number {
  return Math.max(0, indexOf(value, 2 ** 31));
}

const MOST_64 = 2 ** 63;

/** A whole number of 64 bits; null where the value is none. */
export function wholeOf(value: unknown, factor = 1): bigint | null {
  const number = numberOf(value);
  if (number === null) return null;
  const product = Math.round(number * factor);
  return Math.abs(product) < MOST_64 ? BigInt(product) : null;
}

export interface ParsedJson {
  value: unknown;
  /** Null for a sound text. */
  fault: { message: string; at: number } | null;
}

/** The value of a text, or of its part before the first fault. */
export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text), fault: null };
  } catch {
    const { at, end, closers } = new Scan(text).soundPart();
    const message = at >= text.length ? "the text is cut off" : `unexpected ${JSON.stringify(text.slice(at, at + 12))}`;
    const part = text.slice(0, end) + closers;
    return { value: part === "" ? null : JSON.parse(part), fault: { message, at } };
  }
}

type Expected = "value" | "first value" | "key" | "first key" | "colon" | "next" | "end";

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Finds the longest part of a text that is sound once its brackets are closed. */
class Scan {
  private readonly text: string;
  private at = 0;
  private expected: Expected = "value";
  private readonly open: ("}" | "]")[] = [];
  /** End of the last whole value, and the brackets that are open there. */
  private end = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  soundPart(): { at: number; end: number; closers: string } {
    this.skipSpace();
    while (this.at < this.text.length && this.step()) this.skipSpace();
    const closers = this.open.slice(0, this.depth).reverse().join("");
    return { at: this.at, end: this.end, closers };
  }

  private skipSpace(): void {
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    this.at = SPACE.lastIndex;
  }

  /** Takes a token; false for one that must not be there. */
  private step(): boolean {
    const { expected, open } = this;
    const char = this.text.charAt(this.at);
    if (expected === "end") return false;
    if (expected === "colon") return char === ":" && this.pass(1, "value");
    if (expected === "next" && char === ",") return this.pass(1, open.at(-1) === "}" ? "key" : "value");
    const mayClose = expected === "next" || expected === "first value" || expected === "first key";
    if (mayClose && char === open.at(-1)) {
      open.pop();
      return this.whole(1);
    }
    if (expected === "key" || expected === "first key") {
      const length = char === '"' ? this.stringLength() : 0;
      return length > 0 && this.pass(length, "colon");
    }
    return expected !== "next" && this.value(char);
  }

  private value(char: string): boolean {
    if (char === "{" || char === "[") {
      this.open.push(char === "{" ? "}" : "]");
      this.pass(1, char === "{" ? "first key" : "first value");
      this.end = this.at;
      this.depth = this.open.length;
      return true;
    }
    if (char === '"') {
      const length = this.stringLength();
      return length > 0 && this.whole(length);
    }
    SCALAR.lastIndex = this.at;
    const [scalar = ""] = SCALAR.exec(this.text) ?? [];
    // A number at the end may be cut.
    if (scalar === "" || this.at + scalar.length === this.text.length) {
      if (scalar !== "") this.at = this.text.length;
      return false;
    }
    return this.whole(scalar.length);
  }

  private pass(length: number, expected: Expected): true {
    this.at += length;
    this.expected = expected;
    return true;
  }

  private whole(length: number): true {
    this.pass(length, this.open.length === 0 ? "end" : "next");
    this.end = this.at;
    this.depth = this.open.length;
    return true;
  }

  /** Length of a string with its quotes; 0 if it is damaged. */
  private stringLength(): number {
    const { text, at } = this;
    for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
      let slashes = 0;
      while (text.charAt(end - 1 - slashes) === "\\") slashes++;
      if (slashes % 2 === 1) continue;
      return isString(text.slice(at, end + 1)) ? end + 1 - at : 0;
    }
    this.at = text.length;
    return 0;
  }
}

function isString(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "string";
  } catch {
    return false;
  }
}

/**
 * The unit of numbers in a file that Spanflame wrote, which states none for them: that of the type in a recording. A
 * type that several events have is `type:event`.
 */
export function ownUnit(type: string): string {
  const [name] = type.split(":");
  return PROFILES.some((row) => row.type === name && row.unit === "samples") ? "samples" : "count";
}
