/**
 * Trace and span ids in pasted text: headers of tracers (W3C, Datadog, B3, Jaeger, AWS), log lines, JSON, addresses of
 * trace viewers, bare ids. One row for each form; the first row that finds an id decides.
 */
import { isTrace, parseId } from "./ids.ts";

export interface PastedIds {
  /** Name of the form, for the search box. */
  form: string;
  /** Candidates, the likeliest first: a recording may know any of them as root or as span. */
  ids: bigint[];
  /** The trace id, where the text has all 128 bits. */
  trace: bigint | null;
  /** The id that the text has of a span, besides that of a trace or a root. */
  span: bigint | null;
  /** The text names a trace: a span of it leads to its root. */
  wholeTrace: boolean;
  /** The text names the kind of id; else it may be any value. */
  labelled: boolean;
}

/** Ids of one form as they are written: hex without 0x, or a text that may be decimal. */
interface Found {
  trace?: string | undefined;
  root?: string | undefined;
  spans?: (string | undefined)[];
  /** Upper 64 bits of the trace id, in hex, where `trace` has the lower ones only. */
  high?: string | undefined;
  /** All are hex, also those of digits only. */
  hex?: boolean;
}

interface Form {
  name: string;
  labelled: boolean;
  find(text: string): Found | null;
}

/** An address inside of another one is escaped twice. */
const ESCAPES = 2;
/** Longer texts are searched up to here. */
const LONGEST = 16_384;
const LOW = (1n << 64n) - 1n;
const BITS_OF_TRACE = 128;
const BITS_OF_SPAN = 64;

