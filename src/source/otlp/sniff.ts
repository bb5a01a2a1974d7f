/**
 * Whether a file is an OTLP profiles message, by its first bytes. OTLP has no magic: what tells is that field numbers,
 * wire types and lengths are those of opentelemetry/proto/profiles/v1development/profiles.proto (as of v1.10), message
 * inside message. ProfilesData and ExportProfilesServiceRequest are the same bytes. Traces, logs and metrics look alike
 * down to the third message and may be taken for profiles.
 */

import type { OtlpForm } from "../../otlp/messages.ts";

/** Wire types: https://protobuf.dev/programming-guides/encoding/#structure */
const V = 0;
const F64 = 1;
const L = 2;

type Message = readonly (number | Message | null)[];

/** Field number → wire type, or what the message in it looks like. Field 0 does not exist. */
const RESOURCE: Message = [null, L, V, L];
const SCOPE: Message = [null, L, L, L, V];
const PROFILE: Message = [null, L, L, F64, V, L, V, L, V, L, L, L];
const SCOPE_PROFILES: Message = [null, SCOPE, PROFILE, L];
const RESOURCE_PROFILES: Message = [null, RESOURCE, SCOPE_PROFILES, L];
const DICTIONARY: Message = [null, L, L, L, L, L, L, L];
const PROFILES_DATA: Message = [null, RESOURCE_PROFILES, DICTIONARY];

/** Fields in a row that are no accident: of a million random beginnings some get so far. */
const ENOUGH = 3;
/** After as many, something that is not known here is taken for damage, or for a field of a later version. */
const CERTAIN = 4;

const JSON_START =
  /^\ufeff?\s*\{\s*"(?:resource(?:Profiles|_profiles)"\s*:\s*(?:\[|$)|dictionary"\s*:\s*\{\s*(?:\}|"[a-z]+(?:Table|_table)"))/;

/** `head`: the first bytes of a file that is longer, or all of them. */
export function sniffJson(head: Uint8Array): OtlpForm | null {
  return JSON_START.test(new TextDecoder("utf-8", { ignoreBOM: true }).decode(head)) ? "json" : null;
}

/** `head`: as of `sniffJson`. Text can begin like a message too and has to be told apart before. */
export function sniffProtobuf(head: Uint8Array): OtlpForm | null {
  if (isMessage(head, 0, Number.POSITIVE_INFINITY)) return "protobuf";
  if (head.length < 6) return null;
  const length = new DataView(head.buffer, head.byteOffset).getUint32(0);
  return isMessage(head, 4, 4 + length) ? "frames" : null;
}

/** Whether the bytes from `start` on are ProfilesData that ends at `end`, as far as the head goes. */
function isMessage(head: Uint8Array, start: number, end: number): boolean {
  const open = [{ message: PROFILES_DATA, end }];
  let fields = 0;
  let at = start;
  const varint = (): number => {
    let value = 0;
    for (let i = 0; i < 10; i++) {
      const byte = head[at++] ?? 0;
      value += (byte & 0x7f) * 128 ** i;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  while (at < head.length) {
    while (open.length > 1 && at >= (open.at(-1)?.end ?? 0)) open.pop();
    const inside = open.at(-1);
    // Of several frames the first one is enough.
    if (fields === CERTAIN || inside === undefined || at >= inside.end) return fields > 0;
    const tag = varint();
    const known = inside.message[Math.floor(tag / 8)] ?? null;
    const wire = typeof known === "number" ? known : L;
    if (known === null || tag % 8 !== wire) return false;
    if (wire === V) varint();
    else if (wire === F64) at += 8;
    const length = wire === L ? varint() : 0;
    // What the head does not show any more speaks neither for nor against.
    if (at > head.length) break;
    const last = at + length;
    // Not a number where the length goes on for too long.
    if (!(last <= inside.end)) return false;
    if (typeof known === "number") at = last;
    else open.push({ message: known, end: last });
    fields++;
  }
  const whole = open.every(({ end: last }) => last <= head.length || last === Number.POSITIVE_INFINITY);
  return fields >= ENOUGH || (fields > 0 && whole && at === head.length);
}
