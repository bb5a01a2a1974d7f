/** Messages in pieces, with turns of the event loop between them. */
import type { WriteTotals } from "../core/types.ts";
import { Slices, turn } from "../input/turn.ts";

/** Makes a message in parts that are valid until `sink` returns. */
export type Write = (sink: (part: Uint8Array) => void) => WriteTotals;

/** The parts of a message as copies. */
export async function* partsOf(
  write: Write,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, WriteTotals, undefined> {
  await turn();
  signal?.throwIfAborted();
  const parts: Uint8Array[] = [];
  const totals = write((part) => parts.push(part.slice()));
  const slices = new Slices();
  parts.reverse();
  // Each part is let go once it was passed on.
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    await slices.rest();
    signal?.throwIfAborted();
    yield part;
  }
  return totals;
}

/** The members of an iteration, with a turn of the event loop before each. */
export async function* inTurns<T>(
  members: Iterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  await turn();
  signal?.throwIfAborted();
  for (const member of members) {
    yield member;
    await turn();
    signal?.throwIfAborted();
  }
}
