/**
 * Setup of all unit tests: equal typed arrays are found equal by one comparison of their memory. Vitest compares them
 * element by element, which takes four seconds for a megabyte. Unequal ones are left to it, for its message.
 */
import { expect } from "vitest";

function sameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return undefined;
  if (a.constructor !== b.constructor || a.byteLength !== b.byteLength) return undefined;
  const [ours, theirs] = [a, b].map((view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength));
  return ours?.equals(theirs as Buffer) === true ? true : undefined;
}

expect.addEqualityTesters([sameBytes]);
