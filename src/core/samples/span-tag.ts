/**
 * Ids in the tag of async-profiler's profiler.Span, which is free text: pairs like `span=ID root=ID`, or a W3C
 * traceparent. Ids are decimal, hex after `0x`, or hex.
 */

export interface TagIds {
  /** 0 if the tag has no span id. */
  span: bigint;
  root: bigint;
  traceHigh: bigint;
  traceLow: bigint;
}

const TRACEPARENT = /\b00-([0-9a-f]{16})([0-9a-f]{16})-([0-9a-f]{16})-[0-9a-f]{2}\b/;
const PAIR = /([\w.]+)=(\w+)/g;
const SPAN_KEYS = ["span", "spanid"];
const ROOT_KEYS = ["root", "rootspanid", "localrootspanid"];
const NO_ID = 0n;
/** Longer tags are no place for an id. */
const MOST_CHARACTERS = 4096;

export function idsInTag(tag: string): TagIds {
  const text = tag.slice(0, MOST_CHARACTERS);
  const [parent, high, low, span] = TRACEPARENT.exec(text) ?? [];
  if (parent !== undefined) {
    return { span: hex(span), root: NO_ID, traceHigh: hex(high), traceLow: hex(low) };
  }
  const pairs = new Map<string, string>();
  for (const [, key = "", value = ""] of text.matchAll(PAIR)) {
    pairs.set(key.toLowerCase().replace(/[_.]/g, ""), value);
  }
  const idOf = (keys: readonly string[]) => {
    const value = keys.map((key) => pairs.get(key)).find((found) => found !== undefined);
    return value === undefined ? NO_ID : idIn(value);
  };
  return { span: idOf(SPAN_KEYS), root: idOf(ROOT_KEYS), traceHigh: NO_ID, traceLow: NO_ID };
}

/** The low 64 bits of an id. */
function idIn(text: string): bigint {
  if (/^\d{1,20}$/.test(text)) return BigInt.asUintN(64, BigInt(text));
  return /^(0x)?[0-9a-f]{1,32}$/i.test(text) ? hex(text.replace(/^0x/i, "")) : NO_ID;
}

function hex(digits = "0"): bigint {
  return BigInt.asUintN(64, BigInt(`0x${digits}`));
}

const NAME_KEYS = new Set(["op", "operation", "name"]);
const NAMED = /([\w.]+)=(\S+)/g;

/** The name of the operation in a tag: the value of `op`, `operation` or `name`, else its words beside pairs. */
export function nameInTag(tag: string): string {
  const text = tag.slice(0, MOST_CHARACTERS);
  for (const [, key = "", value = ""] of text.matchAll(NAMED)) if (NAME_KEYS.has(key.toLowerCase())) return value;
  const words = text.replace(TRACEPARENT, " ").replace(NAMED, " ").trim().replace(/\s+/g, " ");
  return words === "" ? tag : words;
}
