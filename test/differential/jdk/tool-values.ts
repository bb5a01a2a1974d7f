/** Values as `jfr print --json` writes them, as the numbers and texts that they mean. */

import type { Scalar } from "./rows.ts";
import type { Fields, Json } from "./tool-events.ts";
import type { Field, Types } from "./tool-types.ts";

const MAX = (1n << 63n) - 1n;
const MIN = -(1n << 63n);
const UNKNOWN_INT = -(1n << 31n);
/** Nanoseconds of the units of time spans. */
const SIZES: Record<string, bigint> = { MICROSECONDS: 1_000n, MILLISECONDS: 1_000_000n, SECONDS: 1_000_000_000n };
const BITS: Record<string, number> = { byte: 8, short: 16, int: 32, long: 64 };
const NUMBERS = new Set([...Object.keys(BITS), "char", "float", "double", "boolean"]);

/** A time span that the tool cannot print as one: not available. */
const NO_SPAN = "PT-2562047788015215H-30M-8S";
const NO_TIME = /^-999999999-/;

const clamp = (n: bigint) => {
  if (n > MAX) return MAX;
  return n < MIN ? MIN : n;
};

/** Java's Duration: `PT1H2M3.5S`, each part with a separate sign; null: not available. */
export function nanosOf(text: string): bigint | null {
  if (text === NO_SPAN) return null;
  const match = /^PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d+))?S)?$/.exec(text);
  if (match === null) throw new Error(`jfr print: ${text} is no time span`);
  const [, hours = "0", minutes = "0", sign = "", seconds = "0", fraction = ""] = match;
  const whole = BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
  return clamp((BigInt(hours) * 3600n + BigInt(minutes) * 60n) * 1_000_000_000n + (sign === "-" ? -whole : whole));
}

/** Java's OffsetDateTime as nanoseconds since 1970; null: not available. */
export function timeOf(text: string): bigint | null {
  if (NO_TIME.test(text)) return null;
  const match = /^(\d+-\d+-\d+T\d+:\d+)(?::(\d+)(?:\.(\d+))?)?(Z|[+-]\d+:\d+)$/.exec(text);
  if (match === null) throw new Error(`jfr print: ${text} is no time`);
  const [, minute, second = "00", fraction = "", zone] = match;
  return BigInt(Date.parse(`${minute}:${second}${zone}`)) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}

/** The ticks of a chunk's clock against the time since 1970. */
export interface Clock {
  startNanos: bigint;
  startTicks: bigint;
  ticksPerSecond: bigint;
}

export function clockOf(chunk: Uint8Array): Clock {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return { startNanos: view.getBigInt64(32), startTicks: view.getBigInt64(48), ticksPerSecond: view.getBigInt64(56) };
}

export const isNumber = ({ type, array, name }: Field) => NUMBERS.has(type) && !array && name !== "startTime";

/** Floating point as the nearest integer, halves upwards; what no i64 holds as the nearest that one does. */
export function nearest(x: number): bigint {
  const whole = Math.floor(x + 0.5);
  if (whole >= 2 ** 63) return MAX;
  return whole <= -(2 ** 63) ? MIN : BigInt(whole);
}

/** A number as it is in the recording, without its unit; null where the tool does not say. */
export function plainOf({ type, annotations }: Field, value: Json | undefined): bigint | number | null {
  if (value === null || value === undefined) return null;
  if (type === "boolean") return value === true ? 1n : 0n;
  if (type === "char") return BigInt(String(value).charCodeAt(0));
  if (type === "float") return Math.fround(Number(value));
  if (type === "double") return Number(value);
  const number = BigInt(value as number | bigint);
  // Before JDK 25 the tool prints unsigned numbers as signed ones. 64 bits stay what they are: OTLP's values are
  // signed.
  if (annotations.Unsigned === undefined || type === "long") return BigInt.asIntN(64, number);
  return BigInt.asUintN(BITS[type] ?? 64, number);
}

/** Shares and times since 1970, which do not add up. */
export const isState = ({ annotations: { Percentage, Timestamp } }: Field) =>
  Percentage !== undefined || (Timestamp !== undefined && Timestamp !== "TICKS");

/** A fraction without a unit. */
const isThousandths = ({ type, annotations }: Field) =>
  (type === "float" || type === "double") && annotations.Timespan === undefined && annotations.DataAmount === undefined;

/** What a JVM writes for an unknown number, in the field's unit. */
export function isNone(field: Field, value: Json | undefined): boolean {
  const { Timespan, Timestamp } = field.annotations;
  if (Timestamp !== undefined) return timeOf(String(value)) === null;
  if (Timespan !== undefined) {
    const nanos = nanosOf(String(value));
    return nanos === null || nanos === UNKNOWN_INT * (SIZES[Timespan] ?? 1n);
  }
  const number = plainOf(field, value);
  return number === MIN || number === UNKNOWN_INT;
}

