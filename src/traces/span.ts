/** A span as a trace file states it, and the conversions of its fields. */
import * as SpanRow from "../../assembly/abi/rows/span-row.ts";
import type { Json, JsonObject } from "./json-value.ts";

export interface ParsedSpan {
  /** 128 bits. */
  trace: bigint;
  id: bigint;
  /** 0n = none. */
  parent: bigint;
  name: string;
  service: string;
  /** Datadog's field; else the attribute `resource.name`. */
  resource: string | null;
  /** In small letters, "" if unspecified. */
  kind: string;
  /** 0 unset, 1 ok, 2 error, as in OTLP. */
  status: number;
  /** ns since 1970; 0n = not stated. */
  start: bigint;
  /** Below 0n = not stated. */
  duration: bigint;
  /** Before those in the attributes; "" = not stated. */
  instance: string;
  attributes: ReadonlyMap<string, Json>;
  /** Which half of a span this is (SIDE_… of abi/rows/span-row.ts), if its kind does not tell. */
  side?: number;
}

/** The side of a span by its kind: a client and its server may have one span id. 0 for other kinds. */
export function sideOf(kind: string): number {
  if (kind === "client" || kind === "producer") return SpanRow.SIDE_CLIENT;
  return kind === "server" || kind === "consumer" ? SpanRow.SIDE_SERVER : 0;
}

/** A field that makes a span useless. */
export class SpanFault extends Error {}

/** The fault of a span whose id is missing or 0. */
export const NO_ID = "the id is missing or 0";

/** What is wrong with the times of a span. */
export interface TimeFault {
  code: "trace.time" | "trace.time.missing";
  message: string;
}

const LIMITED: TimeFault = {
  code: "trace.time",
  message: "a time of the span is beyond the year 2262; it was moved to the limit",
};
const NO_START: TimeFault = { code: "trace.time.missing", message: "the span has no start, so it has no time" };
const NO_DURATION: TimeFault = {
  code: "trace.time.missing",
  message: "the span has no end, or ends before it starts; it is 0 ns long",
};
const NO_TIME = BigInt.asIntN(64, BigInt(SpanRow.NO_TIME));
/** The duration of a span that states none. */
export const NOT_STATED = -1n;

const U64 = (1n << 64n) - 1n;
const U128 = (1n << 128n) - 1n;
const MOST_TIME = (1n << 63n) - 1n;
const DIGITS = /^[+-]?\d+$/;
const HEX = /^[0-9a-fA-F]+$/;
/** Of 8 or 16 bytes: more is no id. */
const BASE64 = /^(?:[\w+/-]{11}=?|[\w+/-]{22}(?:==)?)$/;
const SPAN_BYTES = 8;
const TRACE_BYTES = 16;
/** Digits of a number in a text that are converted. */
const LONGEST = 64;

/** An id in hex, of any length: its low 64 bits. 0n where there is none. */
export function hexId(value: Json | undefined, field: string): bigint {
  return hexBits(value, field) & U64;
}

export function hexTrace(value: Json | undefined, field: string): bigint {
  return hexBits(value, field) & U128;
}

/** An id of OTLP: in hex, or in base64 as protobuf's mapping to JSON has bytes (Tempo, Pyroscope). */
export function byteId(value: Json | undefined, field: string): bigint {
  return base64Bits(value, SPAN_BYTES) ?? hexId(value, field);
}

export function byteTrace(value: Json | undefined, field: string): bigint {
  return base64Bits(value, TRACE_BYTES) ?? hexTrace(value, field);
}

/** Null where the text has hex digits only, or is no base64 of so many bytes. */
function base64Bits(value: Json | undefined, size: number): bigint | null {
  if (typeof value !== "string" || HEX.test(value) || !BASE64.test(value)) return null;
  const bytes = atob(value.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", ""));
  if (bytes.length !== size) return null;
  return [...bytes].reduce((bits, byte) => (bits << 8n) | BigInt(byte.charCodeAt(0)), 0n);
}

function hexBits(value: Json | undefined, field: string): bigint {
  if (value === undefined || value === null || value === "") return 0n;
  if (typeof value === "string" && HEX.test(value)) return BigInt(`0x${value.slice(-LONGEST)}`);
  throw new SpanFault(`${field} is ${shown(value)}, no id in hex`);
}

/** A decimal id up to 2⁶⁴ − 1, as a number or a text. 0n where there is none. */
export function decimalId(value: Json | undefined, field: string): bigint {
  return BigInt.asUintN(64, integer(value, field));
}

/** An integer, as a number or a text; 0n where there is none. */
export function integer(value: Json | undefined, field: string): bigint {
  if (typeof value === "bigint") return value;
  if (value === undefined || value === null || value === "") return 0n;
  if (typeof value === "number" && Number.isFinite(value)) return BigInt(Math.trunc(value));
  if (typeof value === "string" && DIGITS.test(value)) return BigInt(value.slice(0, LONGEST));
  throw new SpanFault(`${field} is ${shown(value)}, no number`);
}

const ISO_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/;

/** A time of ISO 8601 with up to nine digits of a second; 0n where there is none. */
export function isoTime(value: Json | undefined, field: string): bigint {
  if (value === undefined || value === null || value === "") return 0n;
  const [, second, fraction = "", zone] = ISO_TIME.exec(textOf(value)) ?? [];
  const millis = Date.parse(`${second}${zone}`);
  if (Number.isNaN(millis)) throw new SpanFault(`${field} is ${shown(value)}, no time of ISO 8601`);
  // Go's zero time, of an exporter without timestamps, is in the year 1.
  return millis < 0 ? 0n : BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}

/** Microseconds as nanoseconds. */
export function micros(value: Json | undefined, field: string): bigint {
  return integer(value, field) * 1000n;
}

/** A time within 64 bits. */
export function inRange(time: bigint): bigint {
  if (time > MOST_TIME) return MOST_TIME;
  return time < -MOST_TIME ? -MOST_TIME : time;
}

/** Microseconds as a duration. */
export function microsLong(value: Json | undefined, field: string): bigint {
  return value === undefined || value === null ? NOT_STATED : micros(value, field);
}

/** Start and end within 64 bits, as is the duration, which is never below 0. Without a start both are NO_TIME. */
export function extentOf({ start, duration }: Pick<ParsedSpan, "start" | "duration">): {
  start: bigint;
  end: bigint;
  fault: TimeFault | null;
} {
  if (start === 0n) return { start: NO_TIME, end: NO_TIME, fault: NO_START };
  const from = inRange(start);
  const length = duration > 0n ? duration : 0n;
  const end = inRange(from + inRange(length));
  if (duration < 0n) return { start: from, end, fault: NO_DURATION };
  return { start: from, end, fault: from === start && end === start + length ? null : LIMITED };
}

/** A text; "" where there is none or something else. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function objectOf(value: Json | undefined): JsonObject | undefined {
  return value instanceof Map ? value : undefined;
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** A value as text, as the page and answers show it. */
export function plainText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(plain(value)) : String(value);
}

function plain(value: Json): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, plain(each)]));
  return typeof value === "bigint" ? String(value) : value;
}

const shown = (value: Json) => plainText(value).slice(0, 40) || "empty";
