/**
 * OTLP profiles messages in the making, of the fields that wrap a recording and enough others to be stepped over; no
 * samples.
 */

/** One Profile. */
export interface ProfileSpec {
  format?: string;
  payload?: Uint8Array;
  /** Whether the payload is before the format. */
  payloadFirst?: boolean;
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let to = 0;
  for (const part of parts) {
    all.set(part, to);
    to += part.length;
  }
  return all;
}

export const ascii = (text: string) => new TextEncoder().encode(text);

export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.of(...bytes, rest);
}

/** A field of wire type 2; `length` is the length that is written. */
export function field(number: number, value: Uint8Array, length = value.length): Uint8Array {
  return concat([varint(number * 8 + 2), varint(length), value]);
}

/** field 1 of wire type 0 = 1, field 2 = 2: a ValueType, and much else. */
const PAIR = Uint8Array.of(0x08, 1, 0x10, 2);
const TIME = Uint8Array.of(0x19, 1, 2, 3, 4, 5, 6, 7, 8);
const DURATION = Uint8Array.of(0x20, 0x80, 0x01);
const RESOURCE = field(1, field(1, concat([field(1, ascii("service.name")), field(2, field(1, ascii("shop")))])));
const SCOPE = field(1, field(1, ascii("scope")));

function profile({ format, payload, payloadFirst }: ProfileSpec): Uint8Array {
  const own = [
    format === undefined ? new Uint8Array() : field(9, ascii(format)),
    payload === undefined ? new Uint8Array() : field(10, payload),
  ];
  if (payloadFirst) own.reverse();
  return field(2, concat([field(1, PAIR), field(5, PAIR), TIME, DURATION, ...own, field(11, PAIR)]));
}

/** ResourceProfiles for every Profile, and no dictionary: any byte less is one too few. */
export function protobufOf(...profiles: ProfileSpec[]): Uint8Array {
  return concat(profiles.map((spec) => field(1, concat([RESOURCE, field(2, concat([SCOPE, profile(spec)]))]))));
}

export const DICTIONARY = field(2, concat([field(1, new Uint8Array()), field(5, ascii("")), field(5, ascii("cpu"))]));

/** As the Collector's file exporter frames it. */
export function frame(message: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, message.length);
  return concat([length, message]);
}

/** A file of Jeffrey's. */
export function delimited(messages: readonly Uint8Array[], version = 1): Uint8Array {
  const head = concat([ascii("OTLP"), Uint8Array.of(version, 0, 0, 0)]);
  return concat([head, ...messages.flatMap((message) => [varint(message.length), message])]);
}

/**
 * The message of Datadog's LightweightOtlpEncoder (dd-trace-java, branch jb/rnd_otlp_profile, the default there since
 * 2026-08): a Profile with the recording as payload and a dictionary without tables. It has no resource, no scope, no
 * sample type and no samples.
 */
export function lightweight(recording: Uint8Array): Uint8Array {
  const id = Uint8Array.from({ length: 16 }, (_, i) => i + 1);
  const times = concat([TIME, DURATION, Uint8Array.of(0x30, 1)]);
  const profile = concat([times, field(7, id), field(9, ascii("jfr")), field(10, recording)]);
  return concat([field(1, field(2, field(2, profile))), field(2, new Uint8Array())]);
}

export interface JsonForm {
  snake?: boolean;
  indent?: number;
  /** Makes something else of each base64 text, after its quotes. */
  base64?: (text: string) => string;
}

const MARK = "␀";

/** All Profiles in one ScopeProfiles, after the dictionary, as writers that sort keys have it. */
export function jsonOf(profiles: ProfileSpec[], { snake, indent, base64 = (text) => text }: JsonForm = {}): Uint8Array {
  const texts: string[] = [];
  const payloadOf = (payload: Uint8Array) => {
    texts.push(Buffer.from(payload).toString("base64"));
    return MARK;
  };
  const one = ({ format, payload, payloadFirst }: ProfileSpec) => {
    const own: [string, unknown][] = [];
    if (format !== undefined) own.push(["originalPayloadFormat", format]);
    if (payload !== undefined) own.push(["originalPayload", payloadOf(payload)]);
    if (payloadFirst) own.reverse();
    return {
      sampleType: { typeStrindex: 1 },
      periodType: { typeStrindex: 1, unitStrindex: 1 },
      ...Object.fromEntries(own),
      period: "1",
    };
  };
  const scope = { name: 'a "scope" \\ {[' };
  const scopeProfiles = [{ scope, profiles: profiles.map(one) }];
  const message = { dictionary: { stringTable: ["", "cpu]}"] }, resourceProfiles: [{ resource: {}, scopeProfiles }] };
  let text = JSON.stringify(message, null, indent);
  if (snake) text = text.replace(/"(\w+)":/g, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return ascii(text.replaceAll(MARK, () => base64(texts.shift() ?? "")));
}
