/**
 * pprof profiles: whether a file is one, by its first bytes, and how it comes to the core. Field numbers of
 * google/pprof/proto/profile.proto; fields come in any order, and libdatadog writes samples first.
 */
import { available, type ByteSource, fill } from "../bytes/byte-source.ts";
import { isMessage, L, type Message, PACKED, V } from "../bytes/protobuf-shape.ts";
import { largestMessage, type NoteFault, type Message as Piece, tooLong } from "../otlp/framed-messages.ts";

const VALUE_TYPE: Message = [null, V, V];
const LABEL: Message = [null, V, V, V, V];
const SAMPLE: Message = [null, PACKED, PACKED, LABEL];
const MAPPING: Message = [null, V, V, V, V, V, V, V, V, V, V];
const LINE: Message = [null, V, V, V];
const LOCATION: Message = [null, V, V, V, LINE, V];
const FUNCTION: Message = [null, V, V, V, V, V];
const PROFILE: Message = [
  null,
  ...[VALUE_TYPE, SAMPLE, MAPPING, LOCATION, FUNCTION, L],
  ...[V, V, V, V, VALUE_TYPE, V, PACKED, V, V],
];

/** `head`: the first bytes of a file that is longer, or all of them. */
export function isPprof(head: Uint8Array): boolean {
  return isMessage(PROFILE, head, 0, Number.POSITIVE_INFINITY);
}

/** The one profile of a file. */
export async function* pprofOf(source: ByteSource, note: NoteFault): AsyncGenerator<Piece> {
  const most = largestMessage(source);
  const length = await available(source, 0, most + 1);
  if (length > most) note("pprof.too-long", "error", `pprof: ${tooLong(length)}`, 0);
  else yield { offset: 0, length, fill: (target) => fill(source, 0, target) };
}
