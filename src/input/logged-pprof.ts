/**
 * pprof profiles as Splunk's agents write them, completed so that their values have a meaning. They have no sample
 * types; the log record around them states the type. Samples of type cpu have no values, but a label with their period:
 *
 *   added   6 strings …, 1 { 1 type, 2 unit }, and of cpu: 11 { 1 type, 2 unit }, 12 period
 *   label   source.event.period, in milliseconds
 */
import { DELIMITED, FIXED_BYTES, VARINT, Varint, wireFields } from "../bytes/protobuf.ts";
import { WireWriter } from "../bytes/wire-writer.ts";

const SAMPLE_TYPE = 1;
const SAMPLE = 2;
const STRING = 6;
const PERIOD_TYPE = 11;
const PERIOD = 12;
/** Of a ValueType. */
const TYPE = 1;
const UNIT = 2;
const LABEL = 3;
const PERIOD_LABEL = "source.event.period";
const NANOS_PER_MILLI = 1_000_000n;
/** Units of the values by the type that the log record states. */
const UNITS: ReadonlyMap<string, string> = new Map(Object.entries({ cpu: "count", allocation: "bytes" }));

const DECODER = new TextDecoder();

/** The pieces of the profile with the sample type of its log record; one, as it is, if it has sample types. */
export function completed(profile: Uint8Array, type: string): Uint8Array[] {
  const outline = outlineOf(profile);
  if (outline === null) return [profile];
  const { strings, periodKey, samples, whole } = outline;
  const unit = UNITS.get(type) ?? "count";
  const added = new WireWriter();
  const text = (of: string) => added.text(8 * STRING + DELIMITED, of);
  const valueType = (number: number, unitAt: number) =>
    added.message(8 * number + DELIMITED, () => {
      added.number(8 * TYPE + VARINT, strings);
      added.number(8 * UNIT + VARINT, unitAt);
    });
  text(type === "" ? "samples" : type);
  text(unit);
  valueType(SAMPLE_TYPE, strings + 1);
  const period = unit === "count" ? periodOf(samples, periodKey) : 0n;
  if (period > 0n) {
    text("nanoseconds");
    valueType(PERIOD_TYPE, strings + 2);
    added.number(8 * PERIOD + VARINT, period * NANOS_PER_MILLI);
  }
  return [profile.subarray(0, whole), added.bytes, profile.subarray(whole)];
}

interface Outline {
  /** How many strings there are, and the index of the period's key; −1 without it. */
  strings: number;
  periodKey: number;
  samples: Uint8Array[];
  /** Length of the fields before the one that the end of the bytes cuts. */
  whole: number;
}

/**
 * Null if the profile has sample types. Without an object for each field: a record of some kilobytes may unpack to
 * millions of them.
 */
function outlineOf(bytes: Uint8Array): Outline | null {
  const outline: Outline = { strings: 0, periodKey: -1, samples: [], whole: 0 };
  const varint = new Varint();
  for (let at = 0; at < bytes.length; outline.whole = at) {
    at = varint.read(bytes, at, bytes.length);
    if (at < 0) return outline;
    const number = Math.floor(varint.value / 8);
    const wire = varint.low % 8;
    if (number === SAMPLE_TYPE) return null;
    if (wire === VARINT || wire === DELIMITED) at = varint.read(bytes, at, bytes.length);
    else at += FIXED_BYTES[wire] ?? Number.POSITIVE_INFINITY;
    const start = at;
    if (wire === DELIMITED && at >= 0) at += varint.value;
    if (at < 0 || at > bytes.length) return outline;
    if (wire !== DELIMITED) continue;
    if (number === SAMPLE) outline.samples.push(bytes.subarray(start, at));
    if (number !== STRING) continue;
    if (outline.periodKey < 0 && isPeriodKey(bytes.subarray(start, at))) outline.periodKey = outline.strings;
    outline.strings++;
  }
  return outline;
}

function isPeriodKey(bytes: Uint8Array): boolean {
  return bytes.length === PERIOD_LABEL.length && DECODER.decode(bytes) === PERIOD_LABEL;
}

/** The period that all samples state in a label, in ms; 0 if they differ, or state none. */
function periodOf(samples: readonly Uint8Array[], key: number): bigint {
  let period = 0n;
  if (key < 0) return period;
  for (const sample of samples) {
    const stated = periodIn(sample, BigInt(key));
    if (stated <= 0n || (period !== 0n && stated !== period)) return 0n;
    period = stated;
  }
  return period;
}

function periodIn(sample: Uint8Array, wanted: bigint): bigint {
  for (const { number, wire, bytes } of wireFields(sample)) {
    if (number !== LABEL || wire !== DELIMITED) continue;
    let [key, value] = [0n, 0n];
    for (const part of wireFields(bytes)) {
      if (part.number === 1) key = part.bits;
      if (part.number === 3) value = part.bits;
    }
    if (key === wanted) return BigInt.asIntN(64, value);
  }
  return 0n;
}
