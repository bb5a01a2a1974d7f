/**
 * pprof profiles as Splunk's agents write them, completed so that their values have a meaning. They have no sample
 * types; the log record around them states the type. Samples of type cpu have no values, but a label with their period:
 *
 *   added   6 strings …, 1 { 1 type, 2 unit }, and of cpu: 11 { 1 type, 2 unit }, 12 period
 *   label   source.event.period, in milliseconds
 */
import { joined } from "../bytes/joined.ts";
import { DELIMITED, VARINT, Varint, wireFields } from "../bytes/protobuf.ts";

const SAMPLE_TYPE = 1;
const SAMPLE = 2;
const STRING = 6;
const PERIOD_TYPE = 11;
const PERIOD = 12;
const LABEL = 3;
const PERIOD_LABEL = "source.event.period";
const NANOS_PER_MILLI = 1_000_000n;
/** Units of the values by the type that the log record states. */
const UNITS: ReadonlyMap<string, string> = new Map(Object.entries({ cpu: "count", allocation: "bytes" }));

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** The profile with the sample type of its log record; as it is if it has sample types. */
export function completed(profile: Uint8Array, type: string): Uint8Array {
  const strings: string[] = [];
  const samples: Uint8Array[] = [];
  for (const { number, wire, bytes, isWhole } of wireFields(profile)) {
    if (number === SAMPLE_TYPE) return profile;
    if (wire !== DELIMITED || !isWhole) continue;
    if (number === STRING) strings.push(DECODER.decode(bytes));
    if (number === SAMPLE) samples.push(bytes);
  }
  const unit = UNITS.get(type) ?? "count";
  const added = [text(type === "" ? "samples" : type), text(unit), valueType(SAMPLE_TYPE, strings.length)];
  const period = unit === "count" ? periodOf(samples, strings.indexOf(PERIOD_LABEL)) : 0n;
  if (period > 0n) {
    added.push(text("nanoseconds"));
    added.push(field(PERIOD_TYPE, [...pair(1, strings.length), ...pair(2, strings.length + 2)]));
    added.push(Uint8Array.from(pair(PERIOD, period * NANOS_PER_MILLI)));
  }
  const whole = wholeBytes(profile);
  return joined([profile.subarray(0, whole), ...added, profile.subarray(whole)]);
}

/** Length of the fields before the one that the end of the bytes cuts. */
function wholeBytes(bytes: Uint8Array): number {
  const varint = new Varint();
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    at = varint.read(bytes, at, bytes.length);
    const wire = at < 0 ? VARINT : varint.low % 8;
    if (at < 0) return start;
    if (wire === VARINT || wire === DELIMITED) at = varint.read(bytes, at, bytes.length);
    if (at < 0) return start;
    if (wire === DELIMITED) at += varint.value;
    else if (wire !== VARINT) at += wire === 1 ? 8 : 4;
    if (at > bytes.length) return start;
  }
  return bytes.length;
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

/** A ValueType of the string `first` and the one after it. */
function valueType(number: number, first: number): Uint8Array {
  return field(number, [...pair(1, first), ...pair(2, first + 1)]);
}

function text(of: string): Uint8Array {
  return field(STRING, ENCODER.encode(of));
}

function field(number: number, content: ArrayLike<number>): Uint8Array {
  return Uint8Array.from([...varint(number * 8 + DELIMITED), ...varint(content.length), ...Array.from(content)]);
}

function pair(number: number, value: number | bigint): number[] {
  return [...varint(number * 8 + VARINT), ...varint(value)];
}

function varint(value: number | bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return bytes;
}