// An id is not within a longer word: (?<![0-9a-z]) before it, (?![0-9a-z]) after it. Every repetition has a limit.
const TRACEPARENT = /(?<![0-9a-z])[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?![0-9a-z])/i;
const TRACESTATE_PARENT = /(?:^|[;=])p:([0-9a-f]{16})(?![0-9a-z])/i;
const UPPER = /(?:_dd\.p\.tid=|[;=]t\.tid:)([0-9a-f]{16})(?![0-9a-z])/i;
const B3 = /(?<![0-9a-z])([0-9a-f]{32}|[0-9a-f]{16})-([0-9a-f]{16})(?:-[01d](?:-([0-9a-f]{16}))?)?(?![0-9a-z])/i;
/** The trace id has at least five digits, which no part of a time or of an IPv6 address has. */
const UBER = /(?<![0-9a-z])([0-9a-f]{5,32}):([0-9a-f]{1,16}):([0-9a-f]{1,16}):[0-9a-f]{1,2}(?![0-9a-z])/i;
const XRAY = /(?<![0-9a-z])1-([0-9a-f]{8})-([0-9a-f]{24})(?![0-9a-z])(?:.{0,40}?Parent=([0-9a-f]{16}))?/is;
const UUID = /(?<![0-9a-z])([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})(?![0-9a-z])/i;
/** `dd.trace_id=12`, `"spanId": "a1"`, `x-b3-traceid: a1`, `traceID=a1` in an address, "local root span id: 12". */
const LABELLED =
  /(?<![a-z0-9])((?:x-)?(?:dd|datadog|otel|b3)?[-_.]?)(trace|span|parent|local[-_. ]?root(?:[-_. ]?span)?)[-_. ]?id["']?\s{0,4}[:=]\s{0,4}["']?(?:0x)?((?:[\w+/-]{11}=|[\w+/-]{22}==)(?!=)|[0-9]{33,39}(?![0-9a-z])|[0-9a-f]{1,32}(?![0-9a-z]))/gi;
/** Path of a trace viewer: Datadog, Jaeger, Zipkin, Elastic, SigNoz. */
const PATH = /\/traces?\/([0-9a-f]{1,32})(?![0-9a-z])/i;
/** The span that an address selects: Jaeger; others are labelled. */
const PATH_SPAN = /[?&](?:uiFind|span)=([0-9a-f]{1,20})(?![0-9a-z])/i;
/** More digits than 64 bits have, fewer than 128 bits: not the decimal digits of a number that is too large. */
const TRIMMED_TRACE = /^(?!\d{17,20}$)(?:0x)?([0-9a-f]{17,31})$/i;
/** 8 or 16 bytes, whose last digit has bits that are 0. */
const BASE64 = /^(?:[\w+/-]{10}[AEIMQUYcgkosw048]=?|[\w+/-]{21}[AQgw](?:==)?)$/;
/** More decimal digits than 32. */
const LONG_DECIMAL = /^[0-9]{33,39}$/;
/** What a page of Grafana asks Tempo for, in its address. */
const QUERY = /["?&]query"?\s{0,4}[:=]\s{0,4}"?([0-9a-f]{16,32})(?![0-9a-z])/i;
const LONE_TRACE = /(?<![0-9a-z])([0-9a-f]{32})(?![0-9a-z])/i;
const LONE_SPAN = /(?<![0-9a-z])(?=[0-9]{0,15}[a-f])([0-9a-f]{16})(?![0-9a-z])/i;

const FORMS: readonly Form[] = [
  {
    name: "W3C trace context",
    labelled: true,
    find: (text) => {
      const [, trace, span] = TRACEPARENT.exec(text) ?? [];
      const parent = TRACESTATE_PARENT.exec(text)?.[1];
      if (trace === undefined && !(parent !== undefined && /\bdd=/.test(text))) return null;
      return { trace, spans: [span, parent], hex: true };
    },
  },
  {
    name: "AWS X-Ray header",
    labelled: true,
    find: (text) => {
      const [all, time, unique, parent] = XRAY.exec(text) ?? [];
      return all === undefined ? null : { trace: `${time}${unique}`, spans: [parent], hex: true };
    },
  },
  {
    name: "Jaeger header",
    labelled: true,
    find: (text) => {
      const [all, trace, span, parent] = UBER.exec(text) ?? [];
      return all === undefined ? null : { trace, spans: [span, parent], hex: true };
    },
  },
  { name: "trace context", labelled: true, find: labelled },
  {
    name: "UUID",
    labelled: false,
    find: (text) => {
      const [all, ...parts] = UUID.exec(text) ?? [];
      return all === undefined ? null : { trace: parts.join(""), hex: true };
    },
  },
  {
    name: "B3 header",
    labelled: false,
    find: (text) => {
      const [all, trace, span, parent] = B3.exec(text) ?? [];
      return all === undefined ? null : { trace, spans: [span, parent], hex: true };
    },
  },
  {
    name: "text with an id",
    labelled: false,
    find: (text) => {
      const trace = LONE_TRACE.exec(text)?.[1];
      const span = LONE_SPAN.exec(text)?.[1];
      return trace === undefined && span === undefined ? null : { trace, spans: [span], hex: true };
    },
  },
];

/** Null if the text has no id. `asked`: the user says that the text is an id, so it is not taken for a name. */
export function pastedIds(pasted: string, asked = false): PastedIds | null {
  const text = decoded(pasted.slice(0, LONGEST));
  return bare(text, asked) ?? labelledForms(text);
}

/** An id that a text is, or has: also of a header, a log line or an address. */
export type ReadId = { ok: true; id: bigint; span: bigint | null } | { ok: false; error: string };

/** The trace or the root that a text names, or the likeliest of its ids; `span` is null where it names a trace only. */
export function readId(text: string): ReadId {
  const found = pastedIds(text, true);
  if (found === null) {
    const parsed = parseId(text);
    return parsed.ok ? { ...parsed, span: parsed.id } : parsed;
  }
  const { trace, ids } = found;
  const span = found.span ?? (trace === null ? ids.find((id) => !isTrace(id)) : null) ?? null;
  return { ok: true, id: trace ?? ids[0]!, span };
}

function labelledForms(text: string): PastedIds | null {
  for (const form of FORMS) {
    const found = form.find(text);
    const pasted = found && idsOf(form, found);
    if (pasted !== null) return pasted;
  }
  return null;
}

/** An id and nothing else but space, quotes and punctuation around it. */
function bare(text: string, asked: boolean): PastedIds | null {
  const trimmed = text.replace(/^[\s"'`<([{#]+|[\s"'`>)\]},;.]+$/g, "");
  const joined = /^[0-9]+(?:[ _,]+[0-9]+)+$/.test(trimmed) ? trimmed.replace(/[ _,]/g, "") : trimmed;
  const id = bareId(joined, asked);
  if (id === null) return null;
  const trace = isTrace(id) ? id : null;
  const ids = trace === null ? [id] : [trace, trace & LOW];
  // Digits alone are decimal; of 16 they may be hex as well.
  if (/^[0-9]{16}$/.test(joined)) ids.push(BigInt(`0x${joined}`));
  // A trace id in hex may have no letter, but then it is rather decimal.
  if (/^[0-9]{21,32}$/.test(joined)) ids.push(BigInt(joined));
  return {
    form: trace === null ? "id" : "trace id",
    ids: distinct(ids),
    trace,
    span: null,
    wholeTrace: trace !== null,
    labelled: true,
  };
}

/** Also forms that no option has: signed, base64, in groups, and trace ids without their leading zeros. */
function bareId(text: string, asked: boolean): bigint | null {
  const parsed = parseId(text);
  if (parsed.ok) return parsed.id;
  const [, trimmed] = TRIMMED_TRACE.exec(text) ?? [];
  if (trimmed !== undefined) return positive(BigInt(`0x${trimmed}`));
  if (/^-\d{1,39}$/.test(text)) return signed(BigInt(text));
  if (LONG_DECIMAL.test(text)) return fitting(BigInt(text));
  const groups = groupedDigits(text);
  if (groups !== null && (asked || /[a-f]/i.test(groups))) return positive(BigInt(`0x${groups}`));
  return BASE64.test(text) && (asked || text.endsWith("=") || !isName(text)) ? positive(base64(text)) : null;
}

/** The digits of `6f3f-8992-c17d-2bd0` or `6f:3f:89 …`, 16 or 32: groups of one length. An IPv6 address is none. */
function groupedDigits(text: string): string | null {
  const [, mark = ""] = /^[0-9a-f]{2,8}([-: ])/i.exec(text) ?? [];
  const groups = text.split(mark === "" ? "-" : mark);
  const size = groups[0]?.length ?? 0;
  const isId = groups.length * size === 16 || groups.length * size === 32;
  const isSized = mark === ":" ? size === 2 : size === 2 || size === 4 || size === 8;
  const isWhole = isId && isSized && groups.every((each) => each.length === size && /^[0-9a-f]+$/i.test(each));
  return isWhole ? groups.join("") : null;
}

/** Whether the text may rather be a name: it has letters of one case only, many small ones in a row, or no digit. */
function isName(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text)) return true;
  return /[+/]/.test(text) ? /[a-z]{7}/.test(text) : !/[0-9]/.test(text) || /[a-z]{4}/.test(text);
}

function base64(text: string): bigint {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", ""));
  return [...bytes].reduce((bits, byte) => (bits << 8n) | BigInt(byte.charCodeAt(0)), 0n);
}

/** A negative number as the unsigned one of 64 or 128 bits. */
function signed(id: bigint): bigint | null {
  for (const bits of [BITS_OF_SPAN, BITS_OF_TRACE])
    if (BigInt.asIntN(bits, id) === id) return positive(BigInt.asUintN(bits, id));
  return null;
}

const fitting = (id: bigint) => (BigInt.asUintN(BITS_OF_TRACE, id) === id ? positive(id) : null);

const positive = (id: bigint) => (id === 0n ? null : id);

function labelled(text: string): Found | null {
  const found: Found & { spans: string[] } = { spans: [], high: UPPER.exec(text)?.[1] };
  const parents: string[] = [];
  for (const [, prefix = "", what = "", value = ""] of text.matchAll(LABELLED)) {
    if (prefix.toLowerCase().includes("b3")) found.hex = true;
    const name = what.toLowerCase();
    if (name === "trace") found.trace ??= value;
    else if (name === "span") found.spans.push(value);
    else if (name !== "parent") found.root ??= value;
    // The parent's id of an application is anything.
    else if (prefix !== "") parents.push(value);
  }
  found.spans.push(...parents);
  if (/^\s*https?:/i.test(text)) {
    found.trace ??= PATH.exec(text)?.[1] ?? QUERY.exec(text)?.[1];
    const span = PATH_SPAN.exec(text)?.[1];
    if (span !== undefined) found.spans.push(span);
  }
  return found.trace === undefined && found.root === undefined && found.spans.length === 0 ? null : found;
}

function idsOf({ name: form, labelled }: Form, found: Found): PastedIds | null {
  const { trace, root, spans = [], high, hex = false } = found;
  const known = spans.flatMap((span) => numbersOf(span, hex));
  const traces = numbersOf(trace, hex).map((id) => (high !== undefined && !isTrace(id) ? above(high, id) : id));
  const whole = traces.find(isTrace) ?? null;
  const ids = [...traces, ...numbersOf(root, hex), ...known, ...traces.map((id) => id & LOW)];
  const wanted = distinct(ids.filter((id) => id !== 0n));
  if (wanted.length === 0) return null;
  const span = known.find((id) => id !== 0n) ?? null;
  return { form, ids: wanted, trace: whole, span, wholeTrace: trace !== undefined, labelled };
}

function above(high: string, low: bigint): bigint {
  return (BigInt(`0x${high}`) << 64n) | low;
}

/** What an id may mean: digits alone are decimal, and hex where they are 16. */
function numbersOf(text: string | undefined, hex: boolean): bigint[] {
  if (text === undefined) return [];
  if (text.endsWith("=")) return BASE64.test(text) ? [base64(text)] : [];
  if (LONG_DECIMAL.test(text)) return [fitting(BigInt(text)) ?? []].flat();
  const isDecimal = /^[0-9]{1,20}$/.test(text) && !hex;
  const asHex = BigInt(`0x${text}`);
  if (!isDecimal) return [asHex];
  const decimal = BigInt(text);
  if (decimal > LOW) return [];
  if (text.length !== 16) return [decimal];
  return text.startsWith("0") ? [asHex, decimal] : [decimal, asHex];
}

function distinct(ids: bigint[]): bigint[] {
  return [...new Set(ids)].filter((id) => id !== 0n);
}

/** Addresses hold JSON and headers with their marks escaped. */
function decoded(text: string): string {
  let plain = text;
  for (let layer = 0; layer < ESCAPES && /%[0-9a-f]{2}/i.test(plain); layer++) {
    try {
      plain = decodeURIComponent(plain);
    } catch {
      break;
    }
  }
  return plain;
}

/** Keys of attributes whose texts are ids in any form: slots of a profiler's context may hold any text. */
const spellings = (what: string) => [
  ...["_id", "id", "Id", "ID", " id", ".id", "-id"].map((end) => what + end),
  ...["_id", " id", "id"].map((end) => `process.context.label.${what}${end}`),
];

export const ID_KEYS = { "trace-id": spellings("trace"), span: spellings("span") };
