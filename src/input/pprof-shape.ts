/**
 * Detection of pprof profiles by the shape of their first bytes. Field numbers of google/pprof/proto/profile.proto;
 * fields may be in any order, and libdatadog writes samples first.
 */
import { isMessage, L, type Message, PACKED, V } from "../bytes/protobuf-shape.ts";

const VALUE_TYPE: Message = [null, V, V];
const LABEL: Message = [null, V, V, V, V];
const SAMPLE: Message = [null, PACKED, PACKED, LABEL];
const MAPPING: Message = [null, V, V, V, V, V, V, V, V, V, V];
const LINE: Message = [null, V, V, V];
const LOCATION: Message = [null, V, V, V, LINE, V];
const FUNCTION: Message = [null, V, V, V, V, V];
/** Without doc_url: of its number 15, earlier versions have other fields of their own. */
export const PPROF: Message = [
  null,
  ...[VALUE_TYPE, SAMPLE, MAPPING, LOCATION, FUNCTION, L],
  ...[V, V, V, V, VALUE_TYPE, V, PACKED, V],
];

/** `head`: the first bytes of a file that is longer, or all of them. */
export function isPprof(head: Uint8Array): boolean {
  return isMessage(PPROF, head, 0, Number.POSITIVE_INFINITY);
}