/** What `--value` makes of the field; null where the tool does not say. */
export function amountOf(field: Field, value: Json | undefined, clock: Clock): bigint | null {
  const { Timespan, Timestamp } = field.annotations;
  if (Timespan !== undefined) return nanosOf(String(value));
  if (Timestamp !== undefined) {
    const time = timeOf(String(value));
    return time && time - clock.startNanos + (clock.startTicks * 1_000_000_000n) / clock.ticksPerSecond;
  }
  const plain = plainOf(field, value);
  return typeof plain === "number" ? nearest(isThousandths(field) ? plain * 1000 : plain) : plain;
}

/** What the two sides may be apart in this field: ticks are converted in doubles by the tool, from two parts above. */
export function slackOf({ annotations }: Field): bigint {
  if (annotations.Timestamp === "TICKS") return 2n;
  return annotations.Timespan === "TICKS" ? 1n : 0n;
}

export function unitOf(field: Field): string {
  const { annotations } = field;
  if (annotations.Timespan !== undefined || annotations.Timestamp === "TICKS") return "nanoseconds";
  if (isThousandths(field)) return "thousandths";
  return annotations.DataAmount === "BYTES" ? "bytes" : "count";
}

const dotted = (name: string) => name.replaceAll("/", ".");
const PRIMITIVES: Record<string, string> = {
  B: "byte",
  C: "char",
  D: "double",
  F: "float",
  I: "int",
  J: "long",
  S: "short",
  Z: "boolean",
};

/** `[[B` as `byte[][]`, `java/lang/String` with dots. */
export function classLabel(name: string): string {
  const dimensions = /^\[*/.exec(name)![0].length;
  if (dimensions === 0) return dotted(name);
  const element = name.slice(dimensions);
  const label = /^L.*;$/.test(element) ? element.slice(1, -1) : (PRIMITIVES[element] ?? element);
  return dotted(label) + "[]".repeat(dimensions);
}

/**
 * Structs that are in the event itself instead of a pool; the tool does not tell the two apart. We read no field of
 * theirs: neither a text nor a number.
 */
const INLINE = new Set([
  "CalleeMethod",
  "CopyFailed",
  "G1EvacuationStatistics",
  "MetaspaceSizes",
  "ObjectSpace",
  "StackFrame",
  "VirtualSpace",
]);

/** The member of a struct that is its text, if it has one. */
function textMember({ type, array }: Field, { structs }: Types): string | null {
  if (array || type === "String" || INLINE.has(type)) return null;
  const members = structs.get(type) ?? [];
  const named = ["string", "name", "value"].find((name) => members.some((member) => member.name === name));
  return named ?? (members.length === 1 ? members[0]!.name : null);
}

export function hasText(field: Field, types: Types): boolean {
  return (field.type === "String" && !field.array) || textMember(field, types) !== null;
}

/** The attribute that a field becomes: undefined where it is null, empty or zero. Time spans are in nanoseconds. */
export function attributeOf(field: Field, value: Json | undefined, types: Types): Scalar | undefined {
  const { name, type, annotations } = field;
  if (type === "boolean") return value === true || undefined;
  // No workload of ours has one.
  if (annotations.Timestamp !== undefined) throw new Error(`${name}: a time`);
  if (annotations.Timespan !== undefined) return nanosOf(String(value)) || undefined;
  if (NUMBERS.has(type)) return plainOf(field, value) || undefined;
  const member = textMember(field, types);
  const text = member === null ? value : (value as Fields | null)?.[member];
  if (typeof text !== "string" || text === "") return undefined;
  return field.type === "Class" ? classLabel(text) : text;
}

/** What holds a live object, from the root on: classes and their fields, nodes of a list once. */
export function pathOf(referrer: Fields | null): string | undefined {
  const steps: string[] = [];
  for (let each = referrer; each?.object; each = ((each.object as Fields).referrer ?? null) as Fields | null) {
    const { type, description } = each.object as Fields;
    const label = type === null ? "?" : classLabel(String((type as Fields).name));
    const owner = label === "java.lang.Class" && /^Class Name: (.+)/.exec(String(description))?.[1];
    const field = (each.field as Fields | null)?.name;
    const step = `${owner || label}${field ? `.${field}` : ""}`;
    steps.unshift(step);
  }
  return steps.filter((step, i) => step !== steps[i - 1]).join(" → ") || undefined;
}
