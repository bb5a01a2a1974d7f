/**
 * Detection of OTLP profiles by the first bytes of a file. In protobuf the shape of the message decides, as
 * opentelemetry/proto/profiles/v1development/profiles.proto (v1.10) has it. ProfilesData and
 * ExportProfilesServiceRequest are the same bytes. Traces, logs and metrics have the same shape down to the third
 * message and may be taken for profiles.
 */
import { F64, isMessage, L, type Message, V } from "../bytes/protobuf-shape.ts";
import { delimitedVersion } from "./framing.ts";
import type { OtlpForm } from "./messages.ts";

const RESOURCE: Message = [null, L, V, L];
const SCOPE: Message = [null, L, L, L, V];
const PROFILE: Message = [null, L, L, F64, V, L, V, L, V, L, L, L];
const SCOPE_PROFILES: Message = [null, SCOPE, PROFILE, L];
const RESOURCE_PROFILES: Message = [null, RESOURCE, SCOPE_PROFILES, L];
const DICTIONARY: Message = [null, L, L, L, L, L, L, L];
export const PROFILES_DATA: Message = [null, RESOURCE_PROFILES, DICTIONARY];

const JSON_START =
  /^\ufeff?\s*\{\s*"(?:resource(?:Profiles|_profiles)"\s*:\s*(?:\[|$)|dictionary"\s*:\s*\{\s*(?:\}|"[a-z]+(?:Table|_table)"))/;

/** `head`: the first bytes of a file that is longer, or all of them. */
export function sniffJson(head: Uint8Array): OtlpForm | null {
  return JSON_START.test(new TextDecoder("utf-8", { ignoreBOM: true }).decode(head)) ? "json" : null;
}

/** `head`: as of `sniffJson`. Text can begin like a message too and has to be distinguished before. */
export function sniffProtobuf(head: Uint8Array): OtlpForm | null {
  if (delimitedVersion(head) !== null) return "delimited";
  if (isMessage(PROFILES_DATA, head, 0, Number.POSITIVE_INFINITY)) return "protobuf";
  if (head.length < 6) return null;
  const length = new DataView(head.buffer, head.byteOffset).getUint32(0);
  return isMessage(PROFILES_DATA, head, 4, 4 + length) ? "frames" : null;
}
